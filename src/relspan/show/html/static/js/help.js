/** What the keys do, and what the picture means. */

import { button, h } from "./dom.js";

/** @type {[string, string][]} */
const KEYS = [
  ["Tab, Shift+Tab", "between the search, the active line and the details"],
  ["↑ ↓", "to the next line"],
  ["← →", "on a handle: move it; with Shift ten times as far"],
  ["Home, End", "to the ends of what is possible"],
  ["Enter, Esc", "settle a moved handle at once, or give it up"],
  ["w, m", "without it; as much as possible"],
  ["Del", "free it"],
  ["s", "star"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
  ["/", "search"],
];

export function helpDialog() {
  const element = /** @type {HTMLDialogElement} */ (h("dialog", { class: "dialog help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Reading and steering"),
    h("p", {}, "Each bar spans from how much a feature must matter to how much it can matter, over all linear models that are as good as the best one. ● strong: every such model needs it. ◐ weak: it can matter, and can be replaced. · irrelevant: no better than chance, which ends at the dotted line."),
    h("p", {}, "Drag a handle to ask for at least or at most so much of a feature, and watch the others. Grey behind a bar is the interval without pins; the tinted part is where the feature can be pinned. Paler bars are bounds from inside until the exact answer is there."),
    h("table", {}, h("tbody", {}, KEYS.map(([keys, words]) => h("tr", {}, h("th", { scope: "row" }, keys), h("td", {}, words))))),
    h("div", { class: "actions" }, button("Close", () => element.close(), { class: "primary" }))));
  return { element, show: () => element.showModal() };
}
