/** A map of which features replace one another, linked to the list. */

import { button, h, setText } from "./dom.js";
import { askLong } from "./long_question.js";
import { percentText, relevanceText } from "./number_format.js";

/**
 * @typedef {object} MapEvents
 * @property {(at: string) => Promise<any>} substitution
 * @property {() => Promise<any>} progress
 * @property {() => void} stop
 * @property {(name: string) => void} select
 */

/**
 * @param {{mark: string, names: string[], sentence: string}[]} groups  Features with similar columns.
 * @param {MapEvents} events
 */
export function substitutionMap(groups, events) {
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { class: "heatmap", tabindex: 0, role: "img", "aria-label": "map of substitutes; use the arrow keys" }));
  const reading = h("p", { class: "detail map-reading", role: "status" });
  const status = h("div");
  const pairs = h("div", { class: "substitute-pairs", "aria-live": "polite" });
  const at = /** @type {HTMLSelectElement} */ (h("select", { id: "map-at", on: { change: () => ask() } }, h("option", { value: "exchange" }, "how much two features can exchange"), h("option", { value: "min" }, "what moves when one is at its minimum"), h("option", { value: "max" }, "what moves when one is at its maximum")));
  /** @type {{features: string[], values: number[][], at: string} | null} */
  let map = null;
  let cell = 0;
  let cursor = [0, 0];
  canvas.hidden = true;
  const element = h("div", { class: "panel-body" },
    h("h2", {}, "Substitutes"),
    h("p", { class: "detail" }, "Which features can replace one another? Letters mark groups of similar columns; the pairs are computed from all equally good models, so they answer the question itself. The pairs that can are listed first; in the map, the darker a cell, the more of the relevance can pass from one feature to the other. Two more maps show how much shorter the interval of the feature in the column becomes when the feature in the row is at its minimum or maximum."),
    groups.length ? h("ul", { class: "substitute-groups" }, groups.map((group) => h("li", {}, h("span", { class: "group-mark" }, group.mark), " ", group.sentence))) : "",
    h("div", { class: "actions" }, h("label", {}, "Show ", at), button("Find substitutes", () => ask(), { class: "primary ask-map" })),
    status, pairs, canvas, reading);

  async function ask() {
    const found = await askLong(status, "Computing", events, () => events.substitution(at.value));
    if (!found) return;
    map = found;
    canvas.hidden = false;
    const named = (/** @type {string} */ name) => button(name, () => events.select(name), { class: "link" });
    pairs.replaceChildren(found.sentence ? h("p", {}, found.sentence) : "", h("ol", {}, (found.pairs ?? []).map((/** @type {any} */ pair) => h("li", {}, named(pair.first), " and ", named(pair.second), ` ${pair.phrase}`))));
    pairs.hidden = at.value !== "exchange";
    draw();
    point(0, Math.min(1, found.features.length - 1));
  }

  function draw() {
    if (!map || !canvas.isConnected) return;
    const n = map.features.length;
    const room = Math.max(200, element.clientWidth - 40);
    const margin = Math.min(110, room * 0.3);
    cell = Math.max(5, Math.min(24, (room - margin) / n));
    const side = margin + cell * n;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = side * ratio;
    canvas.height = side * ratio;
    canvas.style.setProperty("width", `${side}px`);
    canvas.style.setProperty("height", `${side}px`);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.scale(ratio, ratio);
    const styles = getComputedStyle(element);
    const [ink, soft, full, edge] = ["--ink", "--ink-soft", "--strong", "--edge"].map((name) => styles.getPropertyValue(name).trim());
    const most = Math.max(1e-9, ...map.values.flat());
    pen.font = `${Math.min(11, Math.max(7, cell - 2))}px ${styles.fontFamily}`;
    pen.textBaseline = "middle";
    for (let i = 0; i < n; i++) {
      pen.fillStyle = i === cursor[0] ? ink : soft;
      if (cell >= 8) pen.fillText(shortened(pen, map.features[i], margin - 6), 0, margin + (i + 0.5) * cell);
      pen.save();
      pen.translate(margin + (i + 0.5) * cell, margin - 4);
      pen.rotate(-Math.PI / 2);
      pen.fillStyle = i === cursor[1] ? ink : soft;
      if (cell >= 8) pen.fillText(shortened(pen, map.features[i], margin - 6), 0, 0);
      pen.restore();
      for (let j = 0; j < n; j++) {
        pen.globalAlpha = i === j ? 1 : 0.06 + 0.94 * (map.values[i][j] / most);
        pen.fillStyle = i === j ? edge : full;
        pen.fillRect(margin + j * cell + 0.5, margin + i * cell + 0.5, cell - 1, cell - 1);
        pen.globalAlpha = 1;
      }
    }
    pen.strokeStyle = ink;
    pen.lineWidth = 1.5;
    pen.strokeRect(margin + cursor[1] * cell, margin + cursor[0] * cell, cell, cell);
    canvas.dataset.margin = String(margin);
  }

  /**
   * @param {number} i
   * @param {number} j
   */
  function point(i, j) {
    if (!map) return;
    const n = map.features.length;
    cursor = [Math.min(Math.max(i, 0), n - 1), Math.min(Math.max(j, 0), n - 1)];
    const [row, column] = cursor.map((k) => /** @type {any} */ (map).features[k]);
    const value = map.values[cursor[0]][cursor[1]];
    const exchanged = `${percentText(value)} of the relevance can pass between ${row} and ${column}.`;
    const moved = `When ${row} is at its ${map.at === "max" ? "maximum" : "minimum"}, the interval of ${column} is shorter by ${relevanceText(value)}.`;
    setText(reading, row === column ? row : map.at === "exchange" ? exchanged : moved);
    draw();
  }

  /** @param {MouseEvent} event */
  function cellAt(event) {
    const margin = Number(canvas.dataset.margin ?? 0);
    return [Math.floor((event.offsetY - margin) / cell), Math.floor((event.offsetX - margin) / cell)];
  }

  canvas.addEventListener("pointermove", (event) => {
    const [i, j] = cellAt(event);
    if (map && i >= 0 && j >= 0 && i < map.features.length && j < map.features.length && (i !== cursor[0] || j !== cursor[1])) point(i, j);
  });
  canvas.addEventListener("click", (event) => {
    const [i] = cellAt(event);
    if (map && i >= 0 && i < map.features.length) events.select(map.features[i]);
  });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) point(cursor[0] + step[0], cursor[1] + step[1]);
    else if (event.key === "Enter" && map) events.select(map.features[cursor[0]]);
    else return;
    event.preventDefault();
  });

  return {
    element,
    /** Compute which features can exchange their relevance. */
    ask() {
      at.value = "exchange";
      ask();
    },
    /** A map belongs to the pins for which it was made. @param {string} pins @param {string | null} selected */
    update(pins, selected) {
      if (element.dataset.pins !== undefined && element.dataset.pins !== pins) {
        map = null;
        canvas.hidden = true;
        pairs.replaceChildren();
        setText(reading, "The pins have changed. Compute the map again.");
      }
      element.dataset.pins = pins;
      const at = map?.features.indexOf(selected ?? "") ?? -1;
      if (at >= 0 && at !== cursor[0] && document.activeElement !== canvas) point(at, cursor[1]);
      else draw();
    },
  };
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} width
 */
function shortened(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let kept = text;
  while (kept.length > 1 && pen.measureText(`${kept}…`).width > width) kept = kept.slice(0, -1);
  return `${kept}…`;
}
