/**
 * One result on the page: its list, its pins and the details beside them. A new result gets a new one of these, so that
 * nothing of the last one stays behind.
 */

import { budgetSlider } from "./budget_slider.js";
import { h, setText } from "./dom.js";
import { featurePanel } from "./feature_panel.js";
import { findingsPanel } from "./findings_panel.js";
import { intervalList } from "./interval_list.js";
import { chosenLines, featureOf, linesOf, partsOf, signedLine, thresholdOf } from "./lines.js";
import { modelPanel } from "./model_panel.js";
import { newestWins } from "./newest_request.js";
import { panelSearch } from "./panel_search.js";
import { pinBar, pinText } from "./pin_bar.js";
import { questionsPanel } from "./questions_panel.js";
import { OUTCOMES } from "./relevance_classes.js";
import { samplesPanel } from "./samples_panel.js";
import { scenariosPanel } from "./scenarios_panel.js";
import { substitutionMap } from "./substitution_map.js";
import { tabs } from "./tabs.js";
import { toolbar } from "./toolbar.js";

const NO_PINS = "No pins yet. Drag a handle, move it with the arrow keys, or choose a feature to pin it by number.";
const NO_PINS_ELSEWHERE = "Pins hold at the budget of the analysis, so there are no handles here. The findings are those of the analysis, too.";
const NO_HANDLES = "Pins are about sizes, so there are no handles while weights have signs. Choose a feature to pin it by number.";
const STATUSES = /** @type {import("./types.js").Status[]} */ (["outer", "inner", "exact"]);

/**
 * @param {import("./types.js").Transport} transport
 * @param {object} needs
 * @param {import("./types.js").State} needs.first  The state that it is made for.
 * @param {(action: string, payload?: Record<string, any>) => Promise<boolean>} needs.change
 */
export function readyPage(transport, { first, change }) {
  let state = first;
  const readOnly = transport.readOnly || first.explorable === false;
  /** @type {import("./pin_bar.js").Conflict | null} */
  let conflict = null;
  /** @type {string | null} */
  let selected = null;
  /** @type {Map<number, [number, number, number]>} */
  let overlay = new Map(); // intervals while a handle moves
  /** @type {number[] | null} */
  let order = null; // of the lines while a handle is held: none leaves, none moves
  /** @type {Record<string, [number, number]> | null} */
  let otherBudget = null; // intervals at the budget that the slider shows
  /** @type {Record<string, string> | null} */
  let otherClasses = null; // and the classes there
  /** @type {Record<string, {min: [number, number], max: [number, number], sentence: string}> | null} */
  let whiskers = null; // of repeated analyses
  let updates = 0; // answers while a handle is dragged, for measurements
  /** @type {number[]} */
  const stamps = [];
  /** @type {string | null} */
  let dragged = null;
  /** @type {any} */
  let last = null;
  /** @type {{state?: import("./types.js").State, part?: string, lines: import("./types.js").Line[]}} */
  let joined = { lines: [] }; // of the state: while a handle moves, only what the answers change is new
  /** @type {Set<string>} */
  const open = new Set(); // categories whose levels are shown
  const choice = { search: "", sort: "relevance", part: "", classes: new Set(), outcomes: new Set(), starred: false, pinned: false, signed: false, open };

  const drags = newestWins(
    (/** @type {{feature: string, demand: any}} */ drag) => transport.ask("drag", { ...sight(), ...drag }),
    (answer, drag) => {
      overlay = new Map(answer.rows.map((/** @type {any} */ row) => [row[0], [row[1], row[2], row[3]]]));
      updates++;
      stamps.push(performance.now());
      draw();
      if (answer.exact < answer.rows.length) window.setTimeout(() => dragged === drag.feature && last === drag.demand && drags.send(drag), 120);
    },
  );

  function sight() {
    return { session: state.session, rows: list.inSight() };
  }

  /** The handle is free again. */
  function letGo() {
    dragged = null;
    order = null;
    drags.drop();
    overlay = new Map();
  }

  // -- what a person does ------------------------------------------------------------------------------------------

  /**
   * @param {string} feature
   * @param {import("./types.js").Demand | null} demand
   */
  async function demand(feature, demand) {
    dragged = null;
    drags.drop();
    const levels = (state.categories ?? []).find((category) => category.name === feature)?.levels ?? [feature];
    const pinned = (state.view?.pins ?? []).filter((pin) => levels.includes(pin.feature)).map((pin) => pin.feature);
    if (demand === null && pinned.length) await change("pin_all", { demands: Object.fromEntries(pinned.map((name) => [name, null])) });
    else if (demand !== null) await change("pin", { feature, demand });
    letGo();
    draw();
  }

  /** @param {string} name */
  function select(name) {
    selected = name;
    const home = allLines().find((line) => line.name === name)?.home;
    if (home) fold(home, true);
    inspector.choose("feature");
    list.reveal(name);
    draw();
  }

  /** @param {string} name @param {boolean} [wanted] */
  function fold(name, wanted = !open.has(name)) {
    if (wanted) open.add(name);
    else open.delete(name);
    draw();
  }

  const list = intervalList({
    readOnly,
    events: {
      select,
      fold,
      star: (feature) => change("toggle_star", { feature }),
      demand,
      grab: (feature, side) => {
        order = shown().map((line) => line.index);
        dragged = feature;
        transport.ask("grab", { feature, side }).catch(() => {}); // it only makes what follows quicker
      },
      drag: (feature, wanted) => {
        dragged = feature;
        last = wanted;
        drags.send({ feature, demand: wanted });
        list.refresh();
      },
      release: () => {
        letGo();
        draw();
      },
    },
  });
  const demandAll = (/** @type {Record<string, any>} */ demands) => change("pin_all", { demands });
  const bar = toolbar(/** @type {any} */ (choice), partsOf(first.result), readOnly, () => draw());
  const pins = pinBar({ demandAll, select, unpinAll: () => change("unpin_all"), dismiss: () => {
    conflict = null;
    draw();
  } });
  const feature = featurePanel(readOnly, { demand, demandAll, select, alternatives: (name) => transport.ask("alternatives", { feature: name }), isCategory: (name) => (state.categories ?? []).some((category) => category.name === name), unmeasured: (name) => {
    const home = allLines().find((line) => line.name === name)?.home;
    inspector.choose("samples");
    samples.askWithout(home ?? name);
  } });
  const model = modelPanel();
  /** @param {string} lane */
  const lane = (lane) => ({ progress: () => transport.ask("progress", { lane }), stop: () => transport.ask("stop_question", { lane }).catch(() => {}) });
  const panels = panelSearch({ ...lane("panel"), panel: (options) => transport.ask("panel", options), setCosts: (costs) => change("set_costs", { costs }), select, pins: pinTexts, useOnly: (kept) => {
    const out = allLines().filter((line) => !line.levels && !kept.includes(line.home ?? line.name)).map((line) => line.name);
    change("pin_all", { demands: Object.fromEntries(out.map((name) => [name, "without"])) });
  } });
  const questions = questionsPanel(first.questions ?? [], (first.result?.features ?? []).map((f) => f.name), { lane, pins: pinTexts, stability: (draws) => transport.ask("stability", { draws }), question: (key, features, fields) => transport.ask("question", { key, features, fields }), showWhiskers: (found) => {
    whiskers = found?.features ?? null;
    draw();
  } });
  const map = substitutionMap(first.groups ?? [], { ...lane("map"), substitution: (at) => transport.ask("substitution", { at }), select });
  const samples = samplesPanel(first.result?.data.n_samples ?? 0, featureNames(first), { ...lane("samples"), samples: (unmeasured) => transport.ask("samples", unmeasured ? { unmeasured } : {}), sample: (question) => transport.ask("sample", question), select });
  const scenarios = scenariosPanel({
    save: (name, note) => change("save_scenario", { name, note }),
    annotate: (name, note) => change("annotate_scenario", { name, note }),
    load: (name) => change("load_scenario", { name }),
    remove: (name) => change("delete_scenario", { name }),
    compare: (first, second) => transport.ask("compare", { first, second }),
    select,
  });
  const budget = budgetSlider(first.equally_good ?? "", readOnly ? null : first.slider, {
    ...lane("budgets"),
    budgets: () => transport.ask("budgets"),
    show: (intervals, classes) => {
      otherBudget = intervals;
      otherClasses = classes ?? null;
      draw();
    },
  });
  const found = findingsPanel(first, readOnly, () => {
    inspector.choose("map");
    map.ask();
  });
  /** @type {[string, string, HTMLElement][]} */
  const details = [["findings", "Findings", found.element], ["feature", "Feature", feature.element], ["model", "Model", model.element], ["panels", "Panels", panels.element], ["map", "Substitutes", map.element], ["samples", "Samples", samples.element], ["scenarios", "Scenarios", scenarios.element], ["questions", "More", questions]];
  const inspector = tabs("details", readOnly ? details.slice(0, 2) : details, () => draw());

  // -- the page ----------------------------------------------------------------------------------------------------

  const heard = h("div", { class: "visually-hidden announcement", role: "status" }); // what the pins did, for those who do not see it
  const headline = h("p", { class: "headline", role: "status" }); // where no feature is called relevant
  const summary = h("p", { class: "summary" });
  const about = h("details", { class: "notes about" });
  const aboutTitle = h("summary");
  const warnings = h("div", { class: "warnings" });
  const element = h("main", { class: "ready" }, h("section", { class: "list-card" }, h("h1", { class: "visually-hidden" }, "Relevance intervals"), heard, headline, summary, budget.element, about, warnings, bar.element, readOnly ? "" : pins.element, bar.outcomes, list.element), inspector.element);

  /** The lines in view, with what a moving handle does to them. */
  function shown(lines = allLines()) {
    const chosen = order && !otherBudget ? order.map((index) => lines[index]) : chosenLines(lines, /** @type {any} */ (choice));
    return isSigned() ? chosen.map(signedLine) : chosen;
  }

  /** Whether weights are drawn with their sign; totals of several weights have none. */
  function isSigned() {
    return choice.signed && (!partsOf(state.result).length || choice.part !== "") && !otherBudget;
  }

  /** How far chance reaches: not known under pins, nor while a handle moves. */
  function threshold() {
    const { result, view } = state;
    return !result || view?.pins.length || overlay.size || otherBudget ? undefined : thresholdOf(result, result.features[0], choice.part);
  }

  function pinTexts() {
    const records = /** @type {import("./types.js").Pin[]} */ (state.view?.pins ?? state.result?.parameters.pins ?? []);
    return records.map(pinText);
  }

  function stateLines() {
    if (joined.state !== state || joined.part !== choice.part) joined = { state, part: choice.part, lines: linesOf(state, choice.part) };
    return joined.lines;
  }

  function allLines() {
    const lines = stateLines();
    const other = otherBudget;
    const classes = otherClasses;
    if (other) return lines.map((line) => ({ ...line, min: other[line.name]?.[0] ?? line.min, max: other[line.name]?.[1] ?? line.max, best: null, relevance: /** @type {import("./types.js").Relevance} */ (classes?.[line.name] ?? line.relevance), status: /** @type {import("./types.js").Status} */ (line.name in other ? line.status : "outer") }));
    const ends = whiskers;
    if (ends && !state.view?.pins.length && !overlay.size && !choice.part) return lines.map((line) => (ends[line.name] ? { ...line, whiskers: ends[line.name] } : line));
    if (!overlay.size) return lines;
    return lines.map((line) => {
      const over = overlay.get(line.index);
      return over ? { ...line, min: over[0], max: over[1], outcome: null, best: null, status: STATUSES[over[2]] } : line;
    });
  }

  function draw() {
    const result = /** @type {import("./types.js").Result} */ (state.result);
    const { view } = state;
    const lines = allLines();
    const inView = shown(lines);
    const refusal = conflict ? { feature: conflict.feature, value: wantedValue(conflict.demand) } : null;
    const account = state.account ?? [];
    const failed = nothingCalled(result);
    setText(headline, failed ? account.find((entry) => entry.key === "test")?.sentence ?? "" : "");
    headline.hidden = !failed;
    setText(summary, ["pins", "data"].map((key) => account.find((entry) => entry.key === key)?.sentence ?? "").join(" "));
    setText(aboutTitle, view?.pins.length ? "About the result without pins" : "About this result");
    if (view && !view.pending && !overlay.size) setText(heard, pinsText(pinTexts(), lines));
    budget.update((view?.pins.length ?? 0) > 0);
    list.element.classList.toggle("is-fixed", otherBudget !== null || isSigned());
    bar.update(lines, inView.filter((line) => line.home === null).length);
    const ghosts = otherBudget ? "at the budget of the analysis" : view?.pins.length || overlay.size || result.parameters.pins?.length ? "without pins" : undefined;
    list.update({ lines: inView, threshold: threshold(), selected, refused: refusal, ghosts, columns: lines, signed: isSigned(), whiskers: lines.some((line) => line.whiskers) });
    if (!readOnly) pins.update(view?.pins ?? [], view?.pending ?? 0, conflict, otherBudget ? NO_PINS_ELSEWHERE : isSigned() ? NO_HANDLES : NO_PINS);
    const line = lines.find((one) => one.name === selected) ?? null;
    const tab = inspector.current;
    if (tab === "findings") found.update(view);
    if (tab === "feature") feature.update(result, line, line ? featureOf(state, line) : undefined, JSON.stringify(view?.pins ?? []), whiskers?.[line?.name ?? ""]?.sentence);
    if (tab === "model") model.update(result, view);
    if (tab === "panels") panels.update(lines, otherNames(result));
    if (tab === "map") map.update(JSON.stringify(view?.pins ?? []), selected);
    if (tab === "samples") samples.update(JSON.stringify(view?.pins ?? []));
    if (tab === "scenarios") scenarios.update(view?.scenarios ?? []);
  }

  /** What stays as it is as long as the result is shown. */
  function drawOnce() {
    const notes = first.result?.warnings ?? [];
    if (first.explorable === false) warnings.append(h("p", { class: "detail not-explorable" }, first.reason ?? ""));
    const title = notes.length === 1 ? "1 warning" : `${notes.length} warnings`;
    if (notes.length) warnings.append(h("details", { class: "notes" }, h("summary", {}, title), h("ul", {}, notes.map((note) => h("li", {}, note)))));
    about.append(aboutTitle, h("dl", {}, (first.account ?? []).flatMap((entry) => [h("dt", {}, entry.title), h("dd", {}, entry.sentence)])));
  }

  drawOnce();
  return {
    element,
    select,
    sight,
    stamps,
    get updates() {
      return updates;
    },
    /** Whether a hand holds a handle. */
    get held() {
      return dragged !== null;
    },
    search: bar.search,
    /** @param {import("./types.js").State} next */
    update(next) {
      state = next;
      if (dragged === null) letGo();
      draw();
    },
    /** The pins were changed as asked: a demand that was refused before is past. */
    satisfied() {
      if (!conflict) return;
      conflict = null;
      draw();
    },
    /**
     * A demand that cannot be met stays visible, with what would work; whether it was one.
     * @param {any} error
     * @param {Record<string, any>} payload
     */
    refused(error, payload) {
      const details = error.details ?? {};
      const [name, asked] = payload.feature !== undefined ? [payload.feature, payload.demand] : Object.entries(payload.demands ?? {}).filter(([, one]) => one !== null).pop() ?? [];
      if (!details.conflict?.length || name === undefined) return false;
      conflict = { feature: name, demand: asked, message: error.message, conflict: details.conflict, nearest: details.nearest };
      draw();
      return true;
    },
    /** What an image of the list shows. */
    chart() {
      const failed = state.result && nothingCalled(state.result) ? "No feature is called relevant. " : "";
      return { lines: shown(), threshold: threshold(), title: `${failed}relspan: ${state.result?.data.target ?? ""}`, pins: pinTexts() };
    },
  };
}

/** Names of categories that one column stands for, with the names of the columns. @param {import("./types.js").Result} result */
function otherNames({ data }) {
  const encoded = /** @type {[string, string[]][]} */ (Object.entries(data.encoded ?? {}));
  return new Map(encoded.filter(([, columns]) => columns.length === 1).map(([name, [column]]) => /** @type {[string, string]} */ ([name, column])));
}

/** The features as a reader knows them: a category is one. @param {import("./types.js").State} state */
function featureNames({ result, categories }) {
  const levels = new Set((categories ?? []).flatMap((category) => category.levels ?? []));
  return [...(categories ?? []), ...(result?.features ?? []).filter((feature) => !levels.has(feature.name))].map((feature) => feature.name);
}

/** Whether no feature is called relevant, whatever its interval. @param {import("./types.js").Result} result */
function nothingCalled(result) {
  return result.passed === false || result.baseline.l1_norm === 0;
}

/**
 * What the pins do, in one sentence; empty without pins.
 * @param {string[]} pins
 * @param {import("./types.js").Line[]} lines
 */
function pinsText(pins, lines) {
  if (!pins.length) return "";
  const counts = OUTCOMES.map((outcome) => `${lines.filter((line) => line.outcome === outcome).length} ${outcome}`);
  return `Under ${pins.length === 1 ? "this pin" : `these ${pins.length} pins`}, features are: ${counts.join(", ")}.`;
}

/** @param {import("./types.js").Demand} demand */
function wantedValue(demand) {
  if (typeof demand === "number") return demand;
  if (Array.isArray(demand)) return demand[0] > 0 ? demand[0] : demand[1] ?? 0;
  return 0;
}
