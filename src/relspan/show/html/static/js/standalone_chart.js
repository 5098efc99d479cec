/** The list as one drawing that stands alone, as SVG or PNG. */

import { CLASS_MARK, effectText } from "./relevance_classes.js";
import { s } from "./dom.js";
import { axisEnd, axisMarks, intervalText } from "./number_format.js";

const COLOURS = /** @type {Record<string, string>} */ ({ strong: "#0072b2", weak: "#e69f00", irrelevant: "#8a9099", undecided: "#8a9099" });
const LINE = 22;
const NAME = 230;
const CHART = 520;
const FONT = "system-ui, 'Segoe UI', Roboto, Arial, sans-serif";

/**
 * @param {import("./types.js").Line[]} lines
 * @param {number | undefined} threshold
 * @param {string} title
 */
export function standaloneChart(lines, threshold, title) {
  const end = axisEnd(Math.max(threshold ?? 0, ...lines.map((line) => line.ghost[1])));
  const x = (/** @type {number} */ value) => NAME + (value / end) * CHART;
  const height = 70 + lines.length * LINE;
  const width = NAME + CHART + (lines.some((line) => effectText(line)) ? 220 : 130);
  const rows = lines.flatMap((line, i) => {
    const y = 56 + i * LINE;
    const colour = COLOURS[line.relevance];
    return [
      s("text", { x: 12, y: y + 4, fill: "#1b1f24", "font-size": 12 }, `${CLASS_MARK[line.relevance]} ${line.name.length > 32 ? `${line.name.slice(0, 31)}…` : line.name}`),
      s("rect", { x: x(line.ghost[0]), y: y - 5, width: Math.max(1, x(line.ghost[1]) - x(line.ghost[0])), height: 10, rx: 5, fill: "#d3d8df" }),
      s("rect", { x: x(line.min), y: y - 3, width: Math.max(2, x(line.max) - x(line.min)), height: 6, rx: 3, fill: colour }),
      s("text", { x: NAME + CHART + 12, y: y + 4, fill: "#515a65", "font-size": 11 }, [intervalText(line.min, line.max), effectText(line)].filter(Boolean).join(", ")),
    ];
  });
  const marks = axisMarks(end).flatMap((value) => [
    s("line", { x1: x(value), x2: x(value), y1: 40, y2: height - 20, stroke: "#e6e9ee" }),
    s("text", { x: x(value), y: 34, fill: "#515a65", "font-size": 11, "text-anchor": "middle" }, String(value)),
  ]);
  const tau = threshold ? [s("line", { x1: x(threshold), x2: x(threshold), y1: 40, y2: height - 20, stroke: "#515a65", "stroke-dasharray": "2 3" })] : [];
  return s("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT },
    s("rect", { width, height, fill: "#ffffff" }), s("text", { x: 12, y: 20, "font-size": 14, "font-weight": 600, fill: "#1b1f24" }, title), marks, tau, rows);
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
