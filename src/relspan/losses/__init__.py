"""Losses as hinge rows: one file a task, a formula each."""

from __future__ import annotations

from typing import Protocol

from relspan.losses.blocks import Blocks, one_column_each
from relspan.losses.constraints import Constraints, no_constraints
from relspan.losses.epsilon import EpsilonInsensitive
from relspan.losses.hinge import Hinge
from relspan.losses.multiclass import MulticlassHinge
from relspan.losses.ordinal import OrdinalHinge
from relspan.losses.privileged import Privileged, Sided
from relspan.losses.reject import RejectHinge
from relspan.losses.rows import Floats, HingeRows, Matrix, dense, empty_rows, side_by_side

__all__ = [
    "Blocks",
    "Constraints",
    "EpsilonInsensitive",
    "Floats",
    "Hinge",
    "HingeRows",
    "Loss",
    "Matrix",
    "MulticlassHinge",
    "OrdinalHinge",
    "Privileged",
    "RejectHinge",
    "Sided",
    "dense",
    "empty_rows",
    "no_constraints",
    "one_column_each",
    "side_by_side",
]


class Loss(Protocol):
    """What a task must say of itself; a new task is one such class and nothing else.

    Most losses have one weight a feature and no constraints: they inherit `blocks`, `constraints` and `with_copy_of`
    from `relspan.losses.blocks.OneColumnEach` and state the rest.
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

    def blocks(self, n_features: int) -> Blocks:
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
