"""The whole analysis of one table: baseline, family, intervals, probes, classes, and the warnings about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from time import perf_counter
from typing import cast

import numpy as np

from relspan.analysis.baseline import Baseline, fit_baseline
from relspan.analysis.chance_limits import SettledClasses, thresholds, total_threshold
from relspan.analysis.checkpoint import Checkpoint, record_baseline, recorded_baseline
from relspan.analysis.drop_costs import borderline_features
from relspan.analysis.extremal_scores import ExtremalScores, extremal_scores
from relspan.analysis.folds import Folds
from relspan.analysis.forecast import report_forecast
from relspan.analysis.group_intervals import GroupInterval, group_ends, group_intervals
from relspan.analysis.group_probes import group_thresholds
from relspan.analysis.intervals import PartialRanges, WeightRanges, feature_ranges
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.one_standard_error import with_reason
from relspan.analysis.probes import Probes, run_probes
from relspan.analysis.proof_limits import proof_figures, range_figures, refuse_unproven
from relspan.analysis.screening import screened_ranges
from relspan.analysis.settings import Settings
from relspan.analysis.sign_demands import contradicted_signs
from relspan.analysis.threads import side_by_side
from relspan.analysis.units import SOLVER_UNITS, Units
from relspan.analysis.verdicts.associations import Associable, Associations, associations
from relspan.analysis.verdicts.group_verdicts import group_verdicts, joint_chances
from relspan.analysis.verdicts.published_rule import graded
from relspan.analysis.verdicts.table_guard import generalises
from relspan.analysis.verdicts.verdict import Verdicts, irrelevant_up_to, verdicts
from relspan.analysis.warning_texts import warning_texts
from relspan.arrays import Floats, Ints, Matrix
from relspan.checks import listed
from relspan.engines import EngineChoice, SharedEngine, engine_for
from relspan.errors import ParameterError
from relspan.family import Family, WeightBlocks, budgets
from relspan.losses import Loss
from relspan.progress import Interrupted, Progress, silent
from relspan.tolerances import CLOSE_FACTOR

HALF_AND_TWICE = 2.0  # of the loss budget: classes that change in between are reported


@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that was found, in the solver's units (columns, weights).

    `ranges` and `upper_threshold` are those of single weights. `intervals`, `gaps` and `verdicts` are those of
    features, and `total_threshold` that of features with several weights, where there are any; `group_intervals`,
    `group_classes` and `group_thresholds` are those of groups of features. `budget_shares` are the drop costs of
    features that are strong at half the loss budget and not at twice, in shares of the budget. `proofs` are the figures
    of `proof_limits`.
    """

    problem: LearningProblem
    baseline: Baseline
    family: Family
    engine: EngineChoice
    ranges: WeightRanges
    probes: Probes
    upper_threshold: float
    total_threshold: float | None
    floor: float
    intervals: Floats
    gaps: Floats
    verdicts: Verdicts
    group_intervals: tuple[GroupInterval, ...]
    group_classes: np.ndarray
    group_thresholds: tuple[float | None, ...]
    budget_shares: dict[int, float]
    extremal_scores: ExtremalScores | None
    proofs: dict[str, float]
    warnings: tuple[str, ...]
    seconds: dict[str, float]

    @property
    def classes(self) -> np.ndarray:
        """The class of every feature."""
        return self.verdicts.classes


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
    units: Units = SOLVER_UNITS,
    group_probes: bool = True,
) -> Analysis:
    """Intervals and classes of all columns of X, and of groups of them, with the best of the losses.

    `row_groups` numbers the group of every sample, where rows belong together. Targets, weights and C are in the
    solver's units; `units` are the reader's. How far chance reaches in each group, on which no class depends, is left
    out without `group_probes`.

    An interruption after the baseline is raised as `Interrupted` with a `PartialAnalysis`.
    """
    if settings.screen and (groups or not losses[0].blocks(X.shape[1]).single):
        raise ParameterError(
            "screen=True skips intervals that groups, categories, several classes and privileged columns need; set "
            "screen=False"
        )
    clock = _Stopwatch()
    with clock("baseline"):
        baseline = recorded_baseline(checkpoint, losses, units)
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
                units=units,
                n_jobs=settings.n_jobs,
            )
            record_baseline(checkpoint, baseline, losses)
    problem = LearningProblem(baseline.loss_function, X, y, sample_weight, row_groups)
    with clock("baseline"):
        settings, baseline = with_reason(settings, baseline, problem, splitter)
    family = budgets.family_of(
        problem.rows,
        baseline,
        settings.delta_norm,
        settings.loss_share,
        settings.loss_budget,
        problem.constraints,
    )
    steps = _Steps(problem, baseline, family, settings, progress, checkpoint, clock)
    try:
        return steps.run(splitter, seed, groups, names, group_probes)
    except KeyboardInterrupt as stop:
        part = getattr(stop, "partial", None)
        proven = part if isinstance(part, PartialRanges) else steps.proven
        raise Interrupted(PartialAnalysis(baseline, family, proven, clock.total())) from stop
    finally:
        SharedEngine.forget()


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
        group_probes: bool,
    ) -> Analysis:
        """All steps, one after the other."""
        report_forecast(self.problem, self.family, self.engine.name, self.settings, self.progress)
        ranges = None if self.settings.screen else self.ranges()
        self.progress("evidence", 0.0, "associations with the target, rows left out")
        evident, passed = self.evidence(splitter)
        self.progress("evidence", 1.0, "")
        probes = None
        if ranges is None:  # which bounds suffice depends on tau, so all probes are drawn first
            probes = self.probes(seed)
            tau, floor = self.thresholds(probes)
            limits = np.full(self.family.n_features, tau) if evident is None else irrelevant_up_to(tau, floor, evident)
            ranges = self.screened_ranges(limits)
        refuse_unproven(range_figures(ranges, self.baseline.norm))  # totals begin with the ends of ranges
        totals, grouped = self.totals(ranges, groups)
        intervals = group_ends(totals) if totals else ranges.relevances
        if probes is None:
            probes = self.probes(seed, self.settled(ranges, intervals, evident, passed))
        tau, floor = self.thresholds(probes)
        proofs = proof_figures(ranges, probes, self.baseline.norm)
        refuse_unproven(proofs)
        self.progress("verdicts", 0.5, "evidence")
        found = self.verdicts(ranges, intervals, tau, floor, evident, passed)
        group_classes = self.group_classes(groups, group_ends(grouped), tau, floor, found)
        chance_in_groups = self.group_thresholds(groups, seed) if group_probes else [None] * len(groups)
        self.progress("verdicts", 0.8, "close calls")
        with self.clock("verdicts"):
            near = found.classes > 0 if found.provable is None else found.provable
            depends = borderline_features(
                self.family, self.baseline, ranges, near, self.blocks, HALF_AND_TWICE, self.settings.n_jobs
            )
            room = (self.family.largest_loss - self.baseline.loss) / (self.baseline.null_loss - self.baseline.loss)
            close = {j: cost for j, cost in depends.items() if 1 / CLOSE_FACTOR <= cost / room <= CLOSE_FACTOR}
            scores = extremal_scores(self.problem, self.baseline, ranges)
        self.progress("verdicts", 1.0, "")
        return Analysis(
            self.problem,
            self.baseline,
            self.family,
            self.engine,
            ranges,
            probes,
            tau,
            total_threshold(probes, self.settings, int(self.blocks.has_several.sum())),
            floor,
            intervals,
            _feature_gaps(ranges, totals),
            found,
            tuple(grouped),
            group_classes,
            tuple(chance_in_groups),
            {j: cost / room for j, cost in depends.items()},
            scores,
            proofs,
            tuple(
                warning_texts(
                    self.baseline,
                    proofs,
                    probes,
                    found,
                    close,
                    names,
                    self.settings,
                    _named_totals(totals, grouped, groups, names),
                    contradicted_signs(self.baseline, self.problem.rows) if self.settings.penalty == "l1" else (),
                )
            ),
            self.clock.total(),
        )

    @property
    def blocks(self) -> WeightBlocks:
        return self.problem.blocks

    @cached_property
    def engine(self) -> EngineChoice:
        one_kind = len(set(np.bincount(self.blocks.owner).tolist())) == 1  # weights of one feature each, or of classes
        if self.settings.engine == "auto" and not one_kind:
            return EngineChoice("exact", "privileged columns have weights of their own, which the exact engine knows")
        with self.clock("bounds"):
            return engine_for(self.settings.engine, self.family)

    @cached_property
    def associable(self) -> Associable:
        return Associable(self.problem, self.baseline)

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

    def screened_ranges(self, limits: Floats) -> WeightRanges:
        """The range of every weight that may make its feature relevant, and bounds of the others."""
        work = self._work
        with self.clock("bounds"):
            return screened_ranges(self.family, self.baseline, limits, *work)

    def probes(self, seed: np.random.SeedSequence, settled: SettledClasses | None = None) -> Probes:
        """The probes: all of them, or as many as settle the classes."""
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
                settled,
            )

    def settled(
        self, ranges: WeightRanges, intervals: Floats, evident: Associations | None, passed: bool
    ) -> SettledClasses | None:
        """When drawing probes may stop; None where all of them are wanted."""
        if evident is None or not self.settings.may_stop_probes:
            return None
        most = self.largest_weights(ranges)
        return SettledClasses(self.family, self.settings, self.n_weights, intervals, most, evident, passed)

    def thresholds(self, probes: Probes) -> tuple[float, float]:
        """tau and the floor, from these probes."""
        return thresholds(self.family, probes, self.settings, self.n_weights)

    @property
    def n_weights(self) -> int:
        """How many weights are tested."""
        return int(self.blocks.tested.sum())

    def largest_weights(self, ranges: WeightRanges) -> Floats:
        """The largest relevance of each feature's tested weights."""
        most = np.zeros(self.blocks.n_features)
        tested = self.blocks.tested
        np.maximum.at(most, self.blocks.owner[tested], ranges.relevances[tested, 1])
        return most

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

    def group_thresholds(self, groups: Sequence[Sequence[int]], seed: np.random.SeedSequence) -> list[float | None]:
        """How far chance reaches in the total of every group."""
        engine, _, progress, checkpoint = self._work
        with self.clock("groups"):
            return group_thresholds(
                self.family, self.problem, groups, self.settings, engine, seed, progress, checkpoint
            )

    def evidence(self, splitter: Folds) -> tuple[Associations | None, bool]:
        """How far the target moves with each feature, and whether the table passes its test.

        The papers' own rule asks for neither.
        """
        settings = self.settings
        if settings.rule == "published":
            return None, True
        asked: list[Callable[[], Associations | bool]] = [
            partial(associations, self.associable, settings.alpha, settings.control),
            partial(generalises, self.problem, self.baseline, splitter.others, settings.alpha, settings.penalty),
        ]
        with self.clock("verdicts"):
            found, passed = side_by_side(asked, settings.n_jobs)
        return cast(Associations, found), bool(passed)

    def verdicts(
        self,
        ranges: WeightRanges,
        intervals: Floats,
        tau: float,
        floor: float,
        evident: Associations | None,
        passed: bool,
    ) -> Verdicts:
        """The verdict on every feature."""
        most = self.largest_weights(ranges)
        if evident is None:
            return Verdicts(graded(most > max(tau, floor), intervals[:, 0] > floor))
        with self.clock("verdicts"):
            return verdicts(self.problem, self.baseline, self.family, intervals, most, tau, floor, evident, passed)

    def group_classes(
        self, groups: Sequence[Sequence[int]], totals: Floats, tau: float, floor: float, found: Verdicts
    ) -> np.ndarray:
        """The class of every group of features."""
        member = np.array([found.classes[list(group)].any() for group in groups], dtype=bool)
        in_every = totals[:, 0] > floor
        if found.evidence is None:
            return graded(member | (in_every & (totals[:, 1] > tau)), in_every)
        with self.clock("verdicts"):
            chance = joint_chances(self.associable, groups)
        return group_verdicts(member, in_every, chance, found.passed, self.settings.alpha)


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
