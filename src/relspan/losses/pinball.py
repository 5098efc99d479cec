"""Quantile regression: the pinball loss  q max(0, t - s) + (1 - q) max(0, s - t),  s = x.w + b.

Among all constants s it is least at the q-quantile of t (Koenker and Bassett 1978); at q = 1/2 it is half the absolute
deviation. As hinge rows, two per sample:  max(0, t - s) has f = x, o = 1, h = t, c = q;  max(0, s - t) has f = -x,
o = -1, h = -t, c = 1 - q.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.arrays import Floats, Matrix
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import entry_C, register_loss, weight_per_sample
from relspan.losses.residual_loss import ResidualLoss, residual_rows, weighted_quantile


@register_loss
@dataclass(frozen=True)
class Pinball(ResidualLoss):
    """The loss of quantile regression. Targets are numbers."""

    quantile: float = 0.5

    name = "pinball"

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        costs = weight_per_sample(y, sample_weight)
        return residual_rows(X, (y, self.quantile * costs), (-y, (1.0 - self.quantile) * costs))

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """The share of the best constant's loss that is explained, D2 = 1 - loss / loss of the q-quantile of y."""
        v = weight_per_sample(y, sample_weight)
        loss, constant = (float(v @ self._each(y - s)) for s in (predicted, weighted_quantile(y, v, self.quantile)))
        return 1.0 - loss / constant if constant > 0 else float(loss == 0)

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """``c_0 = 1 / max_j |sum_i v_i (p_i - pbar) x_ij|``: below about this C the best model is w = 0.

        p_i is the pull on the score of a sample at the q-quantile of y: q where y_i lies above it, q - 1 where below.
        """
        v = weight_per_sample(y, sample_weight)
        residual = y - weighted_quantile(y, v, self.quantile)
        pull = np.where(residual > 0, self.quantile, np.where(residual < 0, self.quantile - 1.0, 0.0))
        return entry_C(X, v * (pull - np.average(pull, weights=v)))

    def residual_scores(self, residuals: Floats) -> Floats:
        """Whether a residual lies above their q-quantile."""
        return np.asarray(residuals > np.quantile(residuals, self.quantile, axis=0), dtype=np.float64)

    def _each(self, residual: Floats) -> Floats:
        return np.maximum(self.quantile * residual, (self.quantile - 1.0) * residual)
