/** From the state to the lines of the list: join, search, filter, sort. Pure functions. */

import { groundsText } from "./evidence.js";
import { CLASSES } from "./relevance_classes.js";

/**
 * The classes of which features have a weight of their own; empty where each has only one weight.
 * @param {import("./types.js").Result | undefined} result
 */
export function partsOf(result) {
  return Object.keys(result?.features.find((feature) => feature.parts)?.parts ?? {});
}

/**
 * The sizes that a signed interval reaches.
 * @param {[number, number]} ends
 * @returns {[number, number]}
 */
function sizesOf([lo, hi]) {
  return [lo > 0 ? lo : hi < 0 ? -hi : 0, Math.max(Math.abs(lo), Math.abs(hi))];
}

/**
 * @param {import("./types.js").State} state
 * @param {string} [part]  Show the weights of this class; by default the total of each feature's weights.
 * @returns {import("./types.js").Line[]}
 */
export function linesOf(state, part = "") {
  const { result, view } = state;
  if (!result) return [];
  const pins = new Map((view?.pins ?? []).map((pin) => [pin.feature, pin]));
  const stars = new Set(state.stars ?? []);
  const costs = state.costs ?? {};
  /** @type {Map<string, number> | null} */
  const inBest = view?.best && !part ? new Map(view.best.model.weights.map((/** @type {any} */ weight) => [weight.feature, weight.relevance])) : null;
  return result.features.map((feature, index) => {
    const row = view?.rows[index];
    const own = part ? feature.parts?.[part] : undefined;
    const [least, most] = own ? sizesOf(own) : row ? [row[0], row[1]] : [feature.min, feature.max];
    const effect = feature.under_pins;
    const pin = pins.get(feature.name) ?? null;
    return {
      index,
      name: feature.name,
      min: least,
      max: most,
      relevance: feature.relevance,
      evidence: feature.evidence ?? null,
      grounds: groundsText(result, feature),
      outcome: row ? row[4] : effect?.outcome ?? null,
      pinned: pin !== null || (effect?.pinned ?? false),
      status: row ? row[5] : feature.solved === false ? "outer" : "exact",
      ghost: own ? [least, most] : effect ? [effect.unpinned_min, effect.unpinned_max] : [feature.min, feature.max],
      allowed: view?.allowed[feature.name] ?? [least, most],
      pin,
      best: inBest ? inBest.get(feature.name) ?? 0 : null,
      starred: stars.has(feature.name),
      cost: feature.name in costs ? costs[feature.name] : null,
    };
  });
}

/**
 * How far chance reaches in what a feature's interval shows: the total of its weights, or a single weight.
 * @param {import("./types.js").Result} result
 * @param {import("./types.js").Feature | undefined} feature
 * @param {string} [part]
 */
export function thresholdOf(result, feature, part = "") {
  return feature?.parts && !part ? result.thresholds.total : result.thresholds.relevant;
}

/**
 * @typedef {object} Choice  What the reader has chosen to see.
 * @property {string} search
 * @property {string} sort
 * @property {string} [part]  Only the weights of this class.
 * @property {Set<string>} classes  Empty means all.
 * @property {Set<string>} outcomes  What pins do; empty means all.
 * @property {boolean} starred
 * @property {boolean} pinned
 */

/** @type {Record<string, (a: import("./types.js").Line, b: import("./types.js").Line) => number>} */
const ORDERS = {
  relevance: (a, b) => CLASSES.indexOf(a.relevance) - CLASSES.indexOf(b.relevance) || b.ghost[1] - a.ghost[1] || a.index - b.index,
  max: (a, b) => b.ghost[1] - a.ghost[1] || a.index - b.index,
  min: (a, b) => b.ghost[0] - a.ghost[0] || b.ghost[1] - a.ghost[1] || a.index - b.index,
  evidence: (a, b) => (b.evidence ?? -1) - (a.evidence ?? -1) || a.index - b.index,
  moved: (a, b) => movement(b) - movement(a) || a.index - b.index,
  cost: (a, b) => (b.cost ?? -1) - (a.cost ?? -1) || a.index - b.index,
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }),
  table: (a, b) => a.index - b.index,
};

/** Sort orders with their labels. @type {[string, string][]} */
export const SORTS = [
  ["relevance", "Class, then maximum"],
  ["max", "Maximum"],
  ["min", "Minimum"],
  ["evidence", "Evidence"],
  ["moved", "Change by pins"],
  ["cost", "Cost"],
  ["name", "Name"],
  ["table", "Order in the table"],
];

/**
 * The length that pins take from an interval.
 * @param {import("./types.js").Line} line
 */
export function movement(line) {
  return Math.abs(line.min - line.ghost[0]) + Math.abs(line.ghost[1] - line.max);
}

/**
 * @param {import("./types.js").Line[]} lines
 * @param {Choice} choice
 */
export function chosenLines(lines, choice) {
  const wanted = choice.search.trim().toLowerCase();
  return lines
    .filter((line) => !wanted || line.name.toLowerCase().includes(wanted))
    .filter((line) => choice.classes.size === 0 || choice.classes.has(line.relevance))
    .filter((line) => !choice.starred || line.starred)
    .filter((line) => choice.outcomes.size === 0 || (line.outcome !== null && choice.outcomes.has(line.outcome)))
    .filter((line) => !choice.pinned || line.pinned)
    .sort(ORDERS[choice.sort] ?? ORDERS.relevance);
}
