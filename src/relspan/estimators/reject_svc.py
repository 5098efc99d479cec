"""RejectOptionSVC: the support vector machine that may abstain (Bartlett and Wegkamp 2008), a plain learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan import checks
from relspan.analysis.baseline import fit_baseline
from relspan.analysis.scaled_table import column_names, refuse_non_finite
from relspan.analysis.settings import PENALTIES
from relspan.analysis.units import SOLVER_UNITS
from relspan.arrays import Floats
from relspan.estimators.reject_option import RejectOptionMixin, check_reject_label, reject_hinge
from relspan.estimators.samples import without_weightless
from relspan.estimators.targets import folds_for, read_classes


@dataclass(kw_only=True, eq=False, repr=False)
class RejectOptionSVC(RejectOptionMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A linear classifier that may abstain: an error costs 1, a rejected sample `reject_cost`.

    The best model is ::

        min  1/2 ||w||_2^2 + C sum_i max(0, 1 - s_i, 1 - ((1 - r) / r) s_i),      s_i = y_i (x_i.w + b)

    or with ``||w||_1`` in place of ``1/2 ||w||_2^2``. Samples with ``|x.w + b| <= reject_threshold`` are rejected.

    Parameters
    ----------
    reject_cost : float, default=0.25
        What it costs to reject a sample, r in (0, 1/2]. At 1/2 the model is the ordinary support vector machine.
    C : float or None, default=None
        The price of the loss, on the scale of `RejectRelevanceClassifier` and of scikit-learn's SVC. The paper's
        program, ``||w||_2^2`` plus the mean loss, has ``C = 1 / (2 n)`` for n samples. None chooses C by 3-fold
        stratified cross-validation on the 0/1/r loss.
    reject_threshold : float or None, default=None
        Samples with ``|x.w + b|`` up to this value in (0, 1) are rejected. None takes the reject cost, as in the paper.
    reject_label : object, default=None
        What `predict` returns for rejected samples; it must not be a class. With None `predict` names a class for every
        sample, and `reject` marks the samples whose class should be disregarded.
    penalty : {"l2", "l1"}, default="l2"
        The norm that is minimised: that of the paper, or that of relevance intervals.
    random_state : int, RandomState instance or None, default=None
        The seed of the folds. The same seed gives the same answer.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two classes, without the reject label. Positive scores point to the second.
    coef_ : ndarray of shape (1, n_features)
        The weights.
    intercept_ : ndarray of shape (1,)
        The offset.
    C_ : float
        The C in use.
    reject_threshold_ : float
        The `reject_threshold` in use.

    See Also
    --------
    RejectRelevanceClassifier : The relevance intervals of all equally good models of this kind.

    References
    ----------
    .. [1] P. L. Bartlett, M. H. Wegkamp, "Classification with a reject option using a hinge loss", JMLR 9, 2008.
    .. [2] C. Göpfert, J. P. Göpfert, B. Hammer, "Analyzing feature relevance for linear reject option SVM using
       relevance intervals", 2018.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from relspan import RejectOptionSVC
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = (X - X.mean(axis=0)) / X.std(axis=0)
    >>> svc = RejectOptionSVC(reject_cost=0.1, C=0.1).fit(X, y)
    >>> bool(0 < svc.reject(X).mean() < 0.2)
    True
    """

    reject_cost: float = 0.25
    C: float | None = None
    reject_threshold: float | None = None
    reject_label: Any = None
    penalty: str = "l2"
    random_state: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RejectOptionSVC:
        """Find the best model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The classes.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the loss of each sample. A whole weight equals repeated rows, and 0 leaves a sample out.

        Returns
        -------
        RejectOptionSVC
            The fitted estimator.

        See Also
        --------
        reject : The samples that are rejected.

        Examples
        --------
        >>> from relspan import RejectOptionSVC
        >>> RejectOptionSVC(C=10.0).fit([[-2], [-1], [1], [2]], [0, 0, 1, 1]).classes_.tolist()
        [0, 1]
        """
        loss = reject_hinge(self.reject_cost, self.reject_threshold)
        checks.one_of("penalty", self.penalty, PENALTIES)
        if self.C is not None:
            checks.number("C", self.C, above=0, hint="None lets cross-validation choose it")
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2)
        refuse_non_finite(X, column_names(getattr(self, "feature_names_in_", None), X.shape[1]))
        X, y, weights = without_weightless(X, y, weights=checks.sample_weights(sample_weight, len(y)))
        self.classes_, codes = read_classes(y, self.C, most=2)
        check_reject_label(self.reject_label, self.classes_)
        units = SOLVER_UNITS.with_weights(weights)
        splitter = folds_for("score", True, self.random_state)
        best = fit_baseline(
            loss,
            X,
            np.where(codes == 1, 1.0, -1.0),
            units.of_weights(weights),
            units.of_price(self.C),
            splitter,
            penalty=self.penalty,
            null_allowed=True,
            criterion="score",
            units=units,
        )
        self.C_ = units.price(best.C)
        self.reject_threshold_ = loss.reject_threshold
        self.coef_, self.intercept_ = best.weights[None], best.offsets
        return self

    def decision_function(self, X: Any) -> Floats:
        """Compute the score x.w + b of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive for the second class, and near 0 for samples that are better rejected.

        See Also
        --------
        reject : The samples that are rejected.

        Examples
        --------
        >>> from relspan import RejectOptionSVC
        >>> RejectOptionSVC(C=10.0).fit([[-2], [-1], [1], [2]], [0, 0, 1, 1]).decision_function([[0], [2]]).shape
        (2,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        refuse_non_finite(X, column_names(getattr(self, "feature_names_in_", None), X.shape[1]))
        return np.asarray(X @ self.coef_[0] + self.intercept_[0])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.target_tags.required = True
        return tags
