"""Losses as hinge rows: one file a task, a formula each."""

from __future__ import annotations

from typing import Protocol

from relspan.arrays import Floats, Matrix
from relspan.family.constraints import Constraints
from relspan.family.hinge_rows import HingeRows
from relspan.family.weight_blocks import WeightBlocks
from relspan.losses.epsilon_insensitive import EpsilonInsensitive
from relspan.losses.hinge import Hinge
from relspan.losses.multiclass import MulticlassHinge
from relspan.losses.ordinal import OrdinalHinge
from relspan.losses.privileged import Privileged, TwoSidedLoss
from relspan.losses.reject import RejectHinge

__all__ = [
    "EpsilonInsensitive",
    "Hinge",
    "Loss",
    "MulticlassHinge",
    "OrdinalHinge",
    "Privileged",
    "RejectHinge",
    "TwoSidedLoss",
]


class Loss(Protocol):
    """What a task must say of itself; a new task is one such class and nothing else.

    Most losses have one weight a feature and no constraints: they inherit `blocks`, `constraints` and `with_copy_of`
    from `relspan.family.weight_blocks.OneColumnEach` and state the rest.
    """

    @property
    def name(self) -> str: ...

    @property
    def n_offsets(self) -> int: ...

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        """The loss on these samples. Linear in X: a probe column is `rows(column, y)` too."""
        ...

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        """What every model must satisfy besides (ordered thresholds, say); None: nothing."""
        ...

    def blocks(self, n_features: int) -> WeightBlocks:
        """Which weights belong to which feature, in the order of the features."""
        ...

    def with_copy_of(self, feature: int) -> Loss:
        """The loss over a table with one more column at its end, of the same kind as that feature."""
        ...

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats: ...

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """Higher is better; C is chosen by it."""
        ...

    def smallest_cost(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """The C near which the first feature enters the model: the foot of the grid."""
        ...
