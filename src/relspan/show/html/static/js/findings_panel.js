/** What a reader wants to know first, in plain sentences. */

import { button, h } from "./dom.js";

/**
 * @param {import("./types.js").State} state
 * @param {boolean} readOnly
 * @param {() => void} findSubstitutes  Compute which features can replace each other.
 */
export function findingsPanel(state, readOnly, findSubstitutes) {
  const findings = state.findings ?? [];
  const beyond = (state.account ?? []).find((entry) => entry.key === "beyond_line");
  const places = new Map([...findings, ...(beyond ? [beyond] : [])].map((entry) => [entry.key, entry]));
  if (!readOnly && !places.has("score")) places.set("score", { key: "score", title: "Score", sentence: "" }); // it follows
  const words = new Map([...places.values()].map((entry) => [entry.key, h("dd", {}, entry.sentence)]));
  if (!readOnly && places.has("exchange")) words.get("exchange")?.append(" ", button("Find the pairs that can replace each other", () => findSubstitutes(), { class: "link find-pairs" }));
  const score = h("div", {}, h("dt", { class: "finding-score" }, "Score"), words.get("score") ?? "");
  const entry = (/** @type {import("./types.js").Entry} */ { key, title }) => key === "score" ? [score] : [h("div", {}, h("dt", { class: `finding-${key}` }, title), words.get(key))];
  const element = h("div", { class: "panel-body findings" },
    h("h2", {}, "What was found"),
    h("dl", {}, [...places.values()].flatMap(entry)),
    h("p", { class: "hint" }, readOnly ? "Choose a feature in the list to see what its class rests on." : "Choose a feature in the list to see what its class rests on, what could replace it, and to pin it by number."));
  return {
    element,
    /** Where the analysis has no score, that of the best model without pins follows. @param {import("./types.js").View | null | undefined} view */
    update(view) {
      const place = words.get("score");
      if (place && !place.textContent && !view?.pins.length) place.textContent = view?.best?.score?.sentence ?? "";
      score.hidden = !place?.textContent;
    },
  };
}
