"""Probes for metrics: how much weight does a map find for a column that carries no information?

A probe is a permuted copy of a real column, appended to the data alone. A learner gives noise some weight too, so the
map is learned again with the probe ("refit"); the value of the probe is its largest weight over the rows r of the new
map, combined as those of a feature are (:mod:`relspan.metric.row_totals`), by default

    value = ( sum_r  max { w_p^2 : w equivalent to row r } )^(1/2),

the map being scaled so that the real columns have trace 1. (Several probes at a time would be cheaper, but a learner
that meets much noise treats it differently: on xor data LMNN gives six probes together a quarter of the weight.)

A map that was learned before cannot be learned again: it is "fixed", its probes enter with weight 0, and their values
show only how much weight can be shifted to a column by chance. A probe adds a direction to the data, hence one to the
effective dimension, or to the directions that are needed: its own. (Axes of the wider data would not do for these: the
probe's variance is that of any uncorrelated column, and where eigenvalues are equal axes mix columns at will.)
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.arrays import Floats, Ints
from relspan.metric.effective_dimension import Run, principal_axes
from relspan.metric.eigenform import eigenform
from relspan.metric.fitted_map import fit_learner, learned_map
from relspan.metric.map_settings import MapSettings
from relspan.metric.row_family import largest_weights
from relspan.metric.row_totals import COMBINATIONS

FIXED_BLOCK = 25  # probes per block where no map is learned again

LearnMap: TypeAlias = Callable[[Floats], Floats]
"""Gives the map for the data with a column appended: `Refit` or `FixedMap`."""


@dataclass(frozen=True, eq=False)
class Refit:
    """Learn the map of a wider table with a clone of the learner."""

    learner: Any
    y: NDArray[Any]
    sample_weight: Floats | None = None

    def __call__(self, wider: Floats) -> Floats:
        return learned_map(fit_learner(self.learner, wider, self.y, self.sample_weight))


@dataclass(frozen=True, eq=False)
class FixedMap:
    """Keep the map as it is, with weight 0 for appended columns."""

    omega: Floats

    def __call__(self, wider: Floats) -> Floats:
        return np.hstack([self.omega, np.zeros((len(self.omega), wider.shape[1] - self.omega.shape[1]))])


@dataclass(frozen=True, eq=False)
class RowProbes:
    """The value of each probe, and the column it was made from."""

    values: Floats
    sources: Ints


@dataclass(frozen=True, eq=False)
class ProbeValues:
    """The values of some probes."""

    values: Floats


@dataclass(frozen=True, eq=False)
class MapProbeBlock:
    """The values of a block of probes; probe p is made from column sources[p]."""

    learn: LearnMap
    X: Floats
    sample_weight: Floats | None
    dimension: int
    needed: Floats | None
    settings: MapSettings
    sources: Ints
    streams: Sequence[np.random.SeedSequence]

    def __call__(self, block: range) -> ProbeValues:
        return ProbeValues(np.array([self._value(p) for p in block]))

    def _value(self, p: int) -> float:
        d = self.X.shape[1]
        permuted = np.random.default_rng(self.streams[p]).permutation(self.X[:, self.sources[p]])
        wider = np.column_stack([self.X, permuted])
        if self.needed is None:
            U = principal_axes(wider, self.sample_weight).leading(self.dimension + 1)
        else:
            U = block_diag(self.needed, 1.0)
        rows = eigenform(self.learn(wider), self.settings.smallest_eigenvalue).rows
        largest = [largest_weights(row, U, [d], self.settings.delta_norm, self.settings.engine)[0] for row in rows]
        return float(COMBINATIONS[self.settings.combine](np.array(largest)) / np.sqrt(np.sum(rows[:, :d] ** 2)))

    def meaning(self, block: range) -> bytes:
        """The directions in which maps agree, which earlier stages have chosen."""
        needed = b"" if self.needed is None else np.ascontiguousarray(self.needed).tobytes()
        return f"{self.dimension} {zlib.crc32(needed)}".encode()


def run_row_probes(
    learn: LearnMap,
    X: Floats,
    dimension: int,
    settings: MapSettings,
    seed: np.random.SeedSequence,
    needed: Floats | None = None,
    sample_weight: Floats | None = None,
    run: Run = run_blocks,
) -> RowProbes:
    """The value of each probe.

    Parameters
    ----------
    learn : callable
        Gives the map for data with a column appended: `Refit` or `FixedMap`.
    X : ndarray of shape (n, d)
        The samples.
    dimension : int
        The effective dimension of X.
    settings : MapSettings
        As for the features themselves.
    seed : SeedSequence
        Seed of the permutations.
    needed : ndarray of shape (d, J), default=None
        The directions of X that are kept; None means the leading ones.
    sample_weight : ndarray of shape (n,), default=None
        Weights of the samples in the covariance.
    run : callable, default=run_blocks
        Runs the probes, with its own workers, progress and checkpoint; the values do not depend on it.

    Returns
    -------
    RowProbes
        The values and the columns they were made from.
    """
    choose, *streams = seed.spawn(settings.n_probes + 1)
    sources = np.resize(np.random.default_rng(choose).permutation(X.shape[1]), settings.n_probes)
    solve = MapProbeBlock(learn, X, sample_weight, dimension, needed, settings, sources, streams)
    size = 1 if isinstance(learn, Refit) else FIXED_BLOCK
    parts = run("probes", solve, blocks_of(settings.n_probes, size), ProbeValues, meaning=solve.meaning)
    return RowProbes(np.concatenate([part.values for part in parts]), sources)
