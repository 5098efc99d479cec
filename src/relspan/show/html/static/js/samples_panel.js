/** The samples: for whom do all equally good models agree, and what moves the score of one of them? */

import { button, h, keepingFocus, s, setText } from "./dom.js";
import { askLong } from "./long_question.js";
import { shortNumber } from "./number_format.js";
import { asSentence } from "./sentence.js";

const MOST_SAMPLES = 200; // that are listed at once
const MOST_FEATURES = 14; // whose contributions are drawn
const BAR_WIDTH = 150;
const CHART_WIDTH = 380;

/** @type {[string, string, (row: any) => boolean][]} */
const SAMPLE_FILTERS = [
  ["all", "all samples", () => true],
  ["ambiguous", "models disagree", (row) => row.certain === false],
  ["certain", "all models agree", (row) => row.certain === true],
  ["wrong", "the best model is wrong", (row) => row.wrong],
  ["opened", "become uncertain", (row) => row.opened],
  ["settled", "become certain", (row) => row.settled],
  ["changed", "the best model changes its label", (row) => row.changed],
];

/** @type {Record<string, (a: any, b: any) => number>} */
const SAMPLE_ORDERS = {
  uncertain: (a, b) => nearness(a) - nearness(b) || a.index - b.index,
  wide: (a, b) => b.hi - b.lo - (a.hi - a.lo),
  score: (a, b) => b.score - a.score,
  row: (a, b) => a.index - b.index,
};

/** How far an interval is from the border between two labels: below 0 where it crosses it. @param {any} row */
function nearness(row) {
  return row.certain === null ? -(row.hi - row.lo) : Math.max(row.lo, -row.hi);
}

/**
 * @typedef {{middle: number, far: number, border: boolean}} ScoreScale
 *
 * @typedef {object} SampleEvents
 * @property {(unmeasured: string) => Promise<any>} samples  Empty: all features are measured.
 * @property {(question: {index?: number, text?: string}) => Promise<any>} sample
 * @property {() => Promise<any>} progress
 * @property {() => void} stop
 * @property {(name: string) => void} select
 */

/**
 * @param {number} count  Of the samples.
 * @param {string[]} names  Of the features.
 * @param {SampleEvents} events
 * @param {boolean} [fixed]  Whether all answers are there already and nothing new can be asked, as in a page to share.
 */
export function samplesPanel(count, names, events, fixed = false) {
  /** @type {any} */
  let found = null;
  let under = "";
  let chosen = -1;
  const status = h("div", { class: "samples-status" });
  const counts = h("div");
  const filter = picker("samples shown", SAMPLE_FILTERS.map(([key, words]) => [key, words]));
  const order = picker("order of the samples", [["uncertain", "least certain first"], ["wide", "widest first"], ["score", "highest score first"], ["row", "order of the table"]]);
  const absent = /** @type {HTMLSelectElement} */ (h("select", { class: "unmeasured", "aria-label": "feature that is not measured", on: { change: () => ask() } }, h("option", { value: "" }, "no feature: all are measured"), names.map((name) => h("option", { value: name }, name))));
  const without = h("label", { class: "unmeasured-line" }, "Whose label becomes uncertain if this is not measured? ", absent);
  const search = /** @type {HTMLInputElement} */ (h("input", { type: "search", class: "find-sample", placeholder: "Find a sample", "aria-label": "find a sample by its name or number", on: { input: () => drawRows() } }));
  const rows = h("ol", { class: "samples" });
  const more = h("p", { class: "detail" });
  const tools = h("div", { class: "actions" }, filter, order, search);
  const detail = h("div", { class: "sample-detail", "aria-live": "polite" });
  const typed = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 3, "aria-label": "values of a new sample", placeholder: "One line per feature, such as  age: 61,  or one pasted row of the table" }));
  const element = h("div", { class: "panel-body" },
    fixed ? "" : h("h2", {}, "Samples"),
    h("p", { class: "detail" }, "For which samples do all equally good models say the same, and for which do they disagree?"),
    status, without, counts, tools, rows, more, detail,
    fixed ? [] : [h("h3", {}, "A new sample"),
      h("p", { class: "detail" }, "Features that you do not name stay at their mean."),
      typed, h("div", { class: "actions" }, button("Show what the models say", () => show({ text: typed.value }), { class: "ask-sample" }))]);
  tools.hidden = true;
  without.hidden = true;

  /**
   * @param {string} label
   * @param {string[][]} options
   */
  function picker(label, options) {
    return /** @type {HTMLSelectElement} */ (h("select", { "aria-label": label, on: { change: () => drawRows() } }, options.map(([value, words]) => h("option", { value }, words))));
  }

  function offer(/** @type {string} */ words) {
    status.replaceChildren(words ? h("p", { class: "detail" }, words) : "", button(`Score all ${count} samples`, () => ask(), { class: "primary ask-samples" }));
  }

  async function ask() {
    const [asked, unmeasured] = [under, absent.value];
    const answer = await askLong(status, "Computing the score intervals", events, () => events.samples(unmeasured));
    if (asked !== under || unmeasured !== absent.value) return;
    if (!answer) return offer(status.textContent ?? "");
    const names = answer.names ?? [];
    found = { ...answer, rows: answer.rows.map((/** @type {any} */ row, /** @type {number} */ index) => ({ ...row, index, name: names[index] || String(index + 1) })) };
    rows.classList.toggle("are-named", names.length > 0);
    draw();
  }

  function draw() {
    status.replaceChildren(h("p", { class: "samples-sentence", role: "status" }, found.sentence));
    counts.replaceChildren(found.counts.length ? countTable(found.counts) : "", h("p", { class: "detail samples-sides" }, found.sides));
    tools.hidden = false;
    without.hidden = fixed;
    filter.value = absent.value && found.rows.some((/** @type {any} */ row) => row.opened) ? "opened" : filter.value;
    if (filter.value !== "all" && !found.rows.some(SAMPLE_FILTERS.find(([key]) => key === filter.value)?.[2])) filter.value = "all";
    for (const option of filter.options) option.hidden = option.value !== "all" && !found.rows.some(SAMPLE_FILTERS.find(([key]) => key === option.value)?.[2]);
    drawRows();
  }

  function drawRows() {
    const keep = SAMPLE_FILTERS.find(([key]) => key === filter.value)?.[2] ?? (() => true);
    const wanted = search.value.trim().toLowerCase();
    const shown = found.rows.filter((/** @type {any} */ row) => keep(row) && row.name.toLowerCase().includes(wanted)).sort(SAMPLE_ORDERS[order.value]);
    const scale = scaleOf(found.rows);
    keepingFocus(rows, () => rows.replaceChildren(...shown.slice(0, MOST_SAMPLES).map((/** @type {any} */ row) => sampleRow(row, scale))));
    setText(more, shown.length > MOST_SAMPLES ? `The first ${MOST_SAMPLES} of ${shown.length} are shown.` : `${shown.length} of ${found.rows.length} samples.`);
  }

  /**
   * @param {any} row
   * @param {ScoreScale} scale
   */
  function sampleRow(row, scale) {
    const answer = row.labels.length ? row.labels.join(" or ") : shortNumber(row.score, 3);
    return h("li", { class: `sample${row.certain === false ? " is-ambiguous" : ""}` }, h("button", { type: "button", class: "sample-button", "aria-pressed": String(row.index === chosen), "data-focus": `sample ${row.index}`, title: sampleTitle(row), on: { click: () => {
      chosen = row.index;
      drawRows();
      show({ index: row.index });
    } } }, h("span", { class: "visually-hidden" }, "row"), h("span", { class: "sample-row" }, row.name), h("span", { class: "sample-words" }, answer, row.wrong ? h("span", { class: "sample-wrong" }, ` (is ${row.truth})`) : ""), scoreBar(row, scale)));
  }

  /** @param {{index?: number, text?: string}} question */
  async function show(question) {
    detail.replaceChildren(h("p", { class: "pending", role: "status" }, "Computing …"));
    try {
      const answer = await events.sample(question);
      const title = question.index === undefined ? "The new sample" : rowTitle(found.rows[question.index]);
      detail.replaceChildren(h("h3", {}, title), ...answer.sentences.map((/** @type {string} */ text) => h("p", {}, text)), contributionChart(answer, events.select));
    } catch (error) {
      detail.replaceChildren(h("p", { class: "trouble", role: "alert" }, asSentence(/** @type {Error} */ (error).message)));
    }
    detail.scrollIntoView({ block: "nearest" }); // it stands below a list that may fill the page
  }

  if (fixed) ask();
  else offer("");
  return {
    element,
    /** Ask whose label becomes uncertain if a feature is not measured. @param {string} name */
    askWithout(name) {
      without.hidden = false;
      absent.value = name;
      absent.focus();
      ask();
    },
    /** What was computed holds for the pins under which it was asked for. @param {string} pins */
    update(pins) {
      if (pins === under) return;
      under = pins;
      if (!found) return;
      found = null;
      tools.hidden = true;
      without.hidden = true;
      absent.value = "";
      for (const part of [counts, rows, more, detail]) part.replaceChildren();
      offer("The pins have changed.");
    },
  };
}

/** The number of a row, and its name where the table has one. @param {any} row */
function rowTitle({ index, name }) {
  return name === String(index + 1) ? `Row ${name}` : `${name} (row ${index + 1})`;
}

/** What a row shows while the mouse is over it. @param {any} row */
function sampleTitle(row) {
  const truth = row.truth === null ? "" : `; its class is ${row.truth}`;
  return `${rowTitle(row)}: score ${shortNumber(row.score, 3)} in the best model, ${shortNumber(row.lo, 3)} to ${shortNumber(row.hi, 3)} in all equally good models${truth}`;
}

/** @param {any[]} counts */
function countTable(counts) {
  const cells = (/** @type {any} */ row) => [h("th", { scope: "row" }, row.class), h("td", {}, String(row.certain)), h("td", {}, String(row.ambiguous))];
  return h("table", { class: "sample-counts" }, h("thead", {}, h("tr", {}, ["Class", "models agree", "models disagree"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, counts.map((row) => h("tr", {}, cells(row)))));
}

/**
 * Scores of labels lie around the border between these; a few extreme ones are cut at the edge. Numbers have no border.
 * @param {any[]} rows
 * @returns {ScoreScale}
 */
function scaleOf(rows) {
  if (rows[0]?.certain === null) {
    const [least, most] = [Math.min(...rows.map((row) => row.lo)), Math.max(...rows.map((row) => row.hi))];
    return { middle: (least + most) / 2, far: Math.max(1e-9, (most - least) / 2), border: false };
  }
  const sizes = rows.map((row) => Math.max(Math.abs(row.lo), Math.abs(row.hi))).sort((a, b) => a - b);
  return { middle: 0, far: Math.max(1e-9, sizes[Math.floor(0.8 * (sizes.length - 1))]), border: true };
}

/**
 * @param {any} row
 * @param {ScoreScale} scale
 */
function scoreBar(row, { middle, far, border }) {
  const x = (/** @type {number} */ value) => BAR_WIDTH / 2 + Math.max(-1, Math.min(1, (value - middle) / far)) * (BAR_WIDTH / 2 - 3);
  return s("svg", { class: "score-bar", width: BAR_WIDTH, height: 18, "aria-hidden": "true" },
    s("line", { class: "track-line", x1: 2, x2: BAR_WIDTH - 2, y1: 9, y2: 9 }),
    border && s("line", { class: "score-border", x1: x(0), x2: x(0), y1: 1, y2: 17 }),
    s("rect", { class: "score-range", x: x(row.lo), y: 6, width: Math.max(2, x(row.hi) - x(row.lo)), height: 6, rx: 3 }),
    s("circle", { class: "score-best", cx: x(row.score), cy: 9, r: 3 }));
}

/**
 * The range of what each feature contributes, with the best model's dot and the two models that disagree most.
 * @param {any} answer
 * @param {(name: string) => void} select
 */
function contributionChart(answer, select) {
  const shown = answer.features.filter((/** @type {any} */ one) => one.lo !== 0 || one.hi !== 0).slice(0, MOST_FEATURES);
  const far = Math.max(1e-9, ...shown.map((/** @type {any} */ one) => Math.max(Math.abs(one.lo), Math.abs(one.hi))));
  const width = CHART_WIDTH / 2;
  const x = (/** @type {number} */ value) => width / 2 + (value / far) * (width / 2 - 6);
  const bar = (/** @type {any} */ one) => s("svg", { class: "contribution", width, height: 20, role: "img", "aria-label": `from ${shortNumber(one.lo, 3)} to ${shortNumber(one.hi, 3)}, best model ${shortNumber(one.best, 3)}` },
    s("line", { class: "score-border", x1: x(0), x2: x(0), y1: 0, y2: 20 }),
    s("rect", { class: `contribution-range${one.lo > 0 ? " is-up" : one.hi < 0 ? " is-down" : ""}`, x: x(one.lo), y: 6, width: Math.max(2, x(one.hi) - x(one.lo)), height: 8, rx: 4 }),
    s("path", { class: "contribution-end", d: `M ${x(one.in_lowest)} 10 l 5 -4 v 8 z` }),
    s("path", { class: "contribution-end", d: `M ${x(one.in_highest)} 10 l -5 -4 v 8 z` }),
    s("circle", { class: "score-best", cx: x(one.best), cy: 10, r: 3 }));
  return h("div", { class: "contributions" },
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Value (mean)"), h("th", { scope: "col" }, "pushes the score down | up"))),
      h("tbody", {}, shown.map((/** @type {any} */ one) => h("tr", {}, h("th", { scope: "row" }, button(one.feature, () => select(one.feature), { class: "link" })), h("td", {}, `${shortNumber(one.value, 3)} (${shortNumber(one.mean, 3)})`), h("td", {}, bar(one)))))),
    h("p", { class: "detail" }, `The bar is the range over all equally good models; the dot is the best model, ◂ the model with the lowest score of this sample, ▸ that with the highest. Contributions are counted from the average sample, whose score is ${shortNumber(answer.average, 3)} in the best model.`));
}
