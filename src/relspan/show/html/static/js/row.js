/** One line of the list: star, class, name, track, numbers, and three buttons for demands without a number. */

import { CLASS_MARK, CLASS_MEANING, effectText, OUTCOME_MEANING } from "./relevance_classes.js";
import { button, h, setAttributes, setText } from "./dom.js";
import { relevanceText } from "./number_format.js";
import { drawTrack, makeTrack } from "./track.js";

const LONG_NAME = 16; // letters beyond which a name may be cut in its middle
const KEPT_END = 8; // letters at the end of a name that are always shown

/**
 * @typedef {object} RowEvents
 * @property {(name: string) => void} select
 * @property {(name: string) => void} star
 * @property {(name: string, demand: import("./types.js").Demand | null) => void} demand  null unpins.
 * @property {(name: string) => void} fold  Show or hide the levels of a category.
 */

/**
 * @param {boolean} readOnly
 * @param {RowEvents} events
 */
export function makeRow(readOnly, events) {
  let name = "";
  /** @type {any[]} */
  let drawn = []; // what the row shows now: while scrolling, most rows stay as they are
  const mark = h("span", { class: "mark", "aria-hidden": "true" });
  const titleStart = h("span", { class: "name-start" });
  const titleEnd = h("span", { class: "name-end" });
  const title = h("span", { class: "name-text" }, titleStart, titleEnd);
  const kind = h("span", { class: "kind" });
  const group = h("span", { class: "group-mark" });
  const fold = button("▸", () => events.fold(name), { class: "fold", tabindex: -1 });
  fold.hidden = true;
  const chosen = button("", () => events.select(name), { class: "name" });
  const effect = h("span", { class: "effect" });
  chosen.append(mark, title, h("span", { class: "words" }, effect, kind), group);
  const star = button("☆", () => events.star(name), { class: "star", tabindex: -1 });
  const numbers = h("span", { class: "numbers" });
  const without = quick("⊘", "leave it out", "without");
  const most = quick("⇥", "as much as possible", "max");
  const unpin = quick("↺", "remove its pin", null);
  const track = makeTrack(readOnly);
  const holder = h("div", { class: "track-holder" }, track.svg);
  const tools = h("div", { class: "row-tools" }, readOnly ? [] : [without, most, unpin]);
  const element = h("li", { class: "row" }, readOnly ? null : star, h("div", { class: "name-holder" }, fold, chosen), holder, numbers, tools);

  /**
   * @param {string} face
   * @param {string} words
   * @param {import("./types.js").Demand | null} demand
   */
  function quick(face, words, demand) {
    return button(face, () => events.demand(name, demand), { class: "quick", title: words, tabindex: -1, "data-words": words });
  }

  return {
    element,
    track,
    get name() {
      return name;
    },
    /**
     * @param {import("./types.js").Line} line
     * @param {{scale: import("./track.js").Scale, threshold: number | undefined, selected: boolean, mate: boolean, refused: number | null, place: number, count: number, top: number, focusable: boolean}} at
     */
    draw(line, at) {
      const shows = [line, at.scale, at.threshold, at.selected, at.mate, at.refused, at.place, at.count, at.focusable];
      if (shows.every((value, i) => value === drawn[i])) return;
      drawn = shows;
      const fresh = name !== line.name; // the bar must not glide here from another feature's place
      name = line.name;
      setAttributes(element, {
        class: `row${fresh ? " is-fresh" : ""} is-${line.relevance}${at.selected ? " is-selected" : ""}${at.mate ? " is-mate" : ""}${line.levels ? " is-category" : ""}${line.home !== null ? " is-level" : ""}${line.pinned ? " is-pinned" : ""}${line.outcome ? ` is-${line.outcome.replace(" ", "-")}` : ""} is-${line.status}`,
        "aria-posinset": at.place + 1,
        "aria-setsize": at.count,
        "data-feature": line.name,
      });
      element.style.setProperty("transform", `translateY(${at.top}px)`);
      setText(mark, CLASS_MARK[line.relevance]);
      const cut = line.name.length > LONG_NAME ? line.name.length - KEPT_END : line.name.length;
      setText(titleStart, line.name.slice(0, cut)); // what does not fit is cut here, so that names with one beginning differ
      setText(titleEnd, line.name.slice(cut));
      setText(effect, effectText(line));
      setText(kind, line.levels ? `${line.relevance}, ${line.levels.length} levels` : line.relevance);
      setText(group, line.group);
      setAttributes(group, { title: line.mates || null });
      fold.hidden = !line.levels || readOnly;
      setText(fold, line.open ? "▾" : "▸");
      setAttributes(fold, { "aria-expanded": String(line.open), "aria-label": `levels of ${line.name}` });
      const under = line.outcome ? ` Under these pins: ${line.outcome}. ${OUTCOME_MEANING[line.outcome]}` : "";
      const unpinned = line.outcome ? " without pins" : "";
      setAttributes(chosen, { title: `${line.name}.${under} Class${unpinned}: ${line.relevance}. ${CLASS_MEANING[line.relevance]} ${line.grounds} ${line.mates}`.trim(), "aria-pressed": String(at.selected), tabindex: at.focusable ? 0 : -1, class: effect.textContent ? "name has-effect" : "name" });
      const limit = line.status === "outer" ? "≤ " : "";
      const about = line.status === "inner" ? "≈ " : "";
      setText(numbers, `${about}${relevanceText(line.min)} – ${limit}${relevanceText(line.max)}`);
      setAttributes(numbers, { title: line.status === "inner" ? "Not exact yet: the interval reaches at least this far, perhaps further on both sides." : null });
      drawTrack(track, line, at.scale, at.threshold, at.refused);
      if (readOnly) return;
      setText(star, line.starred ? "★" : "☆");
      setAttributes(star, { "aria-pressed": String(line.starred), "aria-label": `star ${line.name}` });
      for (const tool of [without, most, unpin]) setAttributes(tool, { "aria-label": `${line.name}: ${tool.dataset.words}` });
      setAttributes(without, { "aria-pressed": String(line.pin?.asked === "without") });
      most.hidden = line.levels !== null;
      setAttributes(most, { "aria-pressed": String(line.pin?.asked === "max") });
      /** @type {HTMLButtonElement} */ (unpin).disabled = !line.pinned;
      for (const handle of track.handles) setAttributes(handle, { tabindex: at.focusable && !line.levels ? 0 : -1 });
    },
  };
}
