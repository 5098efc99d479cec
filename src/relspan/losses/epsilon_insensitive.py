"""Regression: the epsilon-insensitive loss  max(0, |t - (x.w + b)| - eps).

As hinge rows, two per sample:  max(0, t - s - eps) has f = x, o = 1, h = t - eps;  max(0, s - t - eps) has f = -x,
o = -1, h = -t - eps. The rows of all samples of the first kind come first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.metrics import r2_score

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import OneScoreLoss, register_loss


@register_loss
@dataclass(frozen=True)
class EpsilonInsensitive(OneScoreLoss):
    """The loss of L1 support vector regression. Targets are numbers; `epsilon` is in their unit."""

    epsilon: float = 0.0

    name = "epsilon-insensitive"
    n_offsets = 1
    n_slack_kinds = 2

    def slack_kinds(self, y: Floats) -> tuple[Ints, Ints]:
        """The sample of every row, and the kind of its slack: 0 for targets above the prediction, 1 for those below."""
        return np.tile(np.arange(len(y)), 2), np.repeat([0, 1], len(y))

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        costs = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        ones = np.ones((len(y), 1))
        return HingeRows(
            sparse.vstack([X, -X]).tocsr() if sparse.issparse(X) else np.vstack([X, -X]),
            np.vstack([ones, -ones]),
            np.concatenate([y - self.epsilon, -y - self.epsilon]),
            np.concatenate([costs, costs]),
        )

    def predict_from_margins(self, margins: Floats) -> Floats:
        return np.asarray(margins[:, 0])

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """The share of variance explained, R2."""
        return float(r2_score(y, predicted, sample_weight=sample_weight))

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """``c_0 = 1 / max_j |sum_i v_i (s_i - sbar) x_ij|``, s_i the sign of the median's residual beyond epsilon."""
        v = np.ones(len(y)) if sample_weight is None else sample_weight
        residual = y - weighted_quantile(y, v)
        s = np.sign(residual) * (np.abs(residual) > self.epsilon)
        largest = float(np.abs(X.T @ (v * (s - np.average(s, weights=v)))).max())
        return 1.0 / largest if largest > 0 else np.inf


def weighted_quantile(y: Floats, weights: Floats, share: float = 0.5) -> float:
    """The least value with at least this share of the weight at or below it; the median by default."""
    order = np.argsort(y, kind="stable")
    reached = np.cumsum(weights[order])
    return float(y[order][np.searchsorted(reached, share * reached[-1])])
