/** Named sets of pins with notes, and two of them side by side. */

import { button, h, s, setAttributes } from "./dom.js";
import { axisEnd, intervalText, relevanceText } from "./number_format.js";
import { asSentence } from "./sentence.js";
import { toPixels } from "./track.js";

const MOST_COMPARED = 200;

/**
 * @typedef {object} ScenarioEvents
 * @property {(name: string, note: string) => void} save
 * @property {(name: string, note: string) => void} annotate
 * @property {(name: string) => void} load
 * @property {(name: string) => void} remove
 * @property {(first: string, second: string) => Promise<any>} compare
 * @property {(name: string) => void} select
 */

/** @param {ScenarioEvents} events */
export function scenariosPanel(events) {
  const name = /** @type {HTMLInputElement} */ (h("input", { type: "text", placeholder: "Name", "aria-label": "name of the scenario", required: true, maxlength: 200 }));
  const note = /** @type {HTMLTextAreaElement} */ (h("textarea", { placeholder: "Note, such as the reason for the pins", "aria-label": "note", rows: 2, maxlength: 10000 }));
  const saved = h("div", { class: "saved" });
  const first = picker("first scenario");
  const second = picker("second scenario");
  const table = h("div", { class: "comparison", "aria-live": "polite" });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    events.save(name.value, note.value);
    name.value = note.value = "";
  };
  const element = h("div", { class: "panel-body" },
    h("h2", {}, "Scenarios"),
    h("form", { class: "save-form", on: { submit } }, name, note, h("button", { type: "submit", class: "primary" }, "Save the current pins")),
    saved,
    h("h3", {}, "Compare"),
    h("div", { class: "actions" }, first, h("span", {}, "with"), second, button("Compare", () => show(), { class: "primary compare-now" })),
    table,
  );

  async function show() {
    table.replaceChildren(h("p", { class: "pending", role: "status" }, "Comparing …"));
    try {
      table.replaceChildren(...comparison(await events.compare(first.value, second.value), events));
    } catch (error) {
      table.replaceChildren(h("p", { class: "detail" }, asSentence(/** @type {Error} */ (error).message)));
    }
  }

  return {
    element,
    /** @param {import("./types.js").Scenario[]} scenarios */
    update(scenarios) {
      const key = JSON.stringify(scenarios);
      if (saved.dataset.key === key) return;
      saved.dataset.key = key;
      saved.replaceChildren(...scenarios.map((scenario) => card(scenario, events)));
      const names = ["unpinned", "current", ...scenarios.map((scenario) => scenario.name)];
      for (const [select, standing] of /** @type {[HTMLSelectElement, string][]} */ ([[first, "unpinned"], [second, "current"]])) {
        const chosen = names.includes(select.value) ? select.value : standing;
        select.replaceChildren(...names.map((one) => h("option", { value: one }, one)));
        select.value = chosen;
      }
    },
  };
}

/** @param {string} label */
function picker(label) {
  return /** @type {HTMLSelectElement} */ (h("select", { "aria-label": label }));
}

/**
 * @param {import("./types.js").Scenario} scenario
 * @param {ScenarioEvents} events
 */
function card(scenario, events) {
  const text = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 2, "aria-label": `note on ${scenario.name}`, maxlength: 10000, on: { change: () => events.annotate(scenario.name, text.value) } }));
  text.value = scenario.note;
  return h("article", { class: "scenario" },
    h("header", {}, h("strong", {}, scenario.name), button("Load", () => events.load(scenario.name), { "aria-label": `load ${scenario.name}` }), button("Delete", () => events.remove(scenario.name), { class: "link", "aria-label": `delete ${scenario.name}` })),
    h("p", { class: "detail" }, scenario.pins.join("; ") || "no pins"), text);
}

/**
 * @param {any} both
 * @param {ScenarioEvents} events
 */
function comparison(both, events) {
  const moved = both.rows.filter((/** @type {any} */ row) => row.moved);
  const size = (/** @type {any} */ row) => Math.abs(row.first[0] - row.second[0]) + Math.abs(row.first[1] - row.second[1]);
  moved.sort((/** @type {any} */ a, /** @type {any} */ b) => size(b) - size(a));
  const same = both.rows.length - moved.length;
  const scale = { end: axisEnd(Math.max(0, ...moved.flatMap((/** @type {any} */ r) => [r.first[1], r.second[1]]))), width: 130 };
  const legend = h("p", { class: "legend" }, h("span", { class: "swatch first" }), ` ${both.first} `, h("span", { class: "swatch second" }), ` ${both.second}`);
  return [
    legend,
    h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": "comparison" },
      h("table", { class: "compare" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Interval"), h("th", { scope: "col" }, `${both.first}, ${both.second}`))),
        h("tbody", {}, moved.slice(0, MOST_COMPARED).map((/** @type {any} */ row) =>
          h("tr", {}, h("th", { scope: "row" }, button(row.feature, () => events.select(row.feature), { class: "link" })),
            h("td", {}, twoBars(row, scale)),
            h("td", { class: "two-lines" }, h("div", {}, intervalText(row.first[0], row.first[1])), h("div", {}, intervalText(row.second[0], row.second[1])))))))),
    h("p", { class: "detail" }, `${moved.length} intervals differ, ${same} are the same.${moved.length > MOST_COMPARED ? ` The ${MOST_COMPARED} largest differences are shown.` : ""}`),
  ];
}

/**
 * @param {any} row
 * @param {import("./track.js").Scale} scale
 */
function twoBars(row, scale) {
  const x = (/** @type {number} */ value) => toPixels(scale, value);
  const bar = (/** @type {number[]} */ ends, /** @type {number} */ y, /** @type {string} */ kind) => s("rect", { class: `bar ${kind}`, x: x(ends[0]), y, width: Math.max(2, x(ends[1]) - x(ends[0])), height: 6, rx: 3 });
  const drawing = s("svg", { width: scale.width, height: 20, role: "img" }, bar(row.first, 3, "first"), bar(row.second, 11, "second"));
  setAttributes(drawing, { "aria-label": `from ${relevanceText(row.first[0])}–${relevanceText(row.first[1])} to ${relevanceText(row.second[0])}–${relevanceText(row.second[1])}` });
  return drawing;
}
