/** Panels: the fewest or cheapest features from which an equally good model can be made. */

import { button, h, keepingFocus, setText } from "./dom.js";
import { shortNumber } from "./number_format.js";
import { modelTable } from "./model_panel.js";
import { asSentence } from "./sentence.js";

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
  const answer = h("div", { class: "panel-answer", "aria-live": "polite" });
  const seconds = /** @type {HTMLSelectElement} */ (h("select", { id: "panel-seconds" }, [[5, "5 seconds"], [20, "20 seconds"], [60, "1 minute"], [300, "5 minutes"]].map(([value, label]) => h("option", { value }, label))));
  const required = /** @type {HTMLInputElement} */ (h("input", { type: "text", list: "panel-names", placeholder: "Name of a feature", "aria-label": "feature that every panel must have" }));
  const names = h("datalist", { id: "panel-names" });
  const musts = h("span", { class: "panel-musts" });
  /** @type {Set<string>} */
  const include = new Set();
  const find = h("input", { type: "search", placeholder: "Find a feature", "aria-label": "find a feature to price", on: { input: () => drawCosts() } });
  const rows = h("tbody");
  const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".csv,.tsv,.txt", "aria-label": "costs from a file", on: { change: readFile } }));
  /** @type {import("./types.js").Line[]} */
  let lines = [];
  let busy = false;
  const element = h("div", { class: "panel-body" },
    h("h2", {}, "Panels"),
    h("p", { class: "detail" }, "A panel is a set of features that is enough for an equally good model. Find the smallest or the cheapest panel under the current pins."),
    h("div", { class: "actions" }, button("Smallest panel", () => search(false), { class: "primary" }), button("Cheapest panel", () => search(true), { class: "primary" }), h("label", {}, "Time limit ", seconds)),
    h("div", { class: "actions" }, h("label", {}, "Must have ", required), names, button("Add", () => require(required.value), { class: "add-must" }), musts),
    answer,
    h("h3", {}, "Costs"),
    h("p", { class: "detail" }, "Enter what it costs to measure each feature. A feature without an entry costs 1. A file of costs has two columns: names and costs."),
    h("div", { class: "actions" }, find, h("label", { class: "file" }, "Costs from a file", file)),
    h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": "costs of features" }, h("table", { class: "costs" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Cost"))), rows)),
  );

  /** Every panel has this feature from now on. @param {string} name */
  function require(name) {
    if (!lines.some((line) => line.name === name)) return;
    include.add(name);
    required.value = "";
    drawMusts();
  }

  function drawMusts() {
    keepingFocus(element, () => musts.replaceChildren(...[...include].map((name) => button(`${name} ×`, () => {
      include.delete(name);
      drawMusts();
    }, { class: "tag", "aria-label": `${name} ×, no longer required` }))));
  }

  /** @param {boolean} priced */
  async function search(priced) {
    if (busy) return;
    busy = true;
    const status = h("p", { class: "pending", role: "status" }, "Searching …");
    answer.replaceChildren(status, button("Stop", () => events.stop(), { class: "link" }));
    const timer = window.setInterval(async () => {
      const search = await events.progress().catch(() => ({}));
      if (search.note) setText(status, `Searching … ${search.note}`);
    }, 500);
    const pins = events.pins();
    try {
      answer.replaceChildren(h("p", { class: "detail" }, pins.length ? `Under these pins: ${pins.join(", ")}.` : ""), ...found(await events.panel({ priced, seconds: Number(seconds.value), include: [...include] }), priced));
    } catch (error) {
      answer.replaceChildren(h("p", { class: "detail" }, asSentence(/** @type {Error} */ (error).message)));
    }
    clearInterval(timer);
    busy = false;
  }

  /**
   * @param {any} panel
   * @param {boolean} priced
   */
  function found(panel, priced) {
    const cost = priced ? `, cost ${shortNumber(panel.cost)}` : "";
    const least = shortNumber(panel.bound, 3);
    const proof = panel.proven
      ? `It is proven that no panel is ${priced ? "cheaper" : "smaller"}.`
      : `This is the best panel so far; it is proven that every panel ${priced ? `costs at least ${least}` : `has at least ${least} features`}. A longer search may find a ${priced ? "cheaper" : "smaller"} one, or prove that there is none.`;
    return [
      h("p", { class: "big-numbers" }, `${panel.features.length} ${panel.features.length === 1 ? "feature" : "features"}${cost}`),
      h("p", { class: "detail" }, `${proof} The search took ${panel.seconds.toFixed(1)} s.`),
      h("p", {}, `Held-out score of this panel: ${panel.score.mean.toFixed(3)}; of all features: ${panel.score.all_features.toFixed(3)}.`),
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
    if (text) events.setCosts(costsOf(text, new Set(lines.map((line) => line.name))));
    file.value = "";
  }

  return {
    element,
    /** @param {import("./types.js").Line[]} next */
    update(next) {
      lines = [...next].sort((a, b) => b.ghost[1] - a.ghost[1]);
      if (names.childElementCount !== lines.length) names.replaceChildren(...lines.map((line) => h("option", { value: line.name })));
      if (!element.contains(document.activeElement) || !(document.activeElement instanceof HTMLInputElement)) drawCosts();
    },
  };
}

/**
 * Names and costs from two columns of text; lines that do not name a feature are skipped.
 * @param {string} text
 * @param {Set<string>} names
 */
export function costsOf(text, names) {
  /** @type {Record<string, number>} */
  const costs = {};
  for (const line of text.split(/\r?\n/)) {
    const cut = Math.max(line.lastIndexOf(","), line.lastIndexOf(";"), line.lastIndexOf("\t"));
    const name = line.slice(0, cut).trim().replace(/^"(.*)"$/, "$1");
    const cost = Number(line.slice(cut + 1).trim());
    if (cut > 0 && names.has(name) && Number.isFinite(cost)) costs[name] = cost;
  }
  return costs;
}
