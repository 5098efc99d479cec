"""Ordered classes (Pfannschmidt et al. 2019, 2020): one score, and thresholds between neighbouring classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from relspan.arrays import Floats
from relspan.errors import DataError
from relspan.estimators.base import RelevanceEstimator
from relspan.estimators.common_parameters import documented
from relspan.estimators.targets import class_counts, ranked_classes, read_classes, sample_costs
from relspan.losses import OrdinalHinge
from relspan.metrics import ordinal_score
from relspan.result import RelevanceResult
from relspan.tasks.target_kinds import CLASS_WEIGHT, ClassTask, read_classes_in_order
from relspan.tasks.task import TaskOption, register, target_name


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class OrdinalRelevanceClassifier(ClassifierMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for sorting samples into ordered classes?

    Over all linear scores with ordered thresholds b_1 <= ... <= b_{K-1} that are as good as the best one, ::

        F = { (w, b) :  ||w||_1 <= M,
                        sum_i max(0, 1 - (b_{y_i} - x_i.w)) + max(0, 1 - (x_i.w - b_{y_i - 1})) <= R },

    the relevance ``|w_j|`` of feature j fills an interval; `RelevanceClassifier` describes how to read it. Only the
    order of the classes counts, not their distance. With two classes the answer is that of `RelevanceClassifier`.

    Parameters
    ----------
    C : float or None, default=None
        The price of the loss in the best model, which minimises ``||w||_1 + C loss``. None chooses C by
        cross-validation on the loss of rows left out, or, with ``criterion="score"``, on the macro-averaged absolute
        error of the rank.
    class_weight : "balanced", dict or None, default=None
        A factor on the loss of each class. "balanced" takes ``n / (K n_k)``, so that all K classes count the same.
    order : list, default=None
        All classes from the lowest to the highest, such as ``["low", "middle", "high"]``. None sorts them.

    Attributes
    ----------
    privileged_intervals_ : ndarray of shape (n_privileged, 2)
        The intervals of the privileged columns, where `fit` was given some.
    privileged_relevance_ : ndarray of shape (n_privileged,)
        The classes of the privileged columns, where `fit` was given some.
    classes_ : ndarray of shape (n_classes,)
        The classes in their order.
    coef_ : ndarray of shape (1, n_features)
        The best model's weights, in the units of X.
    thresholds_ : ndarray of shape (n_classes - 1,)
        A sample belongs to class k if its score ``x.coef_`` has passed k thresholds.

    See Also
    --------
    RelevanceClassifier : Classes that have no order.
    RelevanceRegressor : A target of numbers, whose distances count.

    References
    ----------
    .. [1] W. Chu, S. S. Keerthi, "New approaches to support vector ordinal regression", ICML 2005.
    .. [2] L. Pfannschmidt, J. Jakob, F. Hinder, M. Biehl, P. Tino, B. Hammer, "Feature relevance determination for
       ordinal regression in the context of feature redundancies and privileged information", Neurocomputing 416, 2020.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan import OrdinalRelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(120, strong=1, weak=2, irrelevant=2, task="ordinal", classes=3, random_state=0)
    >>> size = np.array(["small", "middle", "large"])
    >>> clf = OrdinalRelevanceClassifier(order=size, random_state=0).fit(data.X, size[data.y])
    >>> clf.relevance_.tolist(), clf.thresholds_.shape
    ([2, 1, 1, 0, 0], (2,))
    """

    class_weight: Any = None
    order: Any = None

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, privileged: Any = None
    ) -> OrdinalRelevanceClassifier:
        """Find the best model, the intervals of all features, and their classes.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The classes.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the loss of each sample; 0 leaves a sample out. A whole weight equals repeated rows where C
            is given; cross-validation may deal copies of a row to different folds, but never a part of a weight.
        groups : array-like of shape (n_samples,), default=None
            The group of each sample, such as the patient that a row was measured on: any labels. Rows of one group are
            not independent, so they stay together in folds, and chance is measured by exchanging whole groups.
        privileged : array-like or data frame of shape (n_samples, n_privileged), default=None
            Columns that are known now but will not be when predicting. They may explain how hard a sample is.

        Returns
        -------
        OrdinalRelevanceClassifier
            The fitted estimator.

        See Also
        --------
        explore : Pins, substitutes, panels and shared predictions of the equally good models.

        Examples
        --------
        >>> from relspan import OrdinalRelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(120, strong=1, weak=2, irrelevant=2, task="ordinal", classes=3, random_state=0)
        >>> OrdinalRelevanceClassifier(random_state=0).fit(data.X, data.y).relevance_.tolist()
        [2, 1, 1, 0, 0]
        """
        samples = self._samples(X, y, sample_weight, groups, privileged)
        self.classes_, ranks = ranked_classes(self.order, *read_classes(samples.y, self.C))
        costs = sample_costs(self.class_weight, self.classes_, ranks, samples.weights)
        target = {"classes": class_counts(self.classes_, ranks)}
        losses, y = [OrdinalHinge(len(self.classes_))], ranks.astype(np.float64)
        self._fit(losses, ORDINAL.name, samples, y, costs, target, stratified=True)
        self._offsets = self._offsets[: len(self.classes_) - 1]  # privileged columns have offsets of their own
        self.coef_, self.thresholds_ = self._weights[None], self._offsets + self._shift
        return self

    def decision_function(self, X: Any) -> Floats:
        """Compute how far inside the range of each class the best model's score lies.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or (n_samples,)
            For class k ``min(s - b_k, b_{k+1} - s)``, which is positive for the predicted class alone. With two classes
            ``s - b_1``, one number per sample.

        See Also
        --------
        predict : The classes that follow.

        Examples
        --------
        >>> from relspan import OrdinalRelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(120, strong=1, weak=2, irrelevant=2, task="ordinal", classes=3, random_state=0)
        >>> OrdinalRelevanceClassifier(random_state=0).fit(data.X, data.y).decision_function(data.X).shape
        (120, 3)
        """
        score = self._scores(X)[:, None]
        if len(self.classes_) == 2:
            return np.asarray(score[:, 0] - self._offsets[0])
        ends = np.concatenate([[-np.inf], self._offsets, [np.inf]])
        return np.asarray(np.minimum(score - ends[:-1], ends[1:] - score))

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of each sample by the best model.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The class of each sample.

        See Also
        --------
        decision_function : The scores behind the classes.

        Examples
        --------
        >>> from relspan import OrdinalRelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(120, strong=1, weak=2, irrelevant=2, task="ordinal", classes=3, random_state=0)
        >>> OrdinalRelevanceClassifier(random_state=0).fit(data.X, data.y).predict(data.X[:3]).shape
        (3,)
        """
        ranks = self._ranks(X)
        return np.asarray(self.classes_[ranks])

    def _ranks(self, X: Any) -> np.ndarray:
        return np.asarray((self._scores(X)[:, None] > self._offsets).sum(axis=1))

    def score(self, X: Any, y: Any, sample_weight: Any = None, kind: str = "macro_mae") -> float:
        """Compute how well the best model predicts the ranks of the classes.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts.
        kind : {"macro_mae", "mae", "zero_one"}, default="macro_mae"
            1 minus the absolute error of the rank, averaged over the classes or over the samples, as a share of the
            largest possible one; or the share of samples whose class is right.

        Returns
        -------
        float
            The score, 1 at best.

        See Also
        --------
        predict : The predicted classes.

        Examples
        --------
        >>> from relspan import OrdinalRelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(120, strong=1, weak=2, irrelevant=2, task="ordinal", classes=3, random_state=0)
        >>> OrdinalRelevanceClassifier(random_state=0).fit(data.X, data.y).score(data.X, data.y) > 0.9
        True
        """
        predicted = self._ranks(X)
        y = np.asarray(y)
        unknown = [label for label in np.unique(y) if label not in self.classes_]
        if unknown:
            raise DataError(f"y holds {unknown[0]!r}, which is not among the classes {self.classes_.tolist()}")
        rising = np.argsort(self.classes_)
        ranks = rising[np.searchsorted(self.classes_, y, sorter=rising)].astype(np.float64)
        return ordinal_score(ranks, predicted, kind, sample_weight, n_classes=len(self.classes_))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on classes that have no order
        return tags


class Ordinal(ClassTask):
    """Classes that have an order."""

    name = "ordinal"
    target = "ordered classes"
    estimator = OrdinalRelevanceClassifier
    losses = (OrdinalHinge,)
    options = (
        CLASS_WEIGHT,
        TaskOption(
            name="order",
            type=list[str],
            help="All classes from low to high, separated by commas.",
            default="sorted",
            metavar="CLASSES",
            read=read_classes_in_order,
            write=lambda order: [str(label) for label in order],
        ),
    )
    score_name = "1 - macro-averaged rank error"
    privileged = True
    simulated = "ordered classes"
    class_separator = " < "
    peers_see_numbers = True

    def peer_scoring(self, y: np.ndarray) -> str | None:
        return "r2"

    def sign_meaning(self, result: RelevanceResult) -> str:
        classes = list(result.data.get("classes", {}))
        return f"+ raises {target_name(result)} from {classes[0]} towards {classes[-1]}" if classes else ""

    def remarks(self, y: np.ndarray, options: Mapping[str, Any]) -> list[str]:
        if y.dtype.kind in "iuf" or options.get("order") is not None:
            return []
        classes = self.class_separator.join(np.unique(y).tolist())
        return [f"the classes are words and were taken in alphabetical order, {classes}; --order gives another order"]


ORDINAL = register(Ordinal())
