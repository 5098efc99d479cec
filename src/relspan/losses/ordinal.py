"""Ordinal regression: one score, ordered thresholds b_1 <= ... <= b_{K-1} between the K classes.

A sample of class k costs  max(0, 1 - (b_k - x.w))  at the threshold above it and  max(0, 1 - (x.w - b_{k-1}))  at the
one below it (Chu and Keerthi 2005, explicit thresholds). As hinge rows: f = -x, o = e_k, h = 1 and f = x, o = -e_{k-1},
h = 1; the rows at the threshold above come first. With two classes it is the hinge loss, with b = -b_1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.constraints import Constraints
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import OneScoreLoss, entry_C, register_loss, weight_per_sample
from relspan.metrics import ordinal_score


@register_loss
@dataclass(frozen=True)
class OrdinalHinge(OneScoreLoss):
    """The loss of the L1 support vector ordinal regression. Targets are the ranks 0, 1, ..., n_classes - 1."""

    n_classes: int

    name = "ordinal hinge"
    n_slack_kinds = 2
    offsets_are_thresholds = True

    @property
    def n_offsets(self) -> int:
        return self.n_classes - 1

    @property
    def label_codes(self) -> tuple[float, ...]:
        return tuple(float(rank) for rank in range(self.n_classes))

    def slack_kinds(self, y: Floats) -> tuple[Ints, Ints]:
        """The sample of every score, and the kind of its slack: 0 at the threshold above the class, 1 at that below."""
        below_one, above_one = np.flatnonzero(y < self.n_classes - 1), np.flatnonzero(y > 0)
        return np.concatenate([below_one, above_one]), np.repeat([0, 1], [len(below_one), len(above_one)])

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        costs = weight_per_sample(y, sample_weight)
        rank = y.astype(int)
        below_one, above_one = np.flatnonzero(rank < self.n_classes - 1), np.flatnonzero(rank > 0)
        unit = np.eye(self.n_classes - 1)
        features = [-X[below_one], X[above_one]]
        return HingeRows(
            sparse.vstack(features).tocsr() if sparse.issparse(X) else np.vstack(features),
            np.vstack([unit[rank[below_one]], -unit[rank[above_one] - 1]]),
            np.ones(len(below_one) + len(above_one)),
            np.concatenate([costs[below_one], costs[above_one]]),
        )

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        """0 <= b_{k+1} - b_k."""
        unit = np.eye(self.n_classes - 1)
        count = self.n_classes - 2
        return Constraints(np.zeros((count, X.shape[1])), unit[1:] - unit[:-1], np.zeros(count), np.full(count, np.inf))

    def predict_from_margins(self, margins: Floats) -> Floats:
        """The rank: how many thresholds the score has passed."""
        return np.asarray((margins > 0).sum(axis=1), dtype=np.float64)

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """1 - (macro-averaged absolute error of the rank) / (K - 1)."""
        return ordinal_score(y, predicted, "macro_mae", sample_weight, n_classes=self.n_classes)

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """``c_0 = 1 / max_j |sum_k sum_i v_i (s_ik - sbar_k) x_ij|``.

        It is the sum of the hinge's over all thresholds, each between its two classes: s_ik is -1 for the
        class below threshold k, +1 for the one above.
        """
        v = weight_per_sample(y, sample_weight)
        pull = np.zeros(len(y))
        for k in range(self.n_classes - 1):
            near = (y == k) | (y == k + 1)
            if v[near].sum() > 0:
                s = np.where(y[near] == k, -1.0, 1.0)
                pull[near] += v[near] * (s - np.average(s, weights=v[near]))
        return entry_C(X, pull)
