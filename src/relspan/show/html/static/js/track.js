/**
 * One feature's interval, drawn: the ghost of the interval without pins, the part where it may be pinned, the bar, and
 * two handles that a hand or a keyboard moves. Coordinates are pixels.
 */

import { s, setAttributes } from "./dom.js";
import { relevanceText } from "./number_format.js";

export const TRACK_HEIGHT = 36;
const MARGIN = 9; // room for half a handle

/**
 * @typedef {object} Scale
 * @property {number} end  The value at the right end.
 * @property {number} [start]  The value at the left end, 0 unless weights are drawn with their sign.
 * @property {number} width  Of the drawing, in pixels.
 */

/**
 * @param {Scale} scale
 * @param {number} value
 */
export function toPixels(scale, value) {
  const inner = Math.max(1, scale.width - 2 * MARGIN);
  const start = scale.start ?? 0;
  return Math.round((MARGIN + ((Math.min(Math.max(value, start), scale.end) - start) / (scale.end - start)) * inner) * 10) / 10;
}

/**
 * @param {Scale} scale
 * @param {number} x
 */
export function toValue(scale, x) {
  const inner = Math.max(1, scale.width - 2 * MARGIN);
  return Math.min(Math.max((x - MARGIN) / inner, 0), 1) * scale.end;
}

/** A track to be filled; `handles` are left out where nothing can be pinned. @param {boolean} readOnly */
export function makeTrack(readOnly) {
  const middle = TRACK_HEIGHT / 2;
  const part = {
    line: s("line", { class: "track-line", y1: middle, y2: middle }),
    allowed: s("rect", { class: "track-allowed", y: middle - 11, height: 22, rx: 5 }),
    ghost: s("rect", { class: "track-ghost", y: middle - 6, height: 12, rx: 6 }),
    bar: s("rect", { class: "track-bar", y: middle - 4, height: 8, rx: 4 }),
    best: s("circle", { class: "track-best", cy: middle, r: 2.6 }),
    zero: s("line", { class: "track-zero", y1: 4, y2: TRACK_HEIGHT - 4 }),
    whiskers: s("path", { class: "track-whiskers" }),
    threshold: s("line", { class: "track-threshold", y1: 0, y2: TRACK_HEIGHT }),
    opposite: s("line", { class: "track-threshold", y1: 0, y2: TRACK_HEIGHT }),
    refused: s("path", { class: "track-refused", d: `M -5 ${middle - 5} l 10 10 m 0 -10 l -10 10` }),
  };
  const handles = readOnly ? [] : ["min", "max"].map(makeHandle);
  const svg = s("svg", { class: "track", height: TRACK_HEIGHT }, Object.values(part), handles);
  if (readOnly) setAttributes(svg, { role: "img" });
  return { svg, part, handles };
}

/** @param {string} side */
function makeHandle(side) {
  const middle = TRACK_HEIGHT / 2;
  return s(
    "g",
    { class: `handle handle-${side}`, role: "slider", tabindex: -1, "data-side": side, "aria-orientation": "horizontal" },
    s("rect", { class: "handle-reach", x: side === "min" ? -14 : -4, y: middle - 16, width: 18, height: 32 }),
    s("rect", { class: "handle-grip", x: side === "min" ? -4 : -1, y: middle - 9, width: 5, height: 18, rx: 2.5 }),
  );
}

/**
 * @param {ReturnType<typeof makeTrack>} track
 * @param {import("./types.js").Line} line
 * @param {Scale} scale
 * @param {number | undefined} threshold
 * @param {number | null} refused  A value that was refused.
 */
export function drawTrack(track, line, scale, threshold, refused) {
  const x = (/** @type {number} */ value) => toPixels(scale, value);
  const { part, handles, svg } = track;
  setAttributes(svg, { width: scale.width, viewBox: `0 0 ${scale.width} ${TRACK_HEIGHT}` });
  const start = scale.start ?? 0;
  setAttributes(part.line, { x1: x(start), x2: x(scale.end) });
  setAttributes(part.zero, { x1: x(0), x2: x(0), visibility: start < 0 ? "visible" : "hidden" });
  setAttributes(part.opposite, { x1: x(-(threshold ?? 0)), x2: x(-(threshold ?? 0)), visibility: threshold && start < 0 ? "visible" : "hidden" });
  setAttributes(part.whiskers, { d: line.whiskers ? whiskerPath(line.whiskers, x) : "M 0 0" });
  span(part.ghost, x(line.ghost[0]), x(line.ghost[1]));
  span(part.allowed, x(line.allowed[0]), x(line.allowed[1]));
  span(part.bar, x(line.min), x(line.max), 3);
  setAttributes(part.best, { cx: x(line.best ?? 0), visibility: line.best === null || line.status === "inner" ? "hidden" : "visible" });
  setAttributes(part.threshold, { x1: x(threshold ?? 0), x2: x(threshold ?? 0), visibility: threshold ? "visible" : "hidden" });
  setAttributes(part.refused, { transform: `translate(${x(refused ?? 0)} 0)`, visibility: refused === null ? "hidden" : "visible" });
  const wanted = handleEnds(line);
  for (const [i, handle] of handles.entries()) {
    const value = wanted[i];
    const bound = line.allowed;
    setAttributes(handle, {
      transform: `translate(${x(value)} 0)`,
      "aria-label": `${line.name}, ${i === 0 ? "at least" : "at most"}`,
      "aria-valuemin": 0,
      "aria-valuemax": Number(scale.end.toFixed(4)),
      "aria-valuenow": Number(value.toFixed(4)),
      "aria-valuetext": `${relevanceText(value)}${line.pin ? ", pinned" : ""}; possible from ${relevanceText(bound[0])} to ${relevanceText(bound[1])}`,
    });
  }
  if (!handles.length) {
    setAttributes(svg, { "aria-label": `${line.name}: ${line.outcome ? `under these pins ${line.outcome}; ` : ""}${line.relevance}, ${relevanceText(line.min)} to ${relevanceText(line.max)}` });
  }
}

/**
 * One thin line below the bar for each end: where it lies in repeated analyses.
 * @param {{min: [number, number], max: [number, number]}} whiskers
 * @param {(value: number) => number} x
 */
function whiskerPath({ min, max }, x) {
  const y = TRACK_HEIGHT / 2;
  const one = (/** @type {[number, number]} */ ends, /** @type {number} */ at) => `M ${x(ends[0])} ${at} H ${x(ends[1])} M ${x(ends[0])} ${at - 2.5} v 5 M ${x(ends[1])} ${at - 2.5} v 5`;
  return `${one(min, y - 10)} ${one(max, y + 10)}`;
}

/**
 * Where the handles stand: at the pin's own ends, else at the interval's.
 * @param {import("./types.js").Line} line
 * @returns {[number, number]}
 */
export function handleEnds(line) {
  const { pin } = line;
  if (!pin) return [line.min, line.max];
  return [Math.max(pin.low, 0), pin.high === null ? line.max : pin.high];
}

/**
 * @param {SVGElement} rect
 * @param {number} from
 * @param {number} to
 * @param {number} [least]  Width that is always seen.
 */
function span(rect, from, to, least = 0) {
  setAttributes(rect, { x: from - (to - from < least ? least / 2 : 0), width: Math.max(to - from, least) });
}
