"""The interval of every feature: two linear programs each.

The values that w_j takes over the (convex) family form one interval [lo_j, hi_j], so

    max relevance_j = max(|lo_j|, |hi_j|)
    min relevance_j = 0  if lo_j <= 0 <= hi_j  else  min(|lo_j|, |hi_j|)

Features are solved in blocks; see `parallel`. The blocks of a wide table are runs of similar columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relspan.analysis.checkpoint import Checkpoint
from relspan.analysis.parallel import blocks_of, even_blocks_of, run_blocks
from relspan.analysis.second_opinions import BackedEngine, with_second_opinions
from relspan.arrays import Bools, Floats, Ints, Matrix
from relspan.engines import CertifiedMaxima, SharedEngine, engine_for
from relspan.engines.certificates import joined
from relspan.engines.simplex.exact_engine import is_wide
from relspan.engines.simplex.visiting_order import nearest_neighbour_chain
from relspan.errors import SolverError
from relspan.family import Family, sparse_unit_directions, unit_directions
from relspan.progress import Interrupted, Progress, silent

FEATURES_PER_BLOCK = 32
FEATURES_PER_BATCH = {
    "batched": 60,
    "restricted": 32,
    "gpu": 4352,
}  # a GPU gets several: some are certified while others are solved
FEATURES_PER_WIDE_BLOCK = 256  # more, because on a wide table every block starts with a program for the core
SPARSE_MODELS_FROM = 1000  # features from which the models behind the ends are stored as a sparse array


@dataclass(frozen=True, eq=False)
class WeightRanges:
    """Signed ends of every feature's weight, with the extremes behind them (+e_j, -e_j in turn).

    Features that are not `solved` have certified bounds for ends: the truth lies inside.
    """

    lo: Floats
    hi: Floats
    extremes: CertifiedMaxima
    solved: Bools

    @property
    def relevances(self) -> Floats:
        """(d, 2): the least and the largest |w_j|."""
        return relevances(self.lo, self.hi)

    @property
    def gaps(self) -> Floats:
        """(d, 2): how far the truth may lie outside lo and hi."""
        return np.where(self.solved[:, None], self.extremes.gaps.reshape(-1, 2)[:, ::-1], 0.0)


def relevances(lo: Floats, hi: Floats) -> Floats:
    """The interval of |w_j| from that of w_j."""
    straddles = (lo <= 0) & (hi >= 0)
    least = np.where(straddles, 0.0, np.minimum(np.abs(lo), np.abs(hi)))
    return np.column_stack([least, np.maximum(np.abs(lo), np.abs(hi))])


def ranges_of(extremes: CertifiedMaxima, solved: Bools | None = None) -> WeightRanges:
    """The ranges whose ends are these extremes: what is attained, or, where it is not solved, what is proven."""
    solved = np.ones(len(extremes) // 2, dtype=bool) if solved is None else solved
    ends = np.where(np.repeat(solved, 2), extremes.values, extremes.bounds)
    return WeightRanges(-ends[1::2], ends[::2], extremes, solved)


@dataclass(frozen=True, eq=False)
class PartialRanges:
    """What is known when the work is interrupted: some features, and their ranges (None where there are none yet)."""

    features: Ints
    ranges: WeightRanges | None = None


def feature_ranges(
    family: Family,
    engine: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
) -> WeightRanges:
    """The range of every feature's weight over the family."""
    features = np.arange(family.n_features)
    return ranges_of(extremes_of(family, features, engine, n_jobs, progress, checkpoint))


def extremes_of(
    family: Family,
    features: Ints,
    engine: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    stage: str = "bounds",
) -> CertifiedMaxima:
    """The extremes of +w_j and -w_j in turn of some features."""
    engine, order, count = engine_for(engine, family).name, np.arange(len(features)), len(features)
    if engine in FEATURES_PER_BATCH:
        most = FEATURES_PER_BATCH[engine]
        if engine == "restricted":  # whose programs are long: two blocks at least, for two workers
            most = min(most, -(-count // 2))
        blocks = even_blocks_of(count, most)
    elif is_wide(family):
        order = nearest_neighbour_chain(family.rows.features[:, features], either_sign=True)
        blocks = blocks_of(count, FEATURES_PER_WIDE_BLOCK)
    else:
        blocks = blocks_of(count, FEATURES_PER_BLOCK)
    solve = FeatureBlock(family, engine, features[order])
    try:
        report = _certified_so_far(progress, len(features))
        parts = run_blocks(stage, solve, blocks, CertifiedMaxima, n_jobs, report, checkpoint, solve.meaning)
    except Interrupted as stop:
        done = sorted(stop.partial, key=lambda block: block.start)
        known = np.array([j for block in done for j in solve.order[block]], dtype=np.intp)
        ranges = ranges_of(joined([stop.partial[block] for block in done])) if done else None
        raise Interrupted(PartialRanges(known, ranges)) from stop
    ends = with_second_opinions(family, features, joined_in_order(parts, order))
    wrong = np.flatnonzero(~np.isfinite(ends.values)) // 2
    if len(wrong):
        raise SolverError(
            f"the solver gave no finite interval for {len(np.unique(wrong))} columns, the first is {features[wrong[0]]}"
        )
    return ends


def _certified_so_far(progress: Progress, count: int) -> Progress:
    """Progress whose note counts the intervals that are certified."""

    def report(stage: str, share: float | None, note: str = "") -> None:
        progress(stage, share, f"{int((share or 0.0) * count)} of {count} intervals certified")

    return silent if progress is silent else report


def joined_in_order(parts: Sequence[CertifiedMaxima], order: Ints) -> CertifiedMaxima:
    """CertifiedMaxima of features 0, 1, ... from parts that hold the features of `order`, two rows each."""
    if (np.diff(order) > 0).all():  # in order already
        return joined(parts)
    rows = np.empty((len(order), 2), dtype=np.intp)
    rows[order] = np.arange(2 * len(order)).reshape(-1, 2)
    return joined(parts).where(rows.ravel())


@dataclass(frozen=True, eq=False)
class FeatureBlock:
    """The extremes of a block of features, in the order they are visited; see `SharedEngine`."""

    family: Family
    engine: str
    order: Ints

    @cached_property
    def _shared(self) -> SharedEngine:
        return SharedEngine(self.engine, self.family)

    def __call__(self, block: range) -> CertifiedMaxima:
        found = BackedEngine(self.engine, self.family, self._shared).maxima(self.directions(block))
        return found.compact() if self.family.n_features > SPARSE_MODELS_FROM else found

    def directions(self, block: range) -> Matrix:
        """+w_j and -w_j in turn; for a GPU as a sparse array, which is sent there faster."""
        if self.engine == "gpu":
            return sparse_unit_directions(self.order[block], self.family)
        return unit_directions(self.order[block], self.family)

    def meaning(self, block: range) -> bytes:
        """The features of a block: on another machine rounding may choose others, or another order."""
        return self.order[block].astype(np.int64).tobytes()
