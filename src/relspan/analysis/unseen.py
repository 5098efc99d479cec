"""Does the best model explain anything of rows it has not seen?

On labels that have nothing to do with the table the best model still explains some of its own rows' loss, and a feature
may be needed for that. So what is needed counts as relevant only where the model does better on rows left out of its
fit than it does when their targets are shuffled. With T its loss on the left out rows of all folds, and T_1, T_2, ...
the same after shuffling the targets within each fold's left out rows,

    mean(T_k) - T  >  3 sd(T_k)

Folds share rows, so this is passed by chance more often than the normal law says: by 0 to 3 of 100 tables of noise.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from relspan.analysis.baseline import Baseline, fold_models
from relspan.arrays import Floats, Matrix
from relspan.family import HingeRows

BEYOND_CHANCE = 3.0
SHUFFLES = 100


def generalises(
    baseline: Baseline,
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    splitter: BaseCrossValidator,
    penalty: str = "l1",
) -> bool:
    """Whether the inequality above holds at the baseline's C; not where the rows are too few to be dealt."""
    loss, rng = baseline.loss_function, np.random.default_rng(0)

    def rows_of(index: np.ndarray, targets: Floats) -> HingeRows:
        return loss.rows(X[index], targets, None if sample_weight is None else sample_weight[index])

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # scikit-learn's, of classes smaller than the folds
            folds = list(splitter.split(X, y))
    except ValueError:
        return False
    lost, shuffled = 0.0, np.zeros(SHUFFLES)
    costs, guides = np.array([baseline.C]), [baseline.model]
    for test, *found in fold_models(loss, X, y, sample_weight, costs, folds, penalty, guides):
        lost += rows_of(test, y[test]).loss(*found)
        shuffled += [rows_of(test, rng.permutation(y[test])).loss(*found) for _ in range(SHUFFLES)]
    return bool(shuffled.mean() - lost > BEYOND_CHANCE * shuffled.std(ddof=1))
