/** Panels: the fewest or cheapest features from which an equally good model can be made. */

import { button, h, keepingFocus, setText } from "./dom.js";
import { askLong } from "./long_question.js";
import { modelTable } from "./model_panel.js";
import { shortNumber } from "./number_format.js";

const MOST_SKIPPED = 5; // lines of a file of costs that are named

/**
 * @typedef {object} PanelEvents
 * @property {(options: Record<string, any>) => Promise<any>} panel
 * @property {() => Promise<any>} progress
 * @property {() => void} stop
 * @property {(costs: Record<string, number | null>) => void} setCosts
 * @property {(panel: string[]) => void} useOnly
 * @property {(name: string) => void} select
 * @property {() => string[]} pins  Those in force, in words.
 */

/** @param {PanelEvents} events */
export function panelSearch(events) {
  const status = h("div", { class: "panel-status" });
  const answer = h("div", { "aria-live": "polite" });
  const limit = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 0, step: "any", class: "price-limit", placeholder: "no limit", "aria-label": "most that a panel may cost" }));
  const seconds = /** @type {HTMLSelectElement} */ (h("select", { id: "panel-seconds" }, [[5, "5 seconds"], [20, "20 seconds"], [60, "1 minute"], [300, "5 minutes"]].map(([value, label]) => h("option", { value }, label))));
  const required = /** @type {HTMLInputElement} */ (h("input", { type: "text", list: "panel-names", placeholder: "Name of a feature", "aria-label": "feature that every panel must have", on: { change: () => require(required.value) } }));
  const names = h("datalist", { id: "panel-names" });
  const musts = h("span", { class: "panel-musts" });
  const unknown = h("p", { class: "trouble must-unknown", role: "alert" });
  unknown.hidden = true;
  /** @type {Set<string>} */
  const include = new Set();
  const find = h("input", { type: "search", placeholder: "Find a feature", "aria-label": "find a feature to price", on: { input: () => drawCosts() } });
  const rows = h("tbody");
  const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".csv,.tsv,.txt", "aria-label": "costs from a file", on: { change: readFile } }));
  /** @type {import("./types.js").Line[]} */
  let lines = [];
  let busy = false;
  const entered = h("summary");
  const skipped = h("p", { class: "detail costs-skipped", role: "status" });
  /** @type {Map<string, string>} */
  let aliases = new Map(); // a category that one column stands for goes by both names
  const element = h("div", { class: "panel-body" },
    h("h2", {}, "Panels"),
    h("p", { class: "detail" }, "A panel is a set of features that is enough for an equally good model under the current pins. Find the smallest one, the cheapest one, or several."),
    h("div", { class: "actions" }, h("label", {}, "Must have ", required), names, button("Add", () => require(required.value), { class: "add-must" }), musts, unknown),
    h("details", { class: "costs-section" }, entered,
      h("p", { class: "detail" }, "Enter what it costs to measure each feature. A feature without an entry costs 1. A file of costs has two columns: names and costs."),
      h("div", { class: "actions" }, find, h("label", { class: "file" }, "Costs from a file", file)),
      skipped,
      h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": "costs of features" }, h("table", { class: "costs" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Cost"))), rows))),
    h("div", { class: "actions" }, h("label", {}, "The cheapest may cost at most ", limit), h("label", {}, "Time limit ", seconds)),
    h("div", { class: "actions" }, button("Smallest panel", () => search(false), { class: "primary" }), button("Cheapest panel", () => search(true), { class: "primary" }), button("Several panels", () => search(priced(), true), { class: "ask-panels", title: "All panels of which no feature can be left out, ten at most; by cost if you have entered costs." })),
    h("div", { class: "panel-answer" }, status, answer),
  );

  /** Whether somebody has entered a cost. */
  function priced() {
    return lines.some((line) => line.cost !== null);
  }

  /** Every panel has this feature from now on; whether there is such a feature. @param {string} typed */
  function require(typed) {
    const wanted = typed.trim();
    const name = aliases.get(wanted) ?? wanted;
    const known = wanted === "" || lines.some((line) => line.name === name);
    unknown.hidden = known;
    setText(unknown, known ? "" : `There is no feature ${wanted}.`);
    if (!known || !wanted) return known;
    include.add(name);
    required.value = "";
    drawMusts();
    return true;
  }

  function drawMusts() {
    keepingFocus(element, () => musts.replaceChildren(...[...include].map((name) => button(`${name} ×`, () => {
      include.delete(name);
      drawMusts();
    }, { class: "tag", "aria-label": `${name} ×, no longer required` }))));
  }

  /**
   * @param {boolean} byPrice
   * @param {boolean} [several]
   */
  async function search(byPrice, several = false) {
    if (busy || !require(required.value)) return; // a name that is typed but not added counts
    busy = true;
    answer.replaceChildren();
    const pins = events.pins();
    const asked = { priced: byPrice, several, seconds: Number(seconds.value), include: [...include], price_limit: limit.value === "" ? null : Number(limit.value) };
    const found = await askLong(status, "Searching", events, () => events.panel(asked));
    busy = false;
    if (!found) return;
    const under = h("p", { class: "detail" }, pins.length ? `Under these pins: ${pins.join(", ")}.` : "");
    answer.replaceChildren(under, ...(several ? listOf(found, byPrice) : onePanel(found, byPrice)));
  }

  /**
   * @param {any} panel
   * @param {boolean} byPrice
   */
  function onePanel(panel, byPrice) {
    return [
      h("p", { class: "big-numbers" }, `${panel.features.length} ${panel.features.length === 1 ? "feature" : "features"}${byPrice ? `, cost ${shortNumber(panel.cost)}` : ""}`),
      ...panel.sentences.map((/** @type {string} */ text) => h("p", { class: "detail" }, text)),
      h("p", {}, panel.score_sentence, " ", h("span", { class: "detail" }, panel.score.one_division)),
      ...usesOf(panel),
    ];
  }

  /**
   * Panels of which no feature can be left out, each with its price, its score and what can be done with it.
   * @param {any} found
   * @param {boolean} byPrice
   */
  function listOf(found, byPrice) {
    const most = limit.value === "" || !byPrice ? Infinity : Number(limit.value);
    const entry = (/** @type {any} */ panel) => h("li", { class: `minimal-panel${panel.cost > most ? " is-beyond" : ""}` },
      h("p", {}, `${panel.features.length} ${panel.features.length === 1 ? "feature" : "features"}${byPrice ? `, cost ${shortNumber(panel.cost)}${panel.cost > most ? ", beyond the limit" : ""}` : ""}. `, h("span", { class: "detail" }, panel.score_sentence)),
      ...usesOf(panel));
    return [h("p", { class: "panels-sentence" }, found.sentence, " ", h("span", { class: "detail" }, found.panels[0]?.score.one_division)), h("ol", { class: "minimal-panels" }, found.panels.map(entry))];
  }

  /** @param {any} panel */
  function usesOf(panel) {
    return [
      h("div", { class: "panel-features" }, panel.features.map((/** @type {string} */ name) => button(name, () => events.select(name), { class: "tag" }))),
      h("div", { class: "actions" }, button("Leave all other features out", () => events.useOnly(panel.features))),
      h("details", {}, h("summary", {}, "A model that uses only this panel"), modelTable(panel.model)),
    ];
  }

  function drawCosts() {
    const wanted = /** @type {HTMLInputElement} */ (find).value.trim().toLowerCase();
    const chosen = lines.filter((line) => !wanted || line.name.toLowerCase().includes(wanted)).slice(0, 60);
    rows.replaceChildren(...chosen.map((line) => {
      const input = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 0, step: "any", placeholder: "1", "aria-label": `cost of ${line.name}`, on: { change: () => events.setCosts({ [line.name]: input.value === "" ? null : Number(input.value) }) } }));
      input.value = line.cost === null ? "" : String(line.cost);
      return h("tr", {}, h("th", { scope: "row" }, line.name), h("td", {}, input));
    }));
  }

  async function readFile() {
    const text = await file.files?.[0]?.text();
    if (text) {
      const found = costsOf(text, new Map([...aliases, ...lines.map((line) => /** @type {[string, string]} */ ([line.name, line.name]))]));
      events.setCosts(found.costs);
      setText(skipped, skippedText(Object.keys(found.costs).length, found.skipped));
    }
    file.value = "";
  }

  return {
    element,
    /**
     * @param {import("./types.js").Line[]} next
     * @param {Map<string, string>} others  Other names of features.
     */
    update(next, others) {
      aliases = others;
      lines = next.filter((line) => line.home === null).sort((a, b) => b.ghost[1] - a.ghost[1]);
      if (names.childElementCount !== lines.length) names.replaceChildren(...lines.map((line) => h("option", { value: line.name })));
      const count = lines.filter((line) => line.cost !== null).length;
      setText(entered, count ? `Costs: ${count} entered, every other feature costs 1` : "Costs: none entered, every feature costs 1");
      if (!element.contains(document.activeElement) || !(document.activeElement instanceof HTMLInputElement)) drawCosts();
    },
  };
}

/**
 * Names and costs from two columns of text, and the lines in which there is no cost of a feature; the first line may
 * have the names of the columns.
 * @param {string} text
 * @param {Map<string, string>} names  Each name that a feature goes by, with its own.
 */
export function costsOf(text, names) {
  /** @type {Record<string, number>} */
  const costs = {};
  /** @type {string[]} */
  const skipped = [];
  for (const [k, line] of text.split(/\r?\n/).entries()) {
    const cut = Math.max(line.lastIndexOf(","), line.lastIndexOf(";"), line.lastIndexOf("\t"));
    const name = line.slice(0, Math.max(cut, 0)).trim().replace(/^"(.*)"$/, "$1");
    const typed = line.slice(cut + 1).trim();
    const cost = typed === "" ? NaN : Number(typed);
    const feature = names.get(name);
    if (feature !== undefined && Number.isFinite(cost)) costs[feature] = cost;
    else if (line.trim() && (k > 0 || Number.isFinite(cost))) skipped.push(line.trim());
  }
  return { costs, skipped };
}

/**
 * @param {number} taken
 * @param {string[]} skipped
 */
function skippedText(taken, skipped) {
  const read = `${taken} ${taken === 1 ? "cost was" : "costs were"} read.`;
  if (!skipped.length) return read;
  const shown = skipped.slice(0, MOST_SKIPPED).map((line) => `"${line.slice(0, 60)}"`).join(", ");
  const more = skipped.length > MOST_SKIPPED ? ` and ${skipped.length - MOST_SKIPPED} more` : "";
  return `${read} ${skipped.length === 1 ? "1 line names" : `${skipped.length} lines name`} no feature of this table with a cost: ${shown}${more}.`;
}
