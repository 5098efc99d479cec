"""The hinge rows' coefficients of split weights, w = p - q, in the compressed form in which solvers take them.

Signed weights are numbered p_0 ... p_{d-1}, q_0 ... q_{d-1}; the coefficients of q are those of p with opposite signs.
A dense table stays dense and a sparse one sparse, and neither is ever written out for both signs.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix
from relspan.family import HingeRows

Compressed: TypeAlias = tuple[NDArray[np.int32], Ints, Floats]  # starts, indices, values


class Coefficients:
    """Blocks of [O | F | -F]: some hinge rows, all offsets, some signed weights.

    Rows of one score have the same coefficients, which are kept once.
    """

    def __init__(self, rows: HingeRows) -> None:
        self._rows, self._offsets = rows, rows.offsets
        self._sparse = sparse.issparse(rows.features)
        if self._sparse:
            self._by_row, self._by_column = sparse.csr_array(rows.features), sparse.csc_array(rows.features)
        else:
            self._by_row = self._by_column = np.ascontiguousarray(rows.features, dtype=np.float64)
        self._across = self._by_row.T

    def scores(self, weights: Floats) -> Floats:
        """F w, one value per score."""
        return np.asarray(self._by_row @ weights)

    def pressures(self, multipliers: Floats) -> Floats:
        """a F, for multipliers a of the hinge rows."""
        return np.asarray(self._across @ self._rows.by_score(multipliers))

    def rows(self, which: Ints, weights: Ints, sign: Floats) -> Compressed:
        """Rows of  sign * [O | signed weights | 1], where each row has its 1 in a column of its own."""
        scores = self._rows.scores_by_row[which]
        block, O = self._block(self._by_row, scores, weights), self._offsets[scores]
        if self._sparse:
            ones = sparse.eye_array(len(which))
            whole = sparse.hstack([sparse.diags_array(sign) @ sparse.hstack([O, block]), ones], format="csr")
            return whole.indptr.astype(np.int32), whole.indices.astype(np.intp), whole.data
        # dense rows need no search for their entries, and each has one entry in a column of its own
        entries = np.hstack([sign[:, None] * O, sign[:, None] * block, np.ones((len(which), 1))])
        count, width = entries.shape
        indices = np.empty(entries.shape, dtype=np.intp)
        indices[:, :-1], indices[:, -1] = np.arange(width - 1), width - 1 + np.arange(count)
        return (np.arange(count) * width).astype(np.int32), indices.ravel(), entries.ravel()

    def columns(self, weights: Ints, fixed: Floats, which: Ints, sign: Floats) -> Compressed:
        """Columns of signed weights: `fixed` coefficients first, then  sign * the hinge rows' ones."""
        block = self._block(self._by_column, self._rows.scores_by_row[which], weights)
        if self._sparse:
            whole = sparse.vstack([sparse.csc_array(fixed), sparse.diags_array(sign) @ block], format="csc")
            return whole.indptr.astype(np.int32), whole.indices.astype(np.intp), whole.data
        entries = np.vstack([fixed, sign[:, None] * block]).T
        count, height = entries.shape
        return (
            (np.arange(count) * height).astype(np.int32),
            np.tile(np.arange(height, dtype=np.intp), count),
            np.ascontiguousarray(entries).ravel(),
        )

    def _block(self, features: Matrix, scores: Ints, weights: Ints) -> Matrix:
        d = self._by_row.shape[1]
        side = np.where(weights < d, 1.0, -1.0)
        if not self._sparse:
            return features[np.ix_(scores, weights % d)] * side
        by_column = features.format == "csc"
        chosen = features[:, weights % d][scores] if by_column else features[scores][:, weights % d]
        return chosen @ sparse.diags_array(side)
