"""Hinge rows: the one form in which every loss of the papers is written.

    loss(w, b) = sum_i  c_i * max(0, h_i - s_k(i)),      s_k = f_k . w + o_k . b

A *score* s_k has the coefficients f_k of the d weights and o_k of the offsets; a hinge row i has the height h_i and the
cost c_i >= 0, and costs something where its score lies below its height. Most losses have one row per score, that is
k(i) = i. A loss that bends several times as one score grows has several rows of that score: its *kinks* differ in
height and cost only, so that the coefficients are stored, and multiplied, once. A sample may have several scores, a
model several offsets (thresholds), and a sample weight multiplies c_i.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix, dense


@dataclass(frozen=True, eq=False)
class HingeRows:
    """The rows of a loss: coefficients of weights and offsets by score, heights and costs by row.

    `score_of` holds the score k(i) of every row; None where every row has a score of its own.
    """

    features: Matrix
    offsets: Floats
    heights: Floats
    costs: Floats
    score_of: Ints | None = None

    @property
    def n_rows(self) -> int:
        return len(self.heights)

    @property
    def n_scores(self) -> int:
        return len(self.offsets)

    @property
    def n_features(self) -> int:
        return int(self.features.shape[1])

    @property
    def n_offsets(self) -> int:
        return int(self.offsets.shape[1])

    @cached_property
    def scores_by_row(self) -> Ints:
        """The score of every row, as an index."""
        return np.arange(self.n_rows) if self.score_of is None else self.score_of

    def by_row(self, values: Floats) -> Floats:
        """Values of the scores, (..., scores), as values of the rows."""
        return values if self.score_of is None else values[..., self.score_of]

    def by_score(self, values: Floats) -> Floats:
        """Values of the rows, (..., rows), added up for each score."""
        return values if self.score_of is None else np.asarray(values @ self._rows_of_scores)

    @cached_property
    def _rows_of_scores(self) -> sparse.csr_array:
        """(rows, scores): 1 where a row belongs to a score."""
        place = (np.ones(self.n_rows), (np.arange(self.n_rows), self.scores_by_row))
        return sparse.csr_array(place, shape=(self.n_rows, self.n_scores))

    def scores(self, weights: Floats, offsets: Floats) -> Floats:
        """f_k . w + o_k . b for every score."""
        return np.asarray(self.features @ weights + self.offsets @ offsets)

    def slack(self, weights: Floats, offsets: Floats) -> Floats:
        """h_i - s_k(i) for every row: positive where the row costs something."""
        return np.asarray(self.heights - self.by_row(self.scores(weights, offsets)))

    def loss(self, weights: Floats, offsets: Floats) -> float:
        return float(self.costs @ np.maximum(0.0, self.slack(weights, offsets)))

    def pressures(self, multipliers: Floats) -> Floats:
        """sum_i a_i f_k(i), (..., features), of multipliers a of the rows, (..., rows)."""
        return np.asarray(self.features.T @ self.by_score(multipliers).T).T

    def offset_pressures(self, multipliers: Floats) -> Floats:
        """sum_i a_i o_k(i), (..., offsets), of multipliers a of the rows, (..., rows).

        One sum at a time, so that it rounds as it would alone: where nothing limits the offsets, a proof needs a 0.
        """
        sums = self.by_score(multipliers)
        if not self.n_offsets:
            return np.zeros((*sums.shape[:-1], 0))
        return np.stack([np.vecdot(sums, column) for column in np.ascontiguousarray(self.offsets.T)], axis=-1)

    @cached_property
    def largest_entries(self) -> Floats:
        """``max_j |f_kj|`` of every score."""
        if not self.n_features:
            return np.zeros(self.n_scores)
        return np.maximum(0.0, dense(abs(self.features).max(axis=1)).ravel())

    def with_features(self, features: Matrix) -> HingeRows:
        """The same rows over other columns."""
        return replace(self, features=features)

    def of_scores(self, chosen: Ints) -> HingeRows:
        """The rows of some scores, given in rising order."""
        if self.score_of is None:
            return HingeRows(self.features[chosen], self.offsets[chosen], self.heights[chosen], self.costs[chosen])
        place = np.full(self.n_scores, -1)
        place[chosen] = np.arange(len(chosen))
        rows = np.flatnonzero(place[self.score_of] >= 0)
        return HingeRows(
            self.features[chosen],
            self.offsets[chosen],
            self.heights[rows],
            self.costs[rows],
            place[self.score_of[rows]],
        )

    def with_scores_of_their_own(self) -> HingeRows:
        """The same loss, written out: coefficients repeated, so that every row has a score of its own."""
        if self.score_of is None:
            return self
        return HingeRows(self.features[self.score_of], self.offsets[self.score_of], self.heights, self.costs)


def kinked_rows(features: Matrix, offsets: Floats, kinks: Floats, costs: Floats) -> HingeRows:
    """One row for each kink of every score: all rows of the first kink come first. `costs` is (kinks, scores)."""
    scores = len(offsets)
    score_of = np.tile(np.arange(scores), len(kinks)) if len(kinks) > 1 else None
    return HingeRows(features, offsets, np.repeat(kinks, scores), np.ravel(costs), score_of)


def stacked_rows(first: HingeRows, second: HingeRows) -> HingeRows:
    """The sum of two losses of the same weights and offsets."""
    parts = [first.features, second.features]
    shared = first.score_of is not None or second.score_of is not None
    return HingeRows(
        sparse.vstack(parts).tocsr() if sparse.issparse(first.features) else np.vstack(parts),
        np.vstack([first.offsets, second.offsets]),
        np.concatenate([first.heights, second.heights]),
        np.concatenate([first.costs, second.costs]),
        np.concatenate([first.scores_by_row, first.n_scores + second.scores_by_row]) if shared else None,
    )


def empty_rows(n_features: int, n_offsets: int = 0) -> HingeRows:
    """No loss at all: for families that are bound by equalities and the norm only."""
    return HingeRows(np.zeros((0, n_features)), np.zeros((0, n_offsets)), np.zeros(0), np.zeros(0))
