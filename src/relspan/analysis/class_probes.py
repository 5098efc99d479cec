"""Probes of a table with several classes, all programs of a block of probes at once.

A probe is a feature with one weight per class, w_1, ..., w_K with sum_k w_k = 0. Its ends are the maxima of +w_k and
-w_k of every class; its total, sum_k |w_k|, is found as `probes` describes: for three classes it is twice the largest
end, elsewhere one more program goes along the signs of the model with the largest total.
"""

from __future__ import annotations

import numpy as np

from relspan.analysis.group_intervals import signs_of
from relspan.analysis.learning_problem import LearningProblem
from relspan.arrays import Floats
from relspan.engines import BatchedEngine, Engine
from relspan.engines.certificates import CertifiedMaxima

WEIGHTS_OF_ONE_SIZE = 3  # of weights that sum to 0: the largest is as large as the others together


def batched_classes(engine: Engine, problem: LearningProblem) -> BatchedEngine | None:
    """The engine, where it can take all probes of a table with several classes at once; else None."""
    blocks = problem.blocks
    several = not blocks.single and len(set(np.bincount(blocks.owner).tolist())) == 1 and bool(blocks.tested.all())
    return engine if several and isinstance(engine, BatchedEngine) and engine.can_append_classes else None


def ends_of_classes(engine: BatchedEngine, problem: LearningProblem, values: Floats) -> tuple[CertifiedMaxima, Floats]:
    """The maxima of +w_k and -w_k in turn of every class of each probe (a column of values), and the largest totals."""
    d, k, probes = engine.family.n_features, engine.family.n_offsets, values.shape[1]
    columns = problem.hinge_columns(values)
    K = columns.shape[1] // probes
    by_probe = np.moveaxis(columns.reshape(len(columns), probes, K), 1, 0)
    ends = np.zeros((2 * K, d + K + k))
    ends[::2, d : d + K], ends[1::2, d : d + K] = np.eye(K), -np.eye(K)
    found = engine.appended_classes(by_probe, np.repeat(np.arange(probes), 2 * K), np.tile(ends, (probes, 1)))
    if K <= WEIGHTS_OF_ONE_SIZE:
        return found, 2.0 * found.values.reshape(probes, 2 * K).max(axis=1)
    weights = found.models_of(slice(None))[:, d : d + K].reshape(probes, 2 * K, K)
    sizes = np.abs(weights).sum(axis=2)
    best = weights[np.arange(probes), sizes.argmax(axis=1)]
    along = np.zeros((probes, d + K + k))
    along[:, d : d + K] = signs_of(best)
    further = engine.appended_classes(by_probe, np.arange(probes), along).models_of(slice(None))[:, d : d + K]
    return found, np.maximum(sizes.max(axis=1), np.abs(further).sum(axis=1))
