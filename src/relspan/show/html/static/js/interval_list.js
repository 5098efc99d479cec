/**
 * The list of intervals. Only the lines in sight exist: a thousand features cost as much as thirty.
 *
 * It renders from plain data (`update`) and passes on what a person wants (`events`); it knows no back end.
 */

import { h, s, setAttributes, setText } from "./dom.js";
import { handleDrag } from "./handle_drag.js";
import { AXIS_TITLE, axisEnd, axisMarks, relevanceText, SIGNED_TITLE } from "./number_format.js";
import { makeRow } from "./row.js";
import { TRACK_HEIGHT, toPixels } from "./track.js";

const AXIS_HEIGHT = 38;
const SPARE = 4; // lines beyond the edges of what is seen

/**
 * @typedef {object} ListEvents
 * @property {(name: string) => void} select
 * @property {(name: string) => void} star
 * @property {(name: string, demand: import("./types.js").Demand | null) => void} demand  Once it is released; null unpins.
 * @property {(name: string, side: string) => void} grab  A handle was taken.
 * @property {(name: string, demand: import("./types.js").Demand) => void} drag  While a handle moves.
 * @property {() => void} release  A handle was released without a new demand.
 * @property {(name: string, open?: boolean) => void} fold  Show or hide the levels of a category.
 *
 * @typedef {object} ListData
 * @property {import("./types.js").Line[]} lines
 * @property {number | undefined} threshold
 * @property {string | null} selected
 * @property {{feature: string, value: number} | null} refused
 * @property {string} [ghosts]  What the grey bars are, where there are any.
 * @property {import("./types.js").Line[]} [columns]  All lines, whether they are shown or not.
 * @property {boolean} [signed]  Whether the bars are weights with their sign.
 * @property {boolean} [whiskers]  Whether the ends of repeated analyses are drawn.
 */

/** @type {ListEvents} */
const NO_EVENTS = { select() {}, star() {}, demand() {}, grab() {}, drag() {}, release() {}, fold() {} };

/**
 * @param {{readOnly?: boolean, all?: boolean, events?: Partial<ListEvents>}} [options]  `all` draws every line, to be printed.
 */
export function intervalList(options = {}) {
  const readOnly = options.readOnly ?? false;
  const events = { ...NO_EVENTS, ...options.events };
  /** @type {ListData} */
  let data = { lines: [], threshold: undefined, selected: null, refused: null };
  /** @type {import("./track.js").Scale} */
  let scale = { end: 1, width: 300 };
  let active = 0; // the line that Tab reaches
  /** @type {ReturnType<typeof makeRow>[]} */
  let pool = [];
  let frame = 0;
  let measuring = true;
  let tidying = 0;
  let height = 0; // of all lines
  let seen = { top: 0, height: 0 }; // the part of the list in sight
  /** @type {number | undefined} */
  let axisThreshold;
  let legendWords = "";

  const rows = h("ul", { class: "rows", "aria-label": "features" });
  const axis = s("svg", { class: "axis", height: AXIS_HEIGHT, "aria-hidden": "true" });
  const legend = h("p", { class: "list-legend" });
  const headNumbers = h("span", { class: "head-numbers" });
  const head = h("div", { class: "list-head" }, h("div", { class: "list-head-line" }, h("span", { class: "head-name" }, "Feature"), h("div", { class: "axis-holder" }, axis), headNumbers));
  const empty = h("p", { class: "empty", role: "status" });
  const scroller = h("div", { class: "scroller", on: { scroll: () => {
    look();
    drawSoon();
    clearTimeout(tidying);
    tidying = window.setTimeout(tidy, 200);
  } } }, rows, empty);
  const element = h("section", { class: `interval-list${readOnly ? " read-only" : ""}${options.all ? " show-all" : ""}`, "aria-label": "relevance intervals" }, head, scroller, legend);
  const dragged = handleDrag({ scaleOf: () => scale, lineOf, events, focusLine });
  if (!readOnly) dragged.listen(rows);
  rows.addEventListener("focusin", (event) => {
    const row = /** @type {Element} */ (event.target).closest(".row");
    const at = data.lines.findIndex((line) => line.name === row?.getAttribute("data-feature"));
    if (at >= 0 && at !== active) {
      active = at;
      drawSoon();
    }
  });
  new ResizeObserver(() => {
    look();
    measuring = true;
    draw();
  }).observe(scroller);

  /** @param {string} name */
  function lineOf(name) {
    return data.lines.find((line) => line.name === name) ?? null;
  }

  /** Which part is in sight: asked only when it may have changed, for it makes the browser lay out. */
  function look() {
    seen = { top: scroller.scrollTop, height: scroller.clientHeight };
  }

  /** Draw before the next frame, once. */
  function drawSoon() {
    if (!frame) frame = requestAnimationFrame(() => draw());
  }

  function visible() {
    if (options.all) return [0, data.lines.length];
    const first = Math.max(0, Math.floor(seen.top / TRACK_HEIGHT) - SPARE);
    const count = Math.ceil(seen.height / TRACK_HEIGHT) + 2 * SPARE;
    return [first, Math.min(data.lines.length, first + count)];
  }

  function draw() {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    if (!scroller.isConnected) return;
    const [first, last] = visible();
    active = Math.min(active, Math.max(0, data.lines.length - 1));
    while (pool.length < last - first) {
      const row = makeRow(readOnly, events);
      pool.push(row);
      rows.append(row.element);
    }
    // a line keeps its row while it is in sight, so that focus and movement stay with it
    const wanted = new Set(data.lines.slice(first, last).map((line) => line.name));
    const free = pool.filter((row) => row.element.hidden || !wanted.has(row.name));
    const places = new Map(pool.filter((row) => !row.element.hidden && wanted.has(row.name)).map((row) => [row.name, row]));
    const group = data.lines.find((line) => line.name === data.selected)?.group;
    const mates = new Set(group ? data.lines.filter((line) => line.group === group && line.name !== data.selected).map((line) => line.name) : []);
    if (measuring) measure();
    for (let i = first; i < last; i++) {
      const line = dragged.preview(data.lines[i]);
      const row = places.get(line.name) ?? /** @type {ReturnType<typeof makeRow>} */ (free.shift());
      row.element.hidden = false;
      row.draw(line, {
        scale,
        threshold: line.levels && data.threshold ? line.chance ?? undefined : data.threshold, // a total has a mark of its own
        selected: line.name === data.selected,
        mate: mates.has(line.name),
        refused: data.refused?.feature === line.name ? data.refused.value : null,
        place: i,
        count: data.lines.length,
        top: i * TRACK_HEIGHT,
        focusable: i === active,
      });
    }
    for (const row of free) row.element.hidden = true;
    if (data.lines.length !== height / TRACK_HEIGHT) {
      height = data.lines.length * TRACK_HEIGHT;
      rows.style.setProperty("height", `${height}px`);
    }
  }

  /** Put the rows into the order they are read in, once the list rests and nothing in it has the focus. */
  function tidy() {
    if (!options.all && rows.contains(document.activeElement)) return;
    const place = (/** @type {ReturnType<typeof makeRow>} */ row) => Number(row.element.getAttribute("aria-posinset"));
    pool.sort((a, b) => place(a) - place(b));
    rows.append(...pool.map((row) => row.element));
  }

  /** How wide a track is: asked only when something may have changed it, for it makes the browser lay out. */
  function measure() {
    measuring = false;
    const measured = pool.find((row) => !row.element.hidden)?.track.svg.parentElement?.clientWidth ?? 0;
    if (measured <= 20) measuring = true;
    else if (measured !== scale.width) scale = { ...scale, width: measured };
    drawAxis();
  }

  function drawAxis() {
    const x = (/** @type {number} */ value) => toPixels(scale, value);
    setAttributes(axis, { width: scale.width, viewBox: `0 0 ${scale.width} ${AXIS_HEIGHT}` });
    const start = scale.start ?? 0;
    const words = data.signed ? SIGNED_TITLE : AXIS_TITLE;
    const title = s("text", { class: "axis-title", x: x(start), y: 12 }, scale.width < 280 ? words.split(":")[0] : words);
    const sizes = axisMarks(scale.end);
    const marks = [...(start < 0 ? sizes.filter((value) => value > 0).map((value) => -value) : []), ...sizes].map((value) => s("text", { x: x(value), y: 29, "text-anchor": "middle" }, String(value)));
    const tau = data.threshold;
    axisThreshold = tau;
    axis.replaceChildren(title, ...marks, ...(tau ? [s("path", { class: "axis-threshold", d: `M ${x(tau)} ${AXIS_HEIGHT} l -4 -6 h 8 z` })] : []));
    if (tau) axis.append(s("title", {}, `Chance reaches up to ${relevanceText(tau)}.`));
    setText(headNumbers, data.signed ? "low – high" : "min – max");
    legend.replaceChildren(...legendParts(data));
  }

  /**
   * Move the keyboard to another line.
   * @param {string} name
   * @param {number} step
   * @param {string} selector  What to focus there.
   */
  function focusLine(name, step, selector) {
    const at = data.lines.findIndex((line) => line.name === name);
    const next = Math.min(Math.max(at + step, 0), data.lines.length - 1);
    reveal(data.lines[next].name);
    const row = pool.find((one) => !one.element.hidden && one.name === data.lines[next].name);
    const inside = data.lines[next].levels ? ".name" : selector; // a category has no handles
    /** @type {HTMLElement | null | undefined} */ (row?.element.querySelector(inside))?.focus({ preventScroll: true });
  }

  /** Scroll a line into sight and make it the active one. @param {string} name */
  function reveal(name) {
    const at = data.lines.findIndex((line) => line.name === name);
    if (at < 0) return;
    active = at;
    const top = at * TRACK_HEIGHT;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    if (top + TRACK_HEIGHT > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = top + TRACK_HEIGHT - scroller.clientHeight;
    }
    look();
    draw();
  }

  return {
    element,
    scroller,
    reveal,
    tidy,
    /** The features in sight, by index: they are asked for first. */
    inSight() {
      const [first, last] = visible();
      const seen = data.lines.slice(first, last);
      const folded = new Set(seen.flatMap((line) => (line.levels && !line.open ? line.levels : [])));
      return [...seen.map((line) => line.index), ...(folded.size ? data.columns?.filter((line) => folded.has(line.name)).map((line) => line.index) ?? [] : [])];
    },
    /** @param {ListData} next */
    update(next) {
      data = next;
      const before = scale;
      const reach = (/** @type {import("./types.js").Line} */ line) => Math.max(line.ghost[1], line.max, -line.ghost[0], -line.min, line.whiskers?.max[1] ?? 0, data.threshold ? line.chance ?? 0 : 0);
      const largest = data.lines.reduce((most, line) => Math.max(most, reach(line)), data.threshold ?? 0);
      const end = largest > scale.end || largest < 0.45 * scale.end || scale.end === 1 ? axisEnd(largest) : scale.end;
      const start = data.signed ? -end : 0;
      if (end !== scale.end || start !== (scale.start ?? 0)) scale = { ...scale, end, start };
      const words = `${data.ghosts}${data.lines[0]?.best === null}${data.signed}${data.whiskers}${data.lines.some((line) => line.group)}`;
      if (scale !== before || data.threshold !== axisThreshold || words !== legendWords) measuring = true;
      legendWords = words;
      setText(empty, data.lines.length ? "" : "No feature matches. Clear the search or the filters.");
      draw();
    },
    refresh: drawSoon,
    /** Draw for the width that the list has now, without waiting for the browser's notice. */
    fit() {
      measuring = true;
      draw();
    },
  };
}

/**
 * What the signs of the list mean.
 * @param {ListData} data
 */
function legendParts({ threshold: tau, ghosts, lines, signed, whiskers }) {
  const best = lines.some((line) => line.best !== null);
  return [
    h("span", {}, h("span", { class: "legend-bar", "aria-hidden": "true" }), signed ? "from the lowest to the highest weight in equally good models" : "from the least to the most that the feature matters in equally good models"),
    ...(whiskers ? [h("span", {}, h("span", { class: "legend-whisker", "aria-hidden": "true" }), "where its ends lie in most repeated analyses: least above, most below")] : []),
    ...(lines.some((line) => line.group) ? [h("span", {}, h("span", { class: "group-mark", "aria-hidden": "true" }, "A"), " same letter: similar columns, which may stand in for one another")] : []),
    ...(best ? [h("span", {}, h("span", { class: "legend-dot", "aria-hidden": "true" }), "in the best model")] : []),
    ...(tau ? [h("span", {}, h("span", { class: "legend-line", "aria-hidden": "true" }), `chance reaches up to here (${relevanceText(tau)})`)] : []),
    ...(ghosts ? [h("span", {}, h("span", { class: "legend-bar is-ghost", "aria-hidden": "true" }), ghosts)] : []),
  ];
}
