/** One line of the list: star, class, name, track, numbers, and the three demands that need no number. */

import { CLASS_MARK, CLASS_MEANING } from "./classes.js";
import { button, h, say, set } from "./dom.js";
import { relevanceText } from "./numbers.js";
import { drawTrack, makeTrack } from "./track.js";

/**
 * @typedef {object} RowEvents
 * @property {(name: string) => void} select
 * @property {(name: string) => void} star
 * @property {(name: string, demand: import("./types.js").Demand | null) => void} demand  null frees.
 */

/**
 * @param {boolean} readOnly
 * @param {RowEvents} events
 */
export function makeRow(readOnly, events) {
  let name = "";
  /** @type {any[]} */
  let drawn = []; // what the row shows now; scrolling changes nothing in most rows
  const mark = h("span", { class: "mark", "aria-hidden": "true" });
  const title = h("span", { class: "name-text" });
  const kind = h("span", { class: "kind" });
  const chosen = button("", () => events.select(name), { class: "name" });
  chosen.append(mark, title, kind);
  const star = button("☆", () => events.star(name), { class: "star", tabindex: -1 });
  const numbers = h("span", { class: "numbers" });
  const without = quick("⊘", "without it", "without");
  const most = quick("⇥", "as much as possible", "max");
  const free = quick("↺", "free it", null);
  const track = makeTrack(readOnly);
  const holder = h("div", { class: "track-holder" }, track.svg);
  const tools = h("div", { class: "row-tools" }, readOnly ? [] : [without, most, free]);
  const element = h("li", { class: "row" }, readOnly ? null : star, chosen, holder, numbers, tools);

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
     * @param {import("./types.js").Shown} line
     * @param {{scale: import("./track.js").Scale, threshold: number | undefined, selected: boolean, refused: number | null, place: number, count: number, top: number, focusable: boolean}} at
     */
    draw(line, at) {
      const shows = [line, at.scale, at.threshold, at.selected, at.refused, at.place, at.count, at.focusable];
      if (shows.every((value, i) => value === drawn[i])) return;
      drawn = shows;
      const fresh = name !== line.name; // another feature's bar does not glide here from the last one's
      name = line.name;
      set(element, {
        class: `row${fresh ? " is-fresh" : ""} is-${line.relevance}${at.selected ? " is-selected" : ""}${line.pin ? " is-pinned" : ""} is-${line.status}`,
        "aria-posinset": at.place + 1,
        "aria-setsize": at.count,
        "data-feature": line.name,
      });
      element.style.setProperty("transform", `translateY(${at.top}px)`);
      say(mark, CLASS_MARK[line.relevance]);
      say(title, line.name);
      say(kind, line.pin ? `${line.relevance}, pinned` : line.relevance);
      set(chosen, { title: `${line.name}: ${line.relevance}. ${CLASS_MEANING[line.relevance]}`, "aria-pressed": String(at.selected), tabindex: at.focusable ? 0 : -1 });
      const limit = line.status === "outer" ? "≤ " : "";
      say(numbers, `${relevanceText(line.min)} – ${limit}${relevanceText(line.max)}`);
      drawTrack(track, line, at.scale, at.threshold, at.refused);
      if (readOnly) return;
      say(star, line.starred ? "★" : "☆");
      set(star, { "aria-pressed": String(line.starred), "aria-label": `star ${line.name}` });
      for (const tool of [without, most, free]) set(tool, { "aria-label": `${line.name}: ${tool.dataset.words}` });
      set(without, { "aria-pressed": String(line.pin?.asked === "without") });
      set(most, { "aria-pressed": String(line.pin?.asked === "max") });
      /** @type {HTMLButtonElement} */ (free).disabled = !line.pin;
      for (const handle of track.handles) set(handle, { tabindex: at.focusable ? 0 : -1 });
    },
  };
}
