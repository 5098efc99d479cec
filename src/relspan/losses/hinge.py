"""Binary classification: the hinge loss  max(0, 1 - y (x.w + b)),  y in {-1, +1}.

As hinge rows: f = y x, o = y, h = 1, c = the sample's weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import OneScoreLoss, entry_C, register_loss, weight_per_sample, weighted_f1


@register_loss
@dataclass(frozen=True)
class Hinge(OneScoreLoss):
    """The loss of the L1 support vector machine. Targets are -1 and +1."""

    name = "hinge"
    n_offsets = 1
    n_slack_kinds = 1
    label_codes = (-1.0, 1.0)
    way_out = "loss='logistic' also counts how sure predictions are, and may see what the hinge loss does not."

    def slack_kinds(self, y: Floats) -> tuple[Ints, Ints]:
        """The sample of every score, and the kind of its slack: there is only one kind, 0."""
        return np.arange(len(y)), np.zeros(len(y), dtype=np.intp)

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        costs = weight_per_sample(y, sample_weight)
        features = sparse.diags_array(y) @ X if sparse.issparse(X) else y[:, None] * X
        return HingeRows(features, y[:, None].astype(np.float64), np.ones(len(y)), costs)

    def predict_from_margins(self, margins: Floats) -> Floats:
        return np.where(margins[:, 0] > 0, 1.0, -1.0)

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """F1, weighted by class support: the criterion by which the FRI paper chooses C."""
        return weighted_f1(y, predicted, weight_per_sample(y, sample_weight))

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """``c_0 = 1 / max_j |sum_i v_i (y_i - ybar) x_ij|``: below about this C the best model is w = 0."""
        v = weight_per_sample(y, sample_weight)
        return entry_C(X, v * (y - np.average(y, weights=v)))
