"""Strong, weak or irrelevant: every feature is exactly one of them.

    relevant      max relevance > tau_j,  or  min relevance > needed
    strong        relevant, and min relevance > floor      no equally good model does without it
    weak          relevant, not strong                     it can matter, and can be replaced
    irrelevant    the rest

tau_j is the probes' threshold tau, or a higher one where other columns can cancel the feature (`cancelling_columns`).
The floor is 1e-4 M, beyond which a relevance is not rounding; the FRI paper takes the probes' threshold of least
relevances.

To leave out a feature whose least relevance is positive costs more than the whole loss budget. Where that budget is
large enough to mean something (`LEAST_MEANINGFUL_BUDGET`, 2 % of the explained loss) this makes the feature relevant,
however far the upper ends of the probes reach: needed = floor. In smaller families noise is needed too, and so it is
where the best model does not generalise: there only tau decides, needed = infinity.

*Does the best model generalise?* On labels that have nothing to do with the table the best model still explains some of
the loss of its own rows, and needs features for that. So needed features count only where the model does better on rows
left out of its fit than it does when their targets are shuffled. With T its loss on the left out rows of all folds, and
T_1, T_2, ... the same after shuffling the targets within the left out rows of each fold (by whole groups, where rows
belong to groups),

    mean(T_k) - T  >  3 sd(T_k)

Folds share rows, so chance passes this test more often than the normal law says: 0 to 3 of 100 tables of noise do.

A feature with several weights, or a group of features, is relevant where one of its weights is, and strong where it is
relevant and its total size exceeds the floor. A group is relevant, too, where no equally good model does without it and
its total size exceeds tau: columns that are not relevant alone may be needed together.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator

from relspan.analysis.baseline import Baseline, fold_models
from relspan.analysis.permutations import permutation
from relspan.arrays import Bools, Floats, Ints, Matrix
from relspan.family import HingeRows
from relspan.tolerances import BEYOND_CHANCE

IRRELEVANT, WEAK, STRONG = 0, 1, 2
CLASS_NAMES = ("irrelevant", "weak", "strong")
SHUFFLES = 100  # of the targets of each fold: enough for a mean and a standard deviation


@dataclass(frozen=True, eq=False)
class FeatureClasses:
    """The classes of all features, the thresholds behind them, and whether needed features counted as relevant.

    `not_generalising` says that they did not count because the best model does not generalise.
    """

    classes: np.ndarray
    thresholds: Floats
    needed_counts: bool
    not_generalising: bool = False


def classify(intervals: Floats, tau: float | Floats, floor: float, needed: float = np.inf) -> NDArray[np.int64]:
    """2 strong, 1 weak, 0 irrelevant for each (min, max)."""
    relevant = (intervals[:, 1] > tau) | (intervals[:, 0] > needed)
    strong = intervals[:, 0] > floor
    return np.where(relevant, np.where(strong, STRONG, WEAK), IRRELEVANT)


def classify_groups(totals: Floats, beyond_tau: Bools, floor: float, needed: float) -> NDArray[np.int64]:
    """2 strong, 1 weak, 0 irrelevant for each (min, max) of a total size; `beyond_tau`: has a weight beyond tau."""
    relevant = beyond_tau | (totals[:, 0] > needed)
    return np.where(relevant, np.where(totals[:, 0] > floor, STRONG, WEAK), IRRELEVANT)


def generalises(
    baseline: Baseline,
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    splitter: BaseCrossValidator,
    penalty: str = "l1",
    groups: Ints | None = None,
) -> bool:
    """Whether the inequality above holds at the baseline's C; False where there are too few rows for the folds."""
    loss, rng = baseline.loss_function, np.random.default_rng(0)

    def rows_of(index: np.ndarray, targets: Floats) -> HingeRows:
        return loss.rows(X[index], targets, None if sample_weight is None else sample_weight[index])

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of scikit-learn, about classes smaller than the folds
            folds = list(splitter.split(X, y, groups))
    except ValueError:
        return False
    lost, shuffled = 0.0, np.zeros(SHUFFLES)
    costs, guides = np.array([baseline.C]), [baseline.model]
    for test, *found in fold_models(loss, X, y, sample_weight, costs, folds, penalty, guides):
        lost += rows_of(test, y[test]).loss(*found)
        own = None if groups is None else np.unique(groups[test], return_inverse=True)[1]
        orders = [permutation(len(test), own, rng) for _ in range(SHUFFLES)]
        shuffled += [rows_of(test, y[test][order]).loss(*found) for order in orders]
    return bool(shuffled.mean() - lost > BEYOND_CHANCE * shuffled.std(ddof=1))
