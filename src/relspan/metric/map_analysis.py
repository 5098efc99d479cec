"""The whole analysis of one learned map: dimension, intervals row by row, probes, classes, and remarks on them.

Every row r of the eigen-form has a family of equivalent rows (:mod:`relspan.metric.row_family`), in which each weight
has an interval. For the map as a whole the rows are combined (:mod:`relspan.metric.row_totals`), by default as in the
profile Lambda_jj = sum_r Omega_rj^2:

    max relevance_j = ( sum_r max w_rj^2 )^(1/2),    min relevance_j = ( sum_r min w_rj^2 )^(1/2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import numpy as np

from relspan.analysis.checkpoint import Checkpoint
from relspan.analysis.parallel import run_blocks
from relspan.analysis.probes import threshold
from relspan.analysis.verdicts.classes import STRONG
from relspan.analysis.verdicts.published_rule import classify
from relspan.arrays import Floats, Ints
from relspan.checks import listed
from relspan.errors import DegenerateBaseline
from relspan.metric.effective_dimension import (
    DimensionCurve,
    PrincipalAxes,
    Run,
    dimension_remarks,
    fixed_dimension,
    principal_axes,
)
from relspan.metric.eigenform import EigenForm, eigenform
from relspan.metric.map_settings import MapSettings
from relspan.metric.row_family import RowRelevance, length_without, row_relevance
from relspan.metric.row_probes import LearnMap, RowProbes, run_row_probes
from relspan.metric.row_totals import COMBINATIONS
from relspan.progress import Interrupted, Progress, silent
from relspan.tolerances import FRAGILE_FEATURE, POSITIVE


@dataclass(frozen=True, eq=False)
class KeptDirections:
    """The directions U in which equivalent maps agree, their eigenvalues, and the curves that chose their number."""

    U: Floats
    eigenvalues: Floats
    dimension: int
    curve: DimensionCurve | None
    need_curve: DimensionCurve | None


@dataclass(frozen=True, eq=False)
class MapIntervals:
    """The intervals of a map: what is known before the probes have run.

    Attributes
    ----------
    form : EigenForm
        The rows as learned, in units in which the learned Lambda has trace 1.
    kept : KeptDirections
        The directions in which equivalent maps agree.
    rows : tuple of RowRelevance
        The intervals of the rows, in the same unit; of an interrupted analysis, of the first rows.
    seconds : dict of str to float
        Time per stage.
    combine : str, default="squares"
        How the rows are combined.
    """

    form: EigenForm
    kept: KeptDirections
    rows: tuple[RowRelevance, ...]
    seconds: dict[str, float]
    combine: str = "squares"

    @property
    def complete(self) -> bool:
        """Whether all rows have intervals."""
        return len(self.rows) == len(self.form.rows)

    @property
    def length(self) -> float:
        """The length of the shortest equivalent map: the norms mu_r of its rows, combined."""
        return float(self._combined([np.array(row.mu) for row in self.rows]))

    @property
    def intervals(self) -> Floats:
        """(d, 2): the least and the largest relevance, in shares of the length."""
        return np.asarray(self._combined([row.intervals for row in self.rows]) / self.length)

    @property
    def gap(self) -> float:
        """How far the true ends may lie beyond the intervals, in the same unit."""
        return float(self._combined([np.array(row.gap) for row in self.rows])) / self.length

    def _combined(self, values: list[Floats]) -> Floats:
        return COMBINATIONS[self.combine](np.array(values))


@dataclass(frozen=True, eq=False)
class MapAnalysis:
    """The intervals of a map, and the classes that its probes imply.

    Attributes
    ----------
    found : MapIntervals
        The intervals.
    probes : RowProbes
        The probes, in shares of the length.
    threshold, floor : float
        What a relevant feature's largest, and a strong feature's least relevance exceed.
    classes : ndarray of shape (d,)
        2 strong, 1 weak, 0 irrelevant.
    fragile : dict of int to float
        Strong features that maps slightly longer do without, and by what share these are longer.
    remarks : tuple of str
        What a reader should know about the data, the directions and the rows.
    seconds : dict of str to float
        Time per stage.
    """

    found: MapIntervals
    probes: RowProbes
    threshold: float
    floor: float
    classes: Ints
    fragile: dict[int, float]
    remarks: tuple[str, ...]
    seconds: dict[str, float]


ChooseDimension = Callable[[int | None, Run], DimensionCurve]
"""Gives the error against effective dimension, or, for an effective dimension, against the directions among these that
the map makes most of."""


def analyse_map(
    omega: Floats,
    X: Floats,
    learn: LearnMap,
    curve: ChooseDimension,
    settings: MapSettings,
    seed: int,
    sample_weight: Floats | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
) -> MapAnalysis:
    """Intervals and classes of all columns of X.

    Parameters
    ----------
    omega : ndarray of shape (rank, d)
        The map, for X.
    X : ndarray of shape (n, d)
        The samples.
    learn : callable
        Gives the map for X with a probe appended.
    curve : callable
        Gives the errors by which the number of directions is chosen, where it is to be chosen.
    settings : MapSettings
        The settings.
    seed : int
        Seed of the probes.
    sample_weight : ndarray of shape (n,), default=None
        Weights of the samples in the covariance.
    progress : callable, optional
        Called as ``progress(stage, share, note)``.
    checkpoint : Checkpoint, default=None
        Keeps finished folds and probes.

    Returns
    -------
    MapAnalysis
        The intervals and classes.

    Raises
    ------
    Interrupted
        With the `MapIntervals` that were found, from the intervals on.
    """
    run = partial(run_blocks, n_jobs=settings.n_jobs, progress=progress, checkpoint=checkpoint)
    start = perf_counter()
    form, axes = eigenform(omega, settings.smallest_eigenvalue), principal_axes(X, sample_weight)
    kept = kept_directions(omega, axes, curve, settings, run)
    chosen = perf_counter()
    seconds = {"dimension": chosen - start}
    rows: list[RowRelevance] = []
    try:
        for number, row in enumerate(form.rows, start=1):
            rows.append(row_relevance(row, kept.U, settings.delta_norm, settings.engine, settings.n_jobs))
            progress("bounds", number / len(form.rows), f"{number} of {len(form.rows)} rows")
        if all(row.vanishes for row in rows):
            raise DegenerateBaseline(
                f"the map does nothing within the {kept.dimension} leading directions of the data; "
                "raise effective_dimension"
            )
        bounded = perf_counter()
        seconds["bounds"] = bounded - chosen
        found = MapIntervals(form, kept, tuple(rows), seconds, settings.combine)
        needed = None if kept.need_curve is None else kept.U
        entropy = np.random.SeedSequence(seed)
        probes = run_row_probes(learn, X, kept.dimension, settings, entropy, needed, sample_weight, run)
    except KeyboardInterrupt as stop:
        raise Interrupted(MapIntervals(form, kept, tuple(rows), seconds, settings.combine)) from stop
    probes = RowProbes(probes.values / found.length, probes.sources)
    tau = threshold(probes.values, settings.n_probes, settings.alpha, settings.control, 2 * X.shape[1])
    floor = POSITIVE * (1 + settings.delta_norm)
    classes = classify(found.intervals, tau, floor)
    return MapAnalysis(
        found,
        probes,
        tau,
        floor,
        classes,
        fragile_features(found.rows, kept.U, np.flatnonzero(classes == STRONG)),
        tuple(dimension_remarks(X, axes, kept.eigenvalues) + row_remarks(form, found.rows)),
        {**seconds, "probes": perf_counter() - bounded},
    )


def kept_directions(
    omega: Floats, axes: PrincipalAxes, curve: ChooseDimension, settings: MapSettings, run: Run
) -> KeptDirections:
    """The leading directions of the data, or those of them that the classification needs."""
    chosen = curve(None, run) if isinstance(settings.effective_dimension, str) else None
    dimension = fixed_dimension(settings.effective_dimension, axes) if chosen is None else min(chosen.best, axes.count)
    if settings.directions == "leading":
        return KeptDirections(axes.leading(dimension), axes.eigenvalues[:dimension], dimension, chosen, None)
    need = curve(dimension, run)
    by_need = axes.by_images(omega, dimension)
    return KeptDirections(by_need.leading(need.best), by_need.eigenvalues[: need.best], dimension, chosen, need)


def fragile_features(rows: tuple[RowRelevance, ...], U: Floats, strong: Ints) -> dict[int, float]:
    """Strong features that slightly longer maps do without, and by what share these are longer."""
    fragile = {}
    for j in strong.tolist():
        needing = [row for row in rows if row.intervals[j, 0] > 0]
        longest = [(1 + FRAGILE_FEATURE) * row.mu for row in needing]
        lengths = [length_without(row.row, U, j, most) for row, most in zip(needing, longest, strict=True)]
        longer = max((length / row.mu - 1 for length, row in zip(lengths, needing, strict=True)), default=0.0)
        if np.isfinite(longer):
            fragile[j] = float(longer)
    return fragile


def fragile_remark(fragile: dict[int, float], names: Sequence[str], delta_norm: float) -> list[str]:
    """A remark on features that are strong only because delta_norm is small."""
    if not fragile:
        return []
    which = listed([f"{names[j]} ({longer:.1%})" for j, longer in fragile.items()])
    enough = np.ceil(100 * max(fragile.values())) / 100
    return [
        f"These features are strong with delta_norm={delta_norm:g}, although slightly longer maps work without them: "
        f"{which}. Noise may make substitutes differ by as much. With delta_norm={enough:g} these features are weak."
    ]


def row_remarks(form: EigenForm, rows: tuple[RowRelevance, ...]) -> list[str]:
    """What a reader should know about the rows."""
    remarks = []
    close = [r for r in form.close_pairs if not (rows[r].vanishes or rows[r + 1].vanishes)]
    if close:
        pairs = listed([f"{r + 1} and {r + 2}" for r in close])
        remarks.append(
            f"Rows {pairs} of the map have nearly equal eigenvalues, so noise decides which directions they take. "
            "Their intervals, and sums over rows, depend on that; read them with care."
        )
    if form.dropped > 0.05:
        remarks.append(
            f"Rows with small eigenvalues were left out; together they have {form.dropped:.0%} of the map's trace. "
            "Lower smallest_eigenvalue to keep them."
        )
    return remarks
