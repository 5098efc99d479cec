/** How to read the page, and what the keys do. */

import { button, h } from "./dom.js";
import { CLASS_MARK, CLASS_MEANING, CLASSES } from "./relevance_classes.js";

/** @type {[string, string][]} */
const KEYS = [
  ["Tab, Shift+Tab", "Move between the search, the features and the details."],
  ["↑ ↓", "Go to the previous or the next feature."],
  ["← →", "Move the handle; with Shift, ten times as far. On a category: show or hide its levels."],
  ["Home, End", "Move the handle to the end of what is possible."],
  ["Enter, Esc", "Apply or cancel a moved handle at once."],
  ["w", "Leave the feature out."],
  ["m", "Pin the feature at its maximum."],
  ["Delete", "Unpin the feature."],
  ["s", "Star the feature, or remove its star."],
  ["Ctrl+Z, Ctrl+Shift+Z", "Undo, redo."],
  ["/", "Search."],
  ["?", "Show this help."],
];

export function helpDialog() {
  const element = /** @type {HTMLDialogElement} */ (h("dialog", { class: "dialog help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "How to read and use this page"),
    h("p", {}, "Each bar shows how much a feature must matter (left end) and can matter (right end) in all models that are as good as the best one. The dotted line shows how far a feature can reach by chance alone. It is one of two measures of the evidence for a feature, so a bar that crosses it may still belong to an irrelevant feature; choose a feature to see its evidence."),
    h("ul", {}, CLASSES.slice(0, 3).map((kind) => h("li", {}, `${CLASS_MARK[kind]} ${kind}: ${CLASS_MEANING[kind]}`))),
    h("p", {}, "Drag a handle to require at least or at most this much of a feature, and watch the other bars. The grey bar behind shows the interval without pins; the tinted part shows where the feature can be pinned. A pale bar is not exact yet: the interval reaches at least this far."),
    h("table", {}, h("tbody", {}, KEYS.map(([keys, effect]) => h("tr", {}, h("th", { scope: "row" }, keys), h("td", {}, effect))))),
    h("div", { class: "actions" }, button("Close", () => element.close(), { class: "primary" }))));
  return { element, show: () => element.showModal() };
}
