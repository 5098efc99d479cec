"""What one engine cannot answer, or cannot prove, is asked of the others."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from relspan.arrays import Bools, Floats, Ints, Matrix, dense
from relspan.engines import CertifiedMaxima, MaximaEngine, open_engine
from relspan.engines.certificates import are_proven, joined, proven_gaps
from relspan.engines.refined_multipliers import refined_multipliers
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Family, unit_directions
from relspan.tolerances import CERTIFIED_GAP, LARGEST_VIOLATION

SECOND_OPINIONS = ("exact", "reference", "batched")  # in the order in which they are asked
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
    """The ends, where those that are not proven to the usual gap, or whose models exceed their budgets, are asked of
    other engines as well.

    What one engine attains and what another proves hold together: the larger value that is possible and the smaller
    bound count. What is not proven then is refined (`refined_multipliers`).
    Gaps are shares of the family's norm, or of a smaller `norm`.
    """

    def unproven(values: Floats, bounds: Floats) -> Bools:
        return ~are_proven(family, bounds - values, values, norm)

    if not (unproven(ends.values, ends.bounds) | (ends.violations > CERTIFIED_GAP)).any():
        return ends
    names = [f.name for f in fields(CertifiedMaxima) if f.name != "handed_over"]
    arrays, handed_over = {name: np.array(dense(getattr(ends, name))) for name in names}, ends.handed_over.copy()
    for engine in others_for(family):
        outside = arrays["violations"] > CERTIFIED_GAP
        doubtful = np.flatnonzero(unproven(arrays["values"], arrays["bounds"]) | outside)
        if not len(doubtful):
            break
        asked: MaximaEngine | None = None
        for end in doubtful:
            direction = unit_directions([int(features[end // 2])], family)[[end % 2]]
            try:
                asked = asked or open_engine(engine, family)
                other = asked.maxima(direction)
            except (SolverError, InfeasibleFamily):
                continue
            # where loss is dear, a model that sticks out by rounding attains more than is possible
            possible = np.fmin(other.bounds[0], arrays["bounds"][end])
            possible += proven_gaps(family, other.values, norm)[0]
            value, violation = arrays["values"][end], arrays["violations"][end]
            is_better = (
                not np.isfinite(value)
                or value < other.values[0]
                or value > possible
                or violation > CERTIFIED_GAP >= other.violations[0]
            )
            if is_better and other.values[0] <= possible and other.violations[0] <= max(violation, LARGEST_VIOLATION):
                for name in ("values", "models", "violations"):
                    arrays[name][end] = dense(getattr(other, name))[0]
                handed_over[end] = True
            if not other.bounds[0] >= arrays["bounds"][end]:
                for name in ("bounds", "hinge_multipliers", "constraint_multipliers"):
                    arrays[name][end] = dense(getattr(other, name))[0]
                handed_over[end] = True
    for end in np.flatnonzero(unproven(arrays["values"], arrays["bounds"])):
        direction = unit_directions([int(features[end // 2])], family)[end % 2]
        known = arrays["hinge_multipliers"][end], arrays["constraint_multipliers"][end]
        if np.isfinite(arrays["bounds"][end]):
            bound, a, g = refined_multipliers(family, direction, *known)
            if bound < arrays["bounds"][end]:
                arrays["bounds"][end] = bound
                arrays["hinge_multipliers"][end], arrays["constraint_multipliers"][end] = a, g
    return replace(ends, handed_over=handed_over, **arrays)
