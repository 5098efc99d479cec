"""The whole analysis of one table: baseline, family, ranges, probes, classes, and what to say about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from relspan.analysis.baseline import Baseline, fit_baseline
from relspan.analysis.cancelling_columns import ScoreSlopes, slope_ranges
from relspan.analysis.checkpoint import Checkpoint
from relspan.analysis.classes import FLOOR, ROOM, classify, classify_blocks
from relspan.analysis.drop_costs import borderline_features
from relspan.analysis.group_intervals import GroupInterval, ends_of, group_intervals
from relspan.analysis.intervals import PartialRanges, WeightRanges, feature_ranges
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.probes import Probes, run_probes, threshold
from relspan.analysis.recall import recalled, remember
from relspan.analysis.screening import screened_ranges
from relspan.analysis.settings import Settings
from relspan.analysis.unseen import generalises
from relspan.arrays import Floats, Matrix
from relspan.checks import listed
from relspan.engines import EngineChoice, engine_for
from relspan.errors import ParameterError
from relspan.family import Family, WeightBlocks, budgets
from relspan.losses import Loss
from relspan.progress import Interrupted, Progress, silent

TOLERANCE = 1e-6  # largest certified gap, as a share of mu, that is not worth a warning


@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that was found, in the solver's units (columns, weights).

    `ranges` are those of single weights, `intervals`, `gaps` and `classes` those of features, `masses` and
    `group_classes` those of groups of features.
    """

    problem: LearningProblem
    baseline: Baseline
    family: Family
    engine: EngineChoice
    ranges: WeightRanges
    probes: Probes
    upper_threshold: float
    own_thresholds: Floats  # of each feature: higher where others can cancel it
    floor: float
    roomy: bool  # the loss budget is worth having, as far as its rows can tell: what is needed is relevant
    intervals: Floats
    gaps: Floats
    classes: np.ndarray
    masses: tuple[GroupInterval, ...]
    group_classes: np.ndarray
    warnings: tuple[str, ...]
    seconds: dict[str, float]

    @property
    def needed(self) -> float:
        """The least relevance beyond which a feature is relevant whatever the probes reach."""
        return self.floor if self.roomy else float(np.inf)


@dataclass(frozen=True, eq=False)
class PartialAnalysis:
    """What an interrupted analysis has found: the baseline, its family, and the ranges that are proven."""

    baseline: Baseline
    family: Family
    proven: PartialRanges
    seconds: dict[str, float]


def run_analysis(
    losses: Sequence[Loss],
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    names: Sequence[str],
    settings: Settings,
    splitter: BaseCrossValidator,
    seed: np.random.SeedSequence,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    groups: Sequence[Sequence[int]] = (),
) -> Analysis:
    """Intervals and classes of all columns of X, and of groups of them, with the best of the losses."""
    if settings.screen and (groups or not losses[0].blocks(X.shape[1]).single):
        raise ParameterError("screen=True leaves ends out that groups, several classes and privileged columns need")
    stage = _Stopwatch()
    with stage("baseline"):
        baseline = recalled(checkpoint, losses)
        if baseline is None:
            baseline = fit_baseline(losses, X, y, sample_weight, settings.C, splitter, progress, settings.penalty)
            remember(checkpoint, baseline, losses)
    problem = LearningProblem(baseline.loss_function, X, y, sample_weight)
    blocks = problem.blocks
    family = budgets.family_of(
        problem.rows,
        baseline,
        settings.delta_norm,
        settings.delta_loss,
        settings.loss_budget,
        problem.constraints,
    )
    done = PartialRanges(np.zeros(0, dtype=np.intp))
    try:
        with stage("bounds"):
            engine = engine_for(settings.engine, family)
            if settings.engine == "auto" and not blocks.single:
                engine = EngineChoice(
                    "exact", "a feature's total adds up the gaps of its weights, and exact leaves none"
                )
        shared = engine.name, settings.n_jobs, progress, checkpoint
        if not settings.screen:
            with stage("bounds"):
                ranges = feature_ranges(family, *shared)
            done = PartialRanges(np.arange(family.n_features), ranges)
        with stage("probes"):
            found = run_probes(
                family,
                problem,
                settings.n_probes,
                settings.probes,
                engine.name,
                seed,
                settings.n_jobs,
                progress,
                checkpoint,
            )
        tau, floor = thresholds(family, found, settings, int(blocks.tested.sum()))
        roomy = settings.loss_budget == "explained" and settings.delta_loss >= ROOM
        needed, unproven = floor if roomy else np.inf, False
        if settings.screen:
            with stage("bounds"):
                ranges = screened_ranges(family, baseline, tau, needed, *shared)
        with stage("groups"):
            own = [] if blocks.single else [blocks.columns(j) for j in range(X.shape[1])]
            masses = group_intervals(family, own, ranges, *shared, stage="blocks")
            asked = [np.flatnonzero(np.isin(blocks.owner, group)) for group in groups]
            grouped = group_intervals(family, asked, ranges, *shared)
        intervals = ends_of(masses) if masses else ranges.relevances
        with stage("classes"):
            slopes = slope_ranges(family, problem, ranges, tau, *shared) if blocks.single else None
        beyond_chance, classes = (
            _feature_classes(blocks, ranges, intervals, _own(slopes, tau, least, X.shape[1]), floor, least)
            for least in (np.inf, needed)
        )
        if roomy and (grouped or (classes != beyond_chance).any()):
            with stage("classes"):
                roomy = generalises(baseline, X, y, sample_weight, splitter, settings.penalty)
            if not roomy:
                needed, classes, unproven = np.inf, beyond_chance, True
        with stage("classes"):
            close = borderline_features(family, baseline, ranges, classes > 0, blocks)
    except KeyboardInterrupt as stop:
        part = getattr(stop, "partial", None)
        done = part if isinstance(part, PartialRanges) else done
        raise Interrupted(PartialAnalysis(baseline, family, done, stage.total())) from stop
    taus = _own(slopes, tau, needed, X.shape[1])
    cancelled = [names[j] for j in np.flatnonzero((taus > tau) & (classes == 0)).tolist()]
    warnings = tuple(_remarks(baseline, ranges, found, close, cancelled, unproven, names, settings))
    return Analysis(
        problem,
        baseline,
        family,
        engine,
        ranges,
        found,
        tau,
        taus,
        floor,
        roomy,
        intervals,
        _feature_gaps(ranges, masses),
        classes,
        tuple(grouped),
        _group_classes(groups, grouped, classes, tau, floor, needed),
        warnings,
        stage.total(),
    )


def thresholds(family: Family, found: Probes, settings: Settings, n_weights: int) -> tuple[float, float]:
    """tau, beyond which a weight is relevant, and the floor, beyond which a feature is needed."""
    tau = threshold(found.ends, found.count, settings.alpha, settings.control, n_weights)
    floor = FLOOR * family.largest_norm
    if settings.probes == "replace":
        floor = max(floor, threshold(found.floors, found.count, settings.alpha, settings.control, n_weights))
    return tau, floor


def _own(slopes: ScoreSlopes | None, tau: float, needed: float, n_features: int) -> Floats:
    """The threshold of each feature; of features with several weights all have tau."""
    return np.full(n_features, tau) if slopes is None else slopes.thresholds(tau, needed)


def _feature_classes(
    blocks: WeightBlocks, ranges: WeightRanges, intervals: Floats, taus: Floats, floor: float, needed: float
) -> np.ndarray:
    """Classes of the features, by their one weight or by their block of weights."""
    if blocks.single:
        return classify(intervals, taus, floor, needed)
    beyond = np.zeros(blocks.n_features, dtype=bool)
    np.logical_or.at(beyond, blocks.owner, blocks.tested & (ranges.relevances[:, 1] > taus[blocks.owner]))
    return classify_blocks(intervals, beyond, floor, needed)


def _feature_gaps(ranges: WeightRanges, masses: Sequence[GroupInterval]) -> Floats:
    """(d, 2): certified gaps of each feature's two ends."""
    if not masses:
        return ranges.gaps
    return np.array([[mass.least - mass.least_bound, mass.most_bound - mass.most] for mass in masses])


def _group_classes(
    groups: Sequence[Sequence[int]],
    masses: Sequence[GroupInterval],
    classes: np.ndarray,
    tau: float,
    floor: float,
    needed: float,
) -> np.ndarray:
    """Classes of groups of features."""
    ends = ends_of(masses)
    member = np.array([classes[list(group)].any() for group in groups], dtype=bool)
    return classify_blocks(ends, member | ((ends[:, 0] > floor) & (ends[:, 1] > tau)), floor, needed)


def _remarks(
    baseline: Baseline,
    ranges: WeightRanges,
    found: Probes,
    close: dict[int, float],
    cancelled: Sequence[str],
    unproven: bool,
    names: Sequence[str],
    settings: Settings,
) -> list[str]:
    """What a reader of the result should know."""
    said = []
    if baseline.null_preferred:
        said.append(
            "cross-validation prefers a model without any feature; the intervals are those around the best model that "
            f"uses some (C = {baseline.C:.3g}), and may mean little"
        )
    if unproven:
        said.append(
            "on rows left out of its fit the best model does not do clearly better than a model without features; what "
            "it needs may be chance, and counts as relevant only beyond the probes' threshold"
        )
    if close:
        most_costly = listed([f"{names[j]} ({cost:.1%})" for j, cost in sorted(close.items(), key=lambda c: -c[1])])
        allowed = settings.delta_loss
        if settings.loss_budget == "relative":  # a share of rho, told here as a share of the explained loss
            allowed *= baseline.loss / (baseline.null_loss - baseline.loss)
        said.append(
            f"strong or weak is a close call for {len(close)} of the relevant features: leaving one out costs about as "
            f"much of the explained loss as delta_loss = {settings.delta_loss:g} allows ({allowed:.1%}): {most_costly}"
        )
    if cancelled:
        said.append(
            "irrelevant though beyond the probes' threshold, since no score moves with them more than chance, and "
            f"columns that correlate with them can cancel such weights: {listed(cancelled)}"
        )
    worst = float(np.max([ranges.gaps.max(initial=0.0), found.largest_gap])) / baseline.norm
    sticking_out = float(ranges.extremes.violations.max(initial=0.0))
    if not worst <= TOLERANCE:  # NaN too
        said.append(f"the largest certified gap is {worst:.1e} of the baseline's norm, above {TOLERANCE:g}")
    if not sticking_out <= TOLERANCE:
        said.append(f"a model that attains an end point exceeds its budgets by {sticking_out:.1e}")
    if found.lost:
        tried = found.lost + found.count
        said.append(f"{found.lost} of {tried} replaced probes had no equally good model and were lost")
    return said


class _Stopwatch:
    """Seconds by stage."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._begin = perf_counter()

    def __call__(self, stage: str) -> _Stopwatch:
        self._stage = stage
        return self

    def __enter__(self) -> None:
        self._since = perf_counter()

    def __exit__(self, *_: object) -> None:
        self._seconds[self._stage] = self._seconds.get(self._stage, 0.0) + perf_counter() - self._since

    def total(self) -> dict[str, float]:
        return {**self._seconds, "total": perf_counter() - self._begin}
