"""v(F): the cross-validated score of a learner on a subset of the features, always on the same folds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv

from relspan.arrays import Ints
from relspan.checks import folds
from relspan.errors import ParameterError

Fold = tuple[Ints, Ints]


class SubsetScorer:
    """Mean cross-validated score of subsets; a subset is scored once.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor
        The learner; it is cloned for every fit.
    X : ndarray of shape (n_samples, n_features)
        The table.
    y : ndarray of shape (n_samples,)
        The target.
    cv : int, splitter or iterable
        An integer means that many folds, stratified for a classifier and not shuffled.
    scoring : str, callable or None
        None takes the learner's own score.
    """

    def __init__(
        self, estimator: Any, X: npt.NDArray[np.generic], y: npt.NDArray[np.generic], cv: Any, scoring: Any
    ) -> None:
        self.estimator, self.X, self.y = estimator, X, y
        self.scorer = scorer_of(estimator, scoring)
        self.folds = folds_of(cv, estimator, X, y)
        self._scores: dict[tuple[int, ...], float] = {}

    @property
    def n_evaluations(self) -> int:
        """Number of different subsets scored so far."""
        return len(self._scores)

    def __call__(self, columns: Iterable[int]) -> float:
        """Score of a subset that is not empty."""
        key = tuple(sorted(int(c) for c in columns))
        if not key:
            raise ParameterError("an empty set of features cannot be scored")
        if key not in self._scores:
            self._scores[key] = float(np.mean([self._fold_score(key, *fold) for fold in self.folds]))
        return self._scores[key]

    def _fold_score(self, columns: tuple[int, ...], train: Ints, test: Ints) -> float:
        X = self.X[:, columns]
        model = clone(self.estimator).fit(X[train], self.y[train])
        return float(self.scorer(model, X[test], self.y[test]))


def check_learner(learner: Any, cv: Any, scoring: Any) -> None:
    """Refuse an estimator, folds or a score of the wrong kind, before any work is done."""
    if isinstance(learner, type) or not (hasattr(learner, "fit") and hasattr(learner, "get_params")):
        raise ParameterError(f"estimator must be a scikit-learn estimator, not {learner!r}")
    folds("cv", cv)
    scorer_of(learner, scoring)


def scorer_of(learner: Any, scoring: Any) -> Any:
    """The score by name or as given; by default the learner's own."""
    if not (scoring is None or isinstance(scoring, str) or callable(scoring)):
        raise ParameterError(f"scoring must be the name of a score, a callable or None, not {scoring!r}")
    try:
        return check_scoring(learner, scoring=scoring)
    except (ValueError, TypeError) as wrong:
        raise ParameterError(f"scoring={scoring!r} cannot be used: {wrong}") from wrong


def folds_of(cv: Any, learner: Any, X: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> list[Fold]:
    """Training and test rows of every fold; stratified where an integer is given for a classifier."""
    try:
        found = list(check_cv(cv, y, classifier=is_classifier(learner)).split(X, y))
    except (ValueError, TypeError) as wrong:
        raise ParameterError(f"cv={cv!r} cannot split these samples: {wrong}") from wrong
    if not found:
        raise ParameterError("cv gives no folds")
    return found
