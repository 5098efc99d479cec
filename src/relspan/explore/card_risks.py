"""What a score card is worth on rows that it has not seen: risks and cut-offs from held-out rows.

In every fold a card is made from the other rows alone, by the same search and with the same limits (its features are
chosen anew; only the integer program is left out), and gives the rows of the fold their scores. With the factor s and
the offset b of the card made from all rows, a score stands for the total (score - b) / s, so that all folds are counted
in the points of this one card. From these totals come

    risk(total)                      a logistic curve through the held-out rows
    sensitivity, specificity         of "total >= cut-off", counted on the held-out rows
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from relspan.analysis.baseline import best_models
from relspan.arrays import Floats
from relspan.explore.card_search import CardSearch, models_with_few_features
from relspan.explore.fitted_problem import FittedProblem
from relspan.family import HingeRows, no_constraints
from relspan.losses.loss import weight_per_sample
from relspan.tolerances import CARD_GAIN

MOST_CUT_OFFS = 9
OUTER_SHARE = 0.05  # of the rows on either side that no cut-off separates
PRIOR_ROWS = 1.0  # that each side of the logistic curve is drawn towards one half by: perfect separation has no slope


@dataclass(frozen=True)
class CutOff:
    """One cut-off of a score card: a row counts as positive where its total reaches it.

    Parameters
    ----------
    total : float
        The cut-off, in points.
    sensitivity : float
        The share of held-out rows of the second class whose total reaches it.
    specificity : float
        The share of held-out rows of the first class whose total does not.
    risk : float
        The calibrated probability of the second class at this total.
    flagged : float
        The share of all held-out rows whose total reaches it.

    See Also
    --------
    relspan.explore.ScoreCard : Holds them as `cut_offs`.

    Examples
    --------
    >>> from relspan.explore import CutOff
    >>> CutOff(3.0, 0.9, 0.8, 0.4, 0.5).total
    3.0
    """

    total: float
    sensitivity: float
    specificity: float
    risk: float
    flagged: float


@dataclass(frozen=True, eq=False)
class HeldOutCards:
    """The score of every row by a card that was made without it, the class of the row (0 or 1), and its weight."""

    scores: Floats
    classes: Floats
    weights: Floats

    @property
    def auc(self) -> float:
        """The share of pairs of a row of each class that the scores put in the right order; ties count half."""
        up, down = self.classes > 0, self.classes <= 0
        order = self.scores[up][:, None] - self.scores[down][None]
        weight = self.weights[up][:, None] * self.weights[down][None]
        return float((weight * ((order > 0) + 0.5 * (order == 0))).sum() / weight.sum())


def held_out_scores(problem: FittedProblem, search_for: Callable[[HingeRows], CardSearch]) -> HeldOutCards:
    """The scores of all rows by cards of other folds; a row of a fold without a card has the score 0."""
    X, y, weights, loss = problem.X, problem.y, problem.sample_weight, problem.loss
    C, scores = problem.analysis.baseline.C, np.zeros(len(problem.y))
    for train, test in problem.splitter.once.split(X, y, problem.groups):
        rows = loss.rows(X[train], y[train], None if weights is None else weights[train])
        constraints = loss.constraints(X[train], y[train]) or no_constraints(rows.n_features, rows.n_offsets)
        ((model, _),) = best_models(rows, np.array([C]), constraints)
        search = search_for(rows)
        few = models_with_few_features(rows, constraints, C, model[: rows.n_features], search.n_features)
        card = search.best(few)
        if card is not None:
            scores[test] = X[test] @ (card.factor * search.weight * card.points) + card.offset
    return HeldOutCards(scores, (y > 0).astype(np.float64), weight_per_sample(y, weights))


def calibrated(found: HeldOutCards) -> tuple[float, float]:
    """Slope and height of the logistic curve  P = 1 / (1 + exp(-(slope score + height)))  through the held-out rows.

    The slope is not negative. One row more on each side, at the mean score of its class, keeps it finite.
    """
    up, down, w = found.classes > 0, found.classes <= 0, found.weights
    centre = [float(np.average(found.scores[side], weights=w[side])) for side in (up, down)]
    scores = np.concatenate([found.scores, centre])
    classes = np.concatenate([found.classes, [0.0, 1.0]])
    weights = np.concatenate([w, np.full(2, PRIOR_ROWS * w.mean())])
    size = float(np.abs(scores).max()) or 1.0

    def lost(x: Floats) -> tuple[float, Floats]:
        z = x[0] * scores / size + x[1]
        rest = weights * (expit(z) - classes)
        value = weights @ (np.logaddexp(0.0, z) - classes * z)
        return float(value), np.array([rest @ scores / size, rest.sum()])

    bounds = [(0.0, None), (None, None)]
    found_curve = minimize(lost, np.array([1.0, 0.0]), jac=True, bounds=bounds, tol=CARD_GAIN)
    return float(found_curve.x[0]) / size, float(found_curve.x[1])


def cut_offs(found: HeldOutCards, totals: Floats, risk: Callable[[Floats], Floats]) -> tuple[CutOff, ...]:
    """Some whole totals between the lowest and the highest twentieth of the rows, with what they separate.

    `totals` are the held-out scores in points.
    """
    low, high = np.quantile(totals, [OUTER_SHARE, 1.0 - OUTER_SHARE])
    values: Floats = np.arange(np.ceil(low), np.floor(high) + 1, dtype=np.float64) + 0.0  # no negative zero
    if not len(values):
        values = np.array([np.round((low + high) / 2, 1)])
    if len(values) > MOST_CUT_OFFS:
        values = np.asarray(np.unique(np.round(np.linspace(values[0], values[-1], MOST_CUT_OFFS))) + 0.0, np.float64)
    up, w = found.classes > 0, found.weights
    answers = []
    for value, chance in zip(values.tolist(), risk(values).tolist(), strict=True):
        reached = totals >= value
        answers.append(
            CutOff(
                value,
                float(np.average(reached[up], weights=w[up])),
                float(np.average(~reached[~up], weights=w[~up])),
                chance,
                float(np.average(reached, weights=w)),
            )
        )
    return tuple(answers)
