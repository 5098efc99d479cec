"""Linear constraints that a loss puts on its own models, and that a family may add."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.arrays import Floats


@dataclass(frozen=True, eq=False)
class Constraints:
    """Two-sided linear constraints  lower <= A_w w + A_b b <= upper  (equal sides: an equality)."""

    features: Floats
    offsets: Floats
    lower: Floats
    upper: Floats

    @property
    def n_rows(self) -> int:
        return len(self.lower)

    def stacked(self, other: Constraints) -> Constraints:
        return Constraints(
            np.vstack([self.features, other.features]),
            np.vstack([self.offsets, other.offsets]),
            np.concatenate([self.lower, other.lower]),
            np.concatenate([self.upper, other.upper]),
        )


def no_constraints(n_features: int, n_offsets: int) -> Constraints:
    return Constraints(np.zeros((0, n_features)), np.zeros((0, n_offsets)), np.zeros(0), np.zeros(0))
