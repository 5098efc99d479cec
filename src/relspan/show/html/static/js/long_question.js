/** A question that takes long: what is being done, how far it has come, and a button that stops it. */

import { button, h, setText } from "./dom.js";
import { percentText } from "./number_format.js";
import { asSentence } from "./sentence.js";

/**
 * Ask, and show in `status` how far the answer has come; null where it was stopped or refused, and `status` then says why.
 * @template T
 * @param {HTMLElement} status
 * @param {string} words  What is being done.
 * @param {{progress: () => Promise<any>, stop: () => void}} lane
 * @param {() => Promise<T>} ask
 * @returns {Promise<T | null>}
 */
export async function askLong(status, words, lane, ask) {
  const line = h("p", { class: "pending", role: "status" }, `${words} …`);
  status.replaceChildren(line, button("Stop", () => lane.stop(), { class: "link stop-question" }));
  const timer = window.setInterval(async () => {
    const question = await lane.progress().catch(() => ({}));
    const share = typeof question.share === "number" && question.share > 0 ? percentText(question.share) : "";
    if (share || question.note) setText(line, `${words} … ${[share, question.note].filter(Boolean).join(", ")}`);
  }, 500);
  try {
    const answer = await ask();
    status.replaceChildren();
    return answer;
  } catch (error) {
    status.replaceChildren(h("p", { class: "detail", role: "status" }, asSentence(/** @type {Error} */ (error).message)));
    return null;
  } finally {
    clearInterval(timer);
  }
}
