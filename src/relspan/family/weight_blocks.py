"""Weight blocks: which weights of a model belong to which feature.

A feature usually has one weight. With one weight vector per class it has one weight per class, and a privileged column
has one for each kind of slack; then the feature's relevance is the sum of the absolute values of its weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relspan.arrays import Bools, Ints


@dataclass(frozen=True, eq=False)
class WeightBlocks:
    """The feature that owns each weight, and whether the weight is tested against the probes.

    Not every weight needs to be tested: with two classes one weight vector is the negative of the other.
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

    @property
    def has_several(self) -> Bools:
        """Whether a feature has several weights, one value per feature."""
        return np.asarray(np.bincount(self.owner, minlength=self.n_features) > 1)

    @cached_property
    def _columns(self) -> list[Ints]:
        """The weights of each feature."""
        order = np.argsort(self.owner, kind="stable")
        return np.split(order, np.searchsorted(self.owner[order], np.arange(1, self.n_features)))

    def columns(self, feature: int) -> Ints:
        """The weights of one feature."""
        return self._columns[feature]


def one_weight_per_feature(n_features: int) -> WeightBlocks:
    return WeightBlocks(np.arange(n_features), np.ones(n_features, dtype=bool))
