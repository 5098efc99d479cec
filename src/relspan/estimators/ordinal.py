"""OrdinalRelevanceClassifier: intervals for ordered classes (Pfannschmidt et al. 2019, 2020)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import Tags

from relspan.arrays import Floats
from relspan.errors import DataError
from relspan.estimators.base import RelevanceEstimator, seed_of
from relspan.estimators.targets import FOLDS, class_counts, in_order, read_classes, sample_costs
from relspan.losses import OrdinalHinge
from relspan.metrics import ordinal_score
from relspan.progress import Progress


class OrdinalRelevanceClassifier(ClassifierMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for ranking samples into ordered classes?

    Over all linear scores with ordered thresholds b_1 <= ... <= b_{K-1} that are as good as the best one,

        F = { (w, b) :  ||w||_1 <= M,
                        sum_i max(0, 1 - (b_{y_i} - x_i.w)) + max(0, 1 - (x_i.w - b_{y_i - 1})) <= R },

    the relevance |w_j| of feature j fills an interval; see `RelevanceClassifier` for how it is read. The classes are
    the sorted values of the target, of any sortable kind, unless `order` says otherwise; only their order counts, not
    their distance. With two classes the answer is that of `RelevanceClassifier`.

    Parameters
    ----------
    C : float, optional
        Price of the loss in the best model, min ||w||_1 + C loss. None: chosen by 3-fold stratified cross-validation
        on the macro-averaged absolute error of the rank.
    delta_norm, delta_loss, loss_budget, n_probes, probes, alpha, control, feature_groups, standardize, engine, screen,
    n_jobs, random_state
        As in `RelevanceClassifier`.
    class_weight : "balanced", dict or None
        What the loss of a class's samples is multiplied by; "balanced": n / (K n_k).
    order : list, optional
        All classes from the lowest to the highest, such as ``["low", "middle", "high"]``. None: sorted.
    progress : callable, optional
        Called as ``progress(stage, share, note)`` while the fit goes on; see `relspan.progress`.
    checkpoint : path, optional
        As in `RelevanceClassifier`.

    Attributes
    ----------
    intervals_, signed_intervals_, relevance_, result_, C_
        As in `RelevanceClassifier`.
    classes_ : ndarray
        The classes in their order.
    coef_ : ndarray of shape (1, n_features)
        The best score, in the units of X.
    thresholds_ : ndarray of shape (n_classes - 1,)
        A sample belongs to class k when its score x.coef_ has passed k thresholds.

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
        order: Any = None,
        feature_groups: Any = None,
        standardize: bool = True,
        engine: str = "auto",
        screen: bool = False,
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
        self.order = order
        self.feature_groups = feature_groups
        self.standardize = standardize
        self.engine = engine
        self.screen = screen
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress
        self.checkpoint = checkpoint

    def fit(self, X: Any, y: Any, sample_weight: Any = None, privileged: Any = None) -> OrdinalRelevanceClassifier:
        """Find the best model, the intervals of all features, and their classes.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            The table.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            What a sample's loss is multiplied by; a whole weight equals repeated rows, and 0 leaves a sample out.
        privileged : array or data frame of shape (n_samples, n_privileged), optional
            Columns that are known now and will not be when predicting: they may explain how hard a sample is.
        """
        X, y, weights, more = self._samples(X, y, sample_weight, privileged)
        self.classes_, ranks = in_order(self.order, *read_classes(y, self.C))
        costs = sample_costs(self.class_weight, self.classes_, ranks, weights)
        splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=seed_of(self.random_state))
        target = {"classes": class_counts(self.classes_, ranks)}
        losses, y = [OrdinalHinge(len(self.classes_))], ranks.astype(np.float64)
        self._fit(losses, "ordinal", X, y, weights, costs, splitter, target, more)
        self._offsets = self._offsets[: len(self.classes_) - 1]  # privileged columns have offsets of their own
        self.coef_, self.thresholds_ = self._weights[None], self._offsets + self._shift
        return self

    def decision_function(self, X: Any) -> Floats:
        """How far inside each class's stretch of the score a sample lies, min(s - b_k, b_{k+1} - s).

        An array of shape (n_samples, n_classes); for two classes the score beyond the threshold, as everywhere.
        """
        score = self._scores(X)[:, None]
        if len(self.classes_) == 2:
            return np.asarray(score[:, 0] - self._offsets[0])
        ends = np.concatenate([[-np.inf], self._offsets, [np.inf]])
        return np.asarray(np.minimum(score - ends[:-1], ends[1:] - score))

    def predict(self, X: Any) -> np.ndarray:
        """The best model's class."""
        ranks = self._ranks(X)
        return np.asarray(self.classes_[ranks])

    def _ranks(self, X: Any) -> np.ndarray:
        return np.asarray((self._scores(X)[:, None] > self._offsets).sum(axis=1))

    def score(self, X: Any, y: Any, sample_weight: Any = None, kind: str = "macro_mae") -> float:
        """How well the ranks are predicted, 1 at best; `kind` is "macro_mae" (default), "mae" or "zero_one"."""
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
        tags.target_tags.required = True
        tags.classifier_tags.poor_score = True  # on classes that have no order
        return tags
