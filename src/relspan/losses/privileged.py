"""Privileged information: columns that are known while learning, and never again (Vapnik and Vashist 2009).

They say how hard a sample is, not what it is: its slack may be, in part, a linear function of them,

    t_e(x*) = x*.w*_e + b*_e >= 0,

one for every side e of the loss (above and below for numbers and ordered classes). Every hinge row of the inner loss
turns from  max(0, h - f.w - o.b)  into

    max(0, h - f.w - o.b - t_e)  +  price * t_e,      0 < price < 1:

corrections that the privileged columns explain are cheaper than slack. The norm counts both kinds of weights.
Predicting needs w and b only. A privileged column's block holds its weight for each side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.constraints import Constraints, no_constraints
from relspan.family.hinge_rows import HingeRows, stacked_rows
from relspan.family.weight_blocks import WeightBlocks


class TwoSidedLoss(Protocol):
    """A loss with one weight a feature that can tell, for each of its rows, the sample and the side it is about."""

    @property
    def name(self) -> str: ...
    @property
    def n_offsets(self) -> int: ...
    @property
    def n_sides(self) -> int: ...
    def sides(self, y: Floats) -> tuple[Ints, Ints]: ...
    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows: ...
    def constraints(self, X: Matrix, y: Floats) -> Constraints | None: ...
    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats: ...
    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float: ...
    def smallest_cost(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float: ...


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
    def n_offsets(self) -> int:
        return self.inner.n_offsets + self.inner.n_sides

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        mask = np.array(self.privileged)
        inner = self.inner.rows(X[:, ~mask], y, sample_weight)
        t_features, t_offsets = self._corrections(X, y)
        features = t_features.copy()
        features[:, ~np.repeat(mask, self._widths)] = inner.features
        offsets = np.hstack([inner.offsets, t_offsets[:, self.inner.n_offsets :]])
        corrected = HingeRows(features, offsets, inner.heights, inner.costs)
        priced = HingeRows(-t_features, -t_offsets, np.zeros(inner.n_rows), self.price * inner.costs)
        return stacked_rows(corrected, priced)

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        """The inner loss's, which may only speak of offsets, and t_e >= 0 wherever the inner loss has a row."""
        t_features, t_offsets = self._corrections(X, y)
        inner = self.inner.constraints(X[:, :1], y) or no_constraints(1, self.inner.n_offsets)
        widened = Constraints(
            np.zeros((inner.n_rows, t_features.shape[1])),
            np.hstack([inner.offsets, np.zeros((inner.n_rows, self.inner.n_sides))]),
            inner.lower,
            inner.upper,
        )
        count = len(t_features)
        return widened.stacked(Constraints(t_features, t_offsets, np.zeros(count), np.full(count, np.inf)))

    def _corrections(self, X: Matrix, y: Floats) -> tuple[Floats, Floats]:
        """Coefficients of t_e over weights and offsets, one for each row of the inner loss."""
        mask, K = np.array(self.privileged), self.inner.n_sides
        sample, side = self.inner.sides(y)
        on = np.eye(K)[side]
        blocks = self.blocks(X.shape[1])
        features = np.zeros((len(sample), len(blocks.owner)))
        features[:, np.repeat(mask, self._widths)] = (X[sample][:, mask][:, :, None] * on[:, None, :]).reshape(
            len(sample), -1
        )
        return features, np.hstack([np.zeros((len(sample), self.inner.n_offsets)), on])

    @property
    def _widths(self) -> Ints:
        """How many weights each column has."""
        return np.where(self.privileged, self.inner.n_sides, 1)

    def blocks(self, n_features: int) -> WeightBlocks:
        owner = np.repeat(np.arange(n_features), self._widths)
        return WeightBlocks(owner, np.ones(len(owner), dtype=bool))

    def with_copy_of(self, feature: int) -> Self:
        return replace(self, privileged=(*self.privileged, self.privileged[feature]))

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        """By the columns that are not privileged."""
        mask = np.array(self.privileged)
        public = weights[~np.repeat(mask, self._widths)]
        return self.inner.predict(X[:, ~mask], public, offsets[: self.inner.n_offsets])

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        return self.inner.score(y, predicted, sample_weight)

    def smallest_cost(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        return self.inner.smallest_cost(X[:, ~np.array(self.privileged)], y, sample_weight)
