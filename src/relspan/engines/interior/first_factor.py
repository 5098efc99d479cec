"""The matrices of a first step, which programs that start from one point share but for their own columns.

    K_i = K + t_i f_i f_i',      K_i^-1 r = K^-1 r - k_i t_i (k_i.r) / (1 + t_i f_i.k_i),      k_i = K^-1 f_i

K is factorised once for all programs of a batch, so that this step hardly costs anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from relspan.arrays import Floats
from relspan.engines.interior.dual_polytope import weighted_gram

SOME = 9  # programs, whose median weights are those of K


@dataclass(frozen=True, eq=False)
class FirstFactor:
    """The factor of K, the k_i, and t_i / (1 + t_i f_i.k_i); one row per program."""

    factor: Floats
    own: Floats
    size: Floats

    def solve(self, right: Floats) -> Floats:
        """K_i^-1 of right hand sides, (programs, scores, count)."""
        programs, n, count = right.shape
        flat = np.swapaxes(right, 0, 1).reshape(n, programs * count)
        solved = np.swapaxes(cho_solve((self.factor, True), flat, check_finite=False).reshape(n, programs, count), 0, 1)
        along = self.size[:, None] * np.einsum("kn,knc->kc", self.own, right)
        return np.asarray(solved - self.own[:, :, None] * along[:, None, :])


def first_factor(F: Floats, weights: Floats, diagonal: Floats, extra_column: Floats | None) -> FirstFactor | None:
    """The factor where the programs' weights differ in one column each at most, and not in their diagonals."""
    d = F.shape[1]
    some = np.linspace(0, len(weights) - 1, min(len(weights), SOME)).astype(np.intp)
    typical = np.median(weights[some, :d], axis=0)
    if np.count_nonzero(weights[0, :d] != typical) > 1 or np.ptp(diagonal, axis=0).any():
        return None
    differ = weights[:, :d] != typical
    if np.count_nonzero(differ, axis=1).max() > (extra_column is None):
        return None
    if extra_column is None:
        which = differ.argmax(axis=1)
        columns, change = F.T[which], np.take_along_axis(weights - typical, which[:, None], 1)[:, 0]
    else:
        columns, change = extra_column, weights[:, d]
    matrix = weighted_gram(F, typical)
    matrix[np.diag_indices(len(matrix))] += diagonal[0]
    try:
        factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)[0]
    except LinAlgError:
        return None
    own = cho_solve((factor, True), columns.T, check_finite=False).T
    return FirstFactor(factor, own, change / (1 + change * np.vecdot(columns, own)))
