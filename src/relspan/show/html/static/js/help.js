/** What the keys do, and what the picture means. */

import { CLASS_MARK, CLASS_MEANING, CLASSES } from "./classes.js";
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
    h("p", {}, "Each bar shows how much a feature must matter (left end) and can matter (right end) in all models that are as good as the best one. The dotted line shows how far chance reaches."),
    h("ul", {}, CLASSES.slice(0, 3).map((kind) => h("li", {}, `${CLASS_MARK[kind]} ${kind}: ${CLASS_MEANING[kind]}`))),
    h("p", {}, "Drag a handle to require at least or at most this much of a feature, and watch the other bars. The grey bar behind is the interval without pins; the tinted part is where the feature can be pinned. A paler bar is a bound from inside until the exact answer is known."),
    h("table", {}, h("tbody", {}, KEYS.map(([keys, words]) => h("tr", {}, h("th", { scope: "row" }, keys), h("td", {}, words))))),
    h("div", { class: "actions" }, button("Close", () => element.close(), { class: "primary" }))));
  return { element, show: () => element.showModal() };
}
