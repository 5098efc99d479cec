"""Exhaustive search over subsets: the truth that other searches are measured against."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import comb
from typing import Any, Self

from sklearn.neighbors import KNeighborsClassifier

from relspan.checks import number, whole
from relspan.errors import ParameterError
from relspan.selectors.selector import Selector, mask_of
from relspan.selectors.subset_scorer import SubsetScorer, check_learner


class ExhaustiveSearch(Selector):
    """Exhaustive search: score every subset and keep the best.

    The best subset F of p features maximises ``score(F) - size_penalty * |F| / p``. Among equals the smallest wins,
    then the one with the first columns.

    With `reach` the cost of a subset is its size, and the goal is a score: subsets are tried in the order of their
    cost, and the search ends with the first size at which one of them reaches the goal. This is branch and bound on the
    cost; it needs no monotone score.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor, default=None
        The learner; None takes five nearest neighbours.
    cv : int, splitter or iterable, default=5
        Folds of the cross-validation.
    scoring : str or callable, default=None
        Score of the cross-validation; None takes the estimator's own.
    size_penalty : float, default=0.0
        What the full set pays for its size.
    reach : float, default=None
        Find the fewest features whose score is at least this value. None compares the subsets of all sizes.
    max_size : int, default=None
        Size of the largest subset tried; None sets no limit.
    max_subsets : int, default=10000
        Largest number of subsets; more are refused before the first is scored. With `reach` a size is refused before
        its first subset is scored.

    Attributes
    ----------
    support_ : bool ndarray of shape (n_features,)
        Mask of the selected features.
    score_ : float
        Score of the chosen set on the folds that chose it: too good to report.
    fitness_ : float
        The score less the penalty.
    n_evaluations_ : int
        Number of subsets scored.

    See Also
    --------
    GeneticSearch : Searches where there are too many subsets.
    BranchAndBound : Exact for a monotone criterion, without scoring every subset.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan.selectors import ExhaustiveSearch
    >>> X, y = load_iris(return_X_y=True)
    >>> search = ExhaustiveSearch(max_size=2).fit(X, y)
    >>> search.n_evaluations_
    10
    >>> search.get_support()
    array([False, False,  True,  True])

    The fewest features with an accuracy of .95 or more:

    >>> ExhaustiveSearch(reach=0.95).fit(X, y).get_support()
    array([False, False, False,  True])
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        cv: Any = 5,
        scoring: Any = None,
        size_penalty: float = 0.0,
        reach: float | None = None,
        max_size: int | None = None,
        max_subsets: int = 10_000,
    ) -> None:
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
        self.size_penalty = size_penalty
        self.reach = reach
        self.max_size = max_size
        self.max_subsets = max_subsets

    def fit(self, X: Any, y: Any) -> Self:
        """Score every subset of the columns of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        ExhaustiveSearch
            The fitted selector.
        """
        learner = KNeighborsClassifier() if self.estimator is None else self.estimator
        number("size_penalty", self.size_penalty, at_least=0)
        if self.reach is not None:
            number("reach", self.reach)
            if self.size_penalty:
                raise ParameterError(
                    f"reach={self.reach:g} looks for the fewest features: leave out size_penalty={self.size_penalty:g}"
                )
        whole("max_subsets", self.max_subsets, at_least=1)
        if self.max_size is not None:
            whole("max_size", self.max_size, at_least=1, hint="None sets no limit")
        check_learner(learner, self.cv, self.scoring)
        X, y = self._validate(X, y)
        p = X.shape[1]
        largest = p if self.max_size is None else min(self.max_size, p)
        score = SubsetScorer(learner, X, y, self.cv, self.scoring)
        if self.reach is None:
            self._refuse_more_than_allowed(p, largest)
            best = self._best_of(score, p, range(1, largest + 1))
        else:
            best = self._fewest(score, p, largest, self.reach)
        self.score_ = score(best)
        self.support_ = mask_of(best, p)
        self.n_evaluations_ = score.n_evaluations
        return self

    def _refuse_more_than_allowed(self, p: int, largest: int) -> None:
        count = sum(comb(p, size) for size in range(1, largest + 1))
        if count > self.max_subsets:
            raise ParameterError(
                f"{p} features have {count} subsets of up to {largest}, more than max_subsets={self.max_subsets}: "
                f"raise max_subsets, set max_size, or use GreedyWrapper or GeneticSearch"
            )

    def _best_of(self, score: SubsetScorer, p: int, sizes: Iterable[int]) -> tuple[int, ...]:
        """The fittest subset of these sizes; the first among equals."""
        best: tuple[int, ...] = ()
        self.fitness_ = float("-inf")
        for size in sizes:
            for columns in combinations(range(p), size):
                fitness = score(columns) - self.size_penalty * size / p
                if fitness > self.fitness_:
                    best, self.fitness_ = columns, fitness
        return best

    def _fewest(self, score: SubsetScorer, p: int, largest: int, reach: float) -> tuple[int, ...]:
        """The best subset of the smallest size at which one reaches the goal."""
        nearest = float("-inf")
        for size in range(1, largest + 1):
            if score.n_evaluations + comb(p, size) > self.max_subsets:
                raise ParameterError(
                    f"reach={reach:g}: the best subset of fewer than {size} features scores {nearest:.6g}, and there "
                    f"are {comb(p, size)} of {size}, too many for max_subsets={self.max_subsets}: raise it, or lower "
                    f"reach"
                )
            best = self._best_of(score, p, [size])
            if score(best) >= reach:
                return best
            nearest = max(nearest, score(best))
        raise ParameterError(
            f"reach={reach:g}: no subset of up to {largest} of the {p} features reaches it; the best scores "
            f"{nearest:.6g}"
        )
