"""Two-sided constraints as rows with one side each, and their multipliers back as those of the two-sided ones.

lower <= A z <= upper      becomes      G z - t = g,   t >= 0      (t = 0 where both sides are equal)
"""

from __future__ import annotations

import numpy as np

from relspan.arrays import Floats
from relspan.family import Family


class ConstraintSides:
    """The rows  G z - t = g  of a family's constraints, inequalities first, and back."""

    def __init__(self, family: Family) -> None:
        extra = family.constraints
        equal = extra.lower == extra.upper
        low = np.flatnonzero(np.isfinite(extra.lower) & ~equal)
        high = np.flatnonzero(np.isfinite(extra.upper) & ~equal)
        both = np.flatnonzero(equal)
        self.source = np.concatenate([low, high, both]).astype(int)
        self.sign = np.concatenate([np.ones(len(low)), -np.ones(len(high)), np.ones(len(both))])
        self.n_inequalities = len(low) + len(high)
        self.features = self.sign[:, None] * extra.features[self.source]
        self.offsets = self.sign[:, None] * extra.offsets[self.source]
        self.heights = np.concatenate([extra.lower[low], -extra.upper[high], extra.lower[both]])
        self.count = extra.n_rows

    def signed(self, gamma: Floats) -> Floats:
        """Multipliers of the two-sided constraints."""
        g = np.zeros((len(gamma), self.count))
        added = gamma[:, len(self.source) :]  # equalities that the programs have beside the family's constraints
        for column, (source, sign) in enumerate(zip(self.source, self.sign, strict=True)):
            g[:, source] += sign * gamma[:, column]
        return np.concatenate([g, added], axis=1)
