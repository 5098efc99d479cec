/** The conversation with the back end: changes are asked for, and news are followed as long as the page is open. */

/** @param {number} milliseconds */
function pauseOf(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/**
 * @param {import("./types.js").Transport} transport
 * @param {object} needs
 * @param {() => import("./types.js").State} needs.current  The state that is shown.
 * @param {() => Record<string, any>} needs.sight  What is seen now; the back end begins with it.
 * @param {() => boolean} needs.held  Whether a hand holds something that a new state would move.
 * @param {(next: import("./types.js").State) => void} needs.receive
 * @param {(lost: string | null) => void} needs.connection  A message while nobody answers, null once somebody does.
 */
export function backEnd(transport, needs) {
  let changing = 0; // changes that are on their way
  let following = false;

  /** @param {import("./types.js").State} next */
  function take(next) {
    const now = needs.current();
    if (next.phase === "ready" && !next.result && next.session === now.session) Object.assign(next, { result: now.result, account: now.account, findings: now.findings, equally_good: now.equally_good, slider: now.slider, groups: now.groups, categories: now.categories, questions: now.questions });
    needs.receive(next);
    follow();
  }

  async function follow() {
    if (following) return;
    following = true;
    let wait = 0;
    for (;;) {
      const { phase, revision } = needs.current();
      if (needs.held() || phase === "fitting") await pauseOf(150);
      if (needs.held()) continue;
      try {
        const next = await transport.ask("follow", { ...needs.sight(), revision });
        needs.connection(null);
        wait = 0;
        if (!changing && !needs.held() && next.revision > needs.current().revision) take(next);
      } catch (error) {
        if (/** @type {any} */ (error).status === 401) break; // it is for the reader to open the right address
        needs.connection(/** @type {Error} */ (error).message);
        wait = Math.min(4000, 2 * wait + 250);
        await pauseOf(wait);
      }
    }
    following = false;
  }

  return {
    take,
    /**
     * Ask for a change; the answer is the new state.
     * @param {string} action
     * @param {Record<string, any>} [payload]
     */
    async change(action, payload = {}) {
      changing++;
      try {
        take(await transport.ask(action, { ...needs.sight(), ...payload }));
      } finally {
        changing--;
      }
    },
    /** @param {File} file */
    async upload(file) {
      take(await /** @type {any} */ (transport).upload(file));
    },
  };
}
