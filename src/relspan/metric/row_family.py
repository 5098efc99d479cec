"""The family of one row of a learned map: all rows that do the same on the data and are hardly longer.

With w0 a row of the eigen-form and U the leading eigenvectors of the data covariance,

    mu     =  min  ||w||_1    s.t.  U'w = U'w0
    F      =  { w :  U'w = U'w0,   ||w||_1 <= (1 + delta_norm) mu }

and the interval of feature j is the range of w_j over F. These are programs (6) to (10) of the paper, which calls
delta_norm epsilon. It writes w as w0 plus a combination of the null space and splits |w_j| into cases; the equalities
and two programs per feature are equivalent. F is a family like any other (equalities in place of a loss), so engines
and certificates are those of the package.

delta_norm must exceed the relative difference in length between substitutes: with 0 the shortest of several copies is
the only one left and looks strongly relevant. Noise makes copies differ; ``length_without`` is the length that a row
has without a feature, so that such cases can be named.

Little of a row may be left on the data, so programs are solved in the unit mu. A row with mu <= VANISHED_ROW ||w0||_1
does nothing that the data show; no solver is asked, because |w_j| <= ||w||_1 <= (1 + delta_norm) mu is all that is
known. The equalities leave F no interior: the rows that attain its ends fulfil them up to rounding, and ``violation``
is the largest miss.

Most ends lie one pivot away from the shortest row and are found together (:mod:`relspan.engines.simplex.one_pivot`); an
engine is asked for the others. Where directions of tiny variance are kept, the equalities are nearly dependent, and now
and then the simplex method stops short of an end. The certificate shows it, and the interior point method is asked for
that end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relspan.analysis.intervals import extremes_of, ranges_of, relevances
from relspan.arrays import Floats, Ints
from relspan.engines import CertifiedMaxima
from relspan.engines.certificates import joined
from relspan.engines.simplex.one_pivot import one_pivot_away
from relspan.engines.simplex.range_program import RangeProgram
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Budget, Family, build_family, empty_rows, unit_directions
from relspan.family.constraints import Constraints
from relspan.tolerances import CERTIFIED_GAP, VANISHED_ROW

SECOND_ENGINE = "batched"  # for ends that the engine of "auto" did not prove


@dataclass(frozen=True, eq=False)
class RowRelevance:
    """Intervals of one row, in the unit of the row as given.

    Attributes
    ----------
    row : ndarray of shape (d,)
        The row as learned.
    shortest : ndarray of shape (d,)
        A shortest equivalent row.
    lo, hi : ndarray of shape (d,)
        The signed ends of each weight.
    lows, highs : ndarray of shape (d, d)
        lows[j] is an equivalent row that attains lo[j], highs[j] one that attains hi[j].
    gap : float
        The largest certified gap of any end.
    violation : float
        How far any of these rows sticks out of the family, as a share of its limits.
    """

    row: Floats
    shortest: Floats
    lo: Floats
    hi: Floats
    lows: Floats
    highs: Floats
    gap: float
    violation: float

    @property
    def norm(self) -> float:
        """The L1 norm of the row as learned."""
        return float(np.abs(self.row).sum())

    @property
    def mu(self) -> float:
        """The L1 norm of the shortest equivalent row."""
        return float(np.abs(self.shortest).sum())

    @property
    def vanishes(self) -> bool:
        """Whether nothing of the row is left on the data."""
        return self.mu <= VANISHED_ROW * self.norm

    @property
    def intervals(self) -> Floats:
        """(d, 2): the least and the largest |w_j|."""
        return relevances(self.lo, self.hi)

    @property
    def average(self) -> Floats:
        """The mean of all extremal rows; equivalent too, since the family is convex."""
        return np.asarray((self.lows.mean(axis=0) + self.highs.mean(axis=0)) / 2)

    def extreme(self, j: int, end: str) -> Floats:
        """An equivalent row in which |w_j| is as small ("min") or as large ("max") as it can be."""
        lo, hi = self.lo[j], self.hi[j]
        if end == "min" and lo < 0 < hi and not self.vanishes:
            return np.asarray((hi * self.lows[j] - lo * self.highs[j]) / (hi - lo))  # the mixture in which w_j = 0
        upper = (abs(hi) >= abs(lo)) == (end == "max")
        return np.asarray(self.highs[j] if upper else self.lows[j])


def row_relevance(
    row: Floats, U: Floats, delta_norm: float = 0.01, engine: str = "auto", n_jobs: int | None = None
) -> RowRelevance:
    """The interval of every weight of one row.

    Parameters
    ----------
    row : ndarray of shape (d,)
        The row as learned.
    U : ndarray of shape (d, I)
        Orthonormal directions in which equivalent rows agree.
    delta_norm : float, default=0.01
        How much longer than the shortest an equivalent row may be, as a share.
    engine : str, default="auto"
        Solver of the ends that lie further than one pivot away; with a name, of all ends.
    n_jobs : int or None, default=None
        Number of processes that share the programs.

    Returns
    -------
    RowRelevance
        The intervals, and rows that attain their ends.
    """
    shortest = shortest_equivalent(row, U)
    mu = float(np.abs(shortest).sum())
    if mu <= VANISHED_ROW * np.abs(row).sum():
        same, limit = np.tile(shortest, (len(row), 1)), np.full(len(row), (1 + delta_norm) * mu)
        return RowRelevance(row, shortest, -limit, limit, lows=same, highs=same, gap=0.0, violation=0.0)
    F = equivalent_rows(row / mu, U, 1 + delta_norm)
    found = ranges_of(row_extremes(F, shortest / mu, engine, n_jobs))
    return RowRelevance(
        row,
        shortest,
        mu * found.lo,
        mu * found.hi,
        lows=mu * found.extremes.models_of(slice(1, None, 2)),
        highs=mu * found.extremes.models_of(slice(0, None, 2)),
        gap=mu * certified_gap(found.extremes),
        violation=float(found.extremes.violations.max()),
    )


def largest_weights(
    row: Floats, U: Floats, features: Sequence[int], delta_norm: float = 0.01, engine: str = "auto"
) -> Floats:
    """The largest |w_j| of some features alone, which is all that probes need."""
    shortest = shortest_equivalent(row, U)
    mu = float(np.abs(shortest).sum())
    if mu <= VANISHED_ROW * np.abs(row).sum():
        return np.full(len(features), (1 + delta_norm) * mu)
    F = equivalent_rows(row / mu, U, 1 + delta_norm)
    directions = unit_directions(features, F)
    near = one_pivot_away(F, shortest / mu, directions, CERTIFIED_GAP * F.largest_norm) if engine == "auto" else None
    found = near[0] if near is not None and near[1].all() else engine_extremes(F, np.asarray(features), engine)
    certified_gap(found)
    return np.asarray(mu * found.values.reshape(-1, 2).max(axis=1))


def row_extremes(F: Family, shortest: Floats, engine: str, n_jobs: int | None) -> CertifiedMaxima:
    """The extremes of +w_j and -w_j in turn; an engine that was asked for by name solves all of them."""
    features = np.arange(F.n_features)
    directions = unit_directions(features, F)
    near = one_pivot_away(F, shortest, directions, CERTIFIED_GAP * F.largest_norm) if engine == "auto" else None
    if near is None:
        return engine_extremes(F, features, engine, n_jobs)
    found, proven = near
    left = np.flatnonzero(~proven.reshape(-1, 2).all(axis=1))
    return with_ends(found, left, engine_extremes(F, left, engine, n_jobs)) if len(left) else found


def engine_extremes(F: Family, features: Ints, engine: str, n_jobs: int | None = None) -> CertifiedMaxima:
    """The extremes that an engine finds; "auto" asks another one for ends that the first one did not prove."""
    found = extremes_of(F, features, engine, n_jobs)
    poor = np.flatnonzero((found.gaps > CERTIFIED_GAP).reshape(-1, 2).any(axis=1))
    if engine != "auto" or not len(poor):
        return found
    return with_ends(found, poor, extremes_of(F, features[poor], SECOND_ENGINE, n_jobs))


def with_ends(found: CertifiedMaxima, which: Ints, others: CertifiedMaxima) -> CertifiedMaxima:
    """The extremes of several features, those of some of them replaced by others."""
    place = np.arange(len(found)).reshape(-1, 2)
    place[which] = len(found) + np.arange(len(others)).reshape(-1, 2)
    return joined([found, others]).where(place.ravel())


def certified_gap(found: CertifiedMaxima) -> float:
    """The largest gap of the ends, which must be small."""
    gap = float(found.gaps.max())
    if gap > CERTIFIED_GAP:
        raise SolverError(
            f"an end of a row's interval is certified only to within {gap:.1e} of the shortest row's norm"
        )
    return gap


def equivalent_rows(w0: Floats, U: Floats, limit: float) -> Family:
    """F: the rows that agree with w0 along U and are no longer than ``limit``.

    It names no anchors: no step towards a member cures the rounding of an equality, it would only cost value.
    """
    target = U.T @ w0
    agree = Constraints(np.ascontiguousarray(U.T), np.zeros((U.shape[1], 0)), target, target)
    return build_family(empty_rows(len(w0)), (Budget(1.0, 0.0, limit),), agree)


def length_without(row: Floats, U: Floats, feature: int, longest: float) -> float:
    """The least L1 norm of an equivalent row with w_j = 0; infinite where all of them are longer than ``longest``."""
    program = RangeProgram(equivalent_rows(row / longest, U, 1.0))
    program.close(feature)
    try:
        return longest * float(np.abs(program.solve(None, norm_price=1.0).model).sum())
    except InfeasibleFamily:
        return np.inf


def shortest_equivalent(row: Floats, U: Floats) -> Floats:
    """argmin ||w||_1 s.t. U'w = U'w0; of a row that vanishes, its projection."""
    projected = U @ (U.T @ row)  # agrees with the row, hence bounds mu
    scale = float(np.abs(projected).sum())
    if scale <= VANISHED_ROW * np.abs(row).sum():
        return np.asarray(projected)
    model = RangeProgram(equivalent_rows(projected / scale, U, 1.0)).solve(None, norm_price=1.0).model
    return np.asarray(scale * model)
