"""v(F): the cross-validated score of a learner on a subset of the features, always on the same folds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv

from relspan.arrays import Bools, Ints
from relspan.errors import ParameterError


class SubsetScorer:
    """Mean cross-validated score of subsets; a subset is scored once.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor
    X, y : arrays
    cv : int, splitter or iterable
        An integer means that many folds, stratified for a classifier and not shuffled.
    scoring : str, callable or None
        None takes the learner's own score.
    """

    def __init__(
        self, estimator: Any, X: npt.NDArray[np.generic], y: npt.NDArray[np.generic], cv: Any, scoring: Any
    ) -> None:
        self.estimator, self.X, self.y = estimator, X, y
        self.scorer = check_scoring(estimator, scoring=scoring)
        self.folds = list(check_cv(cv, y, classifier=is_classifier(estimator)).split(X, y))
        self._known: dict[tuple[int, ...], float] = {}

    @property
    def n_evaluations(self) -> int:
        """Different subsets scored so far."""
        return len(self._known)

    def __call__(self, columns: Iterable[int]) -> float:
        """Score of a subset that is not empty."""
        key = tuple(sorted(int(c) for c in columns))
        if not key:
            raise ParameterError("an empty set of features cannot be scored")
        if key not in self._known:
            self._known[key] = float(np.mean([self._one_fold(key, *fold) for fold in self.folds]))
        return self._known[key]

    def _one_fold(self, columns: tuple[int, ...], train: Ints, test: Ints) -> float:
        X = self.X[:, columns]
        model = clone(self.estimator).fit(X[train], self.y[train])
        return float(self.scorer(model, X[test], self.y[test]))


def mask_of(columns: Sequence[int], n_features: int) -> Bools:
    """Boolean mask of the columns."""
    mask = np.zeros(n_features, dtype=bool)
    mask[list(columns)] = True
    return mask
