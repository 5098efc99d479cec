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
from sklearn.base import clone
from sklearn.svm import SVC

from relspan.arrays import Ints
from relspan.errors import ParameterError
from relspan.selectors.selector import Selector, mask_of, size_of
from relspan.selectors.subset_scorer import check_learner, folds_of, scorer_of


class HalvingRFE(Selector):
    """Recursive feature elimination that keeps the better half of the features at every step.

    Parameters
    ----------
    estimator : scikit-learn estimator with `coef_`, default=None
        The linear model; None takes a support vector machine with a linear kernel.
    n_features : int or "cv", default="cv"
        "cv" chooses among the sizes of the halving path by cross-validation; a number ends the path there.
    cv : int, splitter or iterable, default=5
        Folds of the cross-validation.
    scoring : str or callable, default=None
        Score of the cross-validation; None takes the estimator's own.

    Attributes
    ----------
    support_ : bool ndarray of shape (n_features,)
        Mask of the selected features.
    ranking_ : ndarray of shape (n_features,)
        1 for the features that stay longest, then 2, ...; features dropped in the same halving share a rank.
    sizes_, size_scores_ : list
        The sizes of the path, and their mean scores (empty when `n_features` is a number).

    See Also
    --------
    AssociationFilter : Ranks every feature on its own.
    sklearn.feature_selection.RFECV : Removes a fixed number of features at every step.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan.selectors import HalvingRFE
    >>> X, y = load_iris(return_X_y=True)
    >>> HalvingRFE(n_features=2).fit(X, y).get_support()
    array([False, False,  True,  True])
    """

    def __init__(
        self, estimator: Any = None, *, n_features: int | str = "cv", cv: Any = 5, scoring: Any = None
    ) -> None:
        self.estimator = estimator
        self.n_features = n_features
        self.cv = cv
        self.scoring = scoring

    def fit(self, X: Any, y: Any) -> Self:
        """Walk the halving path, choose the size, and keep the features of that size.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        HalvingRFE
            The fitted selector.
        """
        learner = SVC(kernel="linear") if self.estimator is None else self.estimator
        check_learner(learner, self.cv, self.scoring)
        X, y = self._validate(X, y)
        p = X.shape[1]
        size = size_of(self.n_features, p)
        path = [columns for columns, _ in _halving_path(learner, X, y, size or 1)]
        self.sizes_ = [len(columns) for columns in path]
        self.size_scores_: list[float] = []
        chosen = len(path) - 1
        if size is None:
            self.size_scores_ = self._scores_by_cv(learner, X, y)
            best = max(self.size_scores_)
            chosen = max(i for i, score in enumerate(self.size_scores_) if score == best)
        self.support_ = mask_of(path[chosen], p)
        self.ranking_ = np.ones(p, dtype=int)
        for columns in path:
            self.ranking_[~mask_of(columns, p)] += 1
        return self

    def _scores_by_cv(self, learner: Any, X: Any, y: Any) -> list[float]:
        scorer = scorer_of(learner, self.scoring)
        scores = []
        for train, test in folds_of(self.cv, learner, X, y):
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
            raise ParameterError(f"estimator={learner!r} has no coef_; use a linear model such as SVC(kernel='linear')")
        weight = (np.asarray(model.coef_).reshape(-1, len(columns)) ** 2).sum(axis=0)
        half = max(last, -(-len(columns) // 2))
        columns = np.sort(columns[np.argsort(-weight, kind="stable")[:half]])
