/** Further questions about all equally good models: stability first, then whatever the back end offers. */

import { button, h } from "./dom.js";
import { askLong } from "./long_question.js";
import { shortNumber } from "./number_format.js";

/**
 * @typedef {object} QuestionEvents
 * @property {(lane: string) => {progress: () => Promise<any>, stop: () => void}} lane
 * @property {(draws: number) => Promise<any>} stability
 * @property {(whiskers: any) => void} showWhiskers  null hides them.
 * @property {(key: string, features: string[], fields: Record<string, string>) => Promise<any>} question
 * @property {() => string[]} pins  Those in force, in words.
 */

/**
 * @typedef {{key: string, title: string, about: string, features: number, fields: {key: string, label: string, usual: string, example: string, lines: boolean}[]}} Question
 */

/**
 * @param {Question[]} questions
 * @param {string[]} names  Of all features.
 * @param {QuestionEvents} events
 */
export function questionsPanel(questions, names, events) {
  const options = h("datalist", { id: "question-names" }, names.map((name) => h("option", { value: name })));
  const sections = questions.map((question) => section(question, events));
  return h("div", { class: "panel-body questions" }, h("h2", {}, "Further questions"), stabilitySection(events), sections, options);
}

/** @param {QuestionEvents} events */
function stabilitySection(events) {
  const draws = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "number of repeated analyses" }, [10, 30, 50, 100].map((count) => h("option", { value: count, selected: count === 30 }, `${count} draws`))));
  const status = h("div");
  const answer = h("div", { class: "stability-answer", "aria-live": "polite" });

  async function ask() {
    answer.replaceChildren();
    const found = await askLong(status, "Repeating the analysis", events.lane("stability"), () => events.stability(Number(draws.value)));
    if (!found) return;
    events.showWhiskers(found);
    const hide = button("Hide the thin lines", () => {
      events.showWhiskers(null);
      answer.replaceChildren();
      start.focus();
    }, { class: "link hide-whiskers" });
    answer.replaceChildren(h("p", {}, found.sentence), hide);
  }

  const start = button("Repeat the analysis", () => ask(), { class: "primary ask-stability" });
  return h("section", { class: "question" }, h("h3", {}, "How stable are the intervals?"),
    h("p", { class: "detail" }, "The samples are drawn again with replacement, and the whole analysis is repeated. Pins do not count."),
    h("div", { class: "actions" }, draws, start), status, answer);
}

/**
 * @param {Question} question
 * @param {QuestionEvents} events
 */
function section(question, events) {
  const inputs = Array.from({ length: question.features }, (_, k) => /** @type {HTMLInputElement} */ (h("input", { type: "text", list: "question-names", required: true, placeholder: "Name of a feature", "aria-label": `${question.title} feature ${k + 1}` })));
  /** @type {[string, HTMLInputElement | HTMLTextAreaElement][]} */
  const fields = question.fields.map((field) => [field.key, /** @type {any} */ (field.lines
    ? h("textarea", { rows: 2, placeholder: field.example ? `such as  ${field.example}` : "" })
    : h("input", { type: "number", min: 1, step: 1, required: true, value: field.usual }))]);
  const labelled = question.fields.map((field, k) => h("label", { class: field.lines ? "question-lines" : "question-field" }, field.label, fields[k][1]));
  const status = h("div");
  const answer = h("div", { class: "question-answer", "aria-live": "polite" });

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    const pins = events.pins();
    const found = await askLong(status, "Computing", events.lane("question"), () => events.question(question.key, inputs.map((input) => input.value.trim()), Object.fromEntries(fields.map(([key, input]) => [key, input.value]))));
    answer.replaceChildren(...(found ? answered(found, pins) : []));
  }

  return h("form", { class: "question", "data-question": question.key, on: { submit } }, h("h3", {}, question.title), h("p", { class: "detail" }, question.about),
    h("div", { class: "actions" }, inputs, labelled, h("button", { type: "submit" }, "Answer")), status, answer);
}

/**
 * @param {any} found
 * @param {string[]} pins
 */
function answered(found, pins) {
  const cell = (/** @type {any} */ value) => (typeof value === "number" ? shortNumber(value, 3) : String(value ?? ""));
  const table = found.rows?.length
    ? [h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": "the answer as a table" }, h("table", { class: "answer" },
      h("thead", {}, h("tr", {}, found.columns.map((/** @type {string} */ name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.rows.map((/** @type {any[]} */ row) => h("tr", {}, row.map((value) => h("td", {}, cell(value))))))))]
    : [];
  return [pins.length ? h("p", { class: "detail" }, `Under these pins: ${pins.join(", ")}.`) : "", ...found.sentences.map((/** @type {string} */ text) => h("p", {}, text)), ...table];
}
