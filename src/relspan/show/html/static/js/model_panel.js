/** The best model under the current pins: the budgets that the pins use, its held-out score, its weights. */

import { h } from "./dom.js";
import { percentText, shortNumber } from "./number_format.js";

export function modelPanel() {
  const element = h("div", { class: "panel-body" });
  return {
    element,
    /**
     * @param {import("./types.js").Result} result
     * @param {import("./types.js").View | null | undefined} view
     */
    update(result, view) {
      const best = view?.best;
      if (!best) {
        element.replaceChildren(h("p", { class: "pending", role: "status" }, "Computing the best model under the pins …"));
        return;
      }
      const { score, model } = best;
      const baseline = result.baseline;
      const where = view?.pins.length ? "Under the current pins" : "Without pins";
      element.replaceChildren(
        h("h2", {}, view?.pins.length ? "The best model under the pins" : "The best model"),
        h("p", { class: "detail" }, `${where}, every equally good model uses at least these shares of the two budgets. A budget limits how far the norm (the sum of the absolute weights) or the loss may exceed that of the best model.`),
        meter("Norm budget", best.share_of_norm_budget, `smallest norm ${shortNumber(best.least_norm)}; best model ${shortNumber(baseline.l1_norm)}`),
        meter("Loss budget", best.share_of_loss_budget, `smallest loss ${shortNumber(best.least_loss)}; best model ${shortNumber(baseline.loss)}`),
        h("h3", {}, score ? `Held-out score: ${score.name}` : "Held-out score"),
        score ? heldOutScore(score) : h("p", { class: "pending", role: "status" }, "Cross-validating …"),
        h("h3", {}, "Weights"),
        h("p", { class: "detail" }, `The model uses ${model.weights.length} ${model.weights.length === 1 ? "feature" : "features"}. Its weights are for the table as it was given.`),
        modelTable(model),
      );
    },
  };
}

/**
 * @param {string} label
 * @param {number | null} share  Of the budget; below 0 the pins use none of it, null means that there is no budget.
 * @param {string} detail
 */
function meter(label, share, detail) {
  const used = share === null ? 1 : Math.min(Math.max(share, 0), 1);
  return h("div", { class: "budget-line" },
    h("span", {}, label), h("span", { class: `meter${used > 0.9 ? " is-full" : ""}`, "aria-hidden": "true" }, h("span", { style: { width: `${used * 100}%` } })),
    h("span", { class: "value" }, percentText(used)), h("span", { class: "detail" }, detail));
}

/** @param {any} score */
function heldOutScore(score) {
  const change = score.mean - score.all_features;
  return h("div", {},
    h("p", { class: "big-numbers" }, score.mean.toFixed(3), h("span", { class: "detail" }, ` with ${score.n_features} features; ${score.all_features.toFixed(3)} with all (${change >= 0 ? "+" : "−"}${Math.abs(change).toFixed(3)})`)),
    h("p", { class: "detail" }, `Scores of the folds: ${score.folds.map((/** @type {number} */ f) => f.toFixed(3)).join(", ")}. ${score.note} ${score.one_division}`.trim()));
}

/** @param {any} model */
export function modelTable(model) {
  const most = Math.max(1e-12, ...model.weights.map((/** @type {any} */ w) => w.relevance));
  return h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": "weights of the model" },
    h("table", { class: "model" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Weight"), h("th", { scope: "col" }, "Relevance"))),
      h("tbody", {}, model.weights.map((/** @type {any} */ w) =>
        h("tr", {}, h("th", { scope: "row" }, w.feature), h("td", {}, shortNumber(w.weight)),
          h("td", {}, h("span", { class: "meter", "aria-hidden": "true" }, h("span", { style: { width: `${(w.relevance / most) * 100}%` } })), w.relevance.toFixed(3)))),
      h("tr", {}, h("th", { scope: "row" }, model.offsets.length > 1 ? "Thresholds" : "Offset"), h("td", { colspan: 2 }, model.offsets.map((/** @type {number} */ b) => shortNumber(b)).join(", "))))));
}
