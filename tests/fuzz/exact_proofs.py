"""Proofs in rational arithmetic: every float is a fraction, so that both halves can be evaluated without rounding."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from scipy import sparse

from relspan.arrays import dense
from relspan.engines.certificates import CertifiedMaxima
from relspan.family import Family

NOISE = (0, Fraction(1, 10**12), Fraction(1, 10**9))  # shares of the largest multiplier


def fractions(values: np.ndarray) -> list[Fraction]:
    return [Fraction(float(value)) for value in values]


class RationalRows:
    """The hinge rows and budgets of a family without constraints, as fractions."""

    def __init__(self, family: Family) -> None:
        rows = family.rows.with_scores_of_their_own()
        features = rows.features.toarray() if sparse.issparse(rows.features) else dense(rows.features)
        self.features = [fractions(row) for row in features]
        self.offsets = [fractions(row) for row in rows.offsets]
        self.heights, self.costs = fractions(rows.heights), fractions(rows.costs)
        self.family, self.d = family, rows.n_features

    def excess(self, model: np.ndarray) -> Fraction:
        """The largest share by which the model exceeds a budget; negative where it is inside all of them."""
        z = fractions(model)
        w, b = z[: self.d], z[self.d :]
        norm, loss = sum(map(abs, w)), Fraction(0)
        for f, o, h, c in zip(self.features, self.offsets, self.heights, self.costs, strict=True):
            slack = h - sum(p * q for p, q in zip(f, w, strict=True)) - sum(p * q for p, q in zip(o, b, strict=True))
            loss += c * max(Fraction(0), slack)
        least = Fraction(float(self.family.rows.costs @ np.abs(self.family.rows.heights))) / 1000
        worst = Fraction(-1)
        for one in self.family.budgets:
            price_norm, price_loss, limit = map(Fraction, (one.norm_price, one.loss_price, one.limit))
            size = max(limit, price_loss * least) or Fraction(1)
            worst = max(worst, (price_norm * norm + price_loss * loss - limit) / size)
        return worst

    def bound(self, direction: np.ndarray, multipliers: np.ndarray) -> Fraction | float:
        """What the multipliers prove, exactly: no model of the family has a larger value in this direction.

        Where an offset has no limit, the smallest multipliers may be noise that cannot be balanced: they are dropped.
        """
        v, a = fractions(direction), [max(Fraction(0), one) for one in fractions(multipliers)]
        a = [one if c > 0 else Fraction(0) for one, c in zip(a, self.costs, strict=True)]
        unlimited = np.flatnonzero(np.isinf(self.family.offset_limits)).tolist()
        if not unlimited:
            return self._bound(v, a)
        largest = max(*a, *map(abs, v))
        dropped = [[one if one > share * largest else Fraction(0) for one in a] for share in NOISE]
        balanced = [self.balanced(each, v, unlimited) for each in dropped]
        return min((self._bound(v, each) for each in balanced if min(each) >= 0), default=math.inf)

    def _bound(self, v: list[Fraction], a: list[Fraction]) -> Fraction | float:
        pull = [v[j] + sum(one * f[j] for one, f in zip(a, self.features, strict=True)) for j in range(self.d)]
        pressure = max(map(abs, pull))
        price = max((one / c for one, c in zip(a, self.costs, strict=True) if c > 0), default=Fraction(0))
        total = self._support(pressure, price) - sum(one * h for one, h in zip(a, self.heights, strict=True))
        for k, limit in enumerate(self.family.offset_limits):
            rest = v[self.d + k] + sum(one * o[k] for one, o in zip(a, self.offsets, strict=True))
            if rest != 0 and np.isinf(limit):
                return math.inf
            total += abs(rest) * (Fraction(float(limit)) if rest else 0)
        return total

    def balanced(self, a: list[Fraction], v: list[Fraction], offsets: list[int]) -> list[Fraction]:
        """The multipliers, with some of the largest changed so that their pull on these offsets is 0.

        Each change of one multiplier is mixed with those before it, until it moves nothing that they have settled.
        """
        columns = [[o[k] for o in self.offsets] for k in offsets]
        missing = [
            -v[self.d + k] - sum(p * q for p, q in zip(a, column, strict=True))
            for k, column in zip(offsets, columns, strict=True)
        ]
        settled: list[tuple[dict[int, Fraction], list[Fraction], int]] = []  # changes, what they move, where that is 1
        for entry in sorted(range(len(a)), key=lambda i: -a[i]):
            if not any(missing):
                break
            change, moved = {entry: Fraction(1)}, [column[entry] for column in columns]
            for earlier, done, k in settled:
                share = moved[k]
                moved = [x - share * y for x, y in zip(moved, done, strict=True)]
                change |= {i: change.get(i, Fraction(0)) - share * x for i, x in earlier.items()}
            place = next((k for k, x in enumerate(moved) if x), None)
            if place is None:
                continue
            size = moved[place]
            change, moved = {i: x / size for i, x in change.items()}, [x / size for x in moved]
            settled.append((change, moved, place))
            a = [x + missing[place] * change.get(i, Fraction(0)) for i, x in enumerate(a)]
            missing = [x - missing[place] * y for x, y in zip(missing, moved, strict=True)]
        return a

    def _support(self, pressure: Fraction, price: Fraction) -> Fraction:
        """The most that the budgets let  pressure * norm + price * loss  become."""
        limits = [tuple(map(Fraction, (one.norm_price, one.loss_price, one.limit))) for one in self.family.budgets]
        if len(limits) == 1:
            ((p, q, limit),) = limits
            return limit * max(pressure / p, price / q)
        (p, _, most), (_, q, loss) = limits
        return most * pressure / p + loss * price / q


def faults(rows: RationalRows, direction: np.ndarray, found: CertifiedMaxima, which: int) -> tuple[float, float]:
    """By how much a model exceeds its budgets, and how far the exact bound lies above the value, as a share of M."""
    model = found.models_of([which])[0]
    value = sum(p * q for p, q in zip(fractions(direction), fractions(model), strict=True))
    gap = rows.bound(direction, found.hinge_multipliers[which]) - value
    return float(rows.excess(model)), float(gap / Fraction(rows.family.largest_norm))
