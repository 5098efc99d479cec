"""WeightBlocks: which weights of a model belong to which feature.

A feature usually has one weight. With one weight vector per class it has one per class, and a privileged column has one
for each side of the loss; then the feature's relevance is the total size of its block of weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from relspan.arrays import Bools, Floats, Ints, Matrix
from relspan.family.constraints import Constraints


@dataclass(frozen=True, eq=False)
class WeightBlocks:
    """The owner of every weight, and whether a weight is tested against the probes on its own.

    Not every weight needs to be: of two classes' weight vectors one is the other's negative.
    """

    owner: Ints
    tested: Bools

    @property
    def n_features(self) -> int:
        return int(self.owner[-1]) + 1 if len(self.owner) else 0

    @property
    def single(self) -> bool:
        """Whether every feature has exactly one weight."""
        return len(self.owner) == self.n_features

    def columns(self, feature: int) -> Ints:
        """The weights of one feature."""
        return np.flatnonzero(self.owner == feature)


def one_weight_per_feature(n_features: int) -> WeightBlocks:
    return WeightBlocks(np.arange(n_features), np.ones(n_features, dtype=bool))


class OneWeightPerFeature:
    """What losses with one weight a feature, and no constraints, share."""

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        return None

    def blocks(self, n_features: int) -> WeightBlocks:
        return one_weight_per_feature(n_features)

    def with_copy_of(self, feature: int) -> Self:
        return self
