"""What one engine cannot answer, or cannot prove, is asked of the others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from relspan.arrays import Bools, Floats, Ints, Matrix, dense
from relspan.engines import CertifiedMaxima, MaximaEngine, open_engine
from relspan.engines.certificates import are_proven, joined, proven_gaps, worth_of_violations
from relspan.engines.refined_multipliers import refined_multipliers
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Family
from relspan.tolerances import CERTIFIED_GAP, DOUBTFUL_GAP, LARGEST_VIOLATION

SECOND_OPINIONS = ("exact", "reference", "batched")  # in the order in which they are asked
ENDS_AT_ONCE = 64  # whose models are looked at together
LARGEST_PLAIN_PROGRAM = 4 * 10**6  # entries of a dense program up to which the reference engine is asked


def others_for(family: Family, name: str = "") -> list[str]:
    """The engines to be asked beside one of this name."""
    m, width = family.rows.n_rows, 2 * family.n_features + family.n_offsets + family.rows.n_rows
    is_small = (2 * family.n_features + m + family.constraints.n_rows) * width <= LARGEST_PLAIN_PROGRAM
    return [other for other in SECOND_OPINIONS if other != name and (is_small or other != "reference")]


@dataclass(frozen=True, eq=False)
class BackedEngine:
    """An engine of a family, backed by the others: where it gives up, each direction is asked for itself, of a fresh
    engine of its name, then of the others."""

    name: str
    family: Family
    engine: MaximaEngine | None = None  # by default it is opened by its name

    def maxima(self, directions: Matrix) -> CertifiedMaxima:
        """The largest value of each direction, with certificates."""
        try:
            return self._own.maxima(directions)
        except SolverError as reason:
            return joined([self._alone(direction[None], reason) for direction in dense(directions)])

    @cached_property
    def _own(self) -> MaximaEngine:
        return self.engine or open_engine(self.name, self.family)

    def _alone(self, direction: Floats, reason: SolverError) -> CertifiedMaxima:
        with suppress(SolverError):
            return open_engine(self.name, self.family).maxima(direction)
        for other in others_for(self.family, self.name):
            with suppress(SolverError):
                return open_engine(other, self.family).maxima(direction).by_another_engine()
        raise reason


def with_second_opinions(
    family: Family, features: Ints, ends: CertifiedMaxima, norm: float = np.inf
) -> CertifiedMaxima:
    """The ends, where doubtful ones are asked of other engines as well.

    An end is doubtful if it is not proven to the usual gap, or if its model exceeds the budgets by more than may count
    as rounding, or by an amount that is worth a part of the gap, as it may be where loss is dear.
    Gaps are shares of the family's norm, or of a smaller `norm`.
    """
    doubtful = ~are_proven(family, ends.gaps, ends.values, norm)
    out = np.flatnonzero(~doubtful & (ends.violations > 0))
    for some in np.split(out, range(ENDS_AT_ONCE, len(out), ENDS_AT_ONCE)):
        doubtful[some] = _stick_out(family, _directions(family, features, some), ends.where(some), norm)
    if not doubtful.any():
        return ends
    opened = cache(lambda name: open_engine(name, family))
    which = np.flatnonzero(doubtful)
    settled = [
        _settled(family, _directions(family, features, end), ends.where(end), opened, norm)
        for end in np.split(which, len(which))
    ]
    places = np.arange(len(ends))
    places[which] = len(ends) + np.arange(len(which))
    return joined([ends, *settled]).where(places)


def _directions(family: Family, features: Ints, ends: Ints) -> Floats:
    """The directions of some ends."""
    signs = np.where(ends % 2, -1.0, 1.0)
    directions = np.zeros((len(ends), family.n_features + family.n_offsets))
    directions[np.arange(len(ends)), features[ends // 2]] = signs
    return directions


def _settled(
    family: Family, direction: Floats, end: CertifiedMaxima, opened: Callable[[str], MaximaEngine], norm: float
) -> CertifiedMaxima:
    """An end with the better halves of what all engines say, until it is proven.

    What one engine attains and what another proves hold together. What is not proven then is refined
    (`refined_multipliers`), and what sticking out may be worth counts as a gap.
    """
    for name in others_for(family):
        if are_proven(family, end.gaps, end.values, norm)[0] and not _stick_out(family, direction, end, norm)[0]:
            return end
        with suppress(SolverError, InfeasibleFamily):
            other = opened(name).maxima(direction)
            # where loss is dear, a model that sticks out by rounding attains more than is possible
            possible = np.fmin(other.bounds, end.bounds) + proven_gaps(family, other.values, norm)
            is_better = (
                not np.isfinite(end.values[0])
                or end.values[0] < other.values[0]
                or end.values[0] > possible[0]
                or (_stick_out(family, direction, end, norm)[0] and not _stick_out(family, direction, other, norm)[0])
            )
            if (
                is_better
                and other.values[0] <= possible[0]
                and other.violations[0] <= max(end.violations[0], LARGEST_VIOLATION)
            ):
                end = replace(
                    end, values=other.values, models=other.models, violations=other.violations
                ).by_another_engine()
            if not other.bounds[0] >= end.bounds[0]:
                end = _with_bound(
                    end, other.bounds, other.hinge_multipliers, other.constraint_multipliers
                ).by_another_engine()
    if not are_proven(family, end.gaps, end.values, norm)[0] and np.isfinite(end.bounds[0]):
        bound, a, g = refined_multipliers(family, direction[0], end.hinge_multipliers[0], end.constraint_multipliers[0])
        if bound < end.bounds[0]:
            end = _with_bound(end, np.array([bound]), a[None], g[None])
    if _stick_out(family, direction, end, norm)[0]:
        end = replace(end, bounds=end.bounds + _worth(family, direction, end))
    return end


def _with_bound(end: CertifiedMaxima, bounds: Floats, a: Floats, g: Floats) -> CertifiedMaxima:
    return replace(end, bounds=bounds, hinge_multipliers=a, constraint_multipliers=g)


def _stick_out(family: Family, directions: Floats, ends: CertifiedMaxima, norm: float) -> Bools:
    """Which models exceed their budgets by more than rounding, or by what is worth a part of the gap."""
    worth = _worth(family, directions, ends)
    allowed = DOUBTFUL_GAP * proven_gaps(family, ends.values, norm)
    return np.asarray((ends.violations > CERTIFIED_GAP) | (worth > allowed))


def _worth(family: Family, directions: Floats, ends: CertifiedMaxima) -> Floats:
    return worth_of_violations(family, directions, ends.hinge_multipliers, ends.constraint_multipliers, ends.violations)
