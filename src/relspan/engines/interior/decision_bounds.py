"""Which ends stay below a limit? Bounds that decide it, without solving a program.

An end (j, s) lies below its limit z_j if some multipliers prove it (`multiplier_bounds`). All ends share the polytope
of these multipliers, and from its centre (a, beta), see `dual_centre`, there are candidates, the cheapest first:

1. the centre itself, the same for all ends: one product;
2. a - s theta Q_j / (F_j'Q_j) for a few theta, by which the own pressure falls by theta: a product with the table for
   each end;
3. a few Newton steps of the end's own, around its limit.

Whatever a candidate is, it is clipped and balanced, so that it proves something, and the library's own bound of it
counts, rounding included. An end leaves as soon as its bound is below its limit. Those that stay are above it, or near.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.arrays import Bools, Floats, Ints
from relspan.engines.interior.dual_centre import DualCentre, dual_centre
from relspan.engines.interior.dual_polytope import dual_polytope
from relspan.engines.interior.end_multipliers import TO_WALL, end_points, newton_step
from relspan.engines.multiplier_bounds import own_bounds, scaled_bounds
from relspan.family import Family
from relspan.tolerances import BATCH_BYTES

FALLS_OF_PRESSURE = (0.6, 0.35, 1.0)  # theta
# of the Newton steps, as shares of the centre's mu
FALLS_OF_MU = (1.0, 1.0, 0.5, 0.25, 0.12, 0.06, 0.06, 0.03, 0.03, 0.015, 0.015, 0.008, 0.008, 0.004)
TO_WALL_TRIED = 0.99  # candidates go further than the points from which the next step starts
BEYOND_WALL = 1.5  # a longer step, clipped, sometimes proves more


@dataclass(frozen=True, eq=False)
class DecidedEnds:
    """The best bounds of some ends and the multipliers that prove them as they are; one row per end."""

    bounds: Floats
    hinge_multipliers: Floats
    constraint_multipliers: Floats


@dataclass(frozen=True, eq=False)
class DecisionBounds:
    """Decides whether ends (feature, sign) of a family lie below limits, as far as bounds can."""

    family: Family
    centre: DualCentre

    @property
    def ends_at_once(self) -> int:
        """Ends whose arrays fit into `BATCH_BYTES`."""
        pr = self.centre.polytope
        return max(1, BATCH_BYTES // (8 * (8 * pr.n_features + 20 * pr.n_rows)))

    def decide(self, features: Ints, signs: Floats, limits: Floats) -> DecidedEnds:
        """Bounds of the ends; no more work is spent on one that is below its limit."""
        pr = self.centre.polytope
        hinge, sides = pr.family_multipliers(self.centre.a[None])
        shared = np.stack(scaled_bounds(self.family, hinge[0], sides[0]))[:, 2 * features + (signs < 0)]
        best, a = shared[0], shared[1][:, None] * self.centre.a
        for first in range(0, len(features), self.ends_at_once):
            batch = np.arange(first, min(first + self.ends_at_once, len(features)))
            batch = batch[best[batch] >= limits[batch]]
            work = _OpenEnds(self, features[batch], signs[batch], limits[batch], best[batch], a[batch])
            work.fall()
            work.step()
            best[batch], a[batch] = work.best, work.a
        return DecidedEnds(best, *pr.family_multipliers(a))


class _OpenEnds:
    """The ends of one batch that the centre alone does not settle; `best` and `a` are what is proven so far."""

    def __init__(
        self, bounds: DecisionBounds, features: Ints, signs: Floats, limits: Floats, best: Floats, a: Floats
    ) -> None:
        self.family, self.centre = bounds.family, bounds.centre
        self.features, self.signs, self.limits, self.best, self.a = features, signs, limits, best, a
        self._lengths = np.zeros(len(features))

    def _open(self, which: Ints) -> Bools:
        return np.asarray(self.best[which] >= self.limits[which])

    def _try_out(self, which: Ints, candidates: Floats) -> Bools:
        """Use these multipliers where they prove more; returns where they do."""
        pr = self.centre.polytope
        candidates = pr.balanced(candidates)
        proofs = pr.family_multipliers(candidates)
        bounds, scale = own_bounds(self.family, self.features[which], self.signs[which], *proofs)
        wins = bounds < self.best[which]
        self.best[which[wins]] = bounds[wins]
        self.a[which[wins]] = scale[wins, None] * candidates[wins]
        return np.asarray(wins)

    def fall(self) -> None:
        """The closed form: the own pressure falls by theta."""
        which = np.arange(len(self.features))
        Q, _, own = self.centre.responses(self.centre.polytope.F.T[self.features])
        for theta in FALLS_OF_PRESSURE:
            if not len(which):
                return
            lengths = theta / own
            wins = self._try_out(which, self.centre.a - (self.signs[which] * lengths)[:, None] * Q)
            self._lengths[which[wins]] = lengths[wins]
            left = self._open(which)
            which, Q, own = which[left], Q[left], own[left]

    def step(self) -> None:
        """Newton steps of the ends that are still open."""
        which = np.flatnonzero(self._open(np.arange(len(self.features))))
        features, columns = self.features[which], self.centre.polytope.F.T[self.features[which]]
        at = end_points(self.centre, features, self.signs[which], columns, self._lengths[which])
        for fall in FALLS_OF_MU:
            if not len(which):
                return
            step, failed = newton_step(self.centre, at, self.limits[which], fall * self.centre.mu)
            far = step.share(TO_WALL_TRIED)
            self._try_out(which, at.a + far[:, None] * step.a)
            further = self._open(which)  # a longer step only for ends that the first one leaves open
            beyond = np.minimum(1.0, BEYOND_WALL * far)[further, None]
            self._try_out(which[further], at.a[further] + beyond * step.a[further])
            left = self._open(which) & ~failed
            which, at = which[left], at.moved(step, step.share(TO_WALL)).where(left)


def decision_bounds(family: Family) -> DecisionBounds | None:
    """What decides ends of a family; None where it has no dual centre, see `dual_polytope`."""
    polytope = dual_polytope(family)
    centre = None if polytope is None else dual_centre(polytope)
    return None if centre is None else DecisionBounds(family, centre)
