/** What the class of a feature rests on: its evidence as a number and a bar, its route, its substitutes. */

import { NORM_MADE, ROUTE_MEANING } from "./relevance_classes.js";
import { button, h, s } from "./dom.js";

const EVIDENCE_WIDTH = 360;
const EVIDENCE_TOP = 4;
const EVIDENCE_HEIGHT = 10;

/**
 * In words, for a tooltip; empty where the result has no evidence.
 * @param {import("./types.js").Result} result
 * @param {import("./types.js").Feature} feature
 */
export function groundsText(result, feature) {
  if (typeof feature.evidence !== "number") return "";
  return [`${sizeText(result, feature, feature.evidence)} Route: ${feature.route}. ${ROUTE_MEANING[feature.route ?? ""]}`, feature.norm_made ? NORM_MADE : ""].filter(Boolean).join(" ");
}

/**
 * @param {import("./types.js").Result} result
 * @param {import("./types.js").Feature} feature
 * @param {(name: string) => void} select
 */
export function evidenceSection(result, feature, select) {
  if (typeof feature.evidence !== "number") return "";
  const cluster = feature.cluster ?? [];
  const names = cluster.flatMap((name, i) => [i ? ", " : "", button(name, () => select(name), { class: "link" })]);
  return h("div", { class: "evidence" },
    evidenceBar(result, feature, feature.evidence),
    h("p", { class: "detail" }, sizeText(result, feature, feature.evidence), " 1 is what chance reaches."),
    h("p", { class: "detail" }, "Route: ", h("b", {}, feature.route), `. ${ROUTE_MEANING[feature.route ?? ""]}`),
    feature.norm_made ? h("p", { class: "detail norm-made" }, NORM_MADE) : null,
    cluster.length ? h("p", { class: "detail cluster" }, cluster.length === 1 ? "Column so similar that it may be its substitute: " : "Columns so similar that they may be its substitutes: ", names, ".") : null,
  );
}

/**
 * @param {import("./types.js").Result} result
 * @param {import("./types.js").Feature} feature
 * @param {number} evidence
 */
function sizeText(result, feature, evidence) {
  const line = result.thresholds.evidence;
  const size = `Evidence: ${feature.solved === false ? "at most " : ""}${evidence.toFixed(2)}`;
  if (result.passed === false) return `${size}. The table did not pass its test, so no feature is called relevant.`;
  return line === undefined ? `${size}.` : `${size}; in this table a feature is relevant beyond ${line.toFixed(2)}.`;
}

/**
 * @param {import("./types.js").Result} result
 * @param {import("./types.js").Feature} feature
 * @param {number} evidence
 */
function evidenceBar(result, feature, evidence) {
  const line = result.passed === false ? undefined : result.thresholds.evidence;
  const end = Math.max(1.25 * (line ?? 1), ...result.features.map((one) => one.evidence ?? 0));
  const x = (/** @type {number} */ value) => Math.round((value / end) * (EVIDENCE_WIDTH - 2) * 10) / 10 + 1;
  const label = `evidence ${evidence.toFixed(2)}${line === undefined ? "" : `, line ${line.toFixed(2)}`}`;
  return s("svg", { class: "evidence-bar", viewBox: `0 0 ${EVIDENCE_WIDTH} 32`, role: "img", "aria-label": label },
    s("rect", { class: "evidence-track", x: 1, y: EVIDENCE_TOP, width: EVIDENCE_WIDTH - 2, height: EVIDENCE_HEIGHT, rx: 5 }),
    s("rect", { class: `evidence-size is-${feature.relevance}`, x: 1, y: EVIDENCE_TOP, width: Math.max(2, x(evidence) - 1), height: EVIDENCE_HEIGHT, rx: 5 }),
    ...(line === undefined ? [] : [
      s("line", { class: "evidence-line", x1: x(line), x2: x(line), y1: 0, y2: 19 }),
      s("text", { x: x(line), y: 30, "text-anchor": x(line) < 30 ? "start" : x(line) > EVIDENCE_WIDTH - 40 ? "end" : "middle" }, `line ${line.toFixed(2)}`),
    ]),
  );
}
