/** What "equally good" means here, and a slider that changes it: how much worse may a model be? */

import { button, h, setAttributes, setText } from "./dom.js";
import { askLong } from "./long_question.js";

/**
 * @typedef {object} BudgetSteps  Intervals at every position of the slider.
 * @property {Record<string, [number, number]>[]} steps
 * @property {(Record<string, string> | null)[]} [classes]  null: those of the analysis.
 * @property {string[]} sentences
 *
 * @typedef {object} BudgetEvents
 * @property {() => Promise<BudgetSteps>} budgets
 * @property {() => Promise<any>} progress
 * @property {() => void} stop
 * @property {(intervals: Record<string, [number, number]> | null, classes?: Record<string, string> | null) => void} show  null: those of the analysis.
 */

/**
 * @param {string} line  The budget of the analysis in words.
 * @param {{values: number[], words: string[], current: number | null} | null | undefined} slider
 * @param {BudgetEvents} events
 */
export function budgetSlider(line, slider, events) {
  const words = h("p", { class: "equally-good" }, line);
  const status = h("p", { class: "detail budget-status", role: "status" });
  const current = slider?.current ?? null;
  if (!slider || current === null) return { element: h("div", { class: "budget" }, words), update() {} };
  /** @type {BudgetSteps | null} */
  let known = null;
  let asking = false;
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "range", min: 0, max: slider.values.length - 1, step: 1, "aria-label": "how much worse may a model be?", on: { input: () => moved() } }));
  for (const soon of ["pointerenter", "focus"]) input.addEventListener(soon, () => known || input.disabled || ask(), { once: true }); // before the first step is taken
  const back = button("Back to the analysis", () => set(current), { class: "link budget-back" });
  input.value = String(current);
  back.hidden = true;
  const element = h("div", { class: "budget" }, words, h("label", { class: "budget-line-input" }, h("span", {}, "stricter"), input, h("span", {}, "looser")), back, status);
  describe();

  /** @param {number} place */
  function set(place) {
    input.value = String(place);
    moved();
  }

  function describe() {
    const place = Number(input.value);
    setText(words, place === current ? line : slider?.words[place] ?? "");
    setAttributes(input, { "aria-valuetext": words.textContent ?? "" });
    back.hidden = place === current;
  }

  async function moved() {
    describe();
    const place = Number(input.value);
    if (place === current) {
      setText(status, "");
      events.show(null);
      return;
    }
    if (!known) await ask();
    if (known && Number(input.value) === place) {
      setText(status, known.sentences[place]);
      events.show(known.steps[place], known.classes?.[place]);
    }
  }

  async function ask() {
    if (asking) return;
    asking = true;
    known = await askLong(status, "Computing intervals and classes at other budgets", events, events.budgets);
    asking = false;
    if (known) moved();
    else {
      input.value = String(current);
      describe();
    }
  }

  return {
    element,
    /** Pins hold at the budget of the analysis. @param {boolean} pinned */
    update(pinned) {
      if (pinned && Number(input.value) !== current) set(current);
      input.disabled = pinned;
      setAttributes(input, { title: pinned ? "Pins hold at the budget of the analysis; remove them to try other budgets." : null });
    },
  };
}
