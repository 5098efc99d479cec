"""Scores of predictions that scikit-learn does not have: ordered classes, abstention, and survival times.

macro_mae   1 - mean over classes of (mean |rank - predicted rank| of the class) / (K - 1)
mae         1 - mean |rank - predicted rank| / (K - 1)
zero_one    1 - share of wrong ranks
concordance share of the comparable pairs of survival times in which the earlier event has the higher risk
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan import checks
from relspan.arrays import Bools, Floats
from relspan.errors import DataError
from relspan.survival_times import events_of, inverse_censoring_weights, later_samples, read_survival, signed_ranks

__all__ = [
    "CONCORDANCES",
    "ORDINAL_SCORES",
    "AccuracyRejectCurve",
    "accepted_accuracy",
    "accuracy_reject_curve",
    "concordance_index",
    "coverage",
    "ordinal_score",
    "reject_loss",
]

ORDINAL_SCORES = ("macro_mae", "mae", "zero_one")
CONCORDANCES = ("harrell", "uno")
PAIRS_AT_ONCE = 1_000_000  # in memory, of those that a concordance counts


def ordinal_score(
    ranks: Floats,
    predicted: Floats,
    kind: str = "macro_mae",
    sample_weight: Floats | None = None,
    n_classes: int | None = None,
) -> float:
    """Score predicted ranks 0, 1, ..., K - 1 of ordered classes.

    Parameters
    ----------
    ranks : array-like of shape (n_samples,)
        The true ranks.
    predicted : array-like of shape (n_samples,)
        The predicted ranks.
    kind : {"macro_mae", "mae", "zero_one"}, default="macro_mae"
        "mae" is 1 minus the mean absolute error of the ranks, divided by K - 1. "macro_mae" takes the mean over classes
        of their mean absolute errors, so that rare classes count as much as frequent ones. "zero_one" is the accuracy.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    n_classes : int or None, default=None
        The number of classes K. None takes one more than the largest rank.

    Returns
    -------
    float
        The score, from 0 to 1; 1 if every prediction is right.

    See Also
    --------
    relspan.OrdinalRelevanceClassifier : Chooses C by the first of these scores.

    Examples
    --------
    >>> from relspan.metrics import ordinal_score
    >>> ordinal_score([0, 0, 1, 2], [0, 0, 1, 0]), ordinal_score([0, 0, 1, 2], [0, 0, 1, 0], kind="zero_one")
    (0.6666666666666667, 0.75)
    """
    checks.one_of("kind", kind, ORDINAL_SCORES)
    ranks = checks.per_sample("ranks", ranks, kind=np.float64)
    predicted = checks.per_sample("predicted", predicted, len(ranks), kind=np.float64)
    v = _weights(sample_weight, len(ranks))
    if n_classes is not None:
        checks.whole("n_classes", n_classes, at_least=1)
    if not (np.isfinite(ranks).all() and np.isfinite(predicted).all()):
        raise DataError("ranks and predicted must be finite numbers")
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
    """Compute the mean 0/1/r loss: an error costs 1, and a rejected sample costs r.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true labels.
    y_pred : array-like of shape (n_samples,)
        The predicted labels; those of rejected samples are not used.
    rejected : array-like of bool of shape (n_samples,)
        Which samples are rejected, such as the result of `RejectOptionSVC.reject`.
    reject_cost : float
        The cost r of a rejection, above 0 and at most 1/2.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    float
        The mean loss.

    See Also
    --------
    coverage : The share of samples that are answered.
    accepted_accuracy : The accuracy among them.

    Examples
    --------
    >>> from relspan.metrics import reject_loss
    >>> reject_loss(["a", "b", "a", "b"], ["a", "a", "a", "a"], [False, False, False, True], reject_cost=0.2)
    0.3
    """
    r = checked_reject_cost(reject_cost)
    right = _right(y_true, y_pred)
    away = checks.per_sample("rejected", rejected, len(right), what="True or False", kind=bool)
    return float(np.average(np.where(away, r, ~right), weights=_weights(sample_weight, len(right))))


def coverage(rejected: Any, sample_weight: Floats | None = None) -> float:
    """Compute the share of samples that are answered.

    Parameters
    ----------
    rejected : array-like of bool of shape (n_samples,)
        Which samples are rejected.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    float
        The share of samples that are not rejected.

    See Also
    --------
    accepted_accuracy : The accuracy among them.

    Examples
    --------
    >>> from relspan.metrics import coverage
    >>> coverage([False, False, False, True])
    0.75
    """
    away = checks.per_sample("rejected", rejected, what="True or False", kind=bool)
    return 1.0 - float(np.average(away, weights=_weights(sample_weight, len(away))))


def accepted_accuracy(y_true: Any, y_pred: Any, rejected: Any, sample_weight: Floats | None = None) -> float:
    """Compute the accuracy among the samples that are not rejected.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true labels.
    y_pred : array-like of shape (n_samples,)
        The predicted labels.
    rejected : array-like of bool of shape (n_samples,)
        Which samples are rejected.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    float
        The accuracy; NaN if all samples are rejected.

    See Also
    --------
    coverage : The share of samples that are answered.

    Examples
    --------
    >>> from relspan.metrics import accepted_accuracy
    >>> accepted_accuracy(["a", "b", "a"], ["a", "a", "a"], rejected=[False, True, False])
    1.0
    """
    right = _right(y_true, y_pred)
    away = checks.per_sample("rejected", rejected, len(right), what="True or False", kind=bool)
    v = _weights(sample_weight, len(right))
    if not v[~away].sum() > 0:
        return float("nan")
    return float(np.average(right[~away], weights=v[~away]))


def _right(y_true: Any, y_pred: Any) -> Bools:
    """Which predictions are right."""
    labels = checks.per_sample("y_true", y_true, what="labels")
    return np.asarray(labels == checks.per_sample("y_pred", y_pred, len(labels), what="labels"))


def _weights(sample_weight: Any, n_samples: int) -> Floats:
    """The weights of so many samples, of which there is one at least."""
    if n_samples == 0:
        raise DataError("there is no sample")
    weights = checks.sample_weights(sample_weight, n_samples)
    return np.ones(n_samples) if weights is None else np.asarray(weights)


@dataclass(frozen=True, eq=False)
class AccuracyRejectCurve:
    """The accuracy among the answered samples as more and more are rejected, the least certain first.

    Attributes
    ----------
    reject_rate : ndarray of shape (n_points,)
        The share of samples that are rejected; 0 at the first point.
    accuracy : ndarray of shape (n_points,)
        The accuracy among the other samples.
    thresholds : ndarray of shape (n_points,)
        The certainty up to which samples are rejected.
    area : float
        The area under the curve, as a share of the width it spans: 1 if every answer is right.

    See Also
    --------
    accuracy_reject_curve : Computes the curve.
    relspan.plots.AccuracyRejectDisplay : Draws it.

    Examples
    --------
    >>> from relspan.metrics import accuracy_reject_curve
    >>> accuracy_reject_curve([1, 0, 1], [1, 1, 1], certainty=[3.0, 1.0, 2.0]).reject_rate.round(2).tolist()
    [0.0, 0.33, 0.67]
    """

    reject_rate: Floats
    accuracy: Floats
    thresholds: Floats
    area: float


def accuracy_reject_curve(
    y_true: Any, y_pred: Any, certainty: Any, sample_weight: Floats | None = None
) -> AccuracyRejectCurve:
    """Compute the accuracy-reject curve of predictions.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true labels.
    y_pred : array-like of shape (n_samples,)
        The predicted labels.
    certainty : array-like of shape (n_samples,)
        How certain each prediction is, such as the distance ``|x.w + b|`` from the decision boundary.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    AccuracyRejectCurve
        Reject rates, accuracies, thresholds, and the area under the curve.

    See Also
    --------
    relspan.plots.AccuracyRejectDisplay : Draws the curve.

    Examples
    --------
    >>> from relspan.metrics import accuracy_reject_curve
    >>> curve = accuracy_reject_curve([1, 0, 1], [1, 1, 1], certainty=[3.0, 1.0, 2.0])
    >>> curve.accuracy.round(2).tolist()
    [0.67, 1.0, 1.0]
    """
    right = _right(y_true, y_pred)
    certainty = checks.per_sample("certainty", certainty, len(right), kind=np.float64)
    v = _weights(sample_weight, len(right))
    if np.isnan(certainty).any():
        raise DataError("certainty must not be NaN")
    order = np.argsort(certainty, kind="stable")
    levels, first = np.unique(certainty[order], return_index=True)  # samples of one certainty go together
    kept = np.cumsum(v[order][::-1])[::-1][first]
    answered_right = np.cumsum((v * right)[order][::-1])[::-1][first]
    some = kept > 0
    rate, accuracy = 1.0 - kept[some] / v.sum(), answered_right[some] / kept[some]
    below = np.concatenate([[-np.inf], levels[:-1]])[some]
    area = float(np.trapezoid(accuracy, rate) / (rate[-1] - rate[0])) if rate[-1] > rate[0] else float(accuracy[0])
    return AccuracyRejectCurve(rate, accuracy, below, area)


def concordance_index(y_true: Any, risk: Any, kind: str = "harrell", sample_weight: Any = None) -> float:
    """Compute the share of comparable pairs in which the sample with the earlier event has the higher risk.

    Parameters
    ----------
    y_true : array-like of shape (n_samples, 2) or structured array of shape (n_samples,)
        Time and event of each sample, as `relspan.RelevanceSurvival` takes them.
    risk : array-like of shape (n_samples,)
        The predicted risks: the higher, the earlier the event is expected.
    kind : {"harrell", "uno"}, default="harrell"
        Whether all pairs count the same, or those of an event by the inverse squared chance to be observed until then,
        as estimated from these samples, so that the share does not depend on how many samples are censored.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples; a pair counts by the product of both.

    Returns
    -------
    float
        The concordance. 1 is a perfect order, and 0.5 is chance; equal risks count half.

    See Also
    --------
    relspan.RelevanceSurvival.score : The concordance of a fitted model.

    References
    ----------
    .. [1] F. E. Harrell et al., "Evaluating the yield of medical tests", JAMA 247, 1982.
    .. [2] H. Uno et al., "On the C-statistics for evaluating overall adequacy of risk prediction procedures with
       censored survival data", Statistics in Medicine 30, 2011.

    Examples
    --------
    >>> from relspan.metrics import concordance_index
    >>> times_and_events = [[2, 1], [5, 0], [7, 1], [9, 0]]
    >>> concordance_index(times_and_events, [0.9, 0.3, 0.4, 0.1]), concordance_index(times_and_events, [0, 0, 0, 0])
    (1.0, 0.5)
    """
    checks.one_of("kind", kind, CONCORDANCES)
    y = signed_ranks(read_survival(y_true))
    scores = checks.per_sample("risk", risk, len(y), kind=np.float64)
    if np.isnan(scores).any():
        raise DataError("risk must not be NaN")
    return concordance_of_ranks(y, scores, _weights(sample_weight, len(y)), kind)


def concordance_of_ranks(y: Floats, risk: Floats, sample_weight: Floats, kind: str) -> float:
    """The concordance of signed ranks; 0.5 where no two samples can be compared."""
    order, begin = later_samples(y)
    places = np.arange(len(y))
    events = np.flatnonzero(events_of(y) & (begin < len(y)))
    weights, ordered, later_weight = pair_weights(y, sample_weight, kind), risk[order], sample_weight[order]
    agreed = total = 0.0
    step = max(1, PAIRS_AT_ONCE // max(1, len(y)))
    for part in (events[first : first + step] for first in range(0, len(events), step)):
        counted = np.where(places >= begin[part][:, None], later_weight, 0.0)
        own = risk[part][:, None]
        agreed += float(weights[part] @ (counted * ((own > ordered) + 0.5 * (own == ordered))).sum(axis=1))
        total += float(weights[part] @ counted.sum(axis=1))
    return agreed / total if total > 0 else 0.5


def pair_weights(y: Floats, sample_weight: Floats, kind: str) -> Floats:
    """What each event's pairs are multiplied by, apart from the weight of the later sample: g_i v_i."""
    return sample_weight * inverse_censoring_weights(y, sample_weight) if kind == "uno" else sample_weight
