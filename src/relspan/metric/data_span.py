"""Learning in the span of the data: the coordinates on which the cost of a metric learner depends.

The costs see a map through the images of (centred) samples alone. With V the right singular vectors of the data and k
its rank, the first k rows of V span the samples, and a map is

    Omega = Omega_s V_k  +  what it does to directions no sample has.

Descent from the identity never touches the second part, nor do prototypes leave the span: so learning happens in the
k coordinates X V_k', which for n < d are far fewer than d, and the rest of the identity is put back at the end. It is
arbitrary; that such parts are not read as relevance is what the relevance intervals are for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.arrays import Floats
from relspan.tolerances import NUMERICAL_RANK


@dataclass(frozen=True, eq=False)
class DataSpan:
    """All principal axes of the data, d x d, of which the first ``size`` have variance."""

    axes: Floats
    size: int

    def coordinates(self, X: Floats) -> Floats:
        """Centred samples in the coordinates of the span, n x k."""
        return np.asarray(X @ self.axes[: self.size].T)

    def lift(self, inside: Floats, rank: int) -> Floats:
        """The map of ``rank`` rows that does this inside the span; rows it leaves over are axes without variance."""
        return np.vstack([inside @ self.axes[: self.size], self.axes[self.size : rank - len(inside) + self.size]])


def span_of(X: Floats, sample_weight: Floats | None = None) -> DataSpan:
    """The span of centred samples, its axes those of the (weighted) covariance."""
    n, d = X.shape
    rows = X if sample_weight is None else np.sqrt(sample_weight)[:, None] * X
    _, singular, V = np.linalg.svd(rows, full_matrices=n < d)
    V *= np.sign(np.take_along_axis(V, np.abs(V).argmax(axis=1)[:, None], axis=1))  # its sign is arbitrary, starts not
    real = int(np.sum(singular**2 > NUMERICAL_RANK * singular[0] ** 2)) if singular[0] > 0 else 1
    return DataSpan(V, min(real, max(1, n - 1)))
