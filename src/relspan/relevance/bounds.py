"""The interval of every feature: two linear programs each.

The values that w_j takes over the (convex) family form one interval [lo_j, hi_j], so

    max relevance_j = max(|lo_j|, |hi_j|)
    min relevance_j = 0  if lo_j <= 0 <= hi_j  else  min(|lo_j|, |hi_j|)

Features are solved in blocks; see `workers`. The blocks of a wide table are runs of similar columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relspan.engines import Extremes, open_engine
from relspan.engines.certify import joined
from relspan.engines.chain import nearest_neighbour_chain
from relspan.engines.exact import is_wide
from relspan.errors import SolverError
from relspan.family import Family, unit_directions
from relspan.losses import Floats
from relspan.relevance.checkpoint import Checkpoint
from relspan.relevance.workers import Progress, Stopped, blocks_of, in_blocks, silent

BLOCK = 32
WIDE_BLOCK = 256  # a wide table's engine starts with a program of its own


@dataclass(frozen=True, eq=False)
class Ranges:
    """Signed ends of every feature's weight, with the extremes behind them (+e_j, -e_j in turn)."""

    lo: Floats
    hi: Floats
    extremes: Extremes

    @property
    def relevances(self) -> Floats:
        """(d, 2): the least and the largest |w_j|."""
        return relevances(self.lo, self.hi)

    @property
    def gaps(self) -> Floats:
        """(d, 2): how far the truth may lie outside lo and hi."""
        return self.extremes.gaps.reshape(-1, 2)[:, ::-1]


def relevances(lo: Floats, hi: Floats) -> Floats:
    """The interval of |w_j| from that of w_j."""
    straddles = (lo <= 0) & (hi >= 0)
    least = np.where(straddles, 0.0, np.minimum(np.abs(lo), np.abs(hi)))
    return np.column_stack([least, np.maximum(np.abs(lo), np.abs(hi))])


def ranges_of(extremes: Extremes) -> Ranges:
    return Ranges(-extremes.values[1::2], extremes.values[::2], extremes)


class Unfinished(KeyboardInterrupt):
    """The ranges were interrupted; `columns` are those that are proven by then, and `ranges` theirs."""

    def __init__(self, columns: NDArray[np.intp], ranges: Ranges | None) -> None:
        super().__init__("interrupted")
        self.columns, self.ranges = columns, ranges


def feature_ranges(
    family: Family,
    engine: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
) -> Ranges:
    """The range of every feature's weight over the family."""
    wide = is_wide(family)
    order = _order(family, checkpoint) if wide else np.arange(family.n_features)
    blocks = blocks_of(family.n_features, WIDE_BLOCK if wide else BLOCK)
    solve = FeatureBlock(family, engine, order, wide)
    try:
        parts = in_blocks("bounds", solve, blocks, Extremes, n_jobs, progress, checkpoint)
    except Stopped as stop:
        done = [block for block in blocks if block in stop.done]
        columns = np.concatenate([order[:0], *(order[block] for block in done)])
        some = _sorted_by(columns, [stop.done[block] for block in done]) if done else None
        raise Unfinished(np.sort(columns), some) from stop
    ranges = _sorted_by(order, parts)
    wrong = np.flatnonzero(~(np.isfinite(ranges.lo) & np.isfinite(ranges.hi)))
    if len(wrong):
        raise SolverError(f"the solver gave no finite interval for {len(wrong)} columns, the first is {wrong[0]}")
    return ranges


@dataclass(frozen=True, eq=False)
class FeatureBlock:
    """The extremes of a block of features, in the order they are visited, from a fresh engine."""

    family: Family
    engine: str
    order: NDArray[np.intp]
    compact: bool

    def __call__(self, block: range) -> Extremes:
        found = open_engine(self.engine, self.family).maxima(unit_directions(self.order[block], self.family))
        return found.compact() if self.compact else found


def _sorted_by(columns: NDArray[np.intp], parts: Sequence[Extremes]) -> Ranges:
    """The ranges of columns that were visited in some order, in the table's."""
    first = 2 * np.argsort(columns)
    return ranges_of(joined(parts).where(np.column_stack([first, first + 1]).ravel()))


@dataclass(frozen=True, eq=False)
class Order:
    """The order in which features are visited."""

    features: NDArray[np.intp]


def _order(family: Family, checkpoint: Checkpoint | None) -> NDArray[np.intp]:
    """A chain of similar columns; that of the checkpoint, if it holds one, for its blocks are blocks of that chain."""
    whole = range(family.n_features)
    held = {} if checkpoint is None else checkpoint.finished("order", [whole], Order)
    if held:
        return held[whole].features
    order = nearest_neighbour_chain(family.rows.features, either_sign=True)
    if checkpoint is not None:
        checkpoint.record("order", whole, Order(order))
    return order
