/**
 * From pointer and keys to demands: which relevance is wanted while a handle moves, and when it is released.
 *
 * The two handles mean "at least" and "at most"; each moves its own end only, and stops at an end that is pinned. Arrow
 * keys are gathered: the demand is set when they rest.
 */

import { handleEnds, toValue } from "./track.js";

const REST = 350; // milliseconds after the last key until the demand is set

/**
 * @param {object} needs
 * @param {() => import("./track.js").Scale} needs.scaleOf
 * @param {(name: string) => import("./types.js").Line | null} needs.lineOf
 * @param {import("./interval_list.js").ListEvents} needs.events
 * @param {(name: string, step: number, selector: string) => void} needs.focusLine
 */
export function handleDrag({ scaleOf, lineOf, events, focusLine }) {
  /** @type {{name: string, side: string, pin: import("./types.js").Pin | null, ends: [number, number], moved: boolean, offset: number, timer: number} | null} */
  let held = null;

  /**
   * @param {string} name
   * @param {string} side
   */
  function take(name, side) {
    if (held && held.name === name && held.side === side) return held;
    if (held) settle();
    const line = lineOf(name);
    if (!line) return null;
    held = { name, side, pin: line.pin, ends: handleEnds(line), moved: false, offset: 0, timer: 0 };
    events.grab(name, side);
    return held;
  }

  /** @param {number} value */
  function move(value) {
    if (!held) return;
    // round towards the weaker demand: at the very end of what is possible, one digit too much would be refused
    const exact = (held.side === "min" ? Math.floor : Math.ceil)(Math.max(0, value) * 1e6) / 1e6;
    if (held.side === "min") held.ends[0] = Math.min(exact, held.pin?.high ?? exact);
    else held.ends[1] = Math.max(exact, held.pin?.low ?? 0);
    held.moved = true;
    events.drag(held.name, demandOf(held));
  }

  function settle() {
    if (!held) return;
    const done = held;
    clearTimeout(done.timer);
    held = null;
    if (done.moved) events.demand(done.name, demandOf(done));
    else events.release();
  }

  /** @param {HTMLElement} rows */
  function listen(rows) {
    rows.addEventListener("pointerdown", (event) => {
      const handle = /** @type {Element} */ (event.target).closest(".handle");
      if (!handle || event.button !== 0) return;
      const row = /** @type {HTMLElement} */ (handle.closest(".row"));
      const grip = take(row.dataset.feature ?? "", handle.getAttribute("data-side") ?? "");
      if (!grip) return;
      event.preventDefault();
      /** @type {HTMLElement} */ (/** @type {unknown} */ (handle)).focus({ preventScroll: true });
      handle.setPointerCapture(event.pointerId);
      rows.classList.add("is-held");
      const { left } = /** @type {Element} */ (handle.closest("svg")).getBoundingClientRect(); // asked once: it makes the browser lay out
      const at = (/** @type {PointerEvent} */ e) => toValue(scaleOf(), e.clientX - left);
      grip.offset = (grip.side === "min" ? grip.ends[0] : grip.ends[1]) - at(event);
      const moved = (/** @type {Event} */ e) => move(at(/** @type {PointerEvent} */ (e)) + grip.offset);
      const up = () => {
        handle.removeEventListener("pointermove", moved);
        rows.classList.remove("is-held");
        settle();
      };
      handle.addEventListener("pointermove", moved);
      handle.addEventListener("pointerup", up, { once: true });
      handle.addEventListener("pointercancel", up, { once: true });
    });
    rows.addEventListener("keydown", keyed);
    rows.addEventListener("focusout", (event) => {
      if (held?.timer && /** @type {Element} */ (event.target).closest(".handle")) settle();
    });
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    const target = /** @type {Element} */ (event.target);
    const row = /** @type {HTMLElement | null} */ (target.closest(".row"));
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = row.dataset.feature ?? "";
    const handle = target.closest(".handle");
    const where = handle ? `.handle-${handle.getAttribute("data-side")}` : ".name";
    const rows = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const line = lineOf(name);
    if (rows) focusLine(name, rows, where);
    else if (line?.levels && !handle && (event.key === "ArrowRight" || event.key === "ArrowLeft")) events.fold(name, event.key === "ArrowRight");
    else if (line?.levels && event.key === "m") return;
    else if (event.key === "Delete" || event.key === "Backspace") events.demand(name, null);
    else if (event.key === "w") events.demand(name, "without");
    else if (event.key === "m") events.demand(name, "max");
    else if (event.key === "s") events.star(name);
    else if (!handle || !slide(event, name, handle.getAttribute("data-side") ?? "")) return;
    event.preventDefault();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} name
   * @param {string} side
   */
  function slide(event, name, side) {
    const { end } = scaleOf();
    const line = lineOf(name);
    const step = (event.shiftKey ? 0.05 : 0.005) * end;
    const by = { ArrowLeft: -step, ArrowRight: step, PageDown: -0.1 * end, PageUp: 0.1 * end }[event.key];
    const to = line && { Home: line.allowed[0], End: line.allowed[1] }[event.key];
    if (event.key === "Escape" || event.key === "Enter") {
      if (!held) return false;
      if (event.key === "Escape") held.moved = false;
      settle();
      return true;
    }
    if (by === undefined && typeof to !== "number") return false;
    const grip = take(name, side);
    if (!grip) return false;
    move(typeof to === "number" ? to : (side === "min" ? grip.ends[0] : grip.ends[1]) + (by ?? 0));
    clearTimeout(grip.timer);
    grip.timer = window.setTimeout(settle, REST);
    return true;
  }

  return {
    listen,
    /**
     * The line as the moved handle shows it.
     * @param {import("./types.js").Line} line
     * @returns {import("./types.js").Line}
     */
    preview(line) {
      if (!held || held.name !== line.name || !held.moved) return line;
      const [low, high] = demandOf(held);
      const [from, to] = held.ends;
      const inside = (/** @type {number} */ v) => Math.min(Math.max(v, line.allowed[0]), line.allowed[1]);
      return {
        ...line,
        min: inside(from),
        max: Math.max(inside(from), inside(to)),
        pin: { feature: line.name, low, high, asked: "range", text: "" },
      };
    },
  };
}

/**
 * The end that is moved, and the other one as it was pinned before, if it was.
 * @param {{side: string, pin: import("./types.js").Pin | null, ends: [number, number]}} grip
 * @returns {[number, number | null]}
 */
function demandOf({ side, pin, ends }) {
  return side === "min" ? [ends[0], pin ? pin.high : null] : [pin ? pin.low : 0, ends[1]];
}
