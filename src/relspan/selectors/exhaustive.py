"""All subsets, scored one by one: the truth that other searches are measured against."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any, Self

from sklearn.neighbors import KNeighborsClassifier

from relspan.errors import ParameterError
from relspan.selectors.selector import Selector
from relspan.selectors.subset_scorer import SubsetScorer, mask_of


class ExhaustiveSearch(Selector):
    """The subset with the best v(F) - size_penalty * |F| / p, found by scoring all of them.

    Among equals the smallest set wins, then the one with the first columns.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor, optional
        None takes five nearest neighbours.
    cv : int, splitter or iterable, default=5
    scoring : str or callable, optional
    size_penalty : float, default=0
        What the full set pays for its size.
    max_size : int, optional
        Largest subset tried.
    max_subsets : int, default=10000
        Guard: more subsets than this are refused before the first is scored.

    Attributes
    ----------
    support_ : boolean array of shape (n_features,)
    score_ : float
        Score of the chosen set on the folds that chose it: too good to report.
    fitness_ : float
        The score less the penalty.
    n_evaluations_ : int
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        cv: Any = 5,
        scoring: Any = None,
        size_penalty: float = 0.0,
        max_size: int | None = None,
        max_subsets: int = 10_000,
    ) -> None:
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
        self.size_penalty = size_penalty
        self.max_size = max_size
        self.max_subsets = max_subsets

    def fit(self, X: Any, y: Any) -> Self:
        """Score every subset of the columns of X."""
        X, y = self._checked(X, y)
        p = X.shape[1]
        largest = p if self.max_size is None else min(self.max_size, p)
        if largest < 1:
            raise ParameterError(f"max_size={self.max_size!r}: must be 1 or more, or None")
        count = sum(comb(p, size) for size in range(1, largest + 1))
        if count > self.max_subsets:
            raise ParameterError(
                f"{p} features have {count} subsets of up to {largest}, more than max_subsets={self.max_subsets}: "
                f"raise max_subsets, set max_size, or use GreedyWrapper or GeneticSearch"
            )
        learner = KNeighborsClassifier() if self.estimator is None else self.estimator
        score = SubsetScorer(learner, X, y, self.cv, self.scoring)
        best: tuple[int, ...] = ()
        self.fitness_ = float("-inf")
        for size in range(1, largest + 1):
            for columns in combinations(range(p), size):
                fitness = score(columns) - self.size_penalty * size / p
                if fitness > self.fitness_:
                    best, self.fitness_ = columns, fitness
        self.score_ = score(best)
        self.support_ = mask_of(best, p)
        self.n_evaluations_ = score.n_evaluations
        return self
