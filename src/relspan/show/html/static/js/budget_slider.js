/** What "equally good" means here, and a slider that changes it: how much worse may a model be? */

import { button, h, setAttributes, setText } from "./dom.js";
import { percentText } from "./number_format.js";
import { asSentence } from "./sentence.js";

/**
 * @typedef {object} BudgetSteps  Intervals at every position of the slider.
 * @property {Record<string, [number, number]>[]} steps
 * @property {string[]} sentences
 *
 * @typedef {object} BudgetEvents
 * @property {() => Promise<BudgetSteps>} budgets
 * @property {() => Promise<any>} progress
 * @property {() => void} stop
 * @property {(intervals: Record<string, [number, number]> | null) => void} show  null: those of the analysis.
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
      setText(status, `${known.sentences[place]} Classes are those of the analysis.`);
      events.show(known.steps[place]);
    }
  }

  async function ask() {
    if (asking) return;
    asking = true;
    const text = h("span", { class: "pending" }, "Computing the intervals at other budgets …");
    status.replaceChildren(text, button("Stop", () => events.stop(), { class: "link" }));
    const timer = window.setInterval(async () => {
      const question = await events.progress().catch(() => ({}));
      if (typeof question.share === "number") setText(text, `Computing the intervals at other budgets … ${percentText(question.share)}`);
    }, 400);
    try {
      known = await events.budgets();
      moved();
    } catch (error) {
      input.value = String(current);
      describe();
      status.replaceChildren(asSentence(/** @type {Error} */ (error).message));
    }
    clearInterval(timer);
    asking = false;
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
