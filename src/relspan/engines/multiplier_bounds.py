"""Bounds from multipliers: every multiplier vector bounds every feature, not only the one it was found for.

With G = a F + g A_w, the multipliers (t a, t g) prove for any t >= 0 and the direction s e_j, s = +1 or -1,

    s w_j  <=  support( max( |1 + t s G_j| , t max_{i != j} |G_i| ) ,  t max_i a_i / c_i )
               -  t (a.h + g+.lower - g-.upper)

(see `certificates`, whose payments for rounding are added here too). For the budgets M and R the right hand
side is a convex broken line in t, so the best t is 0 or one of its three break points. The baseline's own multipliers
(|G_j| <= 1, price C of the loss) give the closed form  s w_j <= (M + C R - mu - C rho) / (1 - s G_j).
"""

from __future__ import annotations

import numpy as np

from relspan.arrays import Floats
from relspan.engines.certificates import clip_to_rows, clip_to_sides, rounding_errors
from relspan.family import Family


class MultiplierBounds:
    """The best bounds of all features that the multipliers seen so far prove.

    `bounds` holds those of +w_j and -w_j in turn; the norm budget bounds every weight from the start.
    """

    def __init__(self, family: Family) -> None:
        self.family = family
        count = 2 * family.n_features
        self.bounds: Floats = np.full(count, family.largest_norm)
        self._hinge: list[Floats] = [np.zeros(family.rows.n_rows)]
        self._sides: list[Floats] = [np.zeros(family.constraints.n_rows)]
        self._source = np.zeros(count, dtype=np.intp)
        self._scale = np.zeros(count)

    def add(self, hinge_multipliers: Floats, constraint_multipliers: Floats) -> None:
        """Use these multipliers too, one pair per row."""
        for a, g in zip(
            clip_to_rows(self.family, hinge_multipliers),
            clip_to_sides(self.family, constraint_multipliers),
            strict=True,
        ):
            bounds, scale = scaled_bounds(self.family, a, g)
            better = bounds < self.bounds
            if better.any():
                self.bounds[better], self._scale[better] = bounds[better], scale[better]
                self._source[better] = len(self._hinge)
                self._hinge.append(a)
                self._sides.append(g)

    def proofs(self, ends: np.ndarray) -> tuple[Floats, Floats]:
        """The multipliers that prove the bounds of some ends, as `certificates.dual_bounds` takes them."""
        source, scale = self._source[ends], self._scale[ends][:, None]
        hinge, sides = np.array(self._hinge), np.array(self._sides)
        return scale * hinge[source], scale * sides[source]


def scaled_bounds(family: Family, a: Floats, g: Floats) -> tuple[Floats, Floats]:
    """The bounds of +w_j and -w_j in turn that one pair of multipliers proves, and the scale t that does it best."""
    rows, extra, d = family.rows, family.constraints, family.n_features
    G = rows.pressures(a) + g @ extra.features
    sizes = np.append(np.abs(G), 0.0)
    first, second = np.partition(sizes, -2)[[-1, -2]] if d else (0.0, 0.0)
    others = np.repeat(np.where((sizes[:d] == first) & (np.arange(d) == np.argmax(sizes)), second, first), 2)
    pressed = np.column_stack([G, -G]).ravel()
    paid = rows.costs > 0
    loss_price = (a[paid] / rows.costs[paid]).max(initial=0.0)
    lower, upper = (np.where(np.isfinite(side), side, 0.0) for side in (extra.lower, extra.upper))
    rest = np.abs(rows.offset_pressures(a) + g @ extra.offsets)
    slope = (
        -a @ rows.heights
        - np.maximum(g, 0.0) @ lower
        + np.maximum(-g, 0.0) @ upper
        + np.where(rest > 0, rest * family.offset_limits, 0.0).sum()
        + rounding_errors(family, a, g, family.offset_limits)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        breaks = np.array([1 / (others - pressed), -1 / (pressed + others), -1 / pressed])
    breaks = np.where(np.isfinite(breaks) & (breaks > 0), breaks, 0.0)
    pressure = np.maximum(np.abs(1 + breaks * pressed), breaks * others)
    bounds = family.support(pressure, breaks * loss_price) + breaks * slope
    best, ends = np.argmin(bounds, axis=0), np.arange(2 * d)
    return bounds[best, ends], breaks[best, ends]
