/** What a reader wants to know first, in plain sentences. */

import { h } from "./dom.js";

/**
 * @param {import("./types.js").State} state
 * @param {boolean} readOnly
 */
export function findingsPanel(state, readOnly) {
  const findings = state.findings ?? [];
  const account = state.account ?? [];
  const beyond = account.find((entry) => entry.key === "beyond_line");
  return h("div", { class: "panel-body findings" },
    h("h2", {}, "What was found"),
    h("dl", {}, findings.flatMap((entry) => [h("dt", { class: `finding-${entry.key}` }, entry.title), h("dd", {}, entry.sentence)]), beyond ? [h("dt", {}, beyond.title), h("dd", {}, beyond.sentence)] : []),
    h("p", { class: "hint" }, readOnly ? "Choose a feature in the list to see what its class rests on." : "Choose a feature in the list to see what its class rests on, what could replace it, and to pin it by number."));
}
