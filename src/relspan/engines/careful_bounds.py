"""Dual bounds whose sums are not rounded: the inequality of `certificates`, for ends that only rounding keeps unproven.

Where a family has hardly any room, multipliers are large, and the payment for the rounding of their sums may exceed
the gap that is allowed. So each sum is evaluated exactly and rounded once. The product of two doubles is the sum of two
doubles (Dekker 1971): with x = x' + x'' split into halves of 26 bits, the products of halves have no rounding,

    p = fl(x y),    e = ((x'y' - p) + x'y'' + x''y') + x''y'',    x y = p + e,

and `math.fsum` adds any number of doubles without losing a bit. What is left to pay for are the few operations after
the sums.

An offset may have no limit at all: where a covariate separates the classes, its effect may grow for ever. A bound then
needs multipliers that are orthogonal to the offset to the last bit, which doubles hardly ever are. But some lie nearby:
`exact_shifts` changes as many multipliers as there are such offsets, by amounts computed in fractions, and the bound
pays for these changes.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum

import numpy as np
from scipy.linalg import qr

from relspan.arrays import Bools, Floats, dense
from relspan.family import Family
from relspan.tolerances import DROPPED_SHARES, ROUNDED_UP, SUM_ROUNDING

SPLIT = 2.0**27 + 1.0  # Veltkamp's: x SPLIT - (x SPLIT - x) has the leading 26 bits of x
SMALLEST_PRODUCT = 2.0**-960  # below, the error of a product may not be a double


def careful_bound(family: Family, direction: Floats, a: Floats, g: Floats) -> float:
    """The bound of `certificates.dual_bounds` for one direction and its multipliers, paid for less rounding.

    Infinite where numbers are so large that their products have no error terms.
    """
    if not (np.isfinite(a).all() and np.isfinite(g).all()):
        return float(np.inf)
    unlimited = np.isinf(family.offset_limits)
    if not unlimited.any():
        return _bound(family, direction, a, g, unlimited)
    # a solver's noise cannot be shifted away, so the smallest multipliers are dropped where that proves more
    least = [
        share * max(float(np.abs(part).max(initial=0.0)) for part in (direction, a, g)) for share in DROPPED_SHARES
    ]
    return min(
        _bound(family, direction, np.where(a > size, a, 0.0), np.where(np.abs(g) > size, g, 0.0), unlimited)
        for size in least
    )


def _bound(family: Family, direction: Floats, a: Floats, g: Floats, unlimited: Bools) -> float:
    """The same, of these multipliers."""
    rows, extra, d = family.rows, family.constraints, family.n_features
    held, kept = np.flatnonzero(a), np.flatnonzero(g)
    scores = rows.scores_by_row[held]
    used = np.concatenate([a[held], g[kept]])
    lower, upper = (np.where(np.isfinite(side), side, 0.0)[kept] for side in (extra.lower, extra.upper))
    heights = np.concatenate([-rows.heights[held], np.where(g[kept] > 0, -lower, -upper)])
    offsets = np.vstack([rows.offsets[scores], extra.offsets[kept]])
    shifts = exact_shifts(used, offsets[:, unlimited], direction[d:][unlimited])
    if shifts is None:
        return float(np.inf)
    features = np.vstack([dense(rows.features[scores]), extra.features[kept]])
    paid = rows.costs[held] > 0
    price = float(((a[held] + shifts[: len(held)])[paid] / rows.costs[held][paid]).max(initial=0.0))
    with np.errstate(over="ignore", invalid="ignore"):
        rough = np.abs(direction[:d] + used @ features)
        unsure = SUM_ROUNDING * (1 + len(used)) * (np.abs(used) @ np.abs(features) + np.abs(direction[:d]))
        largest = np.flatnonzero(~(rough + unsure < (rough - unsure).max(initial=0.0)))
        pressures = exact_sums(used, features[:, largest], direction[largest])
        rest = np.abs(exact_sums(used, offsets[:, ~unlimited], direction[d:][~unlimited]))
        pressure = float(np.abs(pressures).max(initial=0.0) + shifts @ np.abs(features).max(axis=1, initial=0.0))
        support = float(family.support(np.array(pressure), np.array(price)))
        moved = rest + shifts @ np.abs(offsets[:, ~unlimited])
        charged = np.append(moved * family.offset_limits[~unlimited], shifts @ np.abs(heights))
        terms = np.concatenate([_products(used, heights), charged, [support]])
        sizes = support + charged.sum() + family.largest_norm * np.abs(direction).max(initial=0.0)
    total = _sum(terms)
    if not (np.isfinite(total) and np.isfinite(sizes)):
        return float(np.inf)
    return total + SUM_ROUNDING * (float(sizes) + abs(total))


def exact_shifts(multipliers: Floats, offsets: Floats, prices: Floats) -> Floats | None:
    """The sizes of changes after which  prices + multipliers . offsets = 0  to the last bit, rounded up.

    None where no such changes are found, or where a multiplier would change its sign.
    """
    shifts, k = np.zeros(len(multipliers)), len(prices)
    missing = [exact_sum(multipliers, column, price) for column, price in zip(offsets.T, prices, strict=True)]
    if None in missing:
        return None
    if not any(missing):
        return shifts
    sizes = np.abs(offsets).max(axis=0, initial=0.0)
    weighted = multipliers[:, None] * (offsets / np.where(sizes > 0, sizes, 1.0))
    chosen = qr(weighted.T, mode="r", pivoting=True)[1][:k]  # large multipliers, and far from parallel
    matrix = [[Fraction(x) for x in column] for column in offsets[chosen].T.tolist()]
    solved = _solution(matrix, [-one for one in missing if one is not None])
    if solved is None or any(abs(x) > abs(y) for x, y in zip(solved, multipliers[chosen].tolist(), strict=True)):
        return None
    shifts[chosen] = [ROUNDED_UP * float(abs(x)) for x in solved]
    return shifts


def exact_sum(multipliers: Floats, column: Floats, first: float) -> Fraction | None:
    """first + multipliers . column; None where a product has no error term.

    What is left of the sum after each rounded value is rounded again, until nothing is.
    """
    products = _products(multipliers, column)
    too_small = np.abs(products[: len(column)]) < SMALLEST_PRODUCT
    if (too_small & (multipliers != 0) & (column != 0)).any():
        return None
    terms, total = np.append(products, first), Fraction(0)
    while np.isfinite(part := _sum(terms)):
        if part == 0:
            return total
        total += Fraction(part)
        terms = np.append(terms, -part)
    return None


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
        found[k] = _sum(np.append(_products(multipliers, columns[:, k]), first))
    return found


def _sum(terms: Floats) -> float:
    """The sum of the terms, rounded once; not a number where one is none, or where it is too large."""
    try:
        return fsum(terms) if np.isfinite(terms).all() else float(np.nan)
    except OverflowError:
        return float(np.nan)


def _products(x: Floats, y: Floats) -> Floats:
    """The products of the entries, each as two doubles whose sum it is."""
    with np.errstate(over="ignore", invalid="ignore"):
        p = x * y
        (x1, x2), (y1, y2) = _halves(x), _halves(y)
        return np.concatenate([p, ((x1 * y1 - p) + x1 * y2 + x2 * y1) + x2 * y2])


def _halves(x: Floats) -> tuple[Floats, Floats]:
    scaled = SPLIT * x
    leading = scaled - (scaled - x)
    return leading, x - leading
