/** Numbers as a reader sees them, and the axis they are drawn on. */

export const AXIS_TITLE = "relevance: share of the best model's norm";
export const SIGNED_TITLE = "weight: share of the best model's norm, with its sign";

/**
 * A relevance: three digits, without a needless zero.
 * @param {number} value
 */
export function relevanceText(value) {
  return Number.isFinite(value) ? value.toFixed(3) : "∞";
}

/**
 * @param {number} least
 * @param {number} most
 */
export function intervalText(least, most) {
  return `${relevanceText(least)} – ${relevanceText(most)}`;
}

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function shortNumber(value, digits = 4) {
  if (!Number.isFinite(value)) return "∞";
  return Number(value.toPrecision(digits)).toString();
}

/** @param {number} share */
export function percentText(share) {
  return Number.isFinite(share) ? `${Math.round(share * 100)} %` : "all";
}

/**
 * The end of the axis: a round number not below the largest value.
 * @param {number} largest
 */
export function axisEnd(largest) {
  if (!(largest > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(largest));
  for (const step of [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]) {
    if (largest <= step * unit * 1.0001) return Number((step * unit).toPrecision(6));
  }
  return 10 * unit;
}

/**
 * Some four round marks of the axis.
 * @param {number} end
 * @returns {number[]}
 */
export function axisMarks(end) {
  const rough = end / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((s) => s * unit).find((s) => s >= rough * 0.999) ?? unit;
  const marks = [];
  for (let k = 0; k * step <= end * 1.0001; k++) marks.push(Number((k * step).toPrecision(6)));
  return marks;
}
