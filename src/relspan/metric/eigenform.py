"""The eigen-form of a learned map: rows that do not depend on how the learner turned its image space.

Distances depend on Lambda = Omega' Omega alone; Omega itself is known up to a rotation. With the eigenvalues
lambda_1 >= lambda_2 >= ... and eigenvectors v_r of Lambda, the rows

    omega_r = sqrt(lambda_r) v_r',   the entry of largest size positive,

are the same for every such Omega. They are taken from the singular values of Omega, whose squares the eigenvalues are:
forming Lambda first would lose half of the digits and return eigenvalues such as -1e-17. The trace is scaled to 1, so
that maps of different learners can be compared. Rows of small eigenvalue are dropped, and their share of the trace is
kept.

Where two eigenvalues are nearly equal their rows may still turn into each other: bounds per row, and sums over rows,
then depend on noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.errors import DataError
from relspan.tolerances import NEARLY_EQUAL_EIGENVALUES


@dataclass(frozen=True, eq=False)
class EigenForm:
    """Rows sqrt(lambda_r) v_r' with trace 1, before small ones were dropped.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, d)
        The rows.
    eigenvalues : ndarray of shape (n_rows,)
        Their eigenvalues, the largest first.
    scale : float
        The learner's own map has this times the size: scale * rows has its Lambda, but for what was dropped.
    dropped : float
        Share of the trace in rows that were dropped.
    """

    rows: Floats
    eigenvalues: Floats
    scale: float
    dropped: float

    @property
    def norms(self) -> Floats:
        """The L1 norm of each row: dividing by it scales the row to L1 = 1, as the programs take it."""
        return np.asarray(np.abs(self.rows).sum(axis=1))

    @property
    def close_pairs(self) -> list[int]:
        """The rows r whose eigenvalue nearly equals that of row r + 1."""
        above, below = self.eigenvalues[:-1], self.eigenvalues[1:]
        return np.flatnonzero(above - below < NEARLY_EQUAL_EIGENVALUES * above).tolist()


def eigenform(omega: Any, smallest: float = 1e-3) -> EigenForm:
    """The eigen-form of a map.

    Parameters
    ----------
    omega : array-like of shape (rank, d)
        The map.
    smallest : float, default=1e-3
        Rows whose eigenvalue is below this share of the largest one are dropped.

    Returns
    -------
    EigenForm
        Its rows in the order of their eigenvalues.
    """
    omega = np.atleast_2d(np.asarray(omega, dtype=np.float64))
    if omega.ndim != 2 or not np.isfinite(omega).all() or not omega.any():
        raise DataError(f"a map must be a matrix of finite numbers, not all 0; this one has shape {omega.shape}")
    _, singular, V = np.linalg.svd(omega, full_matrices=False)
    scale = float(np.sqrt(np.sum(singular**2)))
    eigenvalues = (singular / scale) ** 2
    kept = eigenvalues >= max(smallest, np.finfo(np.float64).eps) * eigenvalues[0]
    rows = (singular / scale)[kept, None] * V[kept]
    largest = np.take_along_axis(rows, np.abs(rows).argmax(axis=1)[:, None], axis=1)
    return EigenForm(rows * np.sign(largest), eigenvalues[kept], scale, float(eigenvalues[~kept].sum()))
