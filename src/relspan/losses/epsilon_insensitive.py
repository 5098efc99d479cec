"""Regression: the epsilon-insensitive loss  max(0, |t - (x.w + b)| - eps).

As hinge rows, two per sample:  max(0, t - s - eps) has f = x, o = 1, h = t - eps;  max(0, s - t - eps) has f = -x,
o = -1, h = -t - eps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import r2_score

from relspan.arrays import Floats, Matrix
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import entry_C, register_loss, weight_per_sample
from relspan.losses.residual_loss import ResidualLoss, residual_rows, weighted_quantile


@register_loss
@dataclass(frozen=True)
class EpsilonInsensitive(ResidualLoss):
    """The loss of L1 support vector regression. Targets are numbers; `epsilon` is in their unit."""

    epsilon: float = 0.0

    name = "epsilon-insensitive"

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        costs = weight_per_sample(y, sample_weight)
        return residual_rows(X, (y - self.epsilon, costs), (-y - self.epsilon, costs))

    def with_target_unit(self, unit: float) -> EpsilonInsensitive:
        return EpsilonInsensitive(self.epsilon * unit)

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """The share of variance explained, R2; of a single sample, whether it is met."""
        if len(y) < 2:
            return float((y == predicted).all())
        return float(r2_score(y, predicted, sample_weight=sample_weight))

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """``c_0 = 1 / max_j |sum_i v_i (s_i - sbar) x_ij|``, s_i the sign of the median's residual beyond epsilon."""
        v = weight_per_sample(y, sample_weight)
        residual = y - weighted_quantile(y, v)
        s = np.sign(residual) * (np.abs(residual) > self.epsilon)
        return entry_C(X, v * (s - np.average(s, weights=v)))
