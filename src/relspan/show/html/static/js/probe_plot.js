/** How far a feature reaches, compared with the probes: columns whose values were permuted, so that only chance is left. */

import { h, s } from "./dom.js";
import { thresholdOf } from "./lines.js";
import { axisEnd, relevanceText } from "./number_format.js";
import { toPixels } from "./track.js";

const WIDTH = 360;
const HEIGHT = 74;

/**
 * @param {import("./types.js").Result} result
 * @param {import("./types.js").Feature} feature  Without pins.
 */
export function probePlot(result, feature) {
  const { lo = [], hi = [], totals = [] } = result.probes;
  const ends = feature.parts ? totals : hi.map((high, i) => Math.max(Math.abs(high), Math.abs(lo[i] ?? 0)));
  const reach = [...ends].sort((a, b) => a - b);
  const tau = thresholdOf(result, feature);
  if (!reach.length || tau === undefined) return h("p", { class: "hint" }, "This result has no probes.");
  const scale = { end: axisEnd(Math.max(tau, feature.max, ...reach) * 1.02), width: WIDTH };
  const x = (/** @type {number} */ value) => toPixels(scale, value);
  const levels = stacked(reach.map(x));
  const rise = Math.min(5, 48 / Math.max(1, ...levels)); // many probes at one place stand closer, and none covers another's column
  const drawing = s("svg", { class: "probe-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `probes reach up to ${relevanceText(reach[reach.length - 1])}, the threshold is ${relevanceText(tau)}, ${feature.name} reaches ${relevanceText(feature.max)}` },
    s("line", { class: "track-line", x1: x(0), x2: x(scale.end), y1: 58, y2: 58 }),
    reach.map((value, i) => s("circle", { class: "probe", cx: x(value), cy: 54 - levels[i] * rise, r: Math.min(2.3, 0.5 + rise / 2) })),
    s("line", { class: "track-threshold", x1: x(tau), x2: x(tau), y1: 6, y2: 62 }),
    s("text", { x: x(tau), y: 72, "text-anchor": anchor(x(tau)) }, `chance ${relevanceText(tau)}`),
    s("path", { class: `probe-feature is-${feature.relevance}`, d: `M ${x(feature.max)} 58 l -6 -11 h 12 z` }),
  );
  const most = reach[reach.length - 1];
  const reached = feature.max > tau
    ? `It reaches ${relevanceText(feature.max)} in some equally good model, further than chance does.${feature.relevance === "irrelevant" ? " Reach alone does not make it relevant." : ""}`
    : `It reaches at most ${relevanceText(feature.max)} in any equally good model.`;
  return h("div", { class: "probes" }, drawing, h("p", { class: "detail" }, `${reached} ${reach.length} probes (permuted columns, which carry no information) reached up to ${relevanceText(most)}. From them, chance is estimated to reach up to ${relevanceText(tau)}.`));
}

/** @param {number} x */
function anchor(x) {
  return x > WIDTH * 0.75 ? "end" : x < WIDTH * 0.25 ? "start" : "middle";
}

/**
 * On which level each dot stands so that none covers another.
 * @param {number[]} places  Sorted.
 */
function stacked(places) {
  /** @type {number[]} */
  const ends = [];
  return places.map((place) => {
    let level = ends.findIndex((end) => place - end > 4.8);
    if (level < 0) level = ends.length;
    ends[level] = place;
    return level;
  });
}
