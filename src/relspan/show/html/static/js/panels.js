/** Panels: the fewest or cheapest features from which an equally good model can be made. */

import { button, h } from "./dom.js";
import { shortNumber } from "./numbers.js";
import { modelTable } from "./price.js";

/**
 * @typedef {object} PanelEvents
 * @property {(options: Record<string, any>) => Promise<any>} panel
 * @property {() => Promise<any>} job
 * @property {() => void} cancel
 * @property {(costs: Record<string, number | null>) => void} cost
 * @property {(panel: string[]) => void} adopt
 * @property {(name: string) => void} select
 */

/** @param {PanelEvents} events */
export function panelsPanel(events) {
  const answer = h("div", { class: "panel-answer", "aria-live": "polite" });
  const seconds = /** @type {HTMLSelectElement} */ (h("select", { id: "panel-seconds" }, [[5, "5 seconds"], [20, "20 seconds"], [60, "1 minute"], [300, "5 minutes"]].map(([v, words]) => h("option", { value: v }, words))));
  const find = h("input", { type: "search", placeholder: "Find a feature", "aria-label": "find a feature to price", on: { input: () => drawCosts() } });
  const rows = h("tbody");
  const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".csv,.tsv,.txt", "aria-label": "costs from a file", on: { change: readFile } }));
  /** @type {import("./types.js").Shown[]} */
  let lines = [];
  let busy = false;
  const element = h("div", { class: "panel-body" },
    h("h2", {}, "Panels"),
    h("p", { class: "detail" }, "The fewest, or the cheapest, features from which a model as good as the best can be made, at the current pins."),
    h("div", { class: "actions" }, button("Smallest panel", () => search(false), { class: "primary" }), button("Cheapest panel", () => search(true), { class: "primary" }), h("label", {}, "search for ", seconds)),
    answer,
    h("h3", {}, "Costs"),
    h("p", { class: "detail" }, "What a feature costs to measure; without a cost it counts as 1. A file has two columns, names and costs."),
    h("div", { class: "actions" }, find, h("label", { class: "file" }, "Costs from a file", file)),
    h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": "costs of features" }, h("table", { class: "costs" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Cost"))), rows)),
  );

  /** @param {boolean} priced */
  async function search(priced) {
    if (busy) return;
    busy = true;
    const told = h("p", { class: "pending", role: "status" }, "Searching …");
    answer.replaceChildren(told, button("Stop", () => events.cancel(), { class: "link" }));
    const timer = window.setInterval(async () => {
      const job = await events.job().catch(() => ({}));
      if (job.note) told.textContent = `Searching … ${job.note}`;
    }, 500);
    try {
      answer.replaceChildren(...found(await events.panel({ priced, seconds: Number(seconds.value) }), priced));
    } catch (error) {
      answer.replaceChildren(h("p", { class: "detail" }, /** @type {Error} */ (error).message));
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
    const proof = panel.proven
      ? priced ? "No equally good model is cheaper: proven." : "No equally good model needs fewer: proven."
      : `Not proven to be the best: no panel can ${priced ? "cost" : "have"} less than ${shortNumber(panel.bound, 3)}. Search longer to close the gap.`;
    return [
      h("p", { class: "big-numbers" }, `${panel.features.length} features${cost}`),
      h("p", { class: "detail" }, `${proof} ${panel.seconds.toFixed(1)} s.`),
      h("div", { class: "panel-features" }, panel.features.map((/** @type {string} */ name) => button(name, () => events.select(name), { class: "tag" }))),
      h("div", { class: "actions" }, button("Pin to this panel", () => events.adopt(panel.features))),
      h("details", {}, h("summary", {}, "A model that uses no others"), modelTable(panel.model)),
    ];
  }

  function drawCosts() {
    const wanted = /** @type {HTMLInputElement} */ (find).value.trim().toLowerCase();
    const chosen = lines.filter((line) => !wanted || line.name.toLowerCase().includes(wanted)).slice(0, 60);
    rows.replaceChildren(...chosen.map((line) => {
      const input = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 0, step: "any", placeholder: "1", "aria-label": `cost of ${line.name}`, on: { change: () => events.cost({ [line.name]: input.value === "" ? null : Number(input.value) }) } }));
      input.value = line.cost === null ? "" : String(line.cost);
      return h("tr", {}, h("th", { scope: "row" }, line.name), h("td", {}, input));
    }));
  }

  async function readFile() {
    const text = await file.files?.[0]?.text();
    if (text) events.cost(costsOf(text, new Set(lines.map((line) => line.name))));
    file.value = "";
  }

  return {
    element,
    /** @param {import("./types.js").Shown[]} next */
    update(next) {
      lines = [...next].sort((a, b) => b.ghost[1] - a.ghost[1]);
      if (!element.contains(document.activeElement) || !(document.activeElement instanceof HTMLInputElement)) drawCosts();
    },
  };
}

/**
 * Names and costs from two columns of text; lines whose name is no feature's are passed over.
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
