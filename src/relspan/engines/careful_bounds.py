"""Dual bounds whose sums are not rounded: the inequality of `certificates`, for ends that only rounding keeps unproven.

Where a family has hardly any room, multipliers are large, and the payment for the rounding of their sums may exceed
the gap that is allowed. So each sum is evaluated exactly and rounded once. The product of two doubles is the sum of two
doubles (Dekker 1971): with x = x' + x'' split into halves of 26 bits, the products of halves have no rounding,

    p = fl(x y),    e = ((x'y' - p) + x'y'' + x''y') + x''y'',    x y = p + e,

and `math.fsum` adds any number of doubles without losing a bit. What is left to pay for are the few operations after
the sums.

An offset may have no limit at all: where a covariate separates the classes, its effect may grow for ever. There a bound
needs multipliers that are orthogonal to the offset to the last bit, and doubles hardly ever are. But such multipliers
lie nearby. As few of them as there are such offsets are shifted, by what fractions say, and the bound pays for the
sizes of the shifts.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum
from operator import mul

import numpy as np
from scipy.linalg import qr

from relspan.arrays import Floats, dense
from relspan.family import Family
from relspan.tolerances import SUM_ROUNDING

LARGER = 1.001  # shifts are rounded, so they count as a thousandth larger
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
    unlimited = np.isinf(family.offset_limits)
    shifts = exact_shifts(used, offsets[:, unlimited], direction[d:][unlimited])
    if shifts is None:
        return float(np.inf)
    price = float(((a[held] + shifts[: len(held)])[paid] / rows.costs[held][paid]).max(initial=0.0))
    with np.errstate(over="ignore", invalid="ignore"):
        rough = np.abs(direction[:d] + used @ features)
        unsure = SUM_ROUNDING * (1 + len(used)) * (np.abs(used) @ np.abs(features) + np.abs(direction[:d]))
        largest = np.flatnonzero(~(rough + unsure < (rough - unsure).max(initial=0.0)))
        pressures = exact_sums(used, features[:, largest], direction[largest])
        rest = np.abs(exact_sums(used, offsets, direction[d:]))
        pressure = float(np.abs(pressures).max(initial=0.0) + shifts @ np.abs(features).max(axis=1, initial=0.0))
        support = float(family.support(np.array(pressure), np.array(price)))
        moved = (rest + shifts @ np.abs(offsets))[~unlimited]
        charged = np.append(moved * family.offset_limits[~unlimited], shifts @ np.abs(heights))
        terms = np.concatenate([_products(used, heights), charged, [support]])
        sizes = support + charged.sum() + family.largest_norm * np.abs(direction).max(initial=0.0)
    if not (np.isfinite(terms).all() and np.isfinite(sizes)):
        return float(np.inf)
    total = fsum(terms)
    return total + SUM_ROUNDING * (float(sizes) + abs(total))


def exact_shifts(multipliers: Floats, offsets: Floats, prices: Floats) -> Floats | None:
    """By how much some multipliers change, at most, so that  prices + multipliers . offsets = 0  to the last bit.

    None where that takes more than a multiplier has, for then its sign would change.
    """
    shifts, k = np.zeros(len(multipliers)), len(prices)
    if not k:
        return shifts
    held = [Fraction(x) for x in multipliers.tolist()]
    columns = [[Fraction(x) for x in column.tolist()] for column in offsets.T]
    missing = [
        -Fraction(price) - sum(map(mul, held, column)) for price, column in zip(prices.tolist(), columns, strict=True)
    ]
    if not any(missing):
        return shifts
    weighted = multipliers[:, None] * offsets / np.maximum(np.abs(offsets).max(axis=0, initial=0.0), 1e-300)
    chosen = qr(weighted.T, mode="r", pivoting=True)[1][:k]  # large multipliers, and far from parallel
    solved = _solution([[column[i] for i in chosen] for column in columns], missing)
    if solved is None:
        return None
    shifts[chosen] = [LARGER * abs(float(x)) for x in solved]
    return shifts if (shifts <= np.abs(multipliers)).all() else None


def _solution(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """A solution of matrix x = right, by elimination; None where there is none."""
    rows, width = [[*row, value] for row, value in zip(matrix, right, strict=True)], len(matrix[0])
    pivots: list[int] = []
    for column in range(width):
        pivot = next((row for row in range(len(pivots), len(rows)) if rows[row][column]), None)
        if pivot is None:
            continue
        place = len(pivots)
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [x / rows[place][column] for x in rows[place]]
        for other in range(len(rows)):
            if other != place and rows[other][column]:
                rows[other] = [x - rows[other][column] * y for x, y in zip(rows[other], rows[place], strict=True)]
        pivots.append(column)
    if any(row[width] for row in rows[len(pivots) :]):
        return None
    solution = [Fraction(0)] * width
    for row, column in enumerate(pivots):
        solution[column] = rows[row][width]
    return solution


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
