/** The pins in force; and a pin that was refused, with what would work instead. */

import { button, h, keepingFocus } from "./dom.js";
import { relevanceText } from "./number_format.js";
import { asSentence } from "./sentence.js";

const MOST_CHIPS = 12;

/**
 * @typedef {object} Conflict  A demand that was refused; it stays until it works or is cancelled.
 * @property {string} feature
 * @property {import("./types.js").Demand} demand
 * @property {string} message
 * @property {string[]} conflict
 * @property {Record<string, number>} nearest
 *
 * @typedef {object} PinEvents
 * @property {(demands: Record<string, import("./types.js").Demand | null>) => void} demandAll
 * @property {(name: string) => void} select
 * @property {() => void} unpinAll
 * @property {() => void} dismiss
 */

/** @param {PinEvents} events */
export function pinBar(events) {
  const chips = h("div", { class: "pins", "aria-label": "pins in force", role: "group" });
  const trouble = h("div", { class: "conflict", role: "alert" });
  trouble.hidden = true;
  const element = h("div", { class: "pinbar" }, chips, trouble);
  let drawn = "";
  return {
    element,
    /**
     * @param {import("./types.js").Pin[]} pins
     * @param {number} pending
     * @param {Conflict | null} conflict
     * @param {string} idle  What stands here without pins.
     */
    update(pins, pending, conflict, idle) {
      const key = JSON.stringify([pins, pending, conflict, idle]);
      if (key === drawn) return;
      drawn = key;
      const shown = pins.slice(0, MOST_CHIPS).map((pin) =>
        h("span", { class: "pin" },
          button(pinText(pin), () => events.select(pin.feature), { class: "pin-text", title: pinText(pin), "data-focus": `select ${pin.feature}` }),
          button("×", () => events.demandAll({ [pin.feature]: null }), { class: "pin-free", "aria-label": `unpin ${pin.feature}`, "data-focus": `unpin ${pin.feature}` }),
        ),
      );
      const more = pins.length > MOST_CHIPS ? [h("span", { class: "pin-more" }, `and ${pins.length - MOST_CHIPS} more`)] : [];
      const all = pins.length > 1 ? [button("Unpin all", () => events.unpinAll(), { class: "link", "data-focus": "unpin all" })] : [];
      const busy = pending ? [h("span", { class: "pending" }, `Solving ${pending} more ${pending === 1 ? "interval" : "intervals"} exactly …`)] : [];
      keepingFocus(element, () => {
        chips.replaceChildren(...(pins.length ? [h("span", { class: "hint" }, "Under these pins:"), ...shown, ...more, ...all, ...busy] : [h("span", { class: "hint" }, idle)]));
        trouble.hidden = !conflict;
        trouble.replaceChildren(...(conflict ? explanation(conflict, pins, events) : []));
      });
    },
  };
}

/**
 * @param {Conflict} conflict
 * @param {import("./types.js").Pin[]} pins
 * @param {PinEvents} events
 */
function explanation(conflict, pins, events) {
  const { feature, demand, nearest } = conflict;
  const others = conflict.conflict.filter((name) => name !== feature);
  const own = feature in nearest;
  const remedies = [];
  if (own) {
    const end = endOf(demand, nearest[feature]);
    remedies.push(button(`Use the nearest possible value, ${relevanceText(nearest[feature])}`, () => events.demandAll({ [feature]: end }), { class: "primary" }));
  }
  for (const name of others) {
    remedies.push(button(`Unpin ${name}`, () => events.demandAll({ [name]: null, [feature]: demand })));
    const pin = pins.find((one) => one.feature === name);
    const moved = pin ? movedTo(pin, nearest[name]) : nearest[name];
    remedies.push(button(`Change ${name} to ${demandText(moved)}`, () => events.demandAll({ [feature]: demand, [name]: moved })));
  }
  remedies.push(button("Cancel", () => events.dismiss(), { class: "link" }));
  return [
    h("p", {}, h("strong", {}, `${feature}: ${demandText(demand)} is impossible.`)),
    h("p", { class: "detail" }, asSentence(conflict.message)),
    h("div", { class: "remedies" }, remedies),
  ];
}

/**
 * The demand that stays as near as possible: the end of what the other pins allow.
 * @param {import("./types.js").Demand} demand
 * @param {number} nearest
 * @returns {import("./types.js").Demand}
 */
function endOf(demand, nearest) {
  if (typeof demand === "number") return demand > nearest ? "max" : "min";
  if (Array.isArray(demand) && demand[0] > nearest) return demand[1] === null ? "max" : [nearest, demand[1]];
  if (Array.isArray(demand)) return demand[0] > 0 ? [demand[0], nearest] : "min";
  return demand === "without" ? "min" : nearest;
}

/**
 * A pin with the one end moved that stands in the way; an end that was open stays open.
 * @param {import("./types.js").Pin} pin
 * @param {number} nearest
 * @returns {import("./types.js").Demand}
 */
function movedTo(pin, nearest) {
  if (pin.asked === "value") return nearest;
  return nearest < pin.low ? [Math.floor(nearest * 1e6) / 1e6, pin.high] : [pin.low, Math.ceil(nearest * 1e6) / 1e6];
}

/** @param {import("./types.js").Pin} pin */
export function pinText(pin) {
  if (pin.sign) return pin.text ?? `${pin.feature}: only ${pin.sign === "+" ? "positive" : "negative"} weights`; // a saved result has no text
  if (pin.asked === "without") return `without ${pin.feature}`;
  if (pin.asked === "min") return `${pin.feature} at its minimum, ${relevanceText(pin.high ?? 0)}`;
  if (pin.asked === "max") return `${pin.feature} at its maximum, ${relevanceText(pin.low)}`;
  if (pin.asked === "value") return `${pin.feature} = ${relevanceText(pin.low)}`;
  if (pin.high === null) return `${pin.feature} ≥ ${relevanceText(pin.low)}`;
  return pin.low > 0 ? `${pin.feature} ${relevanceText(pin.low)} – ${relevanceText(pin.high)}` : `${pin.feature} ≤ ${relevanceText(pin.high)}`;
}

/**
 * @param {import("./types.js").Demand} demand
 * @returns {string}
 */
export function demandText(demand) {
  if (demand === "without") return "leaving it out";
  if (demand === "max") return "as much as possible";
  if (demand === "min") return "as little as possible";
  if (demand === "+" || demand === "-") return `only ${demand === "+" ? "positive" : "negative"} weights`;
  if (typeof demand === "number") return `exactly ${relevanceText(demand)}`;
  const [low, high] = demand;
  if (high === null) return `at least ${relevanceText(low)}`;
  return low > 0 ? `between ${relevanceText(low)} and ${relevanceText(high)}` : `at most ${relevanceText(high)}`;
}
