"""The test of the table: does the best model explain rows that it has not seen, beyond chance?

On labels that have nothing to do with the table the best model still explains some of the loss of its own rows. So it
is compared with itself on rows left out of its fit. With T its loss on the left out rows of all folds, and T_1, T_2
and so on the same after shuffling the targets within the left out rows of each fold (by whole groups, where rows belong
to groups), the table passes if

    (mean(T_k) - T) / sd(T_k)  >  z_{1 - alpha / 10}

Folds share rows, and C was chosen on the same rows, so chance passes this test more often than the normal law says;
hence a tenth of alpha.
"""

from __future__ import annotations

import warnings

import numpy as np
from scipy import stats
from sklearn.model_selection import BaseCrossValidator

from relspan.analysis.baseline import Baseline, one_deal
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.permutations import permutation
from relspan.arrays import Floats
from relspan.family import HingeRows

SHUFFLES = 100  # of the targets of each fold: enough for a mean and a standard deviation


def generalises(
    problem: LearningProblem, baseline: Baseline, splitter: BaseCrossValidator, alpha: float, penalty: str = "l1"
) -> bool:
    """Whether the inequality above holds at the baseline's C; False where there are too few rows for the folds."""
    return bool(standing(problem, baseline, splitter, penalty) > stats.norm.ppf(1 - alpha / 10))


def standing(problem: LearningProblem, baseline: Baseline, splitter: BaseCrossValidator, penalty: str = "l1") -> float:
    """How far the best model lies above chance on unseen rows, in standard deviations; -inf with too few rows."""
    loss, rng = problem.loss, np.random.default_rng(0)
    X, y, weight, groups = problem.X, problem.y, problem.sample_weight, problem.groups

    def rows_of(index: np.ndarray, targets: Floats) -> HingeRows:
        return loss.rows(X[index], targets, None if weight is None else weight[index])

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of scikit-learn, about classes smaller than the folds
            folds = list(splitter.split(X, y, groups))
    except ValueError:
        return float(-np.inf)
    lost, shuffled = 0.0, np.zeros(SHUFFLES)
    dealt = one_deal(loss, (X, y, weight), np.array([baseline.C]), folds, penalty, [baseline.model])
    for test, model in zip(dealt.tests, dealt.models[baseline.C], strict=True):
        found = model[: dealt.n_weights], model[dealt.n_weights :]
        lost += rows_of(test, y[test]).loss(*found)
        own = None if groups is None else np.unique(groups[test], return_inverse=True)[1]
        orders = [permutation(len(test), own, rng) for _ in range(SHUFFLES)]
        shuffled += [rows_of(test, y[test][order]).loss(*found) for order in orders]
    spread = float(shuffled.std(ddof=1))
    return float((shuffled.mean() - lost) / spread) if spread > 0 else float(-np.inf)
