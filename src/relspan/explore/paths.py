"""Paths: how intervals change with C and with the budgets.

Along C the best model, its norm and loss, and with them the family change: the outlook of Göpfert et al. 2017. Along
delta only the budgets do. One program after the other starts warm: the best models follow one another along C, and
every family hands its kinks to the next.

Intervals are shares of the norm of the best model at the same C. A category is one feature: its interval is that of the
total of its levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from relspan.analysis.baseline import Baseline, C_grid, best_models, cross_validate
from relspan.analysis.intervals import WeightRanges, ranges_of
from relspan.analysis.settings import Settings
from relspan.arrays import Floats, Ints
from relspan.checks import float_array, place_of
from relspan.engines.simplex.exact_engine import ExactEngine
from relspan.errors import ParameterError
from relspan.explore.budget_classes import BudgetClasses
from relspan.explore.feature_totals import intervals_of
from relspan.explore.fitted_problem import FittedProblem
from relspan.family import Family, unit_directions
from relspan.family.budgets import family_of
from relspan.progress import Progress, silent
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.category_features import fold_categories
from relspan.result.record import write_record
from relspan.tolerances import NO_NORM

USUAL_DELTA = 0.02  # stands for a budget of 0 where a path along it needs values
DELTA_FACTORS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)  # of the budget in force: the values of a path along it
PATH_PARAMETERS = ("C", "delta_norm", "delta_loss", "delta")
"""What a path can go along: C, one of the budgets, or both budgets at once."""


@dataclass(frozen=True)
class Step:
    """One point of a path.

    Parameters
    ----------
    value : float
        The value of the parameter.
    norm, loss : float
        The norm and the loss of the best model there.
    score : float or None
        Its cross-validated score; None where it is not known.
    largest_gap : float
        The largest certified gap of an end point, as a share of `norm`.
    intervals : dict of str to tuple of float
        The relevance interval (min, max) of each feature, in shares of `norm`.
    classes : dict of str to str, default={}
        The class of each feature, and of each level of a category, at this budget; empty where it was not asked for.
        Where it is known, `intervals` has the levels too.

    See Also
    --------
    RelevancePath : The whole path.

    Examples
    --------
    >>> from relspan.explore import Step
    >>> Step(0.1, 1.0, 20.0, None, 0.0, {"age": (0.2, 0.4)}).intervals["age"]
    (0.2, 0.4)
    """

    value: float
    norm: float
    loss: float
    score: float | None
    largest_gap: float
    intervals: dict[str, tuple[float, float]]
    classes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class RelevancePath(AnswerTable):
    """Relevance intervals along a parameter.

    Parameters
    ----------
    along : {"C", "delta_norm", "delta_loss", "delta"}
        The parameter that changes; "delta" stands for both budgets at once.
    steps : tuple of Step
        The points of the path.
    skipped : tuple of float, default=()
        Values at which the best model uses no feature, so that there is nothing to report.

    See Also
    --------
    Explorer.path : Compute it.
    relspan.plots.PathDisplay : Draw it.

    Examples
    --------
    >>> from relspan.explore import RelevancePath, Step
    >>> path = RelevancePath("C", (Step(0.1, 1.0, 20.0, None, 0.0, {"age": (0.2, 0.4)}),))
    >>> path.interval("age")
    array([[0.2, 0.4]])
    """

    along: str
    steps: tuple[Step, ...]
    skipped: tuple[float, ...] = ()

    def interval(self, feature: str) -> Floats:
        """The interval of one feature along the path.

        Parameters
        ----------
        feature : str
            The name of the feature.

        Returns
        -------
        ndarray of shape (n_steps, 2)
            Its min and max at each step.
        """
        names = list(self.steps[0].intervals) if self.steps else []
        which = names[place_of(feature, names)] if names else feature
        return np.array([step.intervals[which] for step in self.steps]).reshape(-1, 2)

    @property
    def values(self) -> Floats:
        """The values of the parameter.

        Returns
        -------
        ndarray of shape (n_steps,)
            One value per step.
        """
        return np.array([step.value for step in self.steps])

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature and step, by column.

        Returns
        -------
        dict of str to list
            The value of the parameter, the feature with its interval, and the norm, loss and score of the best model;
            the class too, where it was asked for.
        """
        rows = [(step, name) for step in self.steps for name in step.intervals]
        known = [step.classes.get(name) for step, name in rows]
        return {
            self.along: [step.value for step, _ in rows],
            "name": [name for _, name in rows],
            "min": [step.intervals[name][0] for step, name in rows],
            "max": [step.intervals[name][1] for step, name in rows],
            "norm": [step.norm for step, _ in rows],
            "loss": [step.loss for step, _ in rows],
            "score": [step.score for step, _ in rows],
            **({"class": known} if any(known) else {}),
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        features = counted(len(self.steps[0].intervals), "feature") if self.steps else "no feature"
        return f"{features} at {counted(len(self.steps), 'value')} of {self.along}"

    def to_json(self, indent: int | None = 2) -> str:
        """Write the path as JSON.

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


def usual_deltas(settings: Settings, along: str) -> list[float]:
    """Values of a budget around the one in force."""
    usual = (settings.delta_norm if along == "delta_norm" else settings.loss_share) or USUAL_DELTA
    return [factor * usual for factor in DELTA_FACTORS]


def cost_path(
    problem: FittedProblem, costs: Sequence[float] | None = None, progress: Progress = silent
) -> RelevancePath:
    """Intervals along C, by default the grid on which C was chosen; with cross-validated scores."""
    baseline, settings = problem.analysis.baseline, problem.settings
    units = problem.units
    tried = C_grid(problem.loss, problem.X, problem.y, problem.sample_weight) if baseline.scores else [baseline.C]
    given = np.array(tried) if costs is None else _values(costs) * units.weight
    if not len(given) or not (np.isfinite(given) & (given > 0)).all():
        raise ParameterError(f"the values of C along a path must be positive, not {costs!r}")
    scores = {C: float(np.mean(folds)) for C, folds in baseline.scores.items()}
    fresh = np.array([C for C in given.tolist() if C not in scores])
    if len(fresh):
        found = cross_validate(
            problem.loss,
            problem.X,
            problem.y,
            problem.sample_weight,
            fresh,
            problem.splitter,
            silent,
            settings.penalty,
            problem.groups,
        )
        scores |= {C: float(found.scores(C).mean()) for C in fresh.tolist()}
    rows = problem.analysis.family.rows
    kinks, steps, skipped = None, [], []
    models = best_models(rows, given, problem.analysis.family.constraints, settings.penalty)
    for number, (C, (model, multipliers)) in enumerate(zip(given.tolist(), models, strict=True)):
        d = rows.n_features
        norm = float(np.abs(model[:d]).sum())
        if norm <= NO_NORM:
            skipped.append(units.price(C))
            continue
        rho = rows.loss(model[:d], model[d:])
        here = Baseline(
            *(problem.loss, C, model[:d], model[d:], norm, rho, baseline.null_loss, multipliers), units=units
        )
        family = family_of(rows, here, settings.delta_norm, settings.loss_share, settings.loss_budget)
        family = replace(family, constraints=problem.analysis.family.constraints)
        ranges, kinks = _ranges(family, kinks)
        steps.append(_step(problem, units.price(C), here, scores.get(C), family, ranges))
        progress("path", (number + 1) / len(given), f"{number + 1} of {len(given)} steps")
    return RelevancePath("C", tuple(steps), tuple(skipped))


def delta_path(
    problem: FittedProblem,
    deltas: Sequence[float],
    along: str,
    progress: Progress = silent,
    columns: Sequence[int] | None = None,
    classes: bool = False,
) -> RelevancePath:
    """Intervals along "delta_norm", "delta_loss" or both ("delta"); the best model and the other delta stay.

    With `columns` only the intervals of these columns of the solver are computed; `classes` need all columns.
    """
    judge = BudgetClasses(problem) if classes and columns is None else None
    given = _values(deltas)
    if not len(given) or not (np.isfinite(given) & (given >= 0)).all():
        raise ParameterError(f"the deltas along a path must be 0 or more, not {deltas!r}")
    baseline, settings = problem.analysis.baseline, problem.settings
    kinks, steps = None, []
    for number, delta in enumerate(given.tolist()):
        progress("path", number / len(given), f"{number} of {len(given)} steps")
        delta_norm = delta if along != "delta_loss" else settings.delta_norm
        delta_loss = delta if along != "delta_norm" else settings.loss_share
        family = family_of(problem.analysis.family.rows, baseline, delta_norm, delta_loss, settings.loss_budget)
        family = replace(family, constraints=problem.analysis.family.constraints)
        ranges, kinks = _ranges(family, kinks, columns)
        step = _step(problem, delta, baseline, baseline.score, family, ranges, columns)
        if judge is not None:
            shares = problem.for_all_features(ranges.relevances / baseline.norm)
            of_columns = {
                name: (float(low), float(high)) for name, (low, high) in zip(problem.names, shares, strict=True)
            }
            step = replace(step, classes=judge.at(family, ranges), intervals={**of_columns, **step.intervals})
        steps.append(step)
        progress("path", (number + 1) / len(given), f"{number + 1} of {len(given)} steps")
    return RelevancePath(along, tuple(steps))


def _values(given: Sequence[float]) -> Floats:
    values: Floats = float_array("values", given, "a list of numbers")
    if values.ndim != 1:
        raise ParameterError(f"values must be a list of numbers, not {given!r}")
    return values


def _ranges(family: Family, kinks: Ints | None, columns: Sequence[int] | None = None) -> tuple[WeightRanges, Ints]:
    """The ranges of some or all columns, and the kinks that mattered."""
    engine, wanted = ExactEngine(family, kinks), range(family.n_features) if columns is None else columns
    return ranges_of(engine.maxima(unit_directions(wanted, family))), engine.kinks


def _step(
    problem: FittedProblem,
    value: float,
    baseline: Baseline,
    score: float | None,
    family: Family,
    ranges: WeightRanges,
    columns: Sequence[int] | None = None,
) -> Step:
    if columns is None:
        found = intervals_of(family, ranges, problem.features) / baseline.norm
        names = [feature.name for feature in problem.features]
        constant = dict.fromkeys((f.name for f in fold_categories(problem.result).features), (0.0, 0.0))
        shares = {**constant, **dict(zip(names, found.tolist(), strict=True))}
    else:
        shares = dict(zip([problem.columns[j] for j in columns], ranges.relevances / baseline.norm, strict=True))
    return Step(
        value,
        problem.units.norm(baseline.norm),
        problem.units.loss(baseline.loss),
        score,
        float(ranges.gaps.max(initial=0.0)) / baseline.norm,
        {name: (float(low), float(high)) for name, (low, high) in shares.items()},
    )
