"""Dual bounds whose sums are not rounded: the inequality of `certificates`, for ends that only rounding keeps unproven.

Where a family has hardly any room, multipliers are large, and the payment for the rounding of their sums may exceed
the gap that is allowed. So each sum is evaluated exactly and rounded once. The product of two doubles is the sum of two
doubles (Dekker 1971): with x = x' + x'' split into halves of 26 bits, the products of halves have no rounding,

    p = fl(x y),    e = ((x'y' - p) + x'y'' + x''y') + x''y'',    x y = p + e,

and `math.fsum` adds any number of doubles without losing a bit. What is left to pay for are the few operations after
the sums. Directions without offsets are bounded over those that suffice (`kink_limits`).
"""

from __future__ import annotations

from math import fsum

import numpy as np

from relspan.arrays import Floats, dense
from relspan.family import Family
from relspan.tolerances import SUM_ROUNDING

SPLIT = 2.0**27 + 1.0  # Veltkamp's: x SPLIT - (x SPLIT - x) has the leading 26 bits of x


def careful_bound(family: Family, direction: Floats, a: Floats, g: Floats) -> float:
    """The bound of `certificates.dual_bounds` for one direction and its multipliers, paid for less rounding.

    Infinite where numbers are so large that their products have no error terms.
    """
    rows, extra, d = family.rows, family.constraints, family.n_features
    held, kept = np.flatnonzero(a), np.flatnonzero(g)
    scores = rows.scores_by_row[held]
    used = np.concatenate([a[held], g[kept]])
    lower, upper = (np.where(np.isfinite(side), side, 0.0)[kept] for side in (extra.lower, extra.upper))
    heights = np.concatenate([-rows.heights[held], np.where(g[kept] > 0, -lower, -upper)])
    features = np.vstack([dense(rows.features[scores]), extra.features[kept]])
    offsets = np.vstack([rows.offsets[scores], extra.offsets[kept]])
    paid = rows.costs[held] > 0
    price = float((a[held][paid] / rows.costs[held][paid]).max(initial=0.0))
    with np.errstate(over="ignore", invalid="ignore"):
        rough = np.abs(direction[:d] + used @ features)
        unsure = SUM_ROUNDING * (1 + len(used)) * (np.abs(used) @ np.abs(features) + np.abs(direction[:d]))
        largest = np.flatnonzero(~(rough + unsure < (rough - unsure).max(initial=0.0)))
        pressures = exact_sums(used, features[:, largest], direction[largest])
        rest = np.abs(exact_sums(used, offsets, direction[d:]))
        pressure = float(np.abs(pressures).max(initial=0.0))
        support = float(family.support(np.array(pressure), np.array(price)))
        charged = np.multiply(rest, family.limits_for(direction[d:]), where=rest != 0, out=np.zeros_like(rest))
        terms = np.concatenate([_products(used, heights), charged, [support]])
        sizes = support + charged.sum() + family.largest_norm * np.abs(direction).max(initial=0.0)
    if not (np.isfinite(terms).all() and np.isfinite(sizes)):
        return float(np.inf)
    total = fsum(terms)
    return total + SUM_ROUNDING * (float(sizes) + abs(total))


def exact_sums(multipliers: Floats, columns: Floats, firsts: Floats) -> Floats:
    """first + multipliers . column for each column, rounded once; not a number where a product is too large."""
    found = np.empty(columns.shape[1])
    for k, first in enumerate(firsts):
        terms = np.append(_products(multipliers, columns[:, k]), first)
        found[k] = fsum(terms) if np.isfinite(terms).all() else np.nan
    return found


def _products(x: Floats, y: Floats) -> Floats:
    """The products of the entries, each as two doubles whose sum it is."""
    p = x * y
    (x1, x2), (y1, y2) = _halves(x), _halves(y)
    return np.concatenate([p, ((x1 * y1 - p) + x1 * y2 + x2 * y1) + x2 * y2])


def _halves(x: Floats) -> tuple[Floats, Floats]:
    scaled = SPLIT * x
    leading = scaled - (scaled - x)
    return leading, x - leading
