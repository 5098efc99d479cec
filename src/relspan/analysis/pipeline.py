"""The whole analysis of one table: baseline, family, intervals, probes, classes, and the warnings about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter

import numpy as np

from relspan.analysis.baseline import Baseline, fit_baseline
from relspan.analysis.cancelling_columns import ScoreSlopes, slope_ranges
from relspan.analysis.checkpoint import Checkpoint, record_baseline, recorded_baseline
from relspan.analysis.classes import FeatureClasses, classify, classify_groups, generalises
from relspan.analysis.drop_costs import borderline_features
from relspan.analysis.folds import Folds
from relspan.analysis.group_intervals import GroupInterval, group_ends, group_intervals
from relspan.analysis.intervals import PartialRanges, WeightRanges, feature_ranges
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.probes import Probes, run_probes, threshold
from relspan.analysis.screening import screened_ranges
from relspan.analysis.settings import Settings
from relspan.analysis.warning_texts import warning_texts
from relspan.arrays import Floats, Ints, Matrix
from relspan.checks import listed
from relspan.engines import EngineChoice, engine_for
from relspan.errors import ParameterError
from relspan.family import Family, WeightBlocks, budgets
from relspan.losses import Loss
from relspan.progress import Interrupted, Progress, silent
from relspan.tolerances import LEAST_MEANINGFUL_BUDGET, POSITIVE


@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that was found, in the solver's units (columns, weights).

    `ranges` are those of single weights. `intervals`, `gaps`, `classes` and `feature_thresholds` are those of features,
    `group_intervals` and `group_classes` those of groups of features.
    """

    problem: LearningProblem
    baseline: Baseline
    family: Family
    engine: EngineChoice
    ranges: WeightRanges
    probes: Probes
    upper_threshold: float
    feature_thresholds: Floats  # the upper threshold, or a higher one where other columns can cancel the feature
    floor: float
    needed_counts: bool  # whether a positive least relevance alone makes a feature relevant, see `classes`
    intervals: Floats
    gaps: Floats
    classes: np.ndarray
    group_intervals: tuple[GroupInterval, ...]
    group_classes: np.ndarray
    warnings: tuple[str, ...]
    seconds: dict[str, float]

    @property
    def needed(self) -> float:
        """The least relevance beyond which a feature is relevant, however far the probes reach."""
        return self.floor if self.needed_counts else float(np.inf)


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
    splitter: Folds,
    seed: np.random.SeedSequence,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    groups: Sequence[Sequence[int]] = (),
    row_groups: Ints | None = None,
) -> Analysis:
    """Intervals and classes of all columns of X, and of groups of them, with the best of the losses.

    `row_groups` numbers the group of every sample, where rows belong together.

    An interruption after the baseline is raised as `Interrupted` with a `PartialAnalysis`.
    """
    if settings.screen and (groups or not losses[0].blocks(X.shape[1]).single):
        raise ParameterError(
            "screen=True skips intervals that groups, several classes and privileged columns need; set screen=False"
        )
    clock = _Stopwatch()
    with clock("baseline"):
        baseline = recorded_baseline(checkpoint, losses)
        if baseline is None:
            baseline = fit_baseline(
                losses,
                X,
                y,
                sample_weight,
                settings.C,
                splitter,
                progress,
                settings.penalty,
                groups=row_groups,
                criterion=settings.criterion,
            )
            record_baseline(checkpoint, baseline, losses)
    problem = LearningProblem(baseline.loss_function, X, y, sample_weight, row_groups)
    family = budgets.family_of(
        problem.rows,
        baseline,
        settings.delta_norm,
        settings.delta_loss,
        settings.loss_budget,
        problem.constraints,
    )
    steps = _Steps(problem, baseline, family, settings, progress, checkpoint, clock)
    try:
        return steps.run(splitter, seed, groups, names)
    except KeyboardInterrupt as stop:
        part = getattr(stop, "partial", None)
        proven = part if isinstance(part, PartialRanges) else steps.proven
        raise Interrupted(PartialAnalysis(baseline, family, proven, clock.total())) from stop


def thresholds(family: Family, found: Probes, settings: Settings, n_weights: int) -> tuple[float, float]:
    """tau, beyond which a weight is relevant, and the floor, beyond which a feature is needed."""
    tau = threshold(found.ends, found.count, settings.alpha, settings.control, n_weights)
    floor = POSITIVE * family.largest_norm
    if settings.probes == "replace":
        floor = max(floor, threshold(found.floors, found.count, settings.alpha, settings.control, n_weights))
    return tau, floor


@dataclass(eq=False)
class _Steps:
    """The steps that follow the baseline, each timed; `proven` are the ranges that an interruption would leave."""

    problem: LearningProblem
    baseline: Baseline
    family: Family
    settings: Settings
    progress: Progress
    checkpoint: Checkpoint | None
    clock: _Stopwatch
    proven: PartialRanges = field(default_factory=lambda: PartialRanges(np.zeros(0, dtype=np.intp)))

    def run(
        self,
        splitter: Folds,
        seed: np.random.SeedSequence,
        groups: Sequence[Sequence[int]],
        names: Sequence[str],
    ) -> Analysis:
        """All steps, one after the other."""
        ranges = None if self.settings.screen else self.ranges()
        probes = self.probes(seed)
        tau, floor = thresholds(self.family, probes, self.settings, int(self.blocks.tested.sum()))
        counts = self.settings.loss_budget == "explained" and self.settings.delta_loss >= LEAST_MEANINGFUL_BUDGET
        if ranges is None:
            ranges = self.screened_ranges(tau, floor if counts else np.inf)
        totals, grouped = self.totals(ranges, groups)
        intervals = group_ends(totals) if totals else ranges.relevances
        found = self.classes(ranges, intervals, tau, floor, counts, bool(grouped), splitter)
        with self.clock("classes"):
            close = borderline_features(self.family, self.baseline, ranges, found.classes > 0, self.blocks)
        needed = floor if found.needed_counts else np.inf
        return Analysis(
            self.problem,
            self.baseline,
            self.family,
            self.engine,
            ranges,
            probes,
            tau,
            found.thresholds,
            floor,
            found.needed_counts,
            intervals,
            _feature_gaps(ranges, totals),
            found.classes,
            tuple(grouped),
            _group_classes(groups, grouped, found.classes, tau, floor, needed),
            tuple(
                warning_texts(
                    self.baseline,
                    ranges,
                    probes,
                    found,
                    close,
                    tau,
                    names,
                    self.settings,
                    _named_totals(totals, grouped, groups, names),
                )
            ),
            self.clock.total(),
        )

    @property
    def blocks(self) -> WeightBlocks:
        return self.problem.blocks

    @cached_property
    def engine(self) -> EngineChoice:
        if self.settings.engine == "auto" and not self.blocks.single:
            return EngineChoice("exact", "a feature's total adds up the gaps of its weights, and exact leaves none")
        with self.clock("bounds"):
            return engine_for(self.settings.engine, self.family)

    @property
    def _work(self) -> tuple[str, int | None, Progress, Checkpoint | None]:
        """How programs are solved: by which engine, in how many processes, reported to whom, recorded where."""
        return self.engine.name, self.settings.n_jobs, self.progress, self.checkpoint

    def ranges(self) -> WeightRanges:
        """The range of every weight."""
        work = self._work
        with self.clock("bounds"):
            found = feature_ranges(self.family, *work)
        self.proven = PartialRanges(np.arange(self.family.n_features), found)
        return found

    def screened_ranges(self, tau: float, needed: float) -> WeightRanges:
        """The range of every weight that may be relevant, and bounds of the others."""
        work = self._work
        with self.clock("bounds"):
            return screened_ranges(self.family, self.baseline, tau, needed, *work)

    def probes(self, seed: np.random.SeedSequence) -> Probes:
        settings, (engine, *_) = self.settings, self._work
        with self.clock("probes"):
            return run_probes(
                self.family,
                self.problem,
                settings.n_probes,
                settings.probes,
                engine,
                seed,
                settings.n_jobs,
                self.progress,
                self.checkpoint,
            )

    def totals(
        self, ranges: WeightRanges, groups: Sequence[Sequence[int]]
    ) -> tuple[list[GroupInterval], list[GroupInterval]]:
        """The totals of features with several weights (none where each has one), and those of the groups."""
        blocks, work = self.blocks, self._work
        with self.clock("groups"):
            of_features: list[Ints] = [] if blocks.single else [blocks.columns(j) for j in range(blocks.n_features)]
            of_groups = [np.flatnonzero(np.isin(blocks.owner, group)) for group in groups]
            return (
                group_intervals(self.family, of_features, ranges, *work, stage="blocks"),
                group_intervals(self.family, of_groups, ranges, *work),
            )

    def classes(
        self,
        ranges: WeightRanges,
        intervals: Floats,
        tau: float,
        floor: float,
        counts: bool,
        grouped: bool,
        splitter: Folds,
    ) -> FeatureClasses:
        """The class of every feature. Needed features count only if that matters and the best model generalises."""
        blocks, work = self.blocks, self._work
        with self.clock("classes"):
            slopes = slope_ranges(self.family, self.problem, ranges, tau, *work) if blocks.single else None

        def at(needed: float, counted: bool, not_generalising: bool = False) -> FeatureClasses:
            taus = _feature_thresholds(slopes, tau, needed, blocks.n_features)
            found = _feature_classes(blocks, ranges, intervals, taus, floor, needed)
            return FeatureClasses(found, taus, counted, not_generalising)

        with_needed, without = at(floor if counts else np.inf, counts), at(np.inf, False, True)
        if not counts or not (grouped or (with_needed.classes != without.classes).any()):
            return with_needed
        with self.clock("classes"):
            problem = self.problem
            data = (problem.X, problem.y, problem.sample_weight)
            proven = generalises(self.baseline, *data, splitter.once, self.settings.penalty, problem.groups)
        return with_needed if proven else without


def _feature_thresholds(slopes: ScoreSlopes | None, tau: float, needed: float, n_features: int) -> Floats:
    """The threshold of each feature; tau for all where features have several weights."""
    return np.full(n_features, tau) if slopes is None else slopes.thresholds(tau, needed)


def _feature_classes(
    blocks: WeightBlocks, ranges: WeightRanges, intervals: Floats, taus: Floats, floor: float, needed: float
) -> np.ndarray:
    """Classes of the features, by their one weight or by their block of weights."""
    if blocks.single:
        return classify(intervals, taus, floor, needed)
    beyond = np.zeros(blocks.n_features, dtype=bool)
    np.logical_or.at(beyond, blocks.owner, blocks.tested & (ranges.relevances[:, 1] > taus[blocks.owner]))
    return classify_groups(intervals, beyond, floor, needed)


def _feature_gaps(ranges: WeightRanges, totals: Sequence[GroupInterval]) -> Floats:
    """(d, 2): certified gaps of each feature's two ends."""
    if not totals:
        return ranges.gaps
    return np.array([[total.least - total.least_bound, total.most_bound - total.most] for total in totals])


def _named_totals(
    totals: Sequence[GroupInterval],
    grouped: Sequence[GroupInterval],
    groups: Sequence[Sequence[int]],
    names: Sequence[str],
) -> list[tuple[str, GroupInterval]]:
    """The totals of features and of groups, each with a name for a sentence: a group goes by its members."""
    members = [f"the group of {listed([names[j] for j in group])}" for group in groups]
    return [*zip(names, totals, strict=False), *zip(members, grouped, strict=True)]


def _group_classes(
    groups: Sequence[Sequence[int]],
    grouped: Sequence[GroupInterval],
    classes: np.ndarray,
    tau: float,
    floor: float,
    needed: float,
) -> np.ndarray:
    """Classes of groups of features."""
    ends = group_ends(grouped)
    member = np.array([classes[list(group)].any() for group in groups], dtype=bool)
    return classify_groups(ends, member | ((ends[:, 0] > floor) & (ends[:, 1] > tau)), floor, needed)


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
