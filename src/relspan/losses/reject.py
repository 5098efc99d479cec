"""Classification with a reject option: abstaining costs r, an error 1 (Bartlett and Wegkamp 2008).

The convex surrogate of the 0/1/r loss with s = y (x.w + b) is

    max(0, 1 - s, 1 - ((1 - r) / r) s)  =  max(0, 1 - s) + ((1 - 2r) / r) max(0, -s),      0 < r <= 1/2,

two hinge rows of one score per sample: f = y x, o = y with h = 1, c = 1 and with h = 0, c = (1 - 2r) / r; the rows of
the first kind come first. At r = 1/2 it is the plain hinge loss. A sample is rejected where
|x.w + b| <= reject_threshold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.arrays import Floats, Matrix
from relspan.family.hinge_rows import HingeRows, kinked_rows
from relspan.losses.hinge import Hinge
from relspan.losses.loss import OneScoreLoss, register_loss
from relspan.metrics import reject_loss


@register_loss
@dataclass(frozen=True)
class RejectHinge(OneScoreLoss):
    """The loss of the reject option SVM. Targets are -1 and +1, predictions -1, +1 and 0 for "rejected"."""

    reject_cost: float
    reject_threshold: float

    name = "reject hinge"
    n_offsets = 1
    label_codes = (-1.0, 0.0, 1.0)
    rejected_code = 0.0

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        hinge = Hinge().rows(X, y, sample_weight)
        if self.reject_cost == 0.5:
            return hinge
        steeper = (1.0 - 2.0 * self.reject_cost) / self.reject_cost
        return kinked_rows(hinge.features, hinge.offsets, np.array([1.0, 0.0]), np.outer([1.0, steeper], hinge.costs))

    def predict_from_margins(self, margins: Floats) -> Floats:
        score = margins[:, 0]
        return np.where(np.abs(score) <= self.reject_threshold, 0.0, np.where(score > 0, 1.0, -1.0))

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """1 - mean 0/1/r loss."""
        return 1.0 - reject_loss(y, predicted, predicted == 0, self.reject_cost, sample_weight)

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """The hinge's c_0, times r / (1 - r): the surrogate is that much steeper below 0."""
        return Hinge().smallest_C(X, y, sample_weight) * self.reject_cost / (1.0 - self.reject_cost)
