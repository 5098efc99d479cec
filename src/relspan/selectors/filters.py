"""Keep the features most associated with the target, one by one; how many by cross-validation."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.svm import SVC

from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.selectors.association import association
from relspan.selectors.selector import Selector
from relspan.selectors.subset_scorer import mask_of


def doubling_sizes(n_features: int) -> list[int]:
    """1, 2, 4, ... and all of them."""
    sizes = [2**i for i in range(int(np.log2(n_features)) + 1)]
    return sizes if sizes[-1] == n_features else [*sizes, n_features]


class AssociationFilter(Selector):
    """Univariate filter.

    Ranks the features by `measure` and keeps the first `n_features`. With ``n_features="cv"`` the sizes 1, 2, 4, ...
    are compared by cross-validation of the estimator; the ranking is made anew inside each fold, from its training
    part only, so that the comparison is honest. The smallest size with the best mean score wins.

    Parameters
    ----------
    measure : {"g2", "chi2", "information", "pearson", "fisher"}, default="g2"
    n_features : int or "cv", default="cv"
    estimator : scikit-learn classifier or regressor, optional
        Judges the sizes; None takes a linear support vector machine.
    cv : int, splitter or iterable, default=5
    scoring : str or callable, optional
    n_bins : int, default=3
        Levels of equal frequency for continuous columns where the measure counts levels.

    Attributes
    ----------
    support_ : boolean array of shape (n_features,)
    scores_ : array of shape (n_features,)
        Association on all the data; larger is stronger.
    sizes_, size_scores_ : lists
        The sizes compared and their mean scores (empty when `n_features` is a number).
    """

    def __init__(
        self,
        measure: str = "g2",
        *,
        n_features: int | str = "cv",
        estimator: Any = None,
        cv: Any = 5,
        scoring: Any = None,
        n_bins: int = 3,
    ) -> None:
        self.measure = measure
        self.n_features = n_features
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
        self.n_bins = n_bins

    def fit(self, X: Any, y: Any) -> Self:
        """Rank the columns of X by their association with y and keep the first ones."""
        X, y = self._checked(X, y)
        p = X.shape[1]
        self.scores_ = association(X, y, self.measure, self.n_bins)
        self.sizes_: list[int] = []
        self.size_scores_: list[float] = []
        if self.n_features == "cv":
            size = self._size_by_cv(X, y)
        elif isinstance(self.n_features, (int, np.integer)) and 1 <= self.n_features <= p:
            size = int(self.n_features)
        else:
            raise ParameterError(f"n_features={self.n_features!r}: must be 'cv' or a number from 1 to {p}")
        self.support_ = mask_of(_ranking(self.scores_)[:size].tolist(), p)
        return self

    def _size_by_cv(self, X: Any, y: Any) -> int:
        learner = SVC(kernel="linear") if self.estimator is None else self.estimator
        scorer = check_scoring(learner, scoring=self.scoring)
        self.sizes_ = doubling_sizes(X.shape[1])
        scores = []
        for train, test in check_cv(self.cv, y, classifier=is_classifier(learner)).split(X, y):
            order = _ranking(association(X[train], y[train], self.measure, self.n_bins))
            row = []
            for size in self.sizes_:
                model = clone(learner).fit(X[train][:, order[:size]], y[train])
                row.append(scorer(model, X[test][:, order[:size]], y[test]))
            scores.append(row)
        self.size_scores_ = [float(s) for s in np.mean(scores, axis=0)]
        return self.sizes_[int(np.argmax(self.size_scores_))]


def _ranking(scores: Floats) -> Any:
    """Columns from strongest to weakest; equal ones in their own order."""
    return np.argsort(-scores, kind="stable")
