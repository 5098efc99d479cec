"""Scores of predictions that scikit-learn does not have: ordered classes, and predictions that may abstain.

macro_mae   1 - mean over classes of (mean |rank - predicted rank| of the class) / (K - 1)
mae         1 - mean |rank - predicted rank| / (K - 1)
zero_one    1 - share of wrong ranks
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan import checks
from relspan.arrays import Floats
from relspan.errors import DataError, ParameterError

__all__ = [
    "ORDINAL_SCORES",
    "AccuracyRejectCurve",
    "accepted_accuracy",
    "accuracy_reject_curve",
    "coverage",
    "ordinal_score",
    "reject_loss",
]

ORDINAL_SCORES = ("macro_mae", "mae", "zero_one")


def ordinal_score(
    ranks: Floats,
    predicted: Floats,
    kind: str = "macro_mae",
    sample_weight: Floats | None = None,
    n_classes: int | None = None,
) -> float:
    """A score of ranks 0, 1, ... in [0, 1], 1 where every prediction is right.

    Parameters
    ----------
    ranks, predicted : array of shape (n_samples,)
        True and predicted ranks.
    kind : {"macro_mae", "mae", "zero_one"}
        See the module's text.
    sample_weight : array of shape (n_samples,), optional
        Weights of the samples.
    n_classes : int, optional
        K; by default one more than the largest rank.
    """
    if kind not in ORDINAL_SCORES:
        raise ParameterError(f"kind must be one of {', '.join(ORDINAL_SCORES)}, not {kind!r}")
    ranks, predicted = np.asarray(ranks, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    v = np.ones(len(ranks)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if kind == "zero_one":
        return 1.0 - float(np.average(ranks != predicted, weights=v))
    K = int(max(ranks.max(), predicted.max())) + 1 if n_classes is None else n_classes
    error = np.abs(ranks - predicted)
    if kind == "mae":
        return 1.0 - float(np.average(error, weights=v)) / max(K - 1, 1)
    present = [ranks == k for k in np.unique(ranks[v > 0])]
    return 1.0 - float(np.mean([np.average(error[own], weights=v[own]) for own in present])) / max(K - 1, 1)


def checked_reject_cost(reject_cost: float) -> float:
    """r, which must lie in (0, 1/2]: above 1/2 guessing is cheaper than rejecting, at 0 everything is rejected."""
    hint = "beyond 0.5 guessing is cheaper than rejecting, and 0.5 itself is the plain hinge loss"
    return checks.number("reject_cost", reject_cost, above=0, at_most=0.5, hint=hint)


def reject_loss(
    y_true: Any, y_pred: Any, rejected: Any, reject_cost: float, sample_weight: Floats | None = None
) -> float:
    """The mean 0/1/r loss: errors among the accepted samples cost 1, rejected samples `reject_cost`.

    Parameters
    ----------
    y_true, y_pred : array of shape (n_samples,)
        Labels; what is predicted for rejected samples does not matter.
    rejected : array of bool of shape (n_samples,)
        Which samples are rejected, as `RejectOptionSVC.reject` tells.
    reject_cost : float
        r in (0, 1/2].
    sample_weight : array of shape (n_samples,), optional
        Weights of the samples.
    """
    r = checked_reject_cost(reject_cost)
    rejected = np.asarray(rejected, dtype=bool)
    cost = np.where(rejected, r, np.asarray(y_true) != np.asarray(y_pred))
    return float(np.average(cost, weights=sample_weight))


def coverage(rejected: Any, sample_weight: Floats | None = None) -> float:
    """The share of samples that are answered."""
    return 1.0 - float(np.average(np.asarray(rejected, dtype=bool), weights=sample_weight))


def accepted_accuracy(y_true: Any, y_pred: Any, rejected: Any, sample_weight: Floats | None = None) -> float:
    """The accuracy among the samples that are not rejected; NaN where all are."""
    kept = ~np.asarray(rejected, dtype=bool)
    v = np.ones(len(kept)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if not v[kept].sum() > 0:
        return float("nan")
    return float(np.average(np.asarray(y_true)[kept] == np.asarray(y_pred)[kept], weights=v[kept]))


@dataclass(frozen=True, eq=False)
class AccuracyRejectCurve:
    """Accuracy among the accepted samples as ever more are rejected, the least certain first.

    Attributes
    ----------
    reject_rate, accuracy, thresholds : ndarray
        Where the samples with certainty up to `thresholds` are rejected, the share `reject_rate` of all is, and the
        rest is answered with that `accuracy`. The first entry rejects nothing.
    area : float
        The area under the curve, as a share of the width it spans: 1 if every answer is right.
    """

    reject_rate: Floats
    accuracy: Floats
    thresholds: Floats
    area: float


def accuracy_reject_curve(
    y_true: Any, y_pred: Any, certainty: Any, sample_weight: Floats | None = None
) -> AccuracyRejectCurve:
    """The accuracy-reject curve of predictions and their certainty, such as the distance ``|x.w + b|``."""
    certainty = np.asarray(certainty, dtype=np.float64)
    right = np.asarray(y_true) == np.asarray(y_pred)
    if certainty.shape != right.shape or len(right) == 0:
        raise DataError(f"certainty has shape {certainty.shape}; one value for each of {len(right)} samples is needed")
    v = np.ones(len(right)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    order = np.argsort(certainty, kind="stable")
    levels, first = np.unique(certainty[order], return_index=True)  # samples of one certainty go together
    kept = np.cumsum(v[order][::-1])[::-1][first]
    answered_right = np.cumsum((v * right)[order][::-1])[::-1][first]
    some = kept > 0
    rate, accuracy = 1.0 - kept[some] / v.sum(), answered_right[some] / kept[some]
    below = np.concatenate([[-np.inf], levels[:-1]])[some]
    area = float(np.trapezoid(accuracy, rate) / (rate[-1] - rate[0])) if rate[-1] > rate[0] else float(accuracy[0])
    return AccuracyRejectCurve(rate, accuracy, below, area)
