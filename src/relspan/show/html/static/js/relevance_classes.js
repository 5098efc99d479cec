/** The classes of features: a mark and a word always stand beside the colour. */

/** @type {import("./types.js").Relevance[]} */
export const CLASSES = ["strong", "weak", "irrelevant", "undecided"];

/** The sentences of show/account.py. @type {Record<string, string>} */
export const CLASS_MEANING = {
  strong: "No equally good model works without the feature.",
  weak: "The feature can matter, but other features can replace it.",
  irrelevant: "The feature cannot be distinguished from chance.",
  undecided: "The run was interrupted before the feature's class was known.",
};

/** What pins can do to a feature, in the order in which it is shown. @type {import("./types.js").Outcome[]} */
export const OUTCOMES = ["left out", "needed", "moved", "unmoved"];

/** The sentences of show/account.py. @type {Record<string, string>} */
export const OUTCOME_MEANING = {
  "left out": "No model that satisfies the pins uses the feature.",
  needed: "Every model that satisfies the pins uses the feature; without pins some equally good model does not. This is no verdict on the feature: pins that use up the budgets leave almost one model, which needs all that it uses.",
  moved: "The pins changed its smallest or largest relevance.",
  unmoved: "The pins did not change its interval visibly.",
};

/**
 * What pins do to a line's feature, in words; empty where there is nothing to say.
 * @param {import("./types.js").Line} line
 */
export function effectText(line) {
  const words = [...(line.pinned ? ["pinned"] : []), ...(line.outcome === "left out" || line.outcome === "needed" ? [line.outcome] : [])];
  return words.join(", ");
}

/** @type {Record<string, string>} */
export const CLASS_MARK = { strong: "●", weak: "◐", irrelevant: "·", undecided: "?" };
