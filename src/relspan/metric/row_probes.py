"""Probes for metrics: how much weight does a map find for a column that has nothing to say?

A probe is a permuted copy of a real column, appended to the data alone. A learner gives noise some weight too, so it
is asked again, with the probe; the value of the probe is its largest weight over the rows r of the new map,

    value = ( sum_r  max { w_p^2 : w equivalent to row r } )^(1/2),

the map being scaled so that the real columns have trace 1. (Several probes at a time would be cheaper, but a learner
that meets much noise treats it differently: on xor data LMNN gives six probes together a quarter of the weight.)

A map that was learned before cannot be asked again: its probes enter with weight 0, and their values say only how much
weight can be shifted to a column by chance. A probe adds a direction to the data, hence one to the effective dimension,
or to the directions that are needed: its own. (Axes of the wider data would not do for these: the probe's variance is
that of any uncorrelated column, and where eigenvalues are equal axes mix columns at will.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.linalg import block_diag
from sklearn.base import clone

from relspan.arrays import Floats
from relspan.metric.effective_dimension import principal_axes
from relspan.metric.eigenform import eigenform
from relspan.metric.fitted_map import learned_map
from relspan.metric.row_family import largest_weights

Learn = Callable[[Floats], Floats]


def refit(learner: Any, y: NDArray[Any]) -> Learn:
    """Fit a clone of the learner to each wider table."""
    return lambda wider: learned_map(clone(learner).fit(wider, y))


def append(omega: Floats) -> Learn:
    """The map as it is, with weight 0 for what was appended."""
    return lambda wider: np.hstack([omega, np.zeros((len(omega), wider.shape[1] - omega.shape[1]))])


def probe_values(
    learn: Learn,
    X: Floats,
    dimension: int,
    n_probes: int,
    epsilon: float,
    smallest: float,
    engine: str,
    seed: np.random.SeedSequence,
    n_jobs: int | None = None,
    needed: Floats | None = None,
) -> Floats:
    """The value of each probe.

    Parameters
    ----------
    learn : callable
        Gives the map for data with a column appended: :func:`refit` or :func:`append`.
    X : ndarray of shape (n, d)
    dimension : int
        The effective dimension of X.
    n_probes : int
    epsilon, smallest, engine
        As for the features themselves.
    seed : SeedSequence
    n_jobs : int or None
        Workers over which the probes are shared out; the values do not depend on it.
    needed : ndarray of shape (d, J) or None
        The directions of X that are kept; None means the leading ones.

    Returns
    -------
    ndarray of shape (n_probes,)
    """
    choose, *streams = seed.spawn(n_probes + 1)
    sources = np.resize(np.random.default_rng(choose).permutation(X.shape[1]), n_probes)
    d = X.shape[1]

    def value(source: int, stream: np.random.SeedSequence) -> float:
        wider = np.column_stack([X, np.random.default_rng(stream).permutation(X[:, source])])
        U = principal_axes(wider).leading(dimension + 1) if needed is None else block_diag(needed, 1.0)
        rows = eigenform(learn(wider), smallest).rows
        largest = [largest_weights(row, U, [d], epsilon, engine)[0] for row in rows]
        return float(np.sqrt(np.sum(np.square(largest)) / np.sum(rows[:, :d] ** 2)))

    return np.array(Parallel(n_jobs=n_jobs)(delayed(value)(*probe) for probe in zip(sources, streams, strict=True)))
