/** Search, filter, sort. */

import { CLASSES, CLASS_MARK, OUTCOMES } from "./relevance_classes.js";
import { h, setAttributes, setText } from "./dom.js";
import { SORTS } from "./lines.js";

const SORTS_WITH_PINS = new Set(["moved", "cost"]); // where nothing is pinned or priced they sort nothing

/**
 * @param {import("./lines.js").Choice} choice  Changed in place.
 * @param {string[]} parts  Classes that have weights of their own.
 * @param {boolean} readOnly
 * @param {() => void} changed
 */
export function toolbar(choice, parts, readOnly, changed) {
  const search = /** @type {HTMLInputElement} */ (
    h("input", { type: "search", placeholder: "Search features", "aria-label": "search features", class: "search", on: { input: () => {
      choice.search = search.value;
      changed();
    } } })
  );
  const sort = /** @type {HTMLSelectElement} */ (
    h("select", { "aria-label": "sort order", on: { change: () => {
      choice.sort = sort.value;
      changed();
    } } }, SORTS.filter(([key]) => !(readOnly && SORTS_WITH_PINS.has(key))).map(([key, words]) => h("option", { value: key }, words)))
  );
  /** @type {Map<string, HTMLElement>} */
  const counts = new Map();
  const chips = CLASSES.map((kind) => filter(kind, choice.classes, h("span", { class: "mark", "aria-hidden": "true" }, CLASS_MARK[kind])));
  const outcomes = h("div", { class: "chips outcomes", role: "group", "aria-label": "what the pins do to features" }, h("span", { class: "hint" }, "Features:"), OUTCOMES.map((outcome) => filter(outcome, choice.outcomes)));
  const part = /** @type {HTMLSelectElement} */ (
    h("select", { "aria-label": "weights shown", on: { change: () => {
      choice.part = part.value;
      changed();
    } } }, h("option", { value: "" }, "total of all classes"), parts.map((name) => h("option", { value: name }, `class ${name} only`)))
  );
  const starred = toggle("★ starred", "starred");
  const pinned = toggle("pinned", "pinned");
  const signed = toggle("± signed", "signed");
  setAttributes(signed, { title: "Show the weights with their sign, from the lowest to the highest. Handles are hidden meanwhile." });
  const found = h("span", { class: "found", role: "status" });
  const element = h("div", { class: "toolbar", role: "search" }, search, h("div", { class: "chips" }, chips, readOnly ? [] : [starred, pinned], signed), parts.length ? h("label", { class: "sort" }, "Weights ", part) : "", h("label", { class: "sort" }, "Sort ", sort), found);

  /**
   * A chip that counts the lines of one kind, and shows only these.
   * @param {string} kind
   * @param {Set<string>} chosen
   * @param {HTMLElement} [mark]
   */
  function filter(kind, chosen, mark) {
    const count = h("span", { class: "count" });
    counts.set(kind, count);
    const chip = h("button", { type: "button", class: `chip is-${kind.replace(" ", "-")}`, "aria-pressed": "false", on: { click: () => {
      if (chosen.has(kind)) chosen.delete(kind);
      else chosen.add(kind);
      setAttributes(chip, { "aria-pressed": String(chosen.has(kind)) });
      changed();
    } } }, mark ?? "", ` ${kind} `, count);
    return chip;
  }

  /**
   * @param {string} words
   * @param {"starred" | "pinned" | "signed"} key
   */
  function toggle(words, key) {
    const chip = h("button", { type: "button", class: "chip", "aria-pressed": "false", on: { click: () => {
      choice[key] = !choice[key];
      setAttributes(chip, { "aria-pressed": String(choice[key]) });
      changed();
    } } }, words);
    return chip;
  }

  return {
    element,
    outcomes,
    search,
    /**
     * @param {import("./types.js").Line[]} lines
     * @param {number} shown  How many of them, without the levels of categories.
     */
    update(lines, shown) {
      const features = lines.filter((line) => line.home === null);
      signed.hidden = parts.length > 0 && !choice.part;
      for (const [kind, count] of counts) {
        const n = features.filter((line) => line.relevance === kind || line.outcome === kind).length;
        setText(count, String(n));
        /** @type {HTMLElement} */ (count.parentElement).hidden = n === 0 && !choice.classes.has(kind) && !choice.outcomes.has(kind);
      }
      outcomes.hidden = choice.outcomes.size === 0 && lines.every((line) => line.outcome === null);
      setText(found, shown === features.length ? "" : `${shown} of ${features.length}`);
    },
  };
}
