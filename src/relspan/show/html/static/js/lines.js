/** From the state to the lines of the list: join, search, filter, sort. Pure functions. */

import { groundsText } from "./evidence.js";
import { CLASSES } from "./relevance_classes.js";

/**
 * The classes of which features have a weight of their own; empty where each has only one weight.
 * @param {import("./types.js").Result | undefined} result
 */
export function partsOf(result) {
  return Object.keys(result?.features.find((feature) => feature.parts && !feature.levels)?.parts ?? {});
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
 * Under pins, as long as nothing is known but the interval without them.
 * @param {import("./types.js").Feature} feature
 * @returns {import("./types.js").Row}
 */
function unsolvedRow(feature) {
  return [feature.min, feature.max, feature.lo, feature.hi, null, "outer"];
}

/** @type {WeakMap<import("./types.js").Feature, string>} */
const GROUNDS = new WeakMap(); // of thousands of features, written once

/**
 * @param {import("./types.js").Result} result
 * @param {import("./types.js").Feature} feature
 */
function groundsOf(result, feature) {
  const known = GROUNDS.get(feature);
  if (known !== undefined) return known;
  const text = groundsText(result, feature);
  GROUNDS.set(feature, text);
  return text;
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
  /** @type {Map<string, any> | null} */
  const inBest = view?.best && !part ? new Map(view.best.model.weights.map((/** @type {any} */ weight) => [weight.feature, weight])) : null;
  const home = new Map((state.categories ?? []).flatMap((category) => (category.levels ?? []).map((level) => [level, category.name])));
  const groups = new Map((state.groups ?? []).flatMap((group) => group.names.map((name) => [name, group])));
  const common = (/** @type {string} */ name) => ({ starred: stars.has(name), cost: name in costs ? costs[name] : null, open: false, whiskers: null, group: groups.get(name)?.mark ?? "", mates: groups.get(name)?.sentence ?? "" });
  /** @type {import("./types.js").Line[]} */
  const lines = result.features.map((feature, index) => {
    const row = view?.rows[index] ?? (view?.pins.length ? unsolvedRow(feature) : undefined);
    const own = part ? feature.parts?.[part] : undefined;
    const [least, most] = own ? sizesOf(own) : row ? [row[0], row[1]] : [feature.min, feature.max];
    const effect = feature.under_pins;
    const pin = pins.get(feature.name) ?? null;
    const inModel = inBest?.get(feature.name);
    return {
      ...common(feature.name),
      index,
      name: feature.name,
      min: least,
      max: most,
      relevance: feature.relevance,
      evidence: feature.evidence ?? null,
      grounds: groundsOf(result, feature),
      outcome: row ? row[4] : effect?.outcome ?? null,
      pinned: pin !== null || (effect?.pinned ?? false),
      status: row ? row[5] : feature.solved === false ? "outer" : "exact",
      ghost: own ? [least, most] : effect ? [effect.unpinned_min, effect.unpinned_max] : [feature.min, feature.max],
      allowed: view?.allowed[feature.name] ?? [least, most],
      pin,
      best: inBest ? inModel?.relevance ?? 0 : null,
      levels: feature.levels ?? null,
      chance: feature.levels ? feature.threshold ?? null : null,
      home: home.get(feature.name) ?? null,
      signed: own ?? (row ? [row[2], row[3]] : [feature.lo, feature.hi]),
      signedGhost: own ?? [feature.lo, feature.hi],
      weight: inBest ? Math.sign(inModel?.weight ?? 0) * (inModel?.relevance ?? 0) : null,
    };
  });
  return [...lines, ...(state.categories ?? []).map((category, k) => ({ ...common(category.name), ...categoryLine(state, category, lines, result.features.length + k) }))];
}

/**
 * The line of a category: its total, and what its levels share.
 * @param {import("./types.js").State} state
 * @param {import("./types.js").Feature} category
 * @param {any[]} lines  Of all columns.
 * @param {number} index
 */
function categoryLine({ result, view }, category, lines, index) {
  const names = new Set(category.levels);
  const levels = lines.filter((line) => names.has(line.name));
  const row = view?.categories?.[category.name];
  const [min, max] = row ?? [category.min, category.max];
  const hull = (/** @type {"signed" | "signedGhost"} */ key) => /** @type {[number, number]} */ ([Math.min(...levels.map((line) => line[key][0])), Math.max(...levels.map((line) => line[key][1]))]);
  const known = levels.every((line) => line.best !== null);
  return {
    index,
    name: category.name,
    min,
    max,
    relevance: category.relevance,
    evidence: category.evidence ?? null,
    grounds: groundsText(/** @type {import("./types.js").Result} */ (result), category),
    outcome: row ? row[2] : null,
    pinned: levels.some((line) => line.pinned),
    status: /** @type {import("./types.js").Status} */ (row ? row[3] : "exact"),
    ghost: /** @type {[number, number]} */ ([category.min, category.max]),
    allowed: /** @type {[number, number]} */ ([min, max]),
    pin: levels.length && levels.every((line) => line.pin?.asked === "without") ? { ...levels[0].pin, feature: category.name } : null,
    best: known ? levels.reduce((sum, line) => sum + line.best, 0) : null,
    levels: category.levels ?? [],
    chance: category.threshold ?? null,
    home: null,
    signed: hull("signed"),
    signedGhost: hull("signedGhost"),
    weight: null,
  };
}

/**
 * The feature that a line shows, as the result has it.
 * @param {import("./types.js").State} state
 * @param {import("./types.js").Line} line
 */
export function featureOf(state, line) {
  const features = state.result?.features ?? [];
  return features[line.index] ?? (state.categories ?? [])[line.index - features.length];
}

/**
 * A line as the signed view draws it: from the lowest to the highest weight.
 * @param {import("./types.js").Line} line
 * @returns {import("./types.js").Line}
 */
export function signedLine(line) {
  const exact = line.status === "exact";
  return { ...line, min: exact ? line.signed[0] : line.signedGhost[0], max: exact ? line.signed[1] : line.signedGhost[1], ghost: line.signedGhost, allowed: line.signed, best: line.weight, whiskers: null };
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
 * @property {boolean} [signed]  Show weights with their sign.
 * @property {Set<string>} [open]  Categories whose levels are shown.
 */

/** @type {Record<string, (a: import("./types.js").Line, b: import("./types.js").Line) => number>} */
const ORDERS = {
  relevance: (a, b) => CLASSES.indexOf(a.relevance) - CLASSES.indexOf(b.relevance) || b.ghost[1] - a.ghost[1] || a.index - b.index,
  max: (a, b) => b.ghost[1] - a.ghost[1] || a.index - b.index,
  min: (a, b) => b.ghost[0] - a.ghost[0] || b.ghost[1] - a.ghost[1] || a.index - b.index,
  evidence: (a, b) => (b.evidence ?? -1) - (a.evidence ?? -1) || a.index - b.index,
  groups: (a, b) => Number(!a.group) - Number(!b.group) || a.group.length - b.group.length || a.group.localeCompare(b.group) || ORDERS.relevance(a, b),
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
  ["groups", "Similar columns"],
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
  const named = (/** @type {string} */ name) => name.toLowerCase().includes(wanted);
  /** @type {Map<string, import("./types.js").Line[]>} */
  const inside = new Map();
  for (const line of lines) if (line.home !== null) inside.set(line.home, [...(inside.get(line.home) ?? []), line]);
  const levelsOf = (/** @type {import("./types.js").Line} */ line) => {
    const levels = inside.get(line.name) ?? [];
    const found = wanted && !named(line.name) ? levels.filter((level) => named(level.name)) : levels;
    return choice.open?.has(line.name) || (wanted && !named(line.name)) ? found : [];
  };
  return lines
    .filter((line) => line.home === null)
    .filter((line) => !wanted || named(line.name) || (inside.get(line.name) ?? []).some((level) => named(level.name)))
    .filter((line) => choice.classes.size === 0 || choice.classes.has(line.relevance))
    .filter((line) => !choice.starred || line.starred)
    .filter((line) => choice.outcomes.size === 0 || (line.outcome !== null && choice.outcomes.has(line.outcome)))
    .filter((line) => !choice.pinned || line.pinned)
    .sort(ORDERS[choice.sort] ?? ORDERS.relevance)
    .flatMap((line) => {
      const levels = levelsOf(line);
      return [levels.length ? { ...line, open: true } : line, ...levels];
    });
}
