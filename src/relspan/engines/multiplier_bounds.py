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

from relspan.arrays import Floats, Ints
from relspan.engines.certificates import clip_to_rows, clip_to_sides, offset_charges, rounding_errors
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

    def improve(self, ends: Ints, bounds: Floats, hinge_multipliers: Floats, constraint_multipliers: Floats) -> None:
        """Use bounds of single ends where they are smaller; their multipliers, one pair per end, need no scale."""
        better = np.flatnonzero(bounds < self.bounds[ends])
        self.bounds[ends[better]], self._scale[ends[better]] = bounds[better], 1.0
        self._source[ends[better]] = len(self._hinge) + np.arange(len(better))
        self._hinge.extend(hinge_multipliers[better])
        self._sides.extend(constraint_multipliers[better])

    def proofs(self, ends: np.ndarray) -> tuple[Floats, Floats]:
        """The multipliers that prove the bounds of some ends, as `certificates.dual_bounds` takes them."""
        source, scale = self._source[ends], self._scale[ends][:, None]
        hinge, sides = np.array(self._hinge), np.array(self._sides)
        return scale * hinge[source], scale * sides[source]


def scaled_bounds(family: Family, a: Floats, g: Floats) -> tuple[Floats, Floats]:
    """The bounds of +w_j and -w_j in turn that one pair of multipliers proves, and the scale t that does it best."""
    d = family.n_features
    G = (family.rows.pressures(a) + g @ family.constraints.features)[None]
    sizes = np.append(np.abs(G[0]), 0.0)
    first, second = np.partition(sizes, -2)[[-1, -2]] if d else (0.0, 0.0)
    others = np.repeat(np.where((sizes[:d] == first) & (np.arange(d) == np.argmax(sizes)), second, first), 2)
    pressed = np.column_stack([G[0], -G[0]]).ravel()
    loss_price, slope = _prices(family, a[None], g[None])
    return at_best_scale(family, pressed, others, loss_price[0], slope[0])


def own_bounds(family: Family, features: Ints, signs: Floats, a: Floats, g: Floats) -> tuple[Floats, Floats]:
    """The bound of s w_j for each feature j and sign s that its own multipliers prove (one pair per row), and t."""
    G = family.rows.pressures(a) + g @ family.constraints.features
    programs = np.arange(len(features))
    pressed = signs * G[programs, features]
    np.abs(G, out=G)
    G[programs, features] = 0.0
    others = G.max(axis=1, initial=0.0)
    return at_best_scale(family, pressed, others, *_prices(family, a, g))


def _prices(family: Family, a: Floats, g: Floats) -> tuple[Floats, Floats]:
    """The price of loss of each pair of multipliers, and what else a unit of t adds to its bounds."""
    rows, extra = family.rows, family.constraints
    paid = rows.costs > 0
    lower, upper = (np.where(np.isfinite(side), side, 0.0) for side in (extra.lower, extra.upper))
    slope = (
        -a @ rows.heights
        - np.maximum(g, 0.0) @ lower
        + np.maximum(-g, 0.0) @ upper
        + offset_charges(family, np.zeros((len(a), family.n_offsets)), a, g, family.offset_limits)
        + rounding_errors(family, a, g, family.offset_limits)
    )
    return (a[:, paid] / rows.costs[paid]).max(axis=1, initial=0.0), slope


def at_best_scale(
    family: Family, pressed: Floats, others: Floats, loss_price: Floats, slope: Floats
) -> tuple[Floats, Floats]:
    """The least bound over t of one end per entry: s G_j, max_{i != j} |G_i|, the price of loss, and the slope in t."""
    with np.errstate(divide="ignore", invalid="ignore"):
        breaks = np.array([1 / (others - pressed), -1 / (pressed + others), -1 / pressed])
    breaks = np.where(np.isfinite(breaks) & (breaks > 0), breaks, 0.0)
    pressure = np.maximum(np.abs(1 + breaks * pressed), breaks * others)
    paid = np.multiply(breaks, slope, where=breaks > 0, out=np.zeros_like(breaks))  # an offset may have no limit
    bounds = family.support(pressure, breaks * loss_price) + paid
    best, ends = np.argmin(bounds, axis=0), np.arange(len(pressed))
    return bounds[best, ends], breaks[best, ends]
