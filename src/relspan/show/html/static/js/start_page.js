/** Before there is a result: open a table, see what it holds, choose what to analyse, wait for the analysis. */

import { columnPreview } from "./column_preview.js";
import { button, h, setText } from "./dom.js";
import { asSentence } from "./sentence.js";

const MOST_NAMES = 6; // columns that a sentence lists before it only counts the rest

/** @type {[string, string][]} */
const GAP_CHOICES = [
  ["", "stop if values are missing"],
  ["median", "fill with the median of the column"],
  ["mean", "fill with the mean of the column"],
  ["drop", "leave out the rows with missing values"],
];

/** @type {[string, string][]} */
const TEXT_CHOICES = [
  ["refuse", "stop if there are text columns"],
  ["encode", "encode as zeros and ones"],
  ["drop", "leave out the text columns"],
];

/**
 * @typedef {object} StartEvents
 * @property {(file: File) => void} upload
 * @property {(left: string) => void} takeUp  Back to a result that is kept.
 * @property {(left: string) => void} saveLeft
 * @property {(name: string) => void} openExample
 * @property {(target: string, event?: string) => Promise<any>} guessTask
 * @property {(choice: Record<string, any>) => void} analyse
 * @property {() => void} stop
 * @property {() => void} closeTable
 */

/**
 * @param {import("./types.js").State} state
 * @param {StartEvents} events
 */
export function startPage(state, events) {
  const trouble = state.trouble ? h("p", { class: "trouble", role: "alert" }, asSentence(state.trouble)) : null;
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
  const zone = h("label", { class: "drop", for: "file" }, h("strong", {}, "Open a table or a saved session"), h("span", { class: "detail" }, "A table is a CSV or TSV file with the names of the columns in its first line; it may be compressed (.gz). Choose a file, or drop it here. It stays on this machine."), input);
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
    h("h1", {}, "How much must each feature matter, and how much can it matter?"),
    h("p", { class: "lead" }, "relspan answers this for all linear models that are as good as the best one. Open your table, or try a built-in data set."),
    trouble, keptResults(state, events), zone,
    h("div", { class: "examples" }, (state.examples ?? []).map((example) => h("button", { type: "button", class: "example", on: { click: () => events.openExample(example.name) } }, h("strong", {}, example.name), h("span", { class: "detail" }, example.about)))));
}

/**
 * @param {import("./types.js").State} state
 * @param {StartEvents} events
 * @param {HTMLElement | null} trouble
 */
function choosePage(state, events, trouble) {
  const table = state.table ?? {};
  const choice = table.choice ?? {};
  const targetReason = h("p", { class: "detail" }, table.target_reason);
  const taskReason = h("p", { class: "detail" });
  const target = /** @type {HTMLSelectElement} */ (h("select", { id: "target", on: { change: changeTarget } }, table.targets.map((/** @type {string} */ name) => h("option", { value: name }, name))));
  target.value = choice.target ?? table.target;
  const task = /** @type {HTMLSelectElement} */ (h("select", { id: "task" }));
  const worse = /** @type {HTMLInputElement} */ (h("input", { type: "number", id: "worse", min: 0, max: 100, step: "any", placeholder: "usual" }));
  const impute = select("impute", GAP_CHOICES, choice.impute ?? "");
  const text = select("text", TEXT_CHOICES, choice.text ?? "refuse");
  const preview = table.plan?.length ? columnPreview(table.plan, table.columns.length, choice, (events) => (events ? changeTarget() : drawNotices())) : null;
  preview?.hideTarget(target.value);
  const gaps = h("div", { class: "field notice" });
  const words = h("div", { class: "field notice" });
  const complete = h("p", { class: "detail good" }, "No values are missing.");

  /** What is in the way, of the columns that are used: what is left out needs no decision. */
  function drawNotices() {
    const missing = Object.entries(table.missing ?? {}).filter(([name]) => name === target.value || (preview?.use(name).used ?? true));
    const without = missing.some(([name]) => name === target.value) ? ` Rows without a value of ${target.value} are left out, whatever is chosen here, unless the analysis stops.` : "";
    const texts = (table.text ?? []).filter((/** @type {string} */ name) => name !== target.value && (preview?.use(name).asNumber ?? true));
    gaps.replaceChildren(h("label", { for: "impute" }, "Missing values"), impute, h("p", { class: "detail" }, `${columnsText(missing.length, "misses", "miss")} values: ${listed(missing.map(([name, count]) => `${name} (${count})`))}.${without}`));
    words.replaceChildren(h("label", { for: "text" }, "Text columns"), text, h("p", { class: "detail" }, `${columnsText(texts.length, "contains", "contain")} text and ${texts.length === 1 ? "is" : "are"} used as a feature: ${listed(texts)}.`));
    gaps.hidden = !missing.length;
    complete.hidden = missing.length > 0;
    words.hidden = !texts.length;
  }

  /** Offer the tasks that the target allows. @param {any} guess */
  function offerTasks(guess) {
    setText(taskReason, guess.task_reason ? `Guessed: ${asSentence(guess.task_reason)}` : "");
    task.replaceChildren(...guess.tasks.map((/** @type {any} */ one) => h("option", { value: one.name, disabled: one.refusal !== null, title: one.refusal ?? one.not_explorable ?? false }, `${one.name}: ${one.target}${one.not_explorable ? " (intervals only, without pins)" : ""}`)));
    if (guess.task) task.value = guess.task;
  }

  async function changeTarget() {
    setText(targetReason, "");
    preview?.hideTarget(target.value);
    drawNotices();
    try {
      offerTasks(await events.guessTask(target.value, preview?.choices(target.value).event));
    } catch (error) {
      setText(taskReason, asSentence(/** @type {Error} */ (error).message));
    }
  }

  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const settings = worse.value === "" ? {} : { delta_loss: Number(worse.value) / 100 };
    events.analyse({ target: target.value, task: task.value, impute: impute.value, text: text.value, ...preview?.choices(target.value), settings });
  };
  offerTasks(table);
  drawNotices();
  return h("main", { class: "start" },
    h("h1", {}, table.source),
    h("p", { class: "lead" }, `${table.rows} rows, ${table.columns.length} columns, ${table.format}`),
    trouble, keptResults(state, events),
    h("form", { class: "choose", on: { submit } },
      h("div", { class: "field" }, h("label", { for: "target" }, "Column to explain"), target, targetReason),
      h("div", { class: "field" }, h("label", { for: "task" }, "Task"), task, taskReason),
      gaps, complete, words,
      table.constant?.length ? h("p", { class: "detail notice" }, `${columnsText(table.constant.length, "has", "have")} only one value and will be irrelevant: ${listed(table.constant)}.`) : null,
      preview ? h("p", { class: "detail" }, "What each column is used as. Rows of one group, such as a patient, stay together. Every model may use a column that is adjusted for, such as age or site, and it is not judged. Where it is known which way a feature can act, only models that agree are asked for: a weight of 0 or more raises the prediction with the feature, or leaves it alone. A column of events makes the column to explain a time until the event.") : null,
      preview?.element ?? null,
      h("div", { class: "field" }, h("label", { for: "worse" }, "How much worse may a model be?"), h("span", {}, worse, " %"), h("p", { class: "detail" }, "Models count as equally good if they give up at most this share of what the features gain. Leave it empty for the usual value.")),
      h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Analyse"), button("Choose another table", () => events.closeTable(), { class: "link" }))));
}

/**
 * Results that were left for another table: nothing of them is lost.
 * @param {import("./types.js").State} state
 * @param {StartEvents} events
 */
function keptResults(state, events) {
  const left = state.left ?? [];
  if (!left.length) return null;
  return h("section", { class: "kept", "aria-label": "sessions that are kept" },
    left.map((one) => h("p", {},
      h("span", {}, `Your session on ${one.title} is kept${contentText(one)}.`),
      button("Back to it", () => events.takeUp(one.session), { class: "primary", "aria-label": `back to ${one.title}` }),
      one.explorable ? button("Save it as a file", () => events.saveLeft(one.session), { "aria-label": `save ${one.title} as a file` }) : null)),
    h("p", { class: "detail" }, "The last three sessions are kept until relspan ends."));
}

/** @param {{pins: number, scenarios: number}} left */
function contentText({ pins, scenarios }) {
  const parts = [[pins, "pin"], [scenarios, "scenario"]].filter(([count]) => count).map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`);
  return parts.length ? `, with ${parts.join(" and ")}` : "";
}

/**
 * @param {string} id
 * @param {[string, string][]} choices
 * @param {string} chosen
 */
function select(id, choices, chosen) {
  const element = /** @type {HTMLSelectElement} */ (h("select", { id }, choices.map(([value, label]) => h("option", { value }, label))));
  element.value = chosen;
  return element;
}

/**
 * @param {import("./types.js").State} state
 * @param {StartEvents} events
 */
function fittingPage(state, events) {
  const page = h("main", { class: "start fitting" },
    h("h1", {}, "Analysing the table"),
    h("p", { class: "lead" }, `${state.progress?.features} features, ${state.progress?.rows} rows`),
    h("progress", { max: 100, value: 0, "aria-label": "progress of the analysis" }),
    h("p", { class: "detail", role: "status" }),
    button("Stop", () => events.stop()));
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
  setText(/** @type {HTMLElement} */ (page.querySelector("[role=status]")), `${progress.stage}: ${share} %, ${(progress.seconds ?? 0).toFixed(0)} s`);
}

/** @param {string[]} names */
function listed(names) {
  return names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more` : names.join(", ");
}

/**
 * @param {number} count
 * @param {string} one  The verb after "1 column".
 * @param {string} several
 */
function columnsText(count, one, several) {
  return count === 1 ? `1 column ${one}` : `${count} columns ${several}`;
}
