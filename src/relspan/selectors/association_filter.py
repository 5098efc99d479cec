r"""Univariate filter: keep the features most associated with the target.

==================  ====================================================================================
``chi2``, ``g2``    minus log p of the test of independence, from the same tables as HITON's; continuous
                    columns are cut into levels of equal frequency first
``information``     information gain in nats, :math:`G^2 / 2n`, likewise
``pearson``         absolute correlation
``fisher``          Fisher criterion: between over within class variance,
                    :math:`\sum_c n_c (m_c - m)^2 / \sum_c n_c v_c`; for two classes of equal size it is
                    :math:`(m_1 - m_2)^2 / (v_1 + v_2)` up to a factor
==================  ====================================================================================

p-values, not statistics, rank chi2 and G2: columns with more levels have larger statistics by chance.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.svm import SVC

from relspan.arrays import Floats, Ints
from relspan.checks import one_of, whole
from relspan.errors import DataError
from relspan.markov.fisher_z import unit_columns
from relspan.markov.g2 import TableTest
from relspan.markov.independence_choice import MOST_BINS, discrete_columns, discrete_target, equal_frequency_codes
from relspan.selectors.selector import Selector, mask_of, size_of
from relspan.selectors.subset_scorer import check_learner, folds_of, scorer_of
from relspan.tolerances import CONSTANT_SQUARES, LEAST_VARIANCE, PERFECT_SEPARATION

MEASURES = ("g2", "chi2", "information", "pearson", "fisher")


class AssociationFilter(Selector):
    """Univariate filter: rank the features by their association with the target and keep the first.

    With ``n_features="cv"`` the sizes 1, 2, 4, ... are compared by cross-validation of the estimator. The ranking is
    made anew inside each fold, from its training part only, so that the comparison is honest. The smallest size with
    the best mean score wins.

    Parameters
    ----------
    measure : {"g2", "chi2", "information", "pearson", "fisher"}, default="g2"
        Measure of association: the G2 or chi-square test of independence, the information gain, the absolute
        correlation, or the Fisher criterion.
    n_features : int or "cv", default="cv"
        How many features to keep; "cv" chooses by cross-validation.
    estimator : scikit-learn classifier or regressor, default=None
        Scores the sizes; None takes a linear support vector machine.
    cv : int, splitter or iterable, default=5
        Folds of the cross-validation.
    scoring : str or callable, default=None
        Score of the cross-validation; None takes the estimator's own.
    n_bins : int, default=3
        Levels of equal frequency for continuous columns where the measure counts levels.

    Attributes
    ----------
    support_ : bool ndarray of shape (n_features,)
        Mask of the kept features.
    scores_ : ndarray of shape (n_features,)
        Association on all the data; larger is stronger.
    sizes_, size_scores_ : list
        The sizes compared and their mean scores (empty when `n_features` is a number).

    See Also
    --------
    HalvingRFE : Eliminates features by the weights of a linear model.
    HITON : Takes the other features into account.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan.selectors import AssociationFilter
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> AssociationFilter(measure="fisher", n_features=2).fit(X, y).get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    def __init__(
        self,
        *,
        measure: str = "g2",
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
        """Rank the columns of X by their association with y and keep the first ones.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        AssociationFilter
            The fitted selector.
        """
        learner = SVC(kernel="linear") if self.estimator is None else self.estimator
        one_of("measure", self.measure, MEASURES)
        whole("n_bins", self.n_bins, at_least=2, at_most=MOST_BINS)
        check_learner(learner, self.cv, self.scoring)
        X, y = self._validate(X, y)
        size = size_of(self.n_features, X.shape[1])
        self.scores_ = association(X, y, self.measure, self.n_bins)
        self.sizes_: list[int] = []
        self.size_scores_: list[float] = []
        if size is None:
            size = self._size_by_cv(learner, X, y)
        self.support_ = mask_of(_ranking(self.scores_)[:size], X.shape[1])
        return self

    def _size_by_cv(self, learner: Any, X: Any, y: Any) -> int:
        scorer = scorer_of(learner, self.scoring)
        self.sizes_ = doubling_sizes(X.shape[1])
        scores = []
        for train, test in folds_of(self.cv, learner, X, y):
            order = _ranking(association(X[train], y[train], self.measure, self.n_bins))
            row = []
            for size in self.sizes_:
                model = clone(learner).fit(X[train][:, order[:size]], y[train])
                row.append(scorer(model, X[test][:, order[:size]], y[test]))
            scores.append(row)
        self.size_scores_ = [float(s) for s in np.mean(scores, axis=0)]
        return self.sizes_[int(np.argmax(self.size_scores_))]


def doubling_sizes(n_features: int) -> list[int]:
    """1, 2, 4, ... and all of them."""
    sizes = [2**i for i in range(int(np.log2(n_features)) + 1)]
    return sizes if sizes[-1] == n_features else [*sizes, n_features]


def association(X: npt.NDArray[np.generic], y: npt.NDArray[np.generic], measure: str = "g2", n_bins: int = 3) -> Floats:
    """Association of every column of X with y; larger is stronger.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The table.
    y : ndarray of shape (n_samples,)
        The target.
    measure : {"g2", "chi2", "information", "pearson", "fisher"}, default="g2"
        Measure of association.
    n_bins : int, default=3
        Levels for continuous columns, where the measure counts levels.

    Returns
    -------
    ndarray of shape (n_features,)
        One value per column.
    """
    one_of("measure", measure, MEASURES)
    classes, codes = np.unique(y, return_inverse=True)
    if measure == "pearson":
        if y.dtype.kind not in "iufb" and len(classes) > 2:
            raise DataError(
                f"Unknown label type: measure='pearson' needs numbers or two classes, not {len(classes)} labels"
            )
        numbers = y if y.dtype.kind in "iufb" else codes
        result: Floats = np.abs(unit_columns(numbers[:, None])[:, 0] @ unit_columns(X))
        return result
    if not discrete_target(y):
        raise DataError(f"measure={measure!r} needs classes, and y is continuous: use measure='pearson'")
    if measure == "fisher":
        return _fisher_criterion(np.asarray(X, dtype=float), codes, len(classes))
    return _table_association(X, codes, measure, n_bins)


def _table_association(X: npt.NDArray[np.generic], codes: Ints, measure: str, n_bins: int) -> Floats:
    discrete = discrete_columns(X)
    levels: npt.NDArray[np.generic] = X
    if not discrete.all():
        levels = np.array(X, dtype=float)
        levels[:, ~discrete] = equal_frequency_codes(X[:, ~discrete], n_bins)
    test = TableTest([levels, codes[:, None]], statistic="chi2" if measure == "chi2" else "g2")
    evidence = test.evidence(np.arange(X.shape[1]), X.shape[1], ())
    return evidence.statistic / (2.0 * len(codes)) if measure == "information" else -evidence.log_p


def _fisher_criterion(X: Floats, codes: Ints, n_classes: int) -> Floats:
    between, within = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    mean = X.mean(axis=0)
    for c in range(n_classes):
        group = X[codes == c]
        between += len(group) * (group.mean(axis=0) - mean) ** 2
        within += len(group) * group.var(axis=0)
    constant = between + within <= CONSTANT_SQUARES * (X**2).sum(axis=0)
    perfect = within <= PERFECT_SEPARATION * between
    least = PERFECT_SEPARATION * np.maximum(between, LEAST_VARIANCE)
    return np.where(constant, 0.0, between / np.where(perfect, least, within))


def _ranking(scores: Floats) -> Ints:
    """Columns from strongest to weakest; equal ones in their own order."""
    return np.argsort(-scores, kind="stable")
