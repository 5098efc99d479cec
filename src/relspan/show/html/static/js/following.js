/**
 * Requests while a hand moves: one at a time, and of those that wait only the newest is sent.
 *
 * @template Q, A
 * @param {(question: Q) => Promise<A>} ask
 * @param {(answer: A, question: Q) => void} answered
 */
export function newestWins(ask, answered) {
  /** @type {Q | null} */
  let waiting = null;
  let busy = false;
  let era = 0;

  async function pump() {
    if (busy) return;
    busy = true;
    while (waiting !== null) {
      const question = waiting;
      const asked = era;
      waiting = null;
      try {
        const answer = await ask(question);
        if (asked === era) answered(answer, question);
      } catch {
        // a wish that fails is told when it is settled
      }
    }
    busy = false;
  }

  return {
    /** @param {Q} question */
    send(question) {
      waiting = question;
      pump();
    },
    /** Answers that are still on their way mean nothing any more. */
    drop() {
      waiting = null;
      era++;
    },
  };
}
