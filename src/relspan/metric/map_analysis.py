"""The whole analysis of one learned map: dimension, intervals row by row, probes, classes, and what to say of them.

Every row r of the eigen-form has a family of equivalent rows (:mod:`relspan.metric.row_family`), in which each weight
has an interval. For the map as a whole the squares are summed, as in the profile Lambda_jj = sum_r Omega_rj^2:

    max relevance_j = ( sum_r max w_rj^2 )^(1/2),    min relevance_j = ( sum_r min w_rj^2 )^(1/2).

Sums of squares feel rotations among rows of nearly equal eigenvalue less than sums of sizes do; they do feel them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from relspan.analysis.classes import STRONG, classify
from relspan.analysis.probes import threshold
from relspan.analysis.settings import FEWEST_PROBES
from relspan.arrays import Floats, Ints
from relspan.checks import listed
from relspan.engines import ENGINES
from relspan.errors import DegenerateBaseline, ParameterError
from relspan.metric.effective_dimension import DimensionCurve, dimension_remarks, fixed_dimension, principal_axes
from relspan.metric.eigenform import EigenForm, eigenform
from relspan.metric.row_family import RowRelevance, length_without, row_relevance
from relspan.metric.row_probes import Learn, probe_values
from relspan.tolerances import FRAGILE_FEATURE, POSITIVE

DIRECTIONS = ("leading", "needed")


@dataclass(frozen=True)
class MapSettings:
    """What an analysis may be told; every value is checked here."""

    effective_dimension: str | int | float = "auto"
    epsilon: float = 0.01
    smallest_eigenvalue: float = 1e-3
    directions: str = "leading"
    n_probes: int = 30
    alpha: float = 0.01
    engine: str = "auto"
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        if not (np.isfinite(self.epsilon) and self.epsilon >= 0):
            raise ParameterError(f"epsilon={self.epsilon!r} must be 0 or more; it is a share, e.g. .01")
        if not 0 <= self.smallest_eigenvalue < 1:
            raise ParameterError(f"smallest_eigenvalue={self.smallest_eigenvalue!r} must lie in [0, 1); e.g. .001")
        if self.directions not in DIRECTIONS:
            raise ParameterError(f"directions={self.directions!r} is none of {', '.join(DIRECTIONS)}")
        if int(self.n_probes) != self.n_probes or self.n_probes < FEWEST_PROBES:
            raise ParameterError(f"n_probes={self.n_probes!r} must be a whole number of at least {FEWEST_PROBES}")
        if not 0 < self.alpha < 1:
            raise ParameterError(f"alpha={self.alpha!r} must lie between 0 and 1; e.g. .01")
        if self.engine not in ("auto", *ENGINES):
            raise ParameterError(f"engine={self.engine!r} is none of auto, {', '.join(ENGINES)}")
        if isinstance(self.effective_dimension, str) and self.effective_dimension != "auto":
            raise ParameterError(f"effective_dimension={self.effective_dimension!r} must be 'auto' or a number")


@dataclass(frozen=True, eq=False)
class MapAnalysis:
    """What was found. Rows are in units in which the learned Lambda has trace 1, the rest in shares of ``length``."""

    form: EigenForm
    dimension: int
    directions: Floats
    curve: DimensionCurve | None
    need_curve: DimensionCurve | None
    rows: tuple[RowRelevance, ...]
    length: float
    intervals: Floats
    classes: NDArray[np.int64]
    probe_values: Floats
    threshold: float
    floor: float
    remarks: tuple[str, ...]
    fragile: dict[int, float]
    seconds: dict[str, float]


def analyse_map(
    omega: Floats,
    X: Floats,
    learn: Learn,
    curve: Callable[[int | None], DimensionCurve],
    settings: MapSettings,
    seed: int,
) -> MapAnalysis:
    """Intervals and classes of all columns of X.

    Parameters
    ----------
    omega : ndarray of shape (rank, d)
        The map, for X.
    X : ndarray of shape (n, d)
    learn : callable
        Gives the map for X with a probe appended.
    curve : callable
        Gives the error against effective dimension, or, for an effective dimension, against the directions among
        these that the map makes most of; asked only where their number is to be chosen.
    settings : MapSettings
    seed : int

    Returns
    -------
    MapAnalysis
    """
    form, axes = eigenform(omega, settings.smallest_eigenvalue), principal_axes(X)
    start = perf_counter()
    found = curve(None) if settings.effective_dimension == "auto" else None
    dimension = (
        min(found.best, axes.count) if found is not None else fixed_dimension(settings.effective_dimension, axes)
    )
    by_need = curve(dimension) if settings.directions == "needed" else None
    kept = axes if by_need is None else axes.by_images(omega, dimension)
    U = kept.leading(dimension if by_need is None else by_need.best)
    chosen = perf_counter()
    rows = tuple(row_relevance(row, U, settings.epsilon, settings.engine, settings.n_jobs) for row in form.rows)
    length = float(np.sqrt(sum(row.mu**2 for row in rows)))
    if all(row.vanishes for row in rows):
        raise DegenerateBaseline(
            f"the map does nothing within the {dimension} leading directions of the data; raise effective_dimension"
        )
    intervals = np.sqrt(sum(row.intervals**2 for row in rows)) / length
    bounded = perf_counter()
    values = _probe_values(learn, X, dimension, None if by_need is None else U, settings, seed) / length
    tau = threshold(values, len(values), settings.alpha, "familywise", X.shape[1])
    floor = POSITIVE * (1 + settings.epsilon)
    classes = classify(intervals, tau, floor)
    fragile = fragile_features(rows, U, np.flatnonzero(classes == STRONG))
    seconds = {"dimension": chosen - start, "bounds": bounded - chosen, "probes": perf_counter() - bounded}
    return MapAnalysis(
        form,
        dimension,
        U,
        found,
        by_need,
        rows,
        length,
        intervals,
        classes,
        values,
        tau,
        floor,
        tuple(dimension_remarks(X, axes, kept.eigenvalues[: U.shape[1]]) + row_remarks(form, rows)),
        fragile,
        seconds,
    )


def _probe_values(
    learn: Learn, X: Floats, dimension: int, needed: Floats | None, settings: MapSettings, seed: int
) -> Floats:
    return probe_values(
        learn,
        X,
        dimension,
        settings.n_probes,
        settings.epsilon,
        settings.smallest_eigenvalue,
        settings.engine,
        np.random.SeedSequence(seed),
        settings.n_jobs,
        needed,
    )


def fragile_features(rows: tuple[RowRelevance, ...], U: Floats, strong: Ints) -> dict[int, float]:
    """Strong features that slightly longer maps do without, and by what share these are longer."""
    fragile = {}
    for j in strong.tolist():
        needing = [row for row in rows if row.intervals[j, 0] > 0]
        longer = max(
            (length_without(row.row, U, j, (1 + FRAGILE_FEATURE) * row.mu) / row.mu - 1 for row in needing), default=0
        )
        if np.isfinite(longer):
            fragile[j] = float(longer)
    return fragile


def fragile_remark(fragile: dict[int, float], names: Sequence[str], epsilon: float) -> list[str]:
    """What to say of strong features that are strong because epsilon is small."""
    if not fragile:
        return []
    told = listed([f"{names[j]} ({longer:.1%})" for j, longer in fragile.items()])
    return [
        f"strong with epsilon={epsilon:g}, but maps that are little longer do without: {told}. Noise may make "
        f"substitutes differ by as much; with epsilon={np.ceil(100 * max(fragile.values())) / 100:g} they count as weak"
    ]


def row_remarks(form: EigenForm, rows: tuple[RowRelevance, ...]) -> list[str]:
    """What a reader should know about the rows."""
    remarks = []
    close = [r for r in form.close_pairs if not (rows[r].vanishes or rows[r + 1].vanishes)]
    if close:
        pairs = ", ".join(f"{r + 1} and {r + 2}" for r in close[:5]) + (" ..." if len(close) > 5 else "")
        remarks.append(
            f"rows {pairs} of the map have nearly equal eigenvalues: they may turn into each other, so read their "
            "intervals, and sums over rows, with care"
        )
    if form.dropped > 0.05:
        remarks.append(f"rows of the map were left out; together they hold {form.dropped:.0%} of the trace")
    return remarks
