/** The classes of features: never told by colour alone, always by a mark and a word too. */

/** @type {import("./types.js").Relevance[]} */
export const CLASSES = ["strong", "weak", "irrelevant", "undecided"];

/** @type {Record<string, string>} */
export const CLASS_MEANING = {
  strong: "every equally good model needs it",
  weak: "some equally good models use it, others replace it",
  irrelevant: "no equally good model gains from it more than from chance",
  undecided: "the analysis was interrupted before classes were known",
};

/** @type {Record<string, string>} */
export const CLASS_MARK = { strong: "●", weak: "◐", irrelevant: "·", undecided: "?" };
