/**
 * Requests while a handle moves: one at a time, and of those that wait only the newest is sent.
 *
 * @template Q, A
 * @param {(question: Q) => Promise<A>} ask
 * @param {(answer: A, question: Q) => void} answered
 */
export function newestWins(ask, answered) {
  /** @type {Q | null} */
  let waiting = null;
  let busy = false;
  let generation = 0;

  async function pump() {
    if (busy) return;
    busy = true;
    while (waiting !== null) {
      const question = waiting;
      const asked = generation;
      waiting = null;
      try {
        const answer = await ask(question);
        if (asked === generation) answered(answer, question);
      } catch {
        // a demand that fails is explained when the handle is released
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
    /** Ignore answers that are still on their way. */
    drop() {
      waiting = null;
      generation++;
    },
  };
}
