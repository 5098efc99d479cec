"""Stability: how much intervals and classes would move with another sample, or with other folds.

*Over samples.* The samples are drawn again with replacement (each class as often as it was, where there are classes),
and the whole analysis is repeated at the same C and with the same settings and scaling: best model, family, intervals,
probes, classes. Where rows belong to groups, whole groups are drawn, those with the same mix of classes among each
other. A group that was drawn several times stays together in folds and permutations. The whiskers are quantiles of both
end points over the draws.

*Over folds.* The samples stay, and what chance decides in the analysis is decided again: which rows are held out
together when C is chosen and the table is tested, and which columns the probes permute.

A category is one feature: its interval is that of the total of its levels, and its class that of the group.

Every draw has its own seed, so the answer does not depend on how many workers share the draws.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from joblib import Parallel, delayed

from relspan.analysis.canonical_order import target_itself
from relspan.analysis.folds import Folds
from relspan.analysis.parallel import workers_alive
from relspan.analysis.pipeline import run_analysis
from relspan.analysis.settings import Settings
from relspan.analysis.verdicts.classes import CLASS_NAMES
from relspan.arrays import Floats, Ints
from relspan.checks import did_you_mean_or_all, number, one_of, processes, whole
from relspan.errors import DegenerateBaseline, ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.progress import Progress, silent
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.category_features import fold_categories
from relspan.result.record import write_record

QUANTILES = ("low", "middle", "high")
DRAWN_AGAIN = ("samples", "folds")
MOST_DRAWS = 10**6
CONSTANT = {name: float(kind == 0) for kind, name in enumerate(CLASS_NAMES)}  # the classes of a constant column
RandomState: TypeAlias = int | np.random.RandomState | None


@dataclass(frozen=True)
class FeatureStability:
    """How one feature fares over the draws.

    Parameters
    ----------
    name : str
        The feature.
    interval : tuple of float
        Its relevance interval (min, max) in the analysis itself.
    min, max : tuple of float
        Quantiles (low, middle, high) of both end points over the draws.
    classes : dict of str to float
        The share of draws in which it fell into each class.

    See Also
    --------
    Stability : All features.

    Examples
    --------
    >>> from relspan.explore import FeatureStability
    >>> classes = {"irrelevant": 0.1, "weak": 0.2, "strong": 0.7}
    >>> FeatureStability("age", (0.2, 0.4), (0.1, 0.2, 0.3), (0.3, 0.4, 0.5), classes).usual
    'strong'
    """

    name: str
    interval: tuple[float, float]
    min: tuple[float, float, float]
    max: tuple[float, float, float]
    classes: dict[str, float]

    @property
    def usual(self) -> str:
        """The class that it fell into most often.

        Returns
        -------
        {"strong", "weak", "irrelevant"}
            The class.
        """
        return max(self.classes, key=lambda name: self.classes[name])


@dataclass(frozen=True, repr=False)
class Stability(AnswerTable):
    """How much the intervals and classes of all features move between draws of the samples or of the folds.

    Parameters
    ----------
    features : tuple of FeatureStability
        One entry per feature, in the order of the table.
    n_draws : int
        The number of draws.
    degenerate : int
        How many of them had a best model without any feature; these are not counted.
    level : float
        The share of draws that lies between the low and the high quantile.
    over : {"samples", "folds"}, default="samples"
        What was drawn again.
    costs : tuple of float, default=()
        The C of every draw that counts: the same in all of them, unless folds chose it.

    See Also
    --------
    Explorer.stability : Compute it.
    relspan.plots.StabilityDisplay : Draw it.

    Examples
    --------
    >>> from relspan.explore import Stability
    >>> Stability((), n_draws=50, degenerate=0, level=0.9).n_draws
    50
    """

    features: tuple[FeatureStability, ...]
    n_draws: int
    degenerate: int
    level: float
    over: str = "samples"
    costs: tuple[float, ...] = ()

    @property
    def changing(self) -> tuple[str, ...]:
        """The features that do not fall into the same class in every draw.

        Returns
        -------
        tuple of str
            Their names, in the order of the table.
        """
        return tuple(f.name for f in self.features if max(f.classes.values()) < 1.0)

    def __getitem__(self, name: str) -> FeatureStability:
        for feature in self.features:
            if feature.name == name:
                return feature
        raise KeyError(f"no feature {name!r}{did_you_mean_or_all(name, [f.name for f in self.features])}")

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature, by column.

        Returns
        -------
        dict of str to list
            The interval, the quantiles of both ends, the class in most draws, and the share of draws of each class.
        """
        ends = {
            f"{end}_{quantile}": [getattr(f, end)[place] for f in self.features]
            for end in ("min", "max")
            for place, quantile in enumerate(QUANTILES)
        }
        return {
            "name": [f.name for f in self.features],
            "min": [f.interval[0] for f in self.features],
            "max": [f.interval[1] for f in self.features],
            **ends,
            "usual": [f.usual for f in self.features],
            **{name: [f.classes[name] for f in self.features] for name in CLASS_NAMES},
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        lost = f" ({self.degenerate} without any feature)" if self.degenerate else ""
        draws = counted(self.n_draws, "bootstrap draw" if self.over == "samples" else "draw")
        of_folds = "" if self.over == "samples" else " of the folds"
        changing = f"; {counted(len(self.changing), 'feature')} not of one class in all of them"
        return f"{counted(len(self.features), 'feature')}, {draws}{of_folds}{lost}{changing}"

    def to_json(self, indent: int | None = 2) -> str:
        """Write the stability as JSON.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces per level; None puts everything on one line.

        Returns
        -------
        str
            The JSON text.
        """
        return write_record(asdict(self), indent)


def stability(
    problem: FittedProblem,
    n_draws: int = 50,
    level: float = 0.9,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    progress: Progress = silent,
    over: str = "samples",
) -> Stability:
    """Whiskers that hold a share `level` of the draws, and class frequencies."""
    one_of("over", over, DRAWN_AGAIN)
    if over == "folds" and problem.settings.C is not None:
        raise ParameterError("over='folds' asks how C depends on the folds, but C was given; leave it to be chosen")
    n_draws = whole("n_draws", n_draws, at_least=2, at_most=MOST_DRAWS, hint="50 serves well")
    n_jobs = processes("n_jobs", n_jobs)
    level = number("level", level, above=0.0, below=1.0, hint="0.9 is usual")
    seeds = np.random.SeedSequence(_entropy(random_state)).spawn(n_draws)
    draw = _of_samples if over == "samples" else _of_folds
    found: list[Draw | None] = []

    def within(stage: str, share: float | None, note: str = "") -> None:
        """News from inside a draw, which may take long: whoever listens can stop it there."""
        progress("stability", len(found) / n_draws, f"{len(found)} of {n_draws} draws")

    inner = within if n_jobs in (None, 1) else silent  # other processes cannot call back
    workers = Parallel(n_jobs=n_jobs, return_as="generator")
    with workers_alive():
        for answer in workers(delayed(draw)(problem, one, inner) for one in seeds):
            found.append(answer)
            progress("stability", len(found) / n_draws, f"{len(found)} of {n_draws} draws")
    kept = [answer for answer in found if answer is not None]
    if not kept:
        raise DegenerateBaseline(f"in all {n_draws} draws of the {over} the best model uses no feature")
    ends, classes = np.array([one.intervals for one in kept]), np.array([one.classes for one in kept])
    places = {feature.name: place for place, feature in enumerate(problem.features)}
    cut = (1 - level) / 2
    quantiles = np.quantile(ends, [cut, 0.5, 1 - cut], axis=0)
    features = tuple(
        FeatureStability(feature.name, (feature.min, feature.max), (0.0,) * 3, (0.0,) * 3, CONSTANT)
        if (j := places.get(feature.name)) is None
        else FeatureStability(
            feature.name,
            (feature.min, feature.max),
            tuple(quantiles[:, j, 0].tolist()),
            tuple(quantiles[:, j, 1].tolist()),
            {name: float((classes[:, j] == kind).mean()) for kind, name in enumerate(CLASS_NAMES)},
        )
        for feature in fold_categories(problem.result).features
    )
    costs = tuple(problem.units.price(one.C) for one in kept)
    return Stability(features, n_draws, n_draws - len(kept), level, over, costs)


class Draw(NamedTuple):
    """What one draw gives: its C, and the interval (in shares of the norm) and class of every feature that varies."""

    C: float
    intervals: Floats
    classes: Floats


def _of_samples(problem: FittedProblem, seed: np.random.SeedSequence, progress: Progress) -> Draw | None:
    """The analysis of samples drawn with replacement, at the same C."""
    draw, probes = seed.spawn(2)
    chosen, groups = _drawn_rows(problem, np.random.default_rng(draw))
    settings = replace(problem.settings, C=problem.analysis.baseline.C)
    return _analysed(problem, chosen, groups, settings, problem.splitter, probes, progress)


def _of_folds(problem: FittedProblem, seed: np.random.SeedSequence, progress: Progress) -> Draw | None:
    """The analysis of the same samples with other folds and other probes."""
    folds, probes = seed.spawn(2)
    splitter = replace(problem.splitter, seed=int(folds.generate_state(1)[0]))
    rows = np.arange(len(problem.y))
    return _analysed(problem, rows, problem.groups, problem.settings, splitter, probes, progress)


def _analysed(
    problem: FittedProblem,
    chosen: Ints,
    groups: Ints | None,
    settings: Settings,
    splitter: Folds,
    probes: np.random.SeedSequence,
    progress: Progress,
) -> Draw | None:
    """The analysis of some rows; None where the best model uses no feature."""
    weights, features = problem.sample_weight, problem.features
    categories = [feature for feature in features if not feature.is_single]
    try:
        found = run_analysis(
            [problem.loss],
            problem.X[chosen],
            problem.y[chosen],
            None if weights is None else weights[chosen],
            problem.columns,
            replace(settings, n_jobs=None),
            splitter,
            probes,
            progress,
            row_groups=groups,
            groups=[feature.columns for feature in categories],
            group_probes=False,
        )
    except DegenerateBaseline:
        return None
    of_categories = dict(zip(categories, zip(found.group_intervals, found.group_classes, strict=True), strict=True))
    intervals, classes = np.zeros((len(features), 2)), np.zeros(len(features))
    for place, feature in enumerate(features):
        if feature.is_single:
            intervals[place], classes[place] = found.intervals[feature.columns[0]], found.classes[feature.columns[0]]
        else:
            total, classes[place] = of_categories[feature]
            intervals[place] = total.least, total.most
    return Draw(found.baseline.C, intervals / found.baseline.norm, classes)


def _entropy(random_state: RandomState) -> int | None:
    """The seed of all draws; None stands for a fresh one."""
    if random_state is None:
        return None
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    return whole("random_state", random_state, at_least=0)


def _drawn_rows(problem: FittedProblem, rng: np.random.Generator) -> tuple[Ints, Ints | None]:
    """Rows drawn with replacement, and the numbers of their groups.

    Groups are drawn as a whole, each among the groups that have a row of the same classes.
    """
    y, groups = target_itself(problem.y), problem.groups
    if groups is None:
        strata = [np.arange(len(y))] if problem.classes is None else [np.flatnonzero(y == c) for c in np.unique(y)]
        return np.concatenate([rng.choice(rows, len(rows)) for rows in strata]), None
    members = [np.flatnonzero(groups == number) for number in np.unique(groups)]
    kinds: dict[tuple[float, ...], list[Ints]] = {}
    for rows in members:
        kinds.setdefault(() if problem.classes is None else tuple(np.unique(y[rows]).tolist()), []).append(rows)
    drawn = [alike[i] for alike in kinds.values() for i in rng.integers(len(alike), size=len(alike))]
    chosen = np.concatenate(drawn)
    return chosen, np.unique(groups[chosen], return_inverse=True)[1]
