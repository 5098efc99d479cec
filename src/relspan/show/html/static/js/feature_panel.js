/** One feature: its interval, its pin, what could replace it, the evidence for it, and how it compares with chance. */

import { CLASS_MARK, CLASS_MEANING, OUTCOME_MEANING } from "./relevance_classes.js";
import { button, h, setText } from "./dom.js";
import { evidenceSection } from "./evidence.js";
import { intervalText, percentText, relevanceText } from "./number_format.js";
import { probePlot } from "./probe_plot.js";
import { asSentence } from "./sentence.js";
import { handleEnds } from "./track.js";

const MOST_ALTERNATIVES = 8;

/**
 * @typedef {object} FeatureEvents
 * @property {(name: string, demand: import("./types.js").Demand | null) => void} demand
 * @property {(demands: Record<string, import("./types.js").Demand | null>) => void} demandAll
 * @property {(name: string) => void} select
 * @property {(name: string) => Promise<any>} alternatives
 * @property {(name: string) => boolean} isCategory  Of a category, only that it is left out can be demanded.
 * @property {(name: string) => void} unmeasured  Whose label becomes uncertain if it is not measured?
 */

/**
 * @param {boolean} readOnly
 * @param {FeatureEvents} events
 */
export function featurePanel(readOnly, events) {
  const element = h("div", { class: "panel-body" });
  let drawn = "";
  let asked = ""; // the pins under which substitutes were looked for
  /** @type {HTMLInputElement | null} */
  let low = null;
  /** @type {HTMLInputElement | null} */
  let high = null;
  /** @type {Set<HTMLInputElement | null>} */
  let typed = new Set(); // fields with a number that is not asked for yet: news from the back end must not remove it
  const numbers = h("p", { class: "big-numbers" });
  const signed = h("p", { class: "detail" });
  const stable = h("p", { class: "detail feature-stability" });
  const others = h("div", { class: "alternatives" });
  const chance = h("h3");
  const grounds = h("h3");

  /** @param {import("./types.js").Line} line */
  function pinForm(line) {
    const field = (/** @type {string} */ label, /** @type {string} */ id) =>
      /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 0, step: "any", inputmode: "decimal", id, "aria-label": `${line.name}: ${label}`, on: { input: (/** @type {Event} */ event) => typed.add(/** @type {HTMLInputElement} */ (event.target)) } }));
    typed = new Set();
    if (line.levels) return h("div", { class: "pin-buttons" }, button("Leave it out", () => events.demand(line.name, "without")), button("Unpin", () => events.demand(line.name, null), { class: "unpin" }));
    low = field("at least", "pin-low");
    high = field("at most", "pin-high");
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const [from, to] = [low?.value ?? "", high?.value ?? ""];
      typed.clear();
      if (from === "" && to === "") events.demand(line.name, null);
      else events.demand(line.name, from !== "" && from === to ? Number(from) : [Number(from || 0), to === "" ? null : Number(to)]);
    };
    const ask = (/** @type {import("./types.js").Demand | null} */ demand) => {
      typed.clear();
      events.demand(line.name, demand);
    };
    return h("form", { class: "pin-form", on: { submit } },
      h("label", {}, "at least", low), h("label", {}, "at most", high), h("button", { type: "submit", class: "primary" }, "Pin"),
      h("div", { class: "pin-buttons" },
        button("Leave it out", () => ask("without")),
        button("As little as possible", () => ask("min")),
        button("As much as possible", () => ask("max")),
        button("Only positive weights", () => ask("+")),
        button("Only negative weights", () => ask("-")),
        button("Unpin", () => ask(null), { class: "unpin" }),
      ));
  }

  /** @param {string} name */
  async function findAlternatives(name) {
    others.replaceChildren(h("p", { class: "pending", role: "status" }, "Looking for substitutes …"));
    try {
      const under = asked;
      const answer = await events.alternatives(name);
      if (answer.feature !== drawn || under !== asked) return;
      others.replaceChildren(...alternativeRows(answer));
    } catch (error) {
      others.replaceChildren(h("p", { class: "detail" }, asSentence(/** @type {Error} */ (error).message)), button("Try again", () => findAlternatives(name)));
    }
  }

  /** @param {any} answer */
  function alternativeRows(answer) {
    const rivals = answer.alternatives.filter((/** @type {any} */ other) => other.competes).slice(0, MOST_ALTERNATIVES);
    if (!rivals.length) return [h("p", { class: "detail" }, "No other feature can take over its relevance.")];
    return rivals.map((/** @type {any} */ other) =>
      h("div", { class: "alternative" },
        h("div", { class: "alternative-head" },
          button(other.feature, () => events.select(other.feature), { class: "link" }),
          h("span", { class: "exchange" }, h("span", { class: "meter", "aria-hidden": "true" }, h("span", { style: { width: percentText(other.exchange).replace(" ", "") } })), `can take over ${percentText(other.exchange)}`),
          readOnly || events.isCategory(other.feature) || (events.isCategory(answer.feature) && !other.left_out) ? null : button("Swap in", () => events.demandAll(swapped(answer.feature, other)), { "aria-label": `swap ${other.feature} in for ${answer.feature}`, title: `Leave ${answer.feature} out, and require that ${other.feature} carries at least half of what it then can.` }),
        ),
        h("p", { class: "detail" }, other.sentence),
      ));
  }

  return {
    element,
    focusNumber() {
      low?.focus();
    },
    /**
     * @param {import("./types.js").Result} result
     * @param {import("./types.js").Line | null} line
     * @param {import("./types.js").Feature | undefined} feature  Without pins.
     * @param {string} [pins]  In force.
     * @param {string} [stability]  In repeated analyses, in words.
     */
    update(result, line, feature, pins = "", stability = "") {
      if (!line || !feature) {
        drawn = "";
        element.replaceChildren(h("p", { class: "hint" }, readOnly ? "Choose a feature in the list to see its weights and what its class rests on." : "Choose a feature in the list to pin it by number, to see what could replace it, and to compare it with chance."));
        return;
      }
      if (drawn !== line.name) {
        drawn = line.name;
        asked = "nothing yet";
        element.replaceChildren(
          h("h2", {}, line.name), numbers, signed, stable, readOnly ? "" : pinForm(line),
          readOnly ? "" : h("h3", {}, "Substitutes"), readOnly ? "" : others,
          readOnly ? "" : h("h3", {}, "Samples"), readOnly ? "" : button(`Who becomes uncertain if ${line.name} is not measured?`, () => events.unmeasured(line.name), { class: "wide ask-unmeasured" }),
          levelTable(feature, events.select), partTable(feature), feature.route ? grounds : "", evidenceSection(result, feature, events.select), line.levels ? "" : chance,
          line.levels ? "" : feature.under_pins ? h("p", { class: "detail" }, "How far chance reaches under these pins was not computed. The class is that without pins.") : probePlot(result, feature),
        );
      }
      if (asked !== pins) {
        asked = pins; // an answer holds only for the pins under which it was asked for
        others.replaceChildren(readOnly ? "" : button(`What could replace ${line.name}?`, () => findAlternatives(line.name), { class: "wide ask-alternatives" }));
      }
      setText(chance, line.outcome ? "Compared with chance, without pins" : "Compared with chance");
      setText(grounds, line.outcome ? "Evidence, without pins" : "Evidence");
      const badge = (/** @type {string} */ kind, /** @type {string} */ words) => h("span", { class: `badge is-${kind}` }, words);
      numbers.replaceChildren(badge(line.relevance, `${CLASS_MARK[line.relevance]} ${line.relevance}`), " ", ...(line.outcome ? [badge("outcome", line.outcome), " "] : []), intervalText(line.min, line.max));
      setText(stable, stability);
      const [lo, hi] = line.signed;
      const within = line.outcome ? "every model that satisfies the pins" : "every equally good model";
      const among = line.outcome ? "models that satisfy the pins" : "equally good models";
      const direction = lo > 0 ? `Its weight is positive in ${within}` : hi < 0 ? `Its weight is negative in ${within}` : `The sign of its weight differs among ${among}`;
      const sign = line.outcome === "left out" ? "" : line.levels ? `It is a category of ${line.levels.length} columns; its interval is that of the total size of their weights.` : feature.parts ? "It has one weight per class." : `${direction} (${relevanceText(lo)} to ${relevanceText(hi)}).`;
      const meaning = line.outcome ? `Under these pins: ${line.outcome}. ${OUTCOME_MEANING[line.outcome]} ${sign} Without pins: ${intervalText(...line.ghost)}, ${line.relevance}. ${CLASS_MEANING[line.relevance]}` : `${CLASS_MEANING[line.relevance]} ${sign}`;
      setText(signed, `${meaning} All numbers are shares of the best model's norm.`);
      const wanted = line.pin ? handleEnds(line) : null;
      for (const [i, input] of [low, high].entries()) {
        if (!input || document.activeElement === input || typed.has(input)) continue;
        const open = i === 0 ? !line.pin || line.pin.low === 0 : !line.pin || line.pin.high === null;
        input.value = wanted && !open ? String(Number(wanted[i].toFixed(4))) : "";
        input.placeholder = relevanceText(line.allowed[i]);
      }
    },
  };
}

/**
 * The levels of a category: the signed interval of each.
 * @param {import("./types.js").Feature} feature
 * @param {(name: string) => void} select
 */
function levelTable(feature, select) {
  if (!feature.levels) return "";
  const ends = feature.parts ?? {};
  const rows = feature.levels.map((name) => h("tr", {}, h("th", { scope: "row" }, button(name, () => select(name), { class: "link" })), ...(ends[name] ?? []).map((end) => h("td", {}, relevanceText(end)))));
  return h("div", {}, h("h3", {}, "Levels"), h("table", { class: "parts levels" }, h("thead", {}, h("tr", {}, ["level", "lowest weight", "highest weight"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, rows)));
}

/**
 * The weights of a feature that has one per class: the signed interval of each.
 * @param {import("./types.js").Feature} feature
 */
function partTable(feature) {
  if (!feature.parts || feature.levels) return "";
  const rows = Object.entries(feature.parts).map(([part, [lo, hi]]) => h("tr", {}, h("th", { scope: "row" }, part), h("td", {}, relevanceText(lo)), h("td", {}, relevanceText(hi)), h("td", {}, lo > 0 ? "+" : hi < 0 ? "−" : "±")));
  const heads = ["class", "lowest weight", "highest weight", "sign"].map((word) => h("th", { scope: "col" }, word));
  return h("div", {}, h("h3", {}, "Weights by class"), h("table", { class: "parts" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)));
}

/**
 * One feature is left out, and another takes its place: it carries at least half of what it then can.
 * @param {string} feature
 * @param {any} other
 * @returns {Record<string, import("./types.js").Demand | null>}
 */
function swapped(feature, other) {
  const half = Math.max(other.at_min[0], other.at_min[1] / 2);
  return { [feature]: other.left_out ? "without" : "min", [other.feature]: [Number(half.toFixed(4)), null] };
}
