"""MulticlassRelevanceClassifier: intervals for several classes, each with a weight vector of its own."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import Tags

from relspan.arrays import Floats
from relspan.estimators.base import RelevanceEstimator, seed_of
from relspan.estimators.targets import FOLDS, class_counts, read_classes, sample_costs
from relspan.losses import MulticlassHinge
from relspan.progress import Progress


class MulticlassRelevanceClassifier(ClassifierMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for telling several classes apart?

    Over all linear models with one weight vector a class that are as good as the best one,

        F = { (w, b) :  sum_k ||w_k||_1 <= M,  sum_k w_k = 0,
                        sum_i sum_{k != y_i} max(0, 2 - (w_{y_i} - w_k).x_i - b_{y_i} + b_k) <= R },

    the relevance of feature j is the total size of its weights, sum_k |w_kj|. It fills an interval, and so does the
    weight of each class. A feature is strong if no equally good model does without all its weights, weak if one of them
    reaches beyond what permuted copies of the data reach, else irrelevant. With two classes the answer is that of
    `RelevanceClassifier`.

    Parameters
    ----------
    C : float, optional
        Price of the loss in the best model, min ||w||_1 + C loss. None: chosen by 3-fold stratified cross-validation.
    delta_norm, delta_loss, loss_budget, n_probes, probes, alpha, control, class_weight, feature_groups, standardize,
    engine, n_jobs, random_state
        As in `RelevanceClassifier`.
    progress : callable, optional
        Called as ``progress(stage, share, note)`` while the fit goes on; see `relspan.progress`.
    checkpoint : path, optional
        As in `RelevanceClassifier`.

    Attributes
    ----------
    intervals_ : ndarray of shape (n_features, 2)
        Least and largest total relevance of each feature, as a share of the best model's norm.
    signed_intervals_ : ndarray of shape (n_features, n_classes, 2)
        The interval of each class's weight, same unit.
    relevance_ : ndarray of shape (n_features,)
        2 strong, 1 weak, 0 irrelevant.
    result_ : RelevanceResult
        Everything above with names, probes, thresholds, certificates, warnings; a feature's `parts` are its classes.
    C_ : float
        The C in use.
    coef_ : ndarray of shape (n_classes, n_features)
        The best model, in the units of X.
    intercept_ : ndarray of shape (n_classes,)
        Its offsets.
    classes_ : ndarray
        The classes.

    References
    ----------
    .. [1] J. Weston, C. Watkins, "Support vector machines for multi-class pattern recognition", ESANN 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan import MulticlassRelevanceClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = MulticlassRelevanceClassifier(C=0.5, n_probes=10, random_state=0).fit(X, y)
    >>> clf.intervals_.shape, clf.signed_intervals_.shape
    ((4, 2), (4, 3, 2))
    """

    def __init__(
        self,
        C: float | None = None,
        delta_norm: float = 0.1,
        delta_loss: float = 0.02,
        loss_budget: str = "explained",
        n_probes: int = 50,
        probes: str = "append",
        alpha: float = 0.003,
        control: str = "familywise",
        class_weight: Any = None,
        feature_groups: Any = None,
        standardize: bool = True,
        engine: str = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: Progress | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        self.C = C
        self.delta_norm = delta_norm
        self.delta_loss = delta_loss
        self.loss_budget = loss_budget
        self.n_probes = n_probes
        self.probes = probes
        self.alpha = alpha
        self.control = control
        self.class_weight = class_weight
        self.feature_groups = feature_groups
        self.standardize = standardize
        self.engine = engine
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress
        self.checkpoint = checkpoint

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MulticlassRelevanceClassifier:
        """Find the best model, the intervals of all features, and their classes."""
        X, y, weights, more = self._samples(X, y, sample_weight, accept_sparse=False)
        self.classes_, codes = read_classes(y, self.C)
        costs = sample_costs(self.class_weight, self.classes_, codes, weights)
        splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=seed_of(self.random_state))
        target = {"classes": class_counts(self.classes_, codes)}
        losses, parts = [MulticlassHinge(len(self.classes_))], [str(c) for c in self.classes_.tolist()]
        self._fit(losses, "multiclass", X, codes.astype(np.float64), weights, costs, splitter, target, more, parts)
        self.coef_, self.intercept_ = self._weights.T, np.concatenate([[0.0], self._offsets]) - self._shift
        return self

    def decision_function(self, X: Any) -> Floats:
        """The best model's score of each class; for two classes that of the second minus that of the first."""
        scores = self._scores(X)
        scores = scores + np.concatenate([[0.0], self._offsets])
        return np.asarray(scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores)

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest score."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[codes])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = False
        return tags
