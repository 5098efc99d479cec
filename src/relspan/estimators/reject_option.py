"""Deciding with a reject option: what all classifiers that may abstain share.

A sample is rejected where its score |x.w + b| does not exceed the threshold. `predict` names a class for every sample
unless a reject label was chosen: no label is safe by default (-1 is a class of {-1, 1}, 0 one of {0, 1}).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats
from relspan.errors import DataError, ParameterError
from relspan.losses import RejectHinge
from relspan.metrics import checked_reject_cost, reject_loss


def reject_hinge(reject_cost: float, reject_threshold: float | None) -> RejectHinge:
    """The loss at that cost; the threshold is the cost itself unless given, and any value in (0, 1) is consistent."""
    r = checked_reject_cost(reject_cost)
    if reject_threshold is not None and not 0 < reject_threshold < 1:
        raise ParameterError(
            f"reject_threshold must lie between 0 and 1, or be None for the reject cost, not {reject_threshold!r}"
        )
    return RejectHinge(r, r if reject_threshold is None else float(reject_threshold))


class RejectOptionMixin:
    """Predictions of a fitted linear classifier that may abstain. Needs `classes_`, `reject_threshold_` and a score."""

    classes_: NDArray[Any]
    reject_threshold_: float
    reject_cost: float
    reject_label: Any

    def decision_function(self, X: Any) -> Floats:
        raise NotImplementedError

    def reject(self, X: Any) -> Bools:
        """Which samples are too close to the boundary to be answered."""
        score = self.decision_function(X)
        return np.asarray(np.abs(score) <= self.reject_threshold_)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of every sample; where a reject label was chosen, rejected samples get it instead."""
        score = self.decision_function(X)
        labels = np.asarray(self.classes_[(score > 0).astype(int)])
        if self.reject_label is None:
            return labels
        rejected = np.abs(score) <= self.reject_threshold_
        return mixed(labels, rejected, self.reject_label)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """1 - mean 0/1/r loss."""
        score = self.decision_function(X)
        labels = self.classes_[(score > 0).astype(int)]
        return 1.0 - reject_loss(y, labels, np.abs(score) <= self.reject_threshold_, self.reject_cost, sample_weight)


def check_reject_label(label: Any, classes: NDArray[Any]) -> None:
    """A reject label must be told from every class."""
    if label is not None and any(label == c for c in classes.tolist()):
        raise DataError(
            f"reject_label={label!r} is one of the classes {classes.tolist()}, so a rejection could not be told from "
            "an answer: choose another label, or None and ask reject(X)"
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
