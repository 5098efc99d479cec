"""Several classes: one weight vector per class, and a hinge for every class that a sample does not belong to.

    sum_i sum_{k != y_i}  max(0, 2 - (s_{y_i} - s_k)),      s_k = x_i.w_k + b_k        (Weston and Watkins 1999)

with  sum_k w_k = 0  for every feature: adding the same vector to all w_k changes no prediction, and without the
constraint a weight could grow at no loss. Only differences of offsets count, so b_0 = 0 and the offsets are
b_1, ..., b_{K-1}. The weights of a feature stand together, one per class, in the order of the classes: its block. With
two classes w_1 = -w_0, and norm and loss are both twice those of the hinge machine: the same models at the same C, in
the same shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from relspan.arrays import Floats, Matrix
from relspan.family.constraints import Constraints
from relspan.family.hinge_rows import HingeRows
from relspan.family.weight_blocks import WeightBlocks
from relspan.losses.loss import entry_C, register_loss, weight_per_sample, weighted_f1


@register_loss
@dataclass(frozen=True)
class MulticlassHinge:
    """The loss of the L1 machine for several classes. Targets are 0, 1, ..., n_classes - 1."""

    n_classes: int

    name = "multi-class hinge"
    way_out = ""

    @property
    def n_offsets(self) -> int:
        return self.n_classes - 1

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        """f = (e_y - e_k) for every value of x, o = e_y - e_k without class 0, h = 2; rows of two classes together."""
        K, label, d = self.n_classes, y.astype(int), X.shape[1]
        costs, unit = weight_per_sample(y, sample_weight), np.eye(K)
        own, other = (part.ravel() for part in np.indices((K, K)))
        of_pair = np.lexsort([own, np.maximum(own, other), np.minimum(own, other)])
        parts = [(a, b) for a, b in zip(own[of_pair], other[of_pair], strict=True) if a != b]
        members = [np.flatnonzero(label == a) for a in range(K)]
        samples = np.concatenate([members[a] for a, _ in parts])
        k = np.concatenate([np.full(len(members[a]), b) for a, b in parts])
        row, x, features = np.arange(len(samples)), X[samples], np.zeros((len(samples), d, K))
        features[row, :, label[samples]], features[row, :, k] = x, -x
        difference = unit[label[samples]] - unit[k]
        heights = np.full(len(samples), 2.0)
        return HingeRows(features.reshape(len(samples), d * K), difference[:, 1:], heights, costs[samples])

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        """sum_k w_kj = 0 for every feature j."""
        d = X.shape[1]
        sums = np.repeat(np.eye(d), self.n_classes, axis=1)
        return Constraints(sums, np.zeros((d, self.n_offsets)), np.zeros(d), np.zeros(d))

    def blocks(self, n_features: int) -> WeightBlocks:
        owner = np.repeat(np.arange(n_features), self.n_classes)
        # two classes have mirrored weights, so one of them is enough
        tested = np.arange(self.n_classes) >= (1 if self.n_classes == 2 else 0)
        return WeightBlocks(owner, np.tile(tested, n_features))

    def with_copy_of(self, feature: int) -> Self:
        return self

    def with_target_unit(self, unit: float) -> Self:
        return self

    def with_covariates(self, X: Matrix, y: Floats) -> Matrix:
        return X

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        scores = X @ weights.reshape(-1, self.n_classes) + np.concatenate([[0.0], offsets])
        return np.asarray(scores.argmax(axis=1), dtype=np.float64)

    def predict_each(self, X: Matrix, models: Floats) -> Floats:
        d = models.shape[1] - self.n_offsets
        return np.stack([self.predict(X, model[:d], model[d:]) for model in models])

    def labels_by_code(self, classes: Sequence[Any]) -> dict[float, Any]:
        return {float(k): label for k, label in enumerate(classes)}

    def target_scores(self, y: Floats) -> Floats:
        """One indicator per class."""
        return np.asarray(np.eye(self.n_classes)[y.astype(int)])

    def residual_scores(self, residuals: Floats) -> Floats:
        return residuals

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """F1, weighted by class support."""
        return weighted_f1(y, predicted, weight_per_sample(y, sample_weight))

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """c_0 = 1 / max_j (max_k g_jk - min_k g_jk) / 2,  g_jk = sum_i v_i (a_ik - abar_k) x_ij.

        a_ik is K - 1 for the sample's class and -1 for the others: the pull of the samples on w_k at w = 0.
        """
        v = weight_per_sample(y, sample_weight)
        a = self.n_classes * np.eye(self.n_classes)[y.astype(int)] - 1.0
        return entry_C(X, v[:, None] * (a - np.average(a, axis=0, weights=v)))
