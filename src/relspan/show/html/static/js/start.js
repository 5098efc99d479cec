/** Before there is a result: open a table, see what is in it, decide what is asked, wait. */

import { button, h, say } from "./dom.js";

/**
 * @typedef {object} StartEvents
 * @property {(file: File) => void} upload
 * @property {(name: string) => void} sample
 * @property {(target: string) => Promise<any>} target
 * @property {(asked: Record<string, any>) => void} analyse
 * @property {() => void} cancel
 * @property {() => void} reset
 */

/** @type {[string, string][]} */
const TASK_WORDS = [
  ["classification", "classes (of more than two: intervals only)"],
  ["ordinal", "ordered classes"],
  ["regression", "a number"],
];

/**
 * @param {import("./types.js").State} state
 * @param {StartEvents} events
 */
export function startPage(state, events) {
  const trouble = state.trouble ? h("p", { class: "trouble", role: "alert" }, state.trouble) : null;
  if (state.phase === "fitting") return fittingPage(state, events);
  return state.phase === "choose" ? choosePage(state, events, trouble) : openPage(state, events, trouble);
}

/**
 * @param {import("./types.js").State} state
 * @param {StartEvents} events
 * @param {HTMLElement | null} trouble
 */
function openPage(state, events, trouble) {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".csv,.tsv,.txt,.gz,.json", id: "file", on: { change: () => {
    if (input.files?.[0]) events.upload(input.files[0]);
  } } }));
  const zone = h("label", { class: "drop", for: "file" }, h("strong", {}, "Open a table or a saved session"), h("span", { class: "detail" }, "CSV or TSV, first line with names, also .gz; or drop it here. It stays on this machine."), input);
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("is-over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("is-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("is-over");
    const file = event.dataTransfer?.files[0];
    if (file) events.upload(file);
  });
  return h("main", { class: "start" },
    h("h1", {}, "How much can, and how much must, each feature matter?"),
    h("p", { class: "lead" }, "Over all linear models that are as good as the best one. Open a table, or try one that comes along."),
    trouble, zone,
    h("div", { class: "samples" }, (state.samples ?? []).map((sample) => h("button", { type: "button", class: "sample", on: { click: () => events.sample(sample.name) } }, h("strong", {}, sample.name), h("span", { class: "detail" }, sample.about)))));
}

/**
 * @param {import("./types.js").State} state
 * @param {StartEvents} events
 * @param {HTMLElement | null} trouble
 */
function choosePage(state, events, trouble) {
  const table = state.table ?? {};
  const choice = table.choice ?? {};
  const why = h("p", { class: "detail" }, `Guessed: ${table.why}.`);
  const taskWhy = h("p", { class: "detail" }, table.task_why);
  const target = /** @type {HTMLSelectElement} */ (h("select", { id: "target", on: { change: retarget } }, table.columns.map((/** @type {any} */ c) => h("option", { value: c.name }, c.name))));
  target.value = choice.target ?? table.target;
  const task = /** @type {HTMLSelectElement} */ (h("select", { id: "task" }, TASK_WORDS.map(([key, words]) => h("option", { value: key }, words))));
  task.value = table.task ?? "classification";
  const impute = /** @type {HTMLSelectElement} */ (h("select", { id: "impute" }, [["", "refuse them"], ["median", "fill with the median"], ["mean", "fill with the mean"], ["drop", "leave these rows out"]].map(([key, words]) => h("option", { value: key }, words))));
  impute.value = choice.impute ?? "";
  const text = /** @type {HTMLSelectElement} */ (h("select", { id: "text" }, [["refuse", "refuse them"], ["encode", "encode as zeros and ones"], ["drop", "leave them out"]].map(([key, words]) => h("option", { value: key }, words))));
  text.value = choice.text ?? "refuse";
  const missing = Object.entries(table.missing ?? {});
  const words = (table.text ?? []).filter((/** @type {string} */ name) => name !== target.value);

  async function retarget() {
    why.textContent = "";
    const answer = await events.target(target.value);
    taskWhy.textContent = answer.task_why;
    if (answer.task) task.value = answer.task;
  }

  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    events.analyse({ target: target.value, task: task.value, impute: impute.value, text: text.value });
  };
  return h("main", { class: "start" },
    h("h1", {}, table.source),
    h("p", { class: "lead" }, `${table.rows} rows, ${table.columns.length} columns, ${table.format}`),
    trouble,
    h("form", { class: "choose", on: { submit } },
      h("div", { class: "field" }, h("label", { for: "target" }, "Column to explain"), target, why),
      h("div", { class: "field" }, h("label", { for: "task" }, "It is"), task, taskWhy),
      missing.length ? h("div", { class: "field notice" }, h("label", { for: "impute" }, "Missing values"), impute, h("p", { class: "detail" }, `${columnsText(missing.length)} with missing values: ${listed(missing.map(([name, count]) => `${name} (${count})`))}.`)) : h("p", { class: "detail good" }, "No value is missing."),
      words.length ? h("div", { class: "field notice" }, h("label", { for: "text" }, "Text columns"), text, h("p", { class: "detail" }, `${columnsText(words.length)} with text: ${listed(words)}.`)) : null,
      table.constant?.length ? h("p", { class: "detail notice" }, `Constant, and so irrelevant: ${listed(table.constant)}.`) : null,
      h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Analyse"), button("Another table", () => events.reset(), { class: "link" }))));
}

/**
 * @param {import("./types.js").State} state
 * @param {StartEvents} events
 */
function fittingPage(state, events) {
  const page = h("main", { class: "start fitting" },
    h("h1", {}, "Analysing"),
    h("p", { class: "lead" }, `${state.progress?.features} features, ${state.progress?.rows} rows`),
    h("progress", { max: 100, value: 0, "aria-label": "progress of the analysis" }),
    h("p", { class: "detail", role: "status" }),
    button("Stop", () => events.cancel()));
  showProgress(page, state);
  return page;
}

/**
 * Move the bar; the page stays, so that its button can be pressed.
 * @param {HTMLElement} page
 * @param {import("./types.js").State} state
 */
export function showProgress(page, state) {
  const progress = state.progress ?? {};
  const share = Math.round(100 * (progress.share ?? 0));
  /** @type {HTMLProgressElement} */ (page.querySelector("progress")).value = share;
  say(/** @type {HTMLElement} */ (page.querySelector("[role=status]")), `${progress.stage}, ${share} %, ${(progress.seconds ?? 0).toFixed(0)} s`);
}

/** @param {string[]} names */
function listed(names) {
  return names.length > 6 ? `${names.slice(0, 6).join(", ")} and ${names.length - 6} more` : names.join(", ");
}

/** @param {number} count */
function columnsText(count) {
  return count === 1 ? "1 column" : `${count} columns`;
}
