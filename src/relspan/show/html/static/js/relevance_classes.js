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

/** @type {Record<string, string>} */
export const CLASS_MARK = { strong: "●", weak: "◐", irrelevant: "·", undecided: "?" };
