/** What the current pins cost: norm, loss, held-out score; and one concrete model that obeys them. */

import { h } from "./dom.js";
import { percentText, shortNumber } from "./numbers.js";

export function pricePanel() {
  const element = h("div", { class: "panel-body" });
  return {
    element,
    /**
     * @param {import("./types.js").Result} result
     * @param {import("./types.js").View | null | undefined} view
     */
    update(result, view) {
      const price = view?.price;
      if (!price) {
        element.replaceChildren(h("p", { class: "pending", role: "status" }, "Computing the price of the pins …"));
        return;
      }
      const { score, model } = price;
      const baseline = result.baseline;
      const words = view?.pins.length ? "At the current pins" : "Without pins";
      element.replaceChildren(
        h("h2", {}, "Price of the pins"),
        h("p", { class: "detail" }, `${words}, a model needs at least this much of the room that "equally good" leaves beyond the best model.`),
        meter("Norm", price.share_of_norm_budget, `least ${shortNumber(price.least_norm)}, best model ${shortNumber(baseline.l1_norm)}`),
        meter("Loss", price.share_of_loss_budget, `least ${shortNumber(price.least_loss)}, best model ${shortNumber(baseline.loss)}`),
        h("h3", {}, "Held-out score"),
        score ? scores(score) : h("p", { class: "pending", role: "status" }, "Cross-validating …"),
        h("h3", {}, "One concrete model"),
        h("p", { class: "detail" }, `The best model at these pins uses ${model.weights.length} features. Weights are in the table's units.`),
        modelTable(model),
      );
    },
  };
}

/**
 * @param {string} words
 * @param {number | null} share  Of the room; below 0 the pins cost nothing, null: there is no room at all.
 * @param {string} detail
 */
function meter(words, share, detail) {
  const used = share === null ? 1 : Math.min(Math.max(share, 0), 1);
  return h("div", { class: "price-line" },
    h("span", {}, words), h("span", { class: `meter${used > 0.9 ? " is-full" : ""}`, "aria-hidden": "true" }, h("span", { style: { width: `${used * 100}%` } })),
    h("span", { class: "value" }, percentText(used)), h("span", { class: "detail" }, detail));
}

/** @param {any} score */
function scores(score) {
  const change = score.mean - score.all_features;
  return h("div", {},
    h("p", { class: "big-numbers" }, score.mean.toFixed(3), h("span", { class: "detail" }, ` with ${score.n_features} features; ${score.all_features.toFixed(3)} with all (${change >= 0 ? "+" : "−"}${Math.abs(change).toFixed(3)})`)),
    h("p", { class: "detail" }, `Folds: ${score.folds.map((/** @type {number} */ f) => f.toFixed(3)).join(", ")}. ${score.note}.`));
}

/** @param {any} model */
export function modelTable(model) {
  const most = Math.max(1e-12, ...model.weights.map((/** @type {any} */ w) => w.relevance));
  return h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": "weights of the model" },
    h("table", { class: "model" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Weight"), h("th", { scope: "col" }, "Share"))),
      h("tbody", {}, model.weights.map((/** @type {any} */ w) =>
        h("tr", {}, h("th", { scope: "row" }, w.feature), h("td", {}, shortNumber(w.weight)),
          h("td", {}, h("span", { class: "meter", "aria-hidden": "true" }, h("span", { style: { width: `${(w.relevance / most) * 100}%` } })), w.relevance.toFixed(3)))),
      h("tr", {}, h("th", { scope: "row" }, model.offsets.length > 1 ? "thresholds" : "offset"), h("td", { colspan: 2 }, model.offsets.map((/** @type {number} */ b) => shortNumber(b)).join(", "))))));
}
