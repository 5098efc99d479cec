"""Privileged information: columns that are known while learning, and never again (Vapnik and Vashist 2009).

They describe how hard a sample is rather than its class: part of its slack may be a linear function of them,

    t_e(x*) = x*.w*_e + b*_e >= 0,

one for every kind e of slack: numbers and ordered classes have two, above and below. Every hinge row of the inner loss
turns from  max(0, h - f.w - o.b)  into

    max(0, h - f.w - o.b - t_e)  +  price * t_e,      0 < price < 1:

slack that the privileged columns explain is cheaper than other slack. The norm counts w and w*. Predicting needs w and
b only. A privileged column has one weight for each kind of slack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.constraints import Constraints, no_constraints
from relspan.family.hinge_rows import HingeRows, stacked_rows
from relspan.family.weight_blocks import WeightBlocks


class TwoSidedLoss(Protocol):
    """A loss with one weight per feature that states, for each of its scores, the sample and the kind of slack.

    `slack_kinds(y)` returns the sample of every score and the kind of its slack, 0, ..., n_slack_kinds - 1.
    """

    @property
    def name(self) -> str: ...
    @property
    def n_offsets(self) -> int: ...
    @property
    def way_out(self) -> str: ...
    @property
    def n_slack_kinds(self) -> int: ...
    def slack_kinds(self, y: Floats) -> tuple[Ints, Ints]: ...
    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows: ...
    def constraints(self, X: Matrix, y: Floats) -> Constraints | None: ...
    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats: ...
    def predict_each(self, X: Matrix, models: Floats) -> Floats: ...
    def labels_by_code(self, classes: Sequence[Any]) -> dict[float, Any]: ...
    def target_scores(self, y: Floats) -> Floats: ...
    def with_target_unit(self, unit: float) -> Self: ...
    def residual_scores(self, residuals: Floats) -> Floats: ...
    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float: ...
    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float: ...


@dataclass(frozen=True)
class Privileged:
    """An inner loss whose slack some columns may explain; `privileged` marks these columns of the table."""

    inner: TwoSidedLoss
    privileged: tuple[bool, ...]
    price: float

    @property
    def name(self) -> str:
        return f"{self.inner.name} with privileged information"

    @property
    def way_out(self) -> str:
        return self.inner.way_out

    @property
    def n_offsets(self) -> int:
        return self.inner.n_offsets + self.inner.n_slack_kinds

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        mask = np.array(self.privileged)
        inner = self.inner.rows(X[:, ~mask], y, sample_weight)
        t_features, t_offsets = self._corrections(X, y)
        features = t_features.copy()
        features[:, ~np.repeat(mask, self._widths)] = inner.features
        offsets = np.hstack([inner.offsets, t_offsets[:, self.inner.n_offsets :]])
        corrected = replace(inner, features=features, offsets=offsets)
        priced = HingeRows(-t_features, -t_offsets, np.zeros(inner.n_scores), self.price * inner.by_score(inner.costs))
        return stacked_rows(corrected, priced)

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        """Those of the inner loss, which may constrain offsets only, and t_e >= 0 for every score of the inner loss."""
        t_features, t_offsets = self._corrections(X, y)
        inner = self.inner.constraints(X[:, :1], y) or no_constraints(1, self.inner.n_offsets)
        widened = Constraints(
            np.zeros((inner.n_rows, t_features.shape[1])),
            np.hstack([inner.offsets, np.zeros((inner.n_rows, self.inner.n_slack_kinds))]),
            inner.lower,
            inner.upper,
        )
        count = len(t_features)
        return widened.stacked(Constraints(t_features, t_offsets, np.zeros(count), np.full(count, np.inf)))

    def _corrections(self, X: Matrix, y: Floats) -> tuple[Floats, Floats]:
        """Coefficients of t_e over weights and offsets, one for each score of the inner loss."""
        mask, K = np.array(self.privileged), self.inner.n_slack_kinds
        sample, kind = self.inner.slack_kinds(y)
        on = np.eye(K)[kind]
        blocks = self.blocks(X.shape[1])
        features = np.zeros((len(sample), len(blocks.owner)))
        own = X[sample][:, mask][:, :, None] * on[:, None, :]
        features[:, np.repeat(mask, self._widths)] = own.reshape(len(sample), K * int(mask.sum()))
        return features, np.hstack([np.zeros((len(sample), self.inner.n_offsets)), on])

    @property
    def _widths(self) -> Ints:
        """How many weights each column has."""
        return np.where(self.privileged, self.inner.n_slack_kinds, 1)

    def blocks(self, n_features: int) -> WeightBlocks:
        owner = np.repeat(np.arange(n_features), self._widths)
        return WeightBlocks(owner, np.ones(len(owner), dtype=bool))

    def with_copy_of(self, feature: int) -> Self:
        return replace(self, privileged=(*self.privileged, self.privileged[feature]))

    def with_target_unit(self, unit: float) -> Self:
        return replace(self, inner=self.inner.with_target_unit(unit))

    def with_covariates(self, X: Matrix, y: Floats) -> Matrix:
        return X

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        """By the columns that are not privileged."""
        mask = np.array(self.privileged)
        public = weights[~np.repeat(mask, self._widths)]
        return self.inner.predict(X[:, ~mask], public, offsets[: self.inner.n_offsets])

    def predict_each(self, X: Matrix, models: Floats) -> Floats:
        mask, d, own = np.array(self.privileged), models.shape[1] - self.n_offsets, self.inner.n_offsets
        public = models[:, :d][:, ~np.repeat(mask, self._widths)]
        return self.inner.predict_each(X[:, ~mask], np.hstack([public, models[:, d : d + own]]))

    def labels_by_code(self, classes: Sequence[Any]) -> dict[float, Any]:
        return self.inner.labels_by_code(classes)

    def target_scores(self, y: Floats) -> Floats:
        return self.inner.target_scores(y)

    def residual_scores(self, residuals: Floats) -> Floats:
        return self.inner.residual_scores(residuals)

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        return self.inner.score(y, predicted, sample_weight)

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        return self.inner.smallest_C(X[:, ~np.array(self.privileged)], y, sample_weight)
