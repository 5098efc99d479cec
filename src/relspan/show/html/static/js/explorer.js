/**
 * The explorer: components around one state, and a back end behind them.
 *
 * `mountExplorer(root, transport)` serves both the page and the notebook. Every answer of the back end is a new state,
 * and every component draws from it.
 */

import { button, h, setText } from "./dom.js";
import { exportMenu } from "./export_menu.js";
import { featurePanel } from "./feature_panel.js";
import { newestWins } from "./newest_request.js";
import { helpDialog } from "./help_dialog.js";
import { intervalList } from "./interval_list.js";
import { chosenLines, linesOf, thresholdOf } from "./lines.js";
import { modelPanel } from "./model_panel.js";
import { panelSearch } from "./panel_search.js";
import { pinBar, pinText } from "./pin_bar.js";
import { scenariosPanel } from "./scenarios_panel.js";
import { asSentence } from "./sentence.js";
import { showProgress, startPage } from "./start_page.js";
import { substitutionMap } from "./substitution_map.js";
import { tabs } from "./tabs.js";
import { themeButton } from "./theme_button.js";
import { toolbar } from "./toolbar.js";

const PIN_CHANGES = new Set(["pin", "pin_all", "unpin_all", "undo", "redo", "load_scenario"]); // they end a refused demand
const STATUSES = /** @type {import("./types.js").Status[]} */ (["outer", "inner", "exact"]);

/**
 * @param {HTMLElement} root
 * @param {import("./types.js").Transport} transport
 * @param {EventTarget} [keys]  Where keys are listened to: the page, or only the root in somebody else's page.
 */
export function mountExplorer(root, transport, keys = document) {
  /** @type {import("./types.js").State} */
  let state = { phase: "open", revision: 0 };
  /** @type {import("./pin_bar.js").Conflict | null} */
  let conflict = null;
  /** @type {string | null} */
  let selected = null;
  /** @type {Map<number, [number, number, number]>} */
  let overlay = new Map(); // intervals while a handle moves
  let changing = 0; // changes that are on their way
  let following = false;
  let updates = 0; // answers while a handle is dragged, for measurements
  /** @type {number[]} */
  const stamps = [];
  const choice = { search: "", sort: "relevance", classes: new Set(), outcomes: new Set(), starred: false, pinned: false };

  // -- the back end ------------------------------------------------------------------------------------------------

  const sight = () => ({ session: state.session, rows: state.phase === "ready" ? list.inSight() : [] });

  /** @param {import("./types.js").State} next */
  function receive(next) {
    if (next.phase === "ready" && !next.result && next.session === state.session) Object.assign(next, { result: state.result, account: state.account });
    if (next.session !== state.session) {
      selected = null;
      conflict = null;
    }
    state = next;
    draw();
    follow();
  }

  /**
   * @param {string} action
   * @param {Record<string, any>} [payload]
   */
  async function change(action, payload = {}) {
    changing++;
    try {
      const next = await transport.ask(action, { ...sight(), ...payload });
      if (PIN_CHANGES.has(action)) conflict = null;
      message.hidden = true;
      changing--;
      overlay = new Map();
      receive(next);
      return true;
    } catch (error) {
      changing--;
      overlay = new Map();
      refused(/** @type {any} */ (error), payload);
      return false;
    }
  }

  /**
   * A demand that cannot be met stays visible, with what would work.
   * @param {any} error
   * @param {Record<string, any>} payload
   */
  function refused(error, payload) {
    const details = error.details ?? {};
    const [feature, demand] = payload.feature !== undefined ? [payload.feature, payload.demand] : Object.entries(payload.demands ?? {}).filter(([, d]) => d !== null).pop() ?? [];
    if (details.conflict?.length && feature !== undefined) conflict = { feature, demand, message: error.message, conflict: details.conflict, nearest: details.nearest };
    else showMessage(error.message);
    draw();
  }

  async function follow() {
    if (following) return;
    following = true;
    let pause = 0;
    while (unfinished()) {
      try {
        if (state.phase === "fitting") await new Promise((done) => setTimeout(done, 200));
        const next = await transport.ask("follow", { ...sight(), revision: state.revision });
        if (!changing) receiveQuietly(next);
        pause = 0;
      } catch (error) {
        pause = Math.min(4000, 2 * pause + 250);
        if (pause > 2000) showMessage("The server does not answer. Check that relspan is still running in its terminal.");
        await new Promise((done) => setTimeout(done, pause));
      }
    }
    following = false;
  }

  /** @param {import("./types.js").State} next */
  function receiveQuietly(next) {
    if (next.phase === "ready" && !next.result && next.session === state.session) Object.assign(next, { result: state.result, account: state.account });
    state = next;
    draw();
  }

  function unfinished() {
    if (state.phase === "fitting") return true;
    if (state.phase !== "ready" || !state.view) return false;
    return state.view.pending > 0 || !state.view.best?.score;
  }

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
  /** @type {string | null} */
  let dragged = null;
  /** @type {any} */
  let last = null;

  // -- what a person does ------------------------------------------------------------------------------------------

  /**
   * @param {string} feature
   * @param {import("./types.js").Demand | null} demand
   */
  function demand(feature, demand) {
    dragged = null;
    drags.drop();
    if (demand === null && !state.view?.pins.some((pin) => pin.feature === feature)) {
      overlay = new Map();
      draw();
      return;
    }
    change("pin", { feature, demand });
  }

  /** @param {string} name */
  function select(name) {
    selected = name;
    inspector.choose("feature");
    list.reveal(name);
    draw();
  }

  const list = intervalList({
    readOnly: transport.readOnly,
    events: {
      select,
      star: (feature) => change("toggle_star", { feature }),
      demand,
      grab: (feature, side) => {
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
        dragged = null;
        drags.drop();
        overlay = new Map();
        draw();
      },
    },
  });
  const demandAll = (/** @type {Record<string, any>} */ demands) => change("pin_all", { demands });
  const bar = toolbar(/** @type {any} */ (choice), () => draw());
  const pins = pinBar({ demandAll, select, unpinAll: () => change("unpin_all"), dismiss: () => {
    conflict = null;
    draw();
  } });
  const feature = featurePanel(transport.readOnly, { demand, demandAll, select, alternatives: (name) => transport.ask("alternatives", { feature: name }) });
  const model = modelPanel();
  const stop = () => transport.ask("stop", {}).catch(() => {});
  const progress = () => transport.ask("progress");
  const panels = panelSearch({ panel: (options) => transport.ask("panel", options), progress, stop, setCosts: (costs) => change("set_costs", { costs }), select, pins: pinTexts, useOnly: (kept) => {
    const out = (state.result?.features ?? []).map((f) => f.name).filter((name) => !kept.includes(name));
    change("pin_all", { demands: Object.fromEntries(out.map((name) => [name, "without"])) });
  } });
  const map = substitutionMap({ substitution: (at) => transport.ask("substitution", { at }), progress, stop, select });
  const scenarios = scenariosPanel({
    save: (name, note) => change("save_scenario", { name, note }),
    annotate: (name, note) => change("annotate_scenario", { name, note }),
    load: (name) => change("load_scenario", { name }),
    remove: (name) => change("delete_scenario", { name }),
    compare: (first, second) => transport.ask("compare", { first, second }),
    select,
  });
  const inspector = tabs("details", [["feature", "Feature", feature.element], ["model", "Model", model.element], ["panels", "Panels", panels.element], ["map", "Substitutes", map.element], ["scenarios", "Scenarios", scenarios.element]], () => draw());

  // -- the page ----------------------------------------------------------------------------------------------------

  const undo = button("↶ Undo", () => change("undo"), { class: "undo", title: "Ctrl+Z" });
  const redo = button("↷ Redo", () => change("redo"), { class: "redo", title: "Ctrl+Shift+Z" });
  const file = h("span", { class: "source" });
  const headline = h("p", { class: "headline", role: "status" }); // where no feature is called relevant
  const summary = h("p", { class: "summary" });
  const about = h("details", { class: "notes about" });
  const aboutTitle = h("summary");
  const warnings = h("div", { class: "warnings" });
  const message = h("div", { class: "message", role: "alert" });
  message.hidden = true;
  const exporter = exportMenu((kind) => transport.ask("export", { kind }), () => ({ lines: shown(), threshold: threshold(), title: chartTitle() }), showMessage);
  const help = helpDialog();
  const tools = h("div", { class: "header-tools" }, undo, redo, exporter.element, button("Open table", () => change("close_table"), { class: "reset" }), button("?", () => help.show(), { class: "icon", "aria-label": "help and keyboard" }), themeButton());
  const header = h("header", { class: "header" }, h("div", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), h("span", { class: "brand-name" }, "relspan"), file), tools);
  const stage = h("div", { class: "stage" });
  const ready = h("main", { class: "ready" }, h("section", { class: "list-card" }, h("h1", { class: "visually-hidden" }, "Relevance intervals"), headline, summary, about, warnings, bar.element, pins.element, bar.outcomes, list.element), inspector.element);
  root.replaceChildren(header, message, stage, help.element);
  keys.addEventListener("keydown", (event) => onKey(/** @type {KeyboardEvent} */ (event)));

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const typing = /** @type {Element} */ (event.target).matches("input, textarea, select");
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing && state.phase === "ready") {
      event.preventDefault();
      const forward = event.shiftKey;
      if (forward ? state.view?.redo : state.view?.undo) change(forward ? "redo" : "undo");
    } else if (event.key === "/" && !typing && state.phase === "ready") {
      event.preventDefault();
      bar.search.focus();
    } else if (event.key === "?" && !typing) help.show();
  }

  /** @param {string} text */
  function showMessage(text) {
    message.hidden = false;
    message.replaceChildren(h("span", {}, asSentence(text)), button("×", () => {
      message.hidden = true;
    }, { class: "icon", "aria-label": "dismiss" }));
  }

  /** The lines in view, with what a moving handle does to them. */
  function shown() {
    return chosenLines(allLines(), /** @type {any} */ (choice));
  }

  /** How far chance reaches: not known under pins, nor while a handle moves. */
  function threshold() {
    const { result, view } = state;
    return !result || view?.pins.length || overlay.size ? undefined : thresholdOf(result, result.features[0]);
  }

  function pinTexts() {
    const records = /** @type {import("./types.js").Pin[]} */ (state.view?.pins ?? state.result?.parameters.pins ?? []);
    return records.map((pin) => pin.text ?? pinText(pin));
  }

  function chartTitle() {
    const pins = pinTexts();
    const first = state.result && nothingCalled(state.result) ? "No feature is called relevant. " : "";
    const title = `${first}relspan: ${state.result?.data.target ?? ""}`;
    return pins.length ? `Under these pins: ${pins.join(", ")}. ${title}` : title;
  }

  function allLines() {
    const lines = linesOf(state);
    if (!overlay.size) return lines;
    return lines.map((line) => {
      const over = overlay.get(line.index);
      return over ? { ...line, min: over[0], max: over[1], outcome: null, status: STATUSES[over[2]] } : line;
    });
  }

  const starting = { upload, openExample: (/** @type {string} */ name) => change("open_example", { name }), guessTask: (/** @type {string} */ target) => transport.ask("guess_task", { target }), analyse: (/** @type {any} */ choice) => change("analyse", choice), stop: () => change("stop"), closeTable: () => change("close_table") };

  /** @param {File} chosen */
  async function upload(chosen) {
    try {
      receive(await /** @type {any} */ (transport).upload(chosen));
      message.hidden = true;
    } catch (error) {
      showMessage(/** @type {Error} */ (error).message);
    }
  }

  function draw() {
    const isReady = state.phase === "ready" && state.result !== undefined;
    for (const part of [undo, redo, exporter.element]) part.hidden = !isReady;
    if (!isReady) {
      setText(file, "");
      const waiting = /** @type {HTMLElement | null} */ (stage.querySelector(".fitting"));
      if (state.phase === "fitting" && waiting) showProgress(waiting, state);
      else stage.replaceChildren(startPage(state, starting));
      return;
    }
    if (ready.parentElement !== stage) stage.replaceChildren(ready);
    drawReady(/** @type {import("./types.js").Result} */ (state.result));
  }

  /** @param {import("./types.js").Result} result */
  function drawReady(result) {
    const { view } = state;
    const lines = allLines();
    const inView = chosenLines(lines, /** @type {any} */ (choice));
    const refusal = conflict ? { feature: conflict.feature, value: wantedValue(conflict.demand) } : null;
    setText(file, [fileName(result.data.file), result.data.target].filter(Boolean).join(" · "));
    const account = state.account ?? [];
    const failed = nothingCalled(result);
    setText(headline, failed ? account.find((entry) => entry.key === "test")?.sentence ?? "" : "");
    headline.hidden = !failed;
    setText(summary, ["pins", "data", "interval"].map((key) => account.find((entry) => entry.key === key)?.sentence ?? "").join(" "));
    setText(aboutTitle, view?.pins.length ? "About the result without pins" : "About this result");
    if (about.dataset.session !== state.session) {
      about.dataset.session = state.session;
      about.replaceChildren(aboutTitle, h("dl", {}, account.flatMap((entry) => [h("dt", {}, entry.title), h("dd", {}, entry.sentence)])));
    }
    const notes = [...(state.explorable === false ? [state.reason ?? ""] : []), ...result.warnings];
    if (warnings.dataset.key !== notes.join("|")) {
      warnings.dataset.key = notes.join("|");
      warnings.replaceChildren(...(notes.length ? [h("details", { class: "notes" }, h("summary", {}, notes.length === 1 ? "1 warning" : `${notes.length} warnings`), h("ul", {}, notes.map((note) => h("li", {}, note))))] : []));
    }
    bar.update(lines, inView.length);
    list.update({ lines: inView, threshold: threshold(), selected, refused: refusal });
    /** @type {HTMLButtonElement} */ (undo).disabled = !view?.undo;
    /** @type {HTMLButtonElement} */ (redo).disabled = !view?.redo;
    exporter.update(/** @type {any} */ (state).exports ?? []);
    inspector.element.hidden = state.explorable === false;
    pins.element.hidden = state.explorable === false;
    if (state.explorable === false) return;
    pins.update(view?.pins ?? [], view?.pending ?? 0, conflict);
    const line = lines.find((one) => one.name === selected) ?? null;
    const tab = inspector.current;
    if (tab === "feature") feature.update(result, line, line ? view?.rows[line.index] : undefined, pinTexts().join(", "));
    if (tab === "model") model.update(result, view);
    if (tab === "panels") panels.update(lines);
    if (tab === "map") map.update(JSON.stringify(view?.pins ?? []), selected);
    if (tab === "scenarios") scenarios.update(view?.scenarios ?? []);
  }

  transport.ask("state", {}).then(receive, (error) => showMessage(error.message));
  return {
    get state() {
      return state;
    },
    get updates() {
      return updates;
    },
    stamps,
    select,
  };
}

/** Whether no feature is called relevant, whatever its interval. @param {import("./types.js").Result} result */
function nothingCalled(result) {
  return result.passed === false || result.baseline.l1_norm === 0;
}

/** @param {import("./types.js").Demand} demand */
function wantedValue(demand) {
  if (typeof demand === "number") return demand;
  if (Array.isArray(demand)) return demand[0] > 0 ? demand[0] : demand[1] ?? 0;
  return 0;
}

/** @param {string | undefined} path */
function fileName(path) {
  return path ? path.split(/[\\/]/).pop() ?? "" : "table";
}
