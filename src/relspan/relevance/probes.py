"""Probes: what interval does a feature get that has nothing to say?

The upper end of an irrelevant feature is not zero, so its null distribution is estimated with permuted copies of real
columns. *Appended* probes join the data as one more column, one at a time, and are always feasible. *Replaced* probes
(the FRI paper) take the place of the column they were made from; where that column was needed no equally good model
is left, the probe has no interval and is counted as lost.

The threshold is the upper end of a prediction interval for one more draw from the probes' values E,

    tau = mean(E) + t_{K-1}(1 - level) * sd(E) * sqrt(1 + 1/K),

with level = alpha / (2 d) for all d tested weights (one a feature, as a rule) and both ends together ("familywise"), or
alpha for each ("per_feature", the FRI paper with alpha = .001).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from relspan.engines import open_engine
from relspan.errors import InfeasibleFamily, ParameterError, SolverError
from relspan.family import Family, unit_directions
from relspan.losses import Floats
from relspan.relevance.bounds import Progress, in_blocks
from relspan.relevance.problem import Problem

BLOCK = 25
KINDS = ("append", "replace")
LEVELS = ("familywise", "per_feature")
FEWEST = 5


@dataclass(frozen=True, eq=False)
class Probes:
    """The signed ends of the probes' weights, the features they were made from, how many probes there are, and were
    lost."""

    kind: str
    lo: Floats
    hi: Floats
    sources: np.ndarray
    count: int
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
    problem: Problem,
    n_probes: int,
    kind: str,
    engine: str,
    seed: np.random.SeedSequence,
    n_jobs: int | None = None,
    progress: Progress = lambda stage, share: None,
) -> Probes:
    """Ends of `n_probes` probes of the problem's features, one pair a tested weight."""
    choose, *streams = seed.spawn(n_probes + 1)
    order = np.random.default_rng(choose).permutation(problem.X.shape[1])
    sources = np.resize(order, n_probes)
    blocks = [range(i, min(i + BLOCK, n_probes)) for i in range(0, n_probes, BLOCK)]

    def values(probe: int) -> Floats:
        return problem.permuted(int(sources[probe]), np.random.default_rng(streams[probe]))

    def append_columns(block: range) -> list[Ends]:
        columns = np.column_stack([problem.hinge_column(values(p)) for p in block])
        found = open_engine(engine, family).appended(columns)
        return [Ends(found.values[i : i + 2], found.gaps[i : i + 2]) for i in range(0, len(found), 2)]

    def append_features(block: range) -> list[Ends]:
        return [_appended(problem, family, int(sources[p]), values(p), engine) for p in block]

    def replace_features(block: range) -> list[Ends]:
        return [_replaced(problem, family, int(sources[p]), values(p), engine) for p in block]

    append = append_columns if problem.probes_are_columns else append_features
    solve = append if kind == "append" else replace_features
    parts = in_blocks(solve, blocks, n_jobs, lambda share: progress("probes", share))
    ends = [probe for part in parts for probe in part]
    kept = [p for p, probe in enumerate(ends) if len(probe.values)]
    pairs = np.concatenate([ends[p].values.reshape(-1, 2) for p in kept] or [np.zeros((0, 2))])
    return Probes(
        kind,
        lo=-pairs[:, 1],
        hi=pairs[:, 0],
        sources=np.concatenate([np.repeat(sources[p], len(ends[p].values) // 2) for p in kept] or [sources[:0]]),
        count=len(kept),
        lost=n_probes - len(kept),
        largest_gap=max((float(ends[p].gaps.max()) for p in kept), default=0.0),
    )


@dataclass(frozen=True, eq=False)
class Ends:
    """The maxima of +w and -w of a probe's tested weights, in turn, and their certified gaps; empty: no model left."""

    values: Floats
    gaps: Floats


def _appended(problem: Problem, family: Family, feature: int, values: Floats, engine: str) -> Ends:
    """The ends of a probe that joins the data."""
    wider = problem.with_appended(family, feature, values)
    blocks = problem.loss.with_copy_of(feature).blocks(problem.X.shape[1] + 1)
    columns = blocks.columns(problem.X.shape[1])
    found = open_engine(engine, wider).maxima(unit_directions(columns[blocks.tested[columns]], wider))
    return Ends(found.values, found.gaps)


def _replaced(problem: Problem, family: Family, feature: int, values: Floats, engine: str) -> Ends:
    """The ends of a probe in the place of a feature."""
    changed = problem.with_replaced(family, feature, values)
    columns = problem.blocks.columns(feature)
    try:
        found = open_engine(engine, changed).maxima(unit_directions(columns[problem.blocks.tested[columns]], changed))
    except InfeasibleFamily:
        return Ends(np.zeros(0), np.zeros(0))
    return Ends(found.values, found.gaps)


def threshold(values: Floats, n_probes: int, alpha: float, level: str, n_weights: int) -> float:
    """tau of the text above, for so many tested weights."""
    if n_probes < FEWEST:
        raise ParameterError(
            f"only {n_probes} probes have an interval, and a threshold needs {FEWEST}: raise n_probes, or use "
            "probes='append', whose probes are never lost"
        )
    if not np.isfinite(values).all():
        raise SolverError("a probe's interval is not finite, so no threshold can be drawn from the probes")
    share = alpha / (2 * n_weights) if level == "familywise" else alpha
    spread = float(np.std(values, ddof=1)) * np.sqrt(1 + 1 / n_probes)
    return float(np.mean(values) + stats.t.ppf(1 - share, n_probes - 1) * spread)
