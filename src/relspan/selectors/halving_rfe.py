r"""Recursive feature elimination by true halving (Guyon, Weston, Barnhill, Vapnik 2002).

Fit a linear machine, keep the better half of the features by :math:`\sum_c w_{cj}^2`, fit again, ... down to one:

    p, ceil(p / 2), ceil(p / 4), ..., 2, 1

The path is walked inside every fold from its training part, each size is scored on the part held out, and the size with
the best mean (the smallest of equals) is then taken from the path on all the data. scikit-learn's ``RFECV(step=.5)``
removes half of the *original* number at every step (20, 10, 1), which is not halving.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.svm import SVC

from relspan.arrays import Ints
from relspan.errors import ParameterError
from relspan.selectors.selector import Selector
from relspan.selectors.subset_scorer import mask_of


class HalvingRFE(Selector):
    """Recursive feature elimination that halves.

    Parameters
    ----------
    estimator : scikit-learn estimator with `coef_`, optional
        None takes a support vector machine with a linear kernel.
    n_features : int or "cv", default="cv"
        "cv" chooses among the sizes of the halving path by cross-validation; a number ends the path there.
    cv : int, splitter or iterable, default=5
    scoring : str or callable, optional

    Attributes
    ----------
    support_ : boolean array of shape (n_features,)
    ranking_ : array of shape (n_features,)
        1 for the features that stay longest, then 2, ...; features dropped in the same halving share a rank.
    sizes_, size_scores_ : lists
        The sizes of the path, and their mean scores (empty when `n_features` is a number).
    """

    def __init__(
        self, estimator: Any = None, *, n_features: int | str = "cv", cv: Any = 5, scoring: Any = None
    ) -> None:
        self.estimator = estimator
        self.n_features = n_features
        self.cv = cv
        self.scoring = scoring

    def fit(self, X: Any, y: Any) -> Self:
        """Walk the halving path, choose the size, keep that part of the path."""
        X, y = self._checked(X, y)
        p = X.shape[1]
        learner = SVC(kernel="linear") if self.estimator is None else self.estimator
        if self.n_features != "cv" and not (
            isinstance(self.n_features, (int, np.integer)) and 1 <= self.n_features <= p
        ):
            raise ParameterError(f"n_features={self.n_features!r}: must be 'cv' or a number from 1 to {p}")
        last = 1 if self.n_features == "cv" else int(self.n_features)
        path = [columns for columns, _ in _halving_path(learner, X, y, last)]
        self.sizes_ = [len(columns) for columns in path]
        self.size_scores_: list[float] = []
        chosen = len(path) - 1
        if self.n_features == "cv":
            self.size_scores_ = self._scores_by_cv(learner, X, y)
            best = max(self.size_scores_)
            chosen = max(i for i, score in enumerate(self.size_scores_) if score == best)
        self.support_ = mask_of(path[chosen].tolist(), p)
        self.ranking_ = np.ones(p, dtype=int)
        for columns in path:
            self.ranking_[~mask_of(columns.tolist(), p)] += 1
        return self

    def _scores_by_cv(self, learner: Any, X: Any, y: Any) -> list[float]:
        scorer = check_scoring(learner, scoring=self.scoring)
        scores = []
        for train, test in check_cv(self.cv, y, classifier=is_classifier(learner)).split(X, y):
            path = _halving_path(learner, X[train], y[train], 1)
            scores.append([scorer(model, X[test][:, columns], y[test]) for columns, model in path])
        return [float(s) for s in np.mean(scores, axis=0)]


def _halving_path(learner: Any, X: Any, y: Any, last: int) -> Iterator[tuple[Ints, Any]]:
    """Yield (columns, model fitted on them), all columns first, `last` of them at the end."""
    columns: Ints = np.arange(X.shape[1])
    while True:
        model = clone(learner).fit(X[:, columns], y)
        yield columns, model
        if len(columns) <= last:
            return
        if not hasattr(model, "coef_"):
            raise ParameterError(f"estimator={learner!r}: needs coef_; use a linear model such as SVC(kernel='linear')")
        weight = (np.asarray(model.coef_).reshape(-1, len(columns)) ** 2).sum(axis=0)
        half = max(last, -(-len(columns) // 2))
        columns = np.sort(columns[np.argsort(-weight, kind="stable")[:half]])
