"""Substitution: who moves when a feature takes all it can, or as little as it can?

For features j and k, with the relevance interval [min_k, max_k] and the one under a pin on j,

    at_min[j, k]   the interval of k while j is held at its minimum
    at_max[j, k]   the interval of k while j is held at its maximum

A pin only takes models away, so min_k can only rise and max_k only fall: both movements are >= 0, and their sum is the
length that the interval loses. Only features whose stored extreme models break the pin are solved again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from relspan.arrays import Floats
from relspan.explore.pinned_family import PinSolver
from relspan.explore.pins import Pin, at_the_end


@dataclass(frozen=True, eq=False)
class Substitution:
    """Intervals (min, max) in shares of the norm: without pins (k, 2), and for each pinned feature (k, k, 2)."""

    features: tuple[str, ...]
    intervals: Floats
    at_min: Floats
    at_max: Floats

    def moves(self, at: str = "max") -> Floats:
        """(k, k): the length that the column's interval loses when the row's feature is at its min or max."""
        under = self.at_max if at == "max" else self.at_min
        lengths = self.intervals[:, 1] - self.intervals[:, 0]
        moved = lengths - (under[:, :, 1] - under[:, :, 0])
        np.fill_diagonal(moved, 0.0)
        return np.asarray(np.maximum(moved, 0.0))


def substitution(
    board: PinSolver,
    columns: Sequence[int],
    pins: Sequence[Pin] = (),
    progress: Callable[[float], None] = lambda share: None,
) -> Substitution:
    """The matrix of some columns, given other pins."""
    names = [board.problem.columns[j] for j in columns]
    intervals = board.pinned(pins, columns=columns).relevances / board.problem.mu
    table = np.zeros((2, len(columns), len(columns), 2))
    for row, (name, interval) in enumerate(zip(names, intervals, strict=True)):
        for side, asked in enumerate(("min", "max")):
            table[side, row] = held(board, name, asked, interval, columns, pins)
        progress((row + 1) / len(columns))
    return Substitution(tuple(names), intervals, table[0], table[1])


def held(
    board: PinSolver, name: str, asked: str, interval: Floats, columns: Sequence[int], pins: Sequence[Pin] = ()
) -> Floats:
    """The intervals of some columns while a feature is at the minimum or maximum of its interval."""
    others = [pin for pin in pins if pin.feature != name]
    pin = at_the_end(name, asked, float(interval[0]), float(interval[1]))
    return board.pinned([*others, pin], columns=columns).relevances / board.problem.mu
