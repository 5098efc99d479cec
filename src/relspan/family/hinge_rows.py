"""Hinge rows: the one form in which every loss of the papers is written.

    loss(w, b) = sum_i  c_i * max(0, h_i - f_i . w - o_i . b)

with, for row i, the coefficients f_i of the d weights, o_i of the k offsets, the height h_i and the cost c_i >= 0.
A sample may have several rows (two kinks), a model several offsets (thresholds), and a sample weight multiplies c_i.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Matrix, dense


@dataclass(frozen=True, eq=False)
class HingeRows:
    """The rows of a loss: coefficients of weights and offsets, heights, and costs."""

    features: Matrix
    offsets: Floats
    heights: Floats
    costs: Floats

    @property
    def n_rows(self) -> int:
        return len(self.heights)

    @property
    def n_features(self) -> int:
        return int(self.features.shape[1])

    @property
    def n_offsets(self) -> int:
        return int(self.offsets.shape[1])

    def slack(self, weights: Floats, offsets: Floats) -> Floats:
        """h_i - f_i . w - o_i . b for every row: positive where the row costs something."""
        return np.asarray(self.heights - self.features @ weights - self.offsets @ offsets)

    def loss(self, weights: Floats, offsets: Floats) -> float:
        return float(self.costs @ np.maximum(0.0, self.slack(weights, offsets)))

    @cached_property
    def largest_entries(self) -> Floats:
        """``max_j |f_ij|`` of every row."""
        if not self.n_features:
            return np.zeros(self.n_rows)
        return np.maximum(0.0, dense(abs(self.features).max(axis=1)).ravel())

    def with_features(self, features: Matrix) -> HingeRows:
        """The same rows over other columns."""
        return replace(self, features=features)


def stacked_rows(first: HingeRows, second: HingeRows) -> HingeRows:
    """The sum of two losses of the same weights and offsets."""
    parts = [first.features, second.features]
    return HingeRows(
        sparse.vstack(parts).tocsr() if sparse.issparse(first.features) else np.vstack(parts),
        np.vstack([first.offsets, second.offsets]),
        np.concatenate([first.heights, second.heights]),
        np.concatenate([first.costs, second.costs]),
    )


def empty_rows(n_features: int, n_offsets: int = 0) -> HingeRows:
    """No loss at all: for families that are bound by equalities and the norm only."""
    return HingeRows(np.zeros((0, n_features)), np.zeros((0, n_offsets)), np.zeros(0), np.zeros(0))
