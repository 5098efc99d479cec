"""Newton steps of wide programs with matrices of few columns each.

The matrix of a step, F T_w F' + N^-1 (`newton_step`), costs a product with all columns. But T_w = p / z_p + q / z_q is
large for the columns that a program uses and small for all others, whose contributions are nearly those of a multiple
of F F'. So the matrix is taken to be

    tau F F' + sum over the leading columns of (T_w,j - tau) F_j F_j' + N^-1,      tau = the mean T_w of the others.

Only the matrix is approximate. Residuals, borders and steps are those of all columns, so an iteration corrects what the
one before it has missed, and the fewer columns matter, the more exact it is. This serves to come near an optimum, where
the columns and rows that matter are known (`restricted_programs`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas

from relspan.engines.interior.batch_arrays import Array, BatchArrays
from relspan.engines.interior.first_factor import FirstFactor, first_factor


@dataclass(frozen=True, eq=False)
class LeadingColumns(BatchArrays):
    """Programs over one table; `across` is F' and `gram` F F', both in single precision (NumPy only)."""

    across: Array = None
    gram: Array = None
    count: int = 0

    def where(self, kept: Array) -> LeadingColumns:
        extra_column = None if self.extra_column is None else self.extra_column[kept]
        return replace(self, v=self.v[kept], v_b=self.v_b[kept], extra_column=extra_column)

    def factor(self, weights: Array, diagonal: Array, jitter: float) -> tuple[Array, Array]:
        shared = first_factor(self.F, weights, diagonal, self.extra_column) if len(weights) > 1 else None
        if shared is None:
            return super().factor(weights, diagonal, jitter)
        return shared, np.zeros(len(weights), dtype=bool)

    def solved(self, factor: Array, right: Array) -> Array:
        return factor.solve(right) if isinstance(factor, FirstFactor) else super().solved(factor, right)

    def score_matrix(self, weights: Array) -> Array:
        n, d = self.F.shape
        shared = weights[:, :d]
        if self.count >= d:
            leading, least = np.broadcast_to(np.arange(d), shared.shape), np.zeros(len(shared))
        else:
            leading = np.argpartition(-shared, self.count - 1, axis=1)[:, : self.count]
            rest = shared.sum(axis=1) - np.take_along_axis(shared, leading, 1).sum(axis=1)
            least = np.maximum(rest, 0.0) / (d - self.count)
        roots = np.sqrt(np.maximum(np.take_along_axis(shared, leading, 1) - least[:, None], 0.0)).astype(np.float32)
        matrices = np.empty((len(shared), n, n), dtype=np.float32)
        for i, which in enumerate(leading):
            columns = self.across[which] * roots[i][:, None]
            if self.extra_column is not None:
                last = self.extra_column[i] * np.sqrt(weights[i, -1])
                columns = np.vstack([columns, last.astype(np.float32)])
            np.multiply(self.gram, np.float32(least[i]), out=matrices[i])
            blas.ssyrk(1.0, columns.T, beta=1.0, lower=1, c=matrices[i].T, overwrite_c=1)
        return matrices
