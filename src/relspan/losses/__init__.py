"""Losses as hinge rows: one file a task, a formula each."""

from __future__ import annotations

from typing import Protocol

from relspan.losses.hinge import Hinge
from relspan.losses.rows import Floats, HingeRows, Matrix, dense, empty_rows, side_by_side

__all__ = ["Floats", "Hinge", "HingeRows", "Loss", "Matrix", "dense", "empty_rows", "side_by_side"]


class Loss(Protocol):
    """What a task must say of itself; a new task is one such class and nothing else."""

    @property
    def name(self) -> str: ...

    @property
    def n_offsets(self) -> int: ...

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        """The loss on these samples. Linear in X: a probe column is `rows(column, y)` too."""
        ...

    def null_loss(self, rows: HingeRows) -> float:
        """min_b loss(0, b): what is lost by a model without features."""
        ...

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats: ...

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """Higher is better; C is chosen by it."""
        ...

    def smallest_cost(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """The C near which the first feature enters the model: the foot of the grid."""
        ...
