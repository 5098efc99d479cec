"""Quantile regression: the pinball loss  q max(0, t - s) + (1 - q) max(0, s - t),  s = x.w + b.

Among all constants s it is least at the q-quantile of t (Koenker and Bassett 1978); at q = 1/2 it is half the absolute
deviation. As hinge rows, two per sample:  max(0, t - s) has f = x, o = 1, h = t, c = q;  max(0, s - t) has f = -x,
o = -1, h = -t, c = 1 - q. The rows of all samples of the first kind come first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.hinge_rows import HingeRows
from relspan.losses.epsilon_insensitive import weighted_quantile
from relspan.losses.loss import OneScoreLoss, register_loss


@register_loss
@dataclass(frozen=True)
class Pinball(OneScoreLoss):
    """The loss of quantile regression. Targets are numbers."""

    quantile: float = 0.5

    name = "pinball"
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
            np.concatenate([y, -y]),
            np.concatenate([self.quantile * costs, (1.0 - self.quantile) * costs]),
        )

    def predict_from_margins(self, margins: Floats) -> Floats:
        return np.asarray(margins[:, 0])

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """The share of the best constant's loss that is explained, D2 = 1 - loss / loss of the q-quantile of y."""
        v = np.ones(len(y)) if sample_weight is None else sample_weight
        loss, constant = (float(v @ self._each(y - s)) for s in (predicted, weighted_quantile(y, v, self.quantile)))
        return 1.0 - loss / constant if constant > 0 else float(loss == 0)

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """``c_0 = 1 / max_j |sum_i v_i (p_i - pbar) x_ij|``: below about this C the best model is w = 0.

        p_i is the pull on the score of a sample at the q-quantile of y: q where y_i lies above it, q - 1 where below.
        """
        v = np.ones(len(y)) if sample_weight is None else sample_weight
        residual = y - weighted_quantile(y, v, self.quantile)
        pull = np.where(residual > 0, self.quantile, np.where(residual < 0, self.quantile - 1.0, 0.0))
        largest = float(np.abs(X.T @ (v * (pull - np.average(pull, weights=v)))).max())
        return 1.0 / largest if largest > 0 else np.inf

    def _each(self, residual: Floats) -> Floats:
        return np.maximum(self.quantile * residual, (self.quantile - 1.0) * residual)
