"""Deciding with a reject option: what all classifiers that may abstain share.

A sample is rejected where its score |x.w + b| does not exceed the threshold. `predict` names a class for every sample
unless a reject label was chosen: no label is safe by default (-1 is a class of {-1, 1}, 0 one of {0, 1}).
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relspan import checks
from relspan.arrays import Bools, Floats
from relspan.errors import DataError, ParameterError
from relspan.losses import RejectHinge
from relspan.metrics import checked_reject_cost, reject_loss


def reject_hinge(reject_cost: float, reject_threshold: float | None) -> RejectHinge:
    """The loss at that cost; the threshold is the cost itself unless given, and any value in (0, 1) is consistent."""
    r = checked_reject_cost(reject_cost)
    if reject_threshold is None:
        return RejectHinge(r, r)
    hint = "None takes the reject cost"
    return RejectHinge(r, checks.number("reject_threshold", reject_threshold, above=0, below=1, hint=hint))


class RejectOptionMixin:
    """Predictions of a fitted linear classifier that may abstain. Needs `classes_`, `reject_threshold_` and a score."""

    classes_: NDArray[Any]
    reject_threshold_: float
    reject_cost: float
    reject_label: Any

    def decision_function(self, X: Any) -> Floats:
        """Compute the score of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive for the second class, and near 0 for samples that are better rejected.
        """
        raise NotImplementedError

    def reject(self, X: Any) -> Bools:
        """Find the samples that are too close to the boundary to be answered.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Whether the size of the score is at most `reject_threshold_`.

        See Also
        --------
        decision_function : The scores.

        Examples
        --------
        >>> from relspan import RejectOptionSVC
        >>> svc = RejectOptionSVC(reject_cost=0.4, C=10.0).fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
        >>> svc.reject([[0], [2]]).tolist()
        [True, False]
        """
        score = self.decision_function(X)
        return np.asarray(np.abs(score) <= self.reject_threshold_)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The class of each sample. Where a `reject_label` was chosen, rejected samples have it instead.

        See Also
        --------
        reject : The samples that are rejected.

        Examples
        --------
        >>> from relspan import RejectOptionSVC
        >>> svc = RejectOptionSVC(reject_cost=0.4, C=10.0, reject_label=-1).fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
        >>> svc.predict([[-2], [0], [2]]).tolist()
        [0, -1, 1]
        """
        score = self.decision_function(X)
        labels = np.asarray(self.classes_[(score > 0).astype(int)])
        if self.reject_label is None:
            return labels
        rejected = np.abs(score) <= self.reject_threshold_
        return mixed(labels, rejected, self.reject_label)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Compute 1 minus the mean cost, where an error costs 1 and a rejection the reject cost.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts.

        Returns
        -------
        float
            The score, 1 at best.

        See Also
        --------
        relspan.metrics.reject_loss : The mean cost.

        Examples
        --------
        >>> from relspan import RejectOptionSVC
        >>> svc = RejectOptionSVC(reject_cost=0.4, C=10.0).fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
        >>> svc.score([[-2], [0]], [0, 1])
        0.8
        """
        score = self.decision_function(X)
        labels = self.classes_[(score > 0).astype(int)]
        return 1.0 - reject_loss(y, labels, np.abs(score) <= self.reject_threshold_, self.reject_cost, sample_weight)


def check_reject_label(label: Any, classes: NDArray[Any]) -> None:
    """Refuse a reject label that is no word or number, or that is one of the classes."""
    if label is None:
        return
    if not isinstance(label, (str, Real, np.generic)):
        raise ParameterError(f"reject_label must be a word, a number or None, not {label!r}")
    if any(label == c for c in classes.tolist()):
        raise DataError(
            f"reject_label={label!r} is one of the classes {classes.tolist()}, so a rejection would look like an "
            "answer; choose another label, or None and ask reject(X)"
        )


def mixed(labels: NDArray[Any], rejected: Bools, label: Any) -> NDArray[Any]:
    """Labels with the reject label in place; of a common kind where numbers meet numbers or words meet words."""
    same = (
        np.asarray(label).dtype.kind in "OUS" if labels.dtype.kind in "OUS" else np.asarray(label).dtype.kind in "iuf"
    )
    if not same or labels.dtype.kind == "b":
        whole = labels.astype(object)
        whole[rejected] = label
        return whole
    return np.where(rejected, label, labels)
