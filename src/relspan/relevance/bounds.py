"""The interval of every feature: two linear programs each.

The values that w_j takes over the (convex) family form one interval [lo_j, hi_j], so

    max relevance_j = max(|lo_j|, |hi_j|)
    min relevance_j = 0  if lo_j <= 0 <= hi_j  else  min(|lo_j|, |hi_j|)

Features are solved in blocks of a fixed size, each with a fresh engine, so that the answer does not depend on how many
workers share the blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from joblib import Parallel, delayed

from relspan.engines import Extremes, open_engine
from relspan.engines.certify import joined
from relspan.errors import SolverError
from relspan.family import Family, unit_directions
from relspan.losses import Floats

BLOCK = 32
Answer = TypeVar("Answer")
Progress = Callable[[str, float], None]


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
    family: Family, engine: str = "auto", n_jobs: int | None = None, progress: Progress = lambda stage, share: None
) -> Ranges:
    """The range of every feature's weight over the family."""
    blocks = [range(i, min(i + BLOCK, family.n_features)) for i in range(0, family.n_features, BLOCK)]

    def solve(block: range) -> Extremes:
        return open_engine(engine, family).maxima(unit_directions(block, family))

    ranges = ranges_of(joined(in_blocks(solve, blocks, n_jobs, lambda share: progress("bounds", share))))
    wrong = np.flatnonzero(~(np.isfinite(ranges.lo) & np.isfinite(ranges.hi)))
    if len(wrong):
        raise SolverError(f"the solver gave no finite interval for {len(wrong)} columns, the first is {wrong[0]}")
    return ranges


def in_blocks(
    solve: Callable[[range], Answer], blocks: list[range], n_jobs: int | None, progress: Callable[[float], None]
) -> list[Answer]:
    """The blocks' answers, in order."""
    done: list[Answer] = []
    for answer in Parallel(n_jobs=n_jobs, return_as="generator")(delayed(solve)(block) for block in blocks):
        done.append(answer)
        progress(len(done) / len(blocks))
    return done
