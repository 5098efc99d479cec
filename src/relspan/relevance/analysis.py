"""The whole analysis of one table: baseline, family, ranges, probes, classes, and what to say about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from time import perf_counter

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from relspan.baseline import Baseline, fit_baseline
from relspan.engines import ENGINES
from relspan.errors import ParameterError
from relspan.family import Family
from relspan.losses import Floats, Loss, Matrix, dense
from relspan.relevance import budgets, probes
from relspan.relevance.bounds import Ranges, StoppedRanges, feature_ranges
from relspan.relevance.checkpoint import Checkpoint
from relspan.relevance.classify import FLOOR, ROOM, classify
from relspan.relevance.dropcost import close_calls
from relspan.relevance.probes import Probes, run_probes, threshold
from relspan.relevance.recall import recalled, remember
from relspan.relevance.screening import screened_ranges
from relspan.relevance.workers import Progress, silent

TOLERANCE = 1e-6  # largest certified gap, as a share of mu, that is not worth a warning


@dataclass(frozen=True)
class Settings:
    """What an analysis may be told; every value is checked here, once, for all tasks."""

    C: float | None = None
    delta_norm: float = 0.1
    delta_loss: float = 0.02
    loss_budget: str = "explained"
    n_probes: int = 50
    probes: str = "append"
    alpha: float = 0.003
    threshold: str = "familywise"
    engine: str = "auto"
    exact: bool = True
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        if self.C is not None and not (_is_number(self.C) and self.C > 0):
            raise ParameterError(f"C must be positive, or None to have it chosen by cross-validation, not {self.C!r}")
        for name in ("delta_norm", "delta_loss"):
            value = getattr(self, name)
            if not (_is_number(value) and value >= 0):
                raise ParameterError(f"{name} must be 0 or more, not {value!r}; it is a share, e.g. .1")
        if not (_is_number(self.alpha) and 0 < self.alpha < 1):
            raise ParameterError(f"alpha must lie between 0 and 1, not {self.alpha!r}; e.g. .01")
        if not (_is_whole(self.n_probes) and self.n_probes >= probes.FEWEST):
            raise ParameterError(
                f"n_probes must be a whole number of at least {probes.FEWEST}, not {self.n_probes!r}; 50 serves well"
            )
        if not isinstance(self.exact, (bool, np.bool_)):
            raise ParameterError(f"exact must be True or False, not {self.exact!r}")
        if self.n_jobs is not None and not (_is_whole(self.n_jobs) and self.n_jobs != 0):
            raise ParameterError(f"n_jobs must be a whole number but 0 (-1: all cores), or None, not {self.n_jobs!r}")
        choices: dict[str, Sequence[str]] = {
            "loss_budget": budgets.KINDS,
            "probes": probes.KINDS,
            "threshold": probes.LEVELS,
            "engine": ("auto", *ENGINES),
        }
        for name, allowed in choices.items():
            if not isinstance(getattr(self, name), str) or getattr(self, name) not in allowed:
                raise ParameterError(f"{name} must be one of {', '.join(allowed)}, not {getattr(self, name)!r}")

    def as_dict(self) -> dict[str, object]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and bool(np.isfinite(float(value)))


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that was found, in the solver's units (columns, weights)."""

    baseline: Baseline
    family: Family
    ranges: Ranges
    probes: Probes
    upper_threshold: float
    floor: float
    roomy: bool  # the loss budget is worth having: what is needed is relevant
    classes: np.ndarray
    warnings: tuple[str, ...]
    seconds: dict[str, float]

    @property
    def needed(self) -> float:
        """The least relevance beyond which a feature is relevant whatever the probes reach."""
        return self.floor if self.roomy else float(np.inf)


class Interruption(KeyboardInterrupt):
    """The analysis was interrupted; `columns` are the features whose ranges are proven, and `ranges` theirs."""

    def __init__(self, baseline: Baseline, family: Family, done: StoppedRanges, seconds: dict[str, float]):
        super().__init__("interrupted")
        self.baseline, self.family, self.seconds = baseline, family, seconds
        self.columns, self.ranges = done.features, done.ranges


def analyse(
    loss: Loss,
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    names: Sequence[str],
    settings: Settings,
    splitter: BaseCrossValidator,
    seed: np.random.SeedSequence,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
) -> Analysis:
    """Intervals and classes of all columns of X."""
    stage = _Stopwatch()
    with stage("baseline"):
        baseline = recalled(checkpoint)
        if baseline is None:
            baseline = fit_baseline(loss, X, y, sample_weight, settings.C, splitter, progress)
            remember(checkpoint, baseline)
    rows = loss.rows(X, y, sample_weight)
    family = budgets.family_of(rows, baseline, settings.delta_norm, settings.delta_loss, settings.loss_budget)
    shared = settings.engine, settings.n_jobs, progress, checkpoint
    done = StoppedRanges(np.zeros(0, dtype=np.intp))
    try:
        if settings.exact:
            with stage("bounds"):
                ranges = feature_ranges(family, *shared)
            done = StoppedRanges(np.arange(family.n_features), ranges)
        with stage("probes"):
            found = run_probes(
                family,
                PermutedColumns(loss, X, y),
                settings.n_probes,
                settings.probes,
                settings.engine,
                seed,
                settings.n_jobs,
                progress,
                checkpoint,
            )
        tau, floor = thresholds(family, found, settings)
        roomy = settings.loss_budget == "explained" and settings.delta_loss >= ROOM
        needed = floor if roomy else np.inf
        if not settings.exact:
            with stage("bounds"):
                ranges = screened_ranges(family, baseline, tau, needed, *shared)
        classes = classify(ranges.relevances, tau, floor, needed)
        with stage("classes"):
            close = close_calls(family, baseline, ranges, classes > 0)
    except KeyboardInterrupt as stop:
        done = stop if isinstance(stop, StoppedRanges) else done
        raise Interruption(baseline, family, done, stage.total()) from stop
    warnings = tuple(_remarks(baseline, ranges, found, close, names, settings))
    return Analysis(baseline, family, ranges, found, tau, floor, roomy, classes, warnings, stage.total())


def thresholds(family: Family, found: Probes, settings: Settings) -> tuple[float, float]:
    """tau, beyond which a feature is relevant, and the floor, beyond which it is needed."""
    count, d = len(found.hi), family.n_features
    tau = threshold(found.ends, count, settings.alpha, settings.threshold, d)
    floor = FLOOR * family.largest_norm
    if settings.probes == "replace":
        floor = max(floor, threshold(found.floors, count, settings.alpha, settings.threshold, d))
    return tau, floor


@dataclass(frozen=True, eq=False)
class PermutedColumns:
    """A probe: the hinge rows' column of a feature whose values were dealt to other samples."""

    loss: Loss
    X: Matrix
    y: Floats

    def __call__(self, j: int, rng: np.random.Generator) -> Floats:
        column = rng.permutation(dense(self.X[:, [j]]).ravel())
        return np.asarray(self.loss.rows(column[:, None], self.y).features)[:, 0]


def _remarks(
    baseline: Baseline, ranges: Ranges, found: Probes, close: dict[int, float], names: Sequence[str], settings: Settings
) -> list[str]:
    """What a reader of the result should know."""
    said = []
    if close:
        listed = ", ".join(f"{names[j]} ({cost:.1%})" for j, cost in sorted(close.items(), key=lambda c: -c[1])[:8])
        more = f" and {len(close) - 8} more" if len(close) > 8 else ""
        allowed = settings.delta_loss
        if settings.loss_budget == "relative":  # a share of rho, told here as a share of the explained loss
            allowed *= baseline.loss / (baseline.null_loss - baseline.loss)
        said.append(
            f"strong or weak is a close call for {len(close)} of the relevant features: leaving one out costs about as "
            f"much of the explained loss as delta_loss = {settings.delta_loss:g} allows ({allowed:.1%}): {listed}{more}"
        )
    worst = float(np.max([ranges.gaps.max(initial=0.0), found.largest_gap])) / baseline.norm
    sticking_out = float(ranges.extremes.violations.max(initial=0.0))
    if not worst <= TOLERANCE:  # NaN too
        said.append(f"the largest certified gap is {worst:.1e} of the baseline's norm, above {TOLERANCE:g}")
    if not sticking_out <= TOLERANCE:
        said.append(f"a model that attains an end point exceeds its budgets by {sticking_out:.1e}")
    if found.lost:
        tried = found.lost + len(found.hi)
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
        self._seconds[self._stage] = perf_counter() - self._since

    def total(self) -> dict[str, float]:
        return {**self._seconds, "total": perf_counter() - self._begin}
