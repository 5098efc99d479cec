"""What each feature contributes to the score of one sample, over all equally good models.

The score of a sample is the score of the average sample plus what its features contribute:

    x.w + b  =  (m.w + b)  +  sum_j w_j (x_j - m_j)                m: the means of the table that was analysed

A contribution w_j (x_j - m_j) depends on one weight only. So over the family it fills the interval of this weight times
x_j - m_j, and needs no program of its own; the certified gap of the weight, times |x_j - m_j|, is its gap. How the
models disagree about a sample is shown by two of them: those that give it the lowest and the highest score.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats, dense
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pinned_family import PinnedFamily, PinSolver
from relspan.explore.predictions import Prediction, predictions, score_directions
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import write_record


@dataclass(frozen=True)
class Contribution:
    """What one feature contributes to the score of a sample.

    Parameters
    ----------
    feature : str
        The name of the feature.
    value, mean : float
        The value of the sample, and the mean of the table, in the units of the table.
    best : float
        The contribution in the best model.
    lo, hi : float
        The smallest and the largest contribution over all equally good models.
    gap : float
        How far the truth may lie beyond these ends.
    in_lowest, in_highest : float
        The contributions in the model with the lowest and in that with the highest score of this sample.

    See Also
    --------
    Contributions : All features of a sample.

    Examples
    --------
    >>> from relspan.explore import Contribution
    >>> Contribution("age", 60.0, 50.0, 0.2, 0.1, 0.4, 0.0, 0.1, 0.3).pushes
    'up'
    """

    feature: str
    value: float
    mean: float
    best: float
    lo: float
    hi: float
    gap: float
    in_lowest: float
    in_highest: float

    @property
    def pushes(self) -> str | None:
        """Where the feature pushes the score in every equally good model.

        Returns
        -------
        str or None
            "up" or "down"; None where the models disagree, or where it may contribute nothing.
        """
        if self.lo - self.gap > 0:
            return "up"
        return "down" if self.hi + self.gap < 0 else None


@dataclass(frozen=True, repr=False)
class Contributions(AnswerTable):
    """What the features contribute to the score of one sample.

    Parameters
    ----------
    prediction : Prediction
        The score of the sample, its interval, and whether its label is certain.
    average : float
        The score that the best model gives to the average sample, from which contributions are counted.
    features : tuple of Contribution
        One contribution per feature, in the order of the table.
    extreme_averages : tuple of two floats, default=(0, 0)
        The scores that the average sample has in the model with the lowest and in that with the highest score of this
        sample.
    extreme_labels : tuple of two labels, default=(None, None)
        The labels that these two models give to this sample.

    See Also
    --------
    Explorer.contributions : Compute them.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=1, random_state=0)
    >>> found = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore().contributions(0)
    >>> abs(found.average + sum(one.best for one in found.features) - found.prediction.score) < 1e-6
    True
    """

    prediction: Prediction
    average: float
    features: tuple[Contribution, ...]
    extreme_averages: tuple[float, float] = (0.0, 0.0)
    extreme_labels: tuple[Any, Any] = (None, None)

    def __len__(self) -> int:
        return len(self.features)

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature, by column.

        Returns
        -------
        dict of str to list
            The fields of each contribution, and where it pushes the score.
        """
        rows = [{**asdict(one), "pushes": one.pushes} for one in self.features]
        return {key: [row[key] for row in rows] for key in rows[0]} if rows else {}

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        sure = sum(one.pushes is not None for one in self.features)
        own = self.prediction
        return (
            f"score {own.score:.4g} ({own.lo:.4g} to {own.hi:.4g}) from {counted(len(self), 'feature')}, "
            f"{sure} with the same sign in all models"
        )

    def to_json(self, indent: int | None = 2) -> str:
        """Write the contributions as JSON.

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


def contributions(solver: PinSolver, pinned: PinnedFamily, z: Floats) -> Contributions:
    """The contributions to the score of one scaled sample, under the pins; covariates stand at the end of it."""
    problem, d = solver.problem, len(solver.problem.columns)
    centre = average_sample(problem)
    moved = z[:d] - centre
    unit = problem.units.norm(1.0)
    ends = unit * moved[:, None] * pinned.signed
    best = pinned.best.best
    lowest, highest = extreme_models(solver, pinned, z)
    table = np.column_stack(
        [
            unit * moved * best[:d],
            ends.min(axis=1),
            ends.max(axis=1),
            unit * np.abs(moved) * pinned.gaps.max(axis=1),
            unit * moved * lowest[:d],
            unit * moved * highest[:d],
        ]
    )
    values = in_table(problem, z)
    rows = zip(problem.names, values, table_means(problem), problem.for_all_features(table), strict=True)
    at_mean = np.concatenate([centre, np.zeros(len(z) - d)])  # the covariates of the average sample are 0 here
    average = problem.units.scores(np.array([lowest, best, highest]) @ score_directions(problem, at_mean[None])[0])
    return Contributions(
        predictions(solver, pinned, z[None])[0],
        float(average[1]),
        tuple(Contribution(name, float(x), float(m), *map(float, row)) for name, x, m, row in rows),
        (float(average[0]), float(average[2])),
        (_label(problem, lowest, z), _label(problem, highest, z)),
    )


def _label(problem: FittedProblem, model: Floats, z: Floats) -> Any:
    """The label that a model gives to a sample; None where it rejects it, or where the target has no classes."""
    if problem.classes is None:
        return None
    d = len(problem.columns)
    (code,) = problem.loss.predict(z[None], model[:d], model[d:])
    return problem.scores.labels_by_code(problem.classes)[float(code)]


def average_sample(problem: FittedProblem) -> Floats:
    """The means of the table that was analysed, as the solver sees them."""
    return np.asarray(dense(problem.X).mean(axis=0), dtype=np.float64)


def in_table(problem: FittedProblem, z: Floats) -> Floats:
    """A scaled sample in the units of the table; constant features have the one value that they had there."""
    d = len(problem.columns)
    values = problem.mean + problem.scale * problem.for_all_features(z[:d])
    if problem.adjustment is not None and len(z) > d:
        values = values + z[d:] @ problem.adjustment.expressed  # what the covariates express was taken away
    return np.asarray(values, dtype=np.float64)


def table_means(problem: FittedProblem) -> Floats:
    """The means of all features of the table that was analysed, in its units."""
    return in_table(problem, average_sample(problem))


def means_with_covariates(problem: FittedProblem) -> Floats:
    """The means of all columns that a new sample needs, in the order of `table_names`."""
    means, adjusted = table_means(problem), problem.adjustment
    return means if adjusted is None else adjusted.whole(means, adjusted.centre)


def extreme_models(solver: PinSolver, pinned: PinnedFamily, z: Floats) -> tuple[Floats, Floats]:
    """The models with the lowest and the highest score of a sample, over all branches."""
    direction = score_directions(solver.problem, z[None])
    found = [solver.maxima_over(branch, np.vstack([-direction, direction])) for branch in pinned.branches]
    low, high = (max(found, key=lambda maxima: maxima.values[side]) for side in (0, 1))
    return low.models_of(0).ravel(), high.models_of(1).ravel()
