"""Probes: what interval does a feature get that has nothing to say?

The upper end of an irrelevant feature is not zero, so its null distribution is estimated with permuted copies of real
columns. *Appended* probes join the data as one more column, one at a time, and are always feasible. *Replaced* probes
(the FRI paper) take the place of the column they were made from; where that column was needed no equally good model
is left, the probe has no interval and is counted as lost.

The threshold is the upper end of a prediction interval for one more draw from the probes' values E,

    tau = mean(E) + t_{K-1}(1 - level) * sd(E) * sqrt(1 + 1/K),

with level = alpha / (2 d) for all d features and both ends together ("familywise"), or alpha for each ("per_feature",
the FRI paper with alpha = .001).

The upper ends of probes are skewed to the right, and the baseline, which has seen the real columns, favours those that
happen to fit, so that more false positives pass than alpha says: about one table in thirty at a familywise alpha of
.01, over 236 simulated tables. The default is .003, chosen on seeds apart from those reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from relspan.engines import Extremes, open_engine
from relspan.engines.certify import joined
from relspan.errors import InfeasibleFamily, ParameterError, SolverError
from relspan.family import Family, unit_directions
from relspan.losses import Floats
from relspan.relevance.bounds import ranges_of
from relspan.relevance.checkpoint import Checkpoint
from relspan.relevance.workers import Progress, blocks_of, in_blocks, silent

BLOCK = 25
KINDS = ("append", "replace")
LEVELS = ("familywise", "per_feature")
FEWEST = 5


@dataclass(frozen=True, eq=False)
class Probes:
    """The signed ends of the probes' weights, the columns they were made from, and how many were lost."""

    kind: str
    lo: Floats
    hi: Floats
    sources: np.ndarray
    lost: int
    largest_gap: float

    @property
    def ends(self) -> Floats:
        """The values whose distribution is used: both ends of appended probes, the larger one of replaced ones."""
        if self.kind == "append":
            return np.concatenate([self.hi, -self.lo])
        return np.maximum(np.abs(self.lo), np.abs(self.hi))

    @property
    def floors(self) -> Floats:
        """The least relevance of each probe."""
        straddles = (self.lo <= 0) & (self.hi >= 0)
        return np.where(straddles, 0.0, np.minimum(np.abs(self.lo), np.abs(self.hi)))


def run_probes(
    family: Family,
    permuted: Callable[[int, np.random.Generator], Floats],
    n_probes: int,
    kind: str,
    engine: str,
    seed: np.random.SeedSequence,
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
) -> Probes:
    """Ends of `n_probes` probes. `permuted(j, rng)` gives the hinge rows' column of feature j's permuted values."""
    choose, *streams = seed.spawn(n_probes + 1)
    order = np.random.default_rng(choose).permutation(family.n_features)
    sources = np.resize(order, n_probes)
    solve = ProbeBlock(family, permuted, kind, engine, sources, streams)
    parts = in_blocks("probes", solve, blocks_of(n_probes, BLOCK), Extremes, n_jobs, progress, checkpoint)
    ranges = ranges_of(joined(parts))
    found = ~np.isposinf(ranges.extremes.violations[::2])  # a solver's NaN is not a lost probe: threshold refuses it
    return Probes(
        kind,
        ranges.lo[found],
        ranges.hi[found],
        sources[found],
        int((~found).sum()),
        float(ranges.gaps[found].max(initial=0.0)),
    )


@dataclass(frozen=True, eq=False)
class ProbeBlock:
    """The extremes of a block of probes, from a fresh engine; probe p is made from column sources[p]."""

    family: Family
    permuted: Callable[[int, np.random.Generator], Floats]
    kind: str
    engine: str
    sources: np.ndarray
    streams: Sequence[np.random.SeedSequence]

    def __call__(self, block: range) -> Extremes:
        columns = [self.permuted(int(self.sources[p]), np.random.default_rng(self.streams[p])) for p in block]
        if self.kind == "append":
            return open_engine(self.engine, self.family).appended(np.column_stack(columns))
        replaced = [
            _replaced(self.family, int(self.sources[p]), column, self.engine)
            for p, column in zip(block, columns, strict=True)
        ]
        return joined(replaced)


def _replaced(family: Family, j: int, column: Floats, engine: str) -> Extremes:
    """The extremes of a probe in the place of feature j; infinite violations where no model is left."""
    changed = family.with_replaced_column(j, column)
    try:
        return open_engine(engine, changed).maxima(unit_directions([j], changed))
    except InfeasibleFamily:
        nothing = np.full(2, np.nan)
        rows, sides = family.rows.n_rows, family.constraints.n_rows
        width = family.n_features + family.n_offsets
        blank = [np.full((2, size), np.nan) for size in (width, rows, sides)]
        return Extremes(nothing, nothing, np.full(2, np.inf), *blank)


def threshold(values: Floats, n_probes: int, alpha: float, level: str, n_features: int) -> float:
    """tau of the text above."""
    if n_probes < FEWEST:
        raise ParameterError(
            f"only {n_probes} probes have an interval, and a threshold needs {FEWEST}: raise n_probes, or use "
            "probes='append', whose probes are never lost"
        )
    if not np.isfinite(values).all():
        raise SolverError("a probe's interval is not finite, so no threshold can be drawn from the probes")
    share = alpha / (2 * n_features) if level == "familywise" else alpha
    spread = float(np.std(values, ddof=1)) * np.sqrt(1 + 1 / n_probes)
    return float(np.mean(values) + stats.t.ppf(1 - share, n_probes - 1) * spread)
