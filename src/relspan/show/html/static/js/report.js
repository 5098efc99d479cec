/** The report: the explorer's list, read-only, on the result that the page carries with it. */

import { CLASS_MARK, CLASSES } from "./relevance_classes.js";
import { budgetSlider } from "./budget_slider.js";
import { button, h } from "./dom.js";
import { featurePanel } from "./feature_panel.js";
import { intervalList } from "./interval_list.js";
import { chosenLines, linesOf, SORTS, thresholdOf } from "./lines.js";
import { samplesPanel } from "./samples_panel.js";

const LONG = 60; // features beyond which irrelevant lines wait until they are asked for
const SORTS_OF_A_REPORT = new Set(["relevance", "max", "min", "evidence", "name", "table"]);

/**
 * @param {HTMLElement} root
 * @param {import("./types.js").Result} result
 * @param {any} budgets  Intervals at other budgets, where the file has them.
 * @param {any} samples  The samples with their details, where the file has them.
 */
function startReport(root, result, budgets, samples) {
  const lines = linesOf({ phase: "ready", revision: 0, result });
  /** @type {Record<string, [number, number]> | null} */
  let otherBudget = null;
  /** @type {Record<string, string> | null} */
  let otherClasses = null;
  const long = lines.length > LONG && lines.some((line) => line.relevance !== "irrelevant");
  const choice = { search: "", sort: "relevance", classes: new Set(), outcomes: new Set(), starred: false, pinned: false };
  if (long) choice.classes = new Set(CLASSES.filter((kind) => kind !== "irrelevant"));

  /** @type {string | null} */
  let selected = null;
  const list = intervalList({ readOnly: true, all: true, events: { select } });
  const search = h("input", { type: "search", placeholder: "Search features", "aria-label": "search features", on: { input: typed } });
  const sorts = SORTS.filter(([key]) => SORTS_OF_A_REPORT.has(key)).map(([key, words]) => h("option", { value: key }, words));
  const sort = h("select", { "aria-label": "order", on: { change: sorted } }, sorts);
  const kinds = CLASSES.filter((kind) => lines.some((line) => line.relevance === kind)).map(toggle);
  const detail = featurePanel(true, { demand() {}, demandAll() {}, select, alternatives: async () => null, isCategory: () => false, unmeasured() {} });
  const close = button("×", () => select(null), { class: "report-close", "aria-label": "close" });
  const card = h("div", { class: "report-detail", "aria-label": "one feature", role: "status" }, close, detail.element);
  root.replaceChildren(h("div", { class: "report-tools" }, search, sort, kinds), list.element, card);

  /** @param {import("./types.js").Relevance} kind */
  function toggle(kind) {
    const count = lines.filter((line) => line.relevance === kind).length;
    const shown = choice.classes.size === 0 || choice.classes.has(kind);
    const box = h("input", { type: "checkbox", checked: shown, "data-class": kind, on: { change: filtered } });
    return h("label", { class: `is-${kind}` }, box, h("span", { class: "mark", "aria-hidden": "true" }, CLASS_MARK[kind]), ` ${kind} (${count})`);
  }

  function draw() {
    const other = otherBudget;
    const classes = otherClasses;
    const known = other ? lines.filter((line) => line.name in other).map((line) => ({ ...line, min: other[line.name][0], max: other[line.name][1], relevance: /** @type {import("./types.js").Relevance} */ (classes?.[line.name] ?? line.relevance) })) : lines;
    const shown = choice.classes.has("nothing") ? [] : chosenLines(known, choice);
    const ghosts = other ? "at the budget of the analysis" : result.parameters.pins?.length ? "without pins" : undefined;
    list.update({ lines: shown, threshold: other ? undefined : thresholdOf(result, result.features[0]), selected, refused: null, ghosts });
    const line = lines.find((one) => one.name === selected) ?? null;
    card.hidden = line === null;
    if (line) detail.update(result, line, result.features[line.index]);
  }

  function typed() {
    choice.search = /** @type {HTMLInputElement} */ (search).value;
    draw();
  }

  function sorted() {
    choice.sort = /** @type {HTMLSelectElement} */ (sort).value;
    draw();
  }

  function filtered() {
    const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll(".report-tools input[type=checkbox]"));
    const on = [...boxes].filter((box) => box.checked).map((box) => box.dataset.class ?? "");
    // an empty set means all, so nothing at all needs a word of its own
    choice.classes = new Set(on.length ? on : ["nothing"]);
    draw();
  }

  /** Show the details of one feature, and mark its row of the table. @param {string | null} name */
  function select(name) {
    selected = selected === name ? null : name;
    for (const row of document.querySelectorAll("tr[data-feature]")) {
      const own = selected !== null && row.getAttribute("data-feature") === selected;
      row.classList.toggle("is-selected", own);
    }
    draw();
  }

  const slider = document.getElementById("relspan-budget");
  if (budgets && slider) {
    slider.replaceChildren(budgetSlider(budgets.words[budgets.current], budgets, { budgets: async () => budgets, progress: async () => ({}), stop() {}, show: (intervals, classes) => {
      otherBudget = intervals;
      otherClasses = classes ?? null;
      draw();
    } }).element);
  }

  const rows = document.getElementById("relspan-samples");
  if (samples && rows) {
    rows.replaceChildren(samplesPanel(samples.rows.length, [], { samples: async () => samples, sample: async ({ index }) => {
      const found = samples.details[String(index)];
      if (!found) throw new Error(samples.left_out);
      return found;
    }, progress: async () => ({}), stop() {}, select: (name) => {
      if (selected !== name) select(name);
    } }, true).element);
  }

  // paper is narrower than a screen, and white
  addEventListener("beforeprint", () => paper(true));
  addEventListener("afterprint", () => paper(false));

  /** @param {boolean} printing */
  function paper(printing) {
    document.body.classList.toggle("printing", printing);
    if (printing) document.documentElement.setAttribute("data-theme", "light");
    else document.documentElement.removeAttribute("data-theme");
    draw();
    list.fit(); // a printer does not wait
    list.tidy(); // on paper the rows stand one after the other
  }
  draw();
}

const embedded = document.getElementById("relspan-result");
const place = document.getElementById("relspan-intervals");
if (embedded && place) startReport(place, carried("relspan-result"), carried("relspan-budgets"), carried("relspan-sample-rows"));

/** What the file carries in an element; null where it has none. @param {string} id */
function carried(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}
