/** The classes of features: a mark and a word always stand beside the colour. */

/** @type {import("./types.js").Relevance[]} */
export const CLASSES = ["strong", "weak", "irrelevant", "undecided"];

/** The sentences of show/account.py. @type {Record<string, string>} */
export const CLASS_MEANING = {
  strong: "The feature matters beyond chance, and no equally good model works without it.",
  weak: "The feature matters beyond chance, but nothing proves that it is needed; as a rule, other features can replace it.",
  irrelevant: "Nothing here distinguishes the feature from chance.",
  undecided: "The run was interrupted before the feature's class was known.",
};

/** What speaks most for a feature, in the sentences of show/account.py. @type {Record<string, string>} */
export const ROUTE_MEANING = {
  reach: "How much weight an equally good model can give the feature.",
  association: "How far the target moves with the feature.",
  need: "How far the target moves with the feature beyond what the other features explain.",
  cluster: "How far the target moves with the feature beyond what all but it and its substitutes explain.",
};

/** The sentence of show/account.py about a feature that is norm-made. */
export const NORM_MADE = "Needed only because of the norm budget: other columns express it at the price of larger weights.";

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
