/** The columns of a table before its analysis: what each one is, some of its values, and what it is used as. */

import { h } from "./dom.js";

/** @type {[string, string][]} */
const PARTS = [
  ["feature", "feature"],
  ["category", "category"],
  ["rising", "feature, weight of 0 or more"],
  ["falling", "feature, weight of 0 or less"],
  ["drop", "leave out"],
  ["groups", "groups of rows"],
  ["adjust", "adjusted for"],
  ["weights", "weight of the row"],
  ["event", "1 where the event was seen"],
];
const LISTS = ["adjust", "drop", "rising", "falling"]; // what any number of columns can be
const ALONE = new Set(["groups", "weights", "event"]); // what only one column can be
const NOT_A_FEATURE = new Set(["identifier", "date", "empty"]); // kinds that are left out unless somebody wants them

/**
 * @param {any[]} plan  One record per column, from `relspan inspect`.
 * @param {number} count  Of all columns.
 * @param {Record<string, any>} choice  What was chosen before.
 * @param {(events: boolean) => void} changed  A column is used as something else; whether that changes the events, and with them perhaps the task.
 */
export function columnPreview(plan, count, choice, changed) {
  /** @type {Map<string, HTMLSelectElement>} */
  const selects = new Map();
  const row = (/** @type {any} */ column) => {
    const select = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": `${column.name} is used as`, on: { change: () => onlyOne(select) } }, PARTS.map(([value, words]) => h("option", { value }, words))));
    select.value = partOf(column, choice);
    selects.set(column.name, select);
    const gaps = column.missing ? `, ${column.missing} missing` : "";
    return h("tr", { "data-column": column.name }, h("th", { scope: "row" }, column.name), h("td", { class: "preview-kind" }, `${column.kind}${gaps}`), h("td", { class: "preview-values" }, column.examples.slice(0, 3).join(", ")), h("td", {}, select));
  };
  let event = "";

  /** Only one column can name the groups, the weights or the events. @param {HTMLSelectElement} chosen */
  function onlyOne(chosen) {
    for (const select of selects.values()) if (select !== chosen && select.value === chosen.value && ALONE.has(chosen.value)) select.value = "feature";
    const now = [...selects].find(([, select]) => select.value === "event")?.[0] ?? "";
    const before = event;
    event = now;
    changed(now !== before);
  }

  const table = h("table", { class: "preview" }, h("thead", {}, h("tr", {}, ["Column", "Kind", "First values", "Used as"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, plan.map(row)));
  const more = count > plan.length ? [h("p", { class: "detail" }, `The first ${plan.length} of ${count} columns are listed; the others are features.`)] : [];
  return {
    element: h("div", { class: "table-holder preview-holder", tabindex: 0, role: "region", "aria-label": "columns of the table" }, table, ...more),
    /** The target is no feature. @param {string} target */
    hideTarget(target) {
      for (const [name, select] of selects) /** @type {HTMLElement} */ (select.closest("tr")).hidden = name === target;
    },
    /** Whether a column is used at all, and whether as the number that it is. @param {string} name */
    use(name) {
      const part = selects.get(name)?.value ?? "feature";
      return { used: part !== "drop", asNumber: !["drop", "category", "groups", "event"].includes(part) };
    },
    /** What the columns are used as. @param {string} target */
    choices(target) {
      const chosen = (/** @type {string} */ part) => [...selects].filter(([name, select]) => name !== target && select.value === part).map(([name]) => name);
      return { drop: chosen("drop"), categorical: chosen("category"), groups: chosen("groups")[0] ?? "", event: chosen("event")[0] ?? "", weights: chosen("weights")[0] ?? "", adjust: chosen("adjust"), rising: chosen("rising"), falling: chosen("falling") };
    },
  };
}

/**
 * @param {any} column
 * @param {Record<string, any>} choice
 */
function partOf(column, choice) {
  if (choice.drop === undefined) return NOT_A_FEATURE.has(column.kind) ? "drop" : column.kind === "category" && column.levels.length ? "category" : "feature";
  for (const part of ALONE) if (choice[part] === column.name) return part;
  for (const part of LISTS) if ((choice[part] ?? []).includes(column.name)) return part;
  return (choice.categorical ?? []).includes(column.name) ? "category" : "feature";
}
