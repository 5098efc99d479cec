"""The interval of every feature: two linear programs each.

The values that w_j takes over the (convex) family form one interval [lo_j, hi_j], so

    max relevance_j = max(|lo_j|, |hi_j|)
    min relevance_j = 0  if lo_j <= 0 <= hi_j  else  min(|lo_j|, |hi_j|)

Features are solved in blocks; see `workers`. The blocks of a wide table are runs of similar columns.
"""

from __future__ import annotations

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
from relspan.relevance.workers import Progress, blocks_of, in_blocks, silent

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


def feature_ranges(
    family: Family,
    engine: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
) -> Ranges:
    """The range of every feature's weight over the family."""
    wide = is_wide(family)
    order = nearest_neighbour_chain(family.rows.features, either_sign=True) if wide else np.arange(family.n_features)
    blocks = blocks_of(family.n_features, WIDE_BLOCK if wide else BLOCK)
    parts = in_blocks("bounds", FeatureBlock(family, engine, order), blocks, Extremes, n_jobs, progress, checkpoint)
    ends = joined([part.compact() for part in parts] if wide else parts)
    rows = np.empty((len(order), 2), dtype=np.intp)
    rows[order] = np.arange(2 * len(order)).reshape(-1, 2)
    ranges = ranges_of(ends.where(rows.ravel()))
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

    def __call__(self, block: range) -> Extremes:
        return open_engine(self.engine, self.family).maxima(unit_directions(self.order[block], self.family))
