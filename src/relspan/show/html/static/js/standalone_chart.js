/** The list as one drawing that stands alone, as SVG or PNG: with its axis, its legend and the pins it holds under. */

import { CLASSES, CLASS_MARK, effectText } from "./relevance_classes.js";
import { s } from "./dom.js";
import { AXIS_TITLE, axisEnd, axisMarks, intervalText } from "./number_format.js";

const COLOURS = /** @type {Record<string, string>} */ ({ strong: "#0072b2", weak: "#e69f00", irrelevant: "#8a9099", undecided: "#8a9099" });
const LINE = 22;
const NAME = 230;
const CHART = 520;
const FONT = "system-ui, 'Segoe UI', Roboto, Arial, sans-serif";
const LETTERS = 120; // of a line of pins

/**
 * @typedef {object} ChartData
 * @property {import("./types.js").Line[]} lines
 * @property {number | undefined} threshold
 * @property {string} title
 * @property {string[]} pins  In words.
 */

/** @param {ChartData} data */
export function standaloneChart({ lines, threshold, title, pins }) {
  const end = axisEnd(Math.max(threshold ?? 0, ...lines.map((line) => line.ghost[1])));
  const x = (/** @type {number} */ value) => NAME + (value / end) * CHART;
  const pinLines = pins.length ? wrapped(`Under these pins: ${pins.join(", ")}.`, LETTERS) : [];
  const top = 66 + pinLines.length * 16;
  const height = top + lines.length * LINE + 50;
  const width = NAME + CHART + (lines.some((line) => effectText(line)) ? 220 : 130);
  const words = (/** @type {number} */ at, /** @type {number} */ y, /** @type {string} */ text, more = {}) => s("text", { x: at, y, fill: "#515a65", "font-size": 11, ...more }, text);
  const rows = lines.flatMap((line, i) => {
    const y = top + 14 + i * LINE;
    return [
      words(12, y + 4, `${CLASS_MARK[line.relevance]} ${line.name.length > 32 ? `${line.name.slice(0, 31)}…` : line.name}`, { fill: "#1b1f24", "font-size": 12 }),
      s("rect", { x: x(line.ghost[0]), y: y - 5, width: Math.max(1, x(line.ghost[1]) - x(line.ghost[0])), height: 10, rx: 5, fill: "#d3d8df" }),
      s("rect", { x: x(line.min), y: y - 3, width: Math.max(2, x(line.max) - x(line.min)), height: 6, rx: 3, fill: COLOURS[line.relevance] }),
      words(NAME + CHART + 12, y + 4, [intervalText(line.min, line.max), effectText(line)].filter(Boolean).join(", ")),
    ];
  });
  const marks = axisMarks(end).flatMap((value) => [
    s("line", { x1: x(value), x2: x(value), y1: top, y2: height - 40, stroke: "#e6e9ee" }),
    words(x(value), top - 6, String(value), { "text-anchor": "middle" }),
  ]);
  const tau = threshold ? [s("line", { x1: x(threshold), x2: x(threshold), y1: top, y2: height - 40, stroke: "#515a65", "stroke-dasharray": "2 3" })] : [];
  return s("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT },
    s("rect", { width, height, fill: "#ffffff" }), words(12, 20, title, { "font-size": 14, "font-weight": 600, fill: "#1b1f24" }),
    pinLines.map((text, i) => words(12, 38 + i * 16, text, { fill: "#1b1f24" })),
    words(NAME, top - 22, AXIS_TITLE), marks, tau, rows, legendOf(lines, threshold, pins, height - 14));
}

/**
 * @param {import("./types.js").Line[]} lines
 * @param {number | undefined} threshold
 * @param {string[]} pins
 * @param {number} y
 */
function legendOf(lines, threshold, pins, y) {
  const kinds = CLASSES.filter((kind) => lines.some((line) => line.relevance === kind)).map((kind) => [COLOURS[kind], `${CLASS_MARK[kind]} ${kind}${pins.length ? " without pins" : ""}`]);
  const entries = [...kinds, ...(pins.length ? [["#d3d8df", "interval without pins"]] : []), ...(threshold ? [["", "┊ how far chance reaches"]] : [])];
  let at = 12;
  return entries.flatMap(([colour, text]) => {
    const mark = colour ? [s("rect", { x: at, y: y - 8, width: 18, height: 8, rx: 4, fill: colour })] : [];
    const word = s("text", { x: at + (colour ? 24 : 0), y, fill: "#515a65", "font-size": 11 }, text);
    at += (colour ? 24 : 0) + 7 * text.length + 18;
    return [...mark, word];
  });
}

/**
 * @param {string} text
 * @param {number} letters
 */
function wrapped(text, letters) {
  /** @type {string[]} */
  const found = [];
  for (const word of text.split(" ")) {
    const last = found[found.length - 1];
    if (last !== undefined && `${last} ${word}`.length <= letters) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  return found;
}

/**
 * @param {SVGElement} drawing
 * @returns {string}
 */
export function svgText(drawing) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawing)}`;
}

/**
 * @param {SVGElement} drawing
 * @returns {Promise<Blob>}
 */
export async function pngOf(drawing) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svgText(drawing)], { type: "image/svg+xml" }));
  try {
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = () => failed(new Error("The chart could not be drawn."));
      image.src = address;
    });
    const height = Number(drawing.getAttribute("height"));
    const ratio = Math.min(2, 16000 / height);
    const canvas = document.createElement("canvas");
    canvas.width = Number(drawing.getAttribute("width")) * ratio;
    canvas.height = height * ratio;
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.scale(ratio, ratio);
    pen.drawImage(image, 0, 0);
    return await new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The chart is too large for a PNG file. Export it as SVG.")))));
  } finally {
    URL.revokeObjectURL(address);
  }
}
