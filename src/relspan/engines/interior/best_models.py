"""The best models at many C at once, by the interior point method.

    min  ||w||_1 + C loss(w, b)      for several C of a path

A loss with several kinks per score turns many rows on its way from one C to the next, and a simplex method stops at
each of them. Here they are one batch of programs that share the table; each takes some twenty steps. A model is near
the best one rather than at a vertex: what it costs is proven to be at most a share `PATH_GAP` above the least cost.
That is enough to compare C by cross-validation.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from relspan.arrays import Floats
from relspan.engines.interior.array_library import NumpyArrays
from relspan.engines.interior.batch_arrays import BatchArrays, Point
from relspan.engines.interior.predictor_corrector import maximise
from relspan.family import HingeRows
from relspan.tolerances import JITTER_OF_RETRY, PATH_GAP


def central_models(rows: HingeRows, costs: Floats) -> Floats | None:
    """A model (w, b) near the best one for each C, one per row; None where one of them is not proven to be near."""
    if sparse.issparse(rows.features) or not (rows.costs > 0).all():
        return None
    problem = _as_arrays(rows, costs)
    at_zero = rows.loss(np.zeros(rows.n_features), np.zeros(rows.n_offsets))
    with np.errstate(all="ignore"):  # a program that breaks down does not converge
        # kinks of one score that stand close together make the matrix singular but for the jitter
        gap = PATH_GAP / 10 * float(costs.min()) * at_zero
        found = maximise(problem, _start(problem), gap, jitter=JITTER_OF_RETRY)
    if not found.converged.all():
        return None
    models = np.concatenate([found.point.w, found.point.b], axis=1)
    near = [_is_near(rows, C, *answer) for C, *answer in zip(costs, models, found.point.a, strict=True)]
    return models if all(near) else None


def _is_near(rows: HingeRows, C: float, model: Floats, a: Floats) -> bool:
    """Whether the multipliers prove that the model costs next to nothing more than the best one.

    Multipliers with 0 <= a <= C c, |F'a| <= 1 and O'a = 0 prove that every model costs at least a.h. What O'a misses is
    charged at the size of the model's own offsets.
    """
    d = rows.n_features
    a = np.clip(a, 0.0, C * rows.costs)
    a = a / max(1.0, float(np.abs(rows.pressures(a)).max(initial=0.0)))
    cost = np.abs(model[:d]).sum() + C * rows.loss(model[:d], model[d:])
    missed = np.abs(rows.offset_pressures(a)) @ (1.0 + np.abs(model[d:]))
    return bool(cost - a @ rows.heights + missed <= PATH_GAP * (1.0 + cost))


def _as_arrays(rows: HingeRows, costs: Floats) -> BatchArrays:
    xp, (n, d), k = NumpyArrays(), rows.features.shape, rows.n_offsets
    score_of, nothing = rows.score_of, np.zeros(0)
    return BatchArrays(
        xp=xp,
        F=xp.array(rows.features),
        O=xp.array(rows.offsets),
        h=xp.array(rows.heights),
        c=xp.array(rows.costs),
        G=np.zeros((0, d)),
        G_b=np.zeros((0, k)),
        g=nothing,
        n_inequalities=0,
        P=nothing,
        Q=nothing,
        B=nothing,
        pairs=None,  # a path has too few programs for the products of pairs to pay
        tall=n >= d,
        v=np.zeros((len(costs), d)),
        v_b=np.zeros((len(costs), k)),
        score_of=score_of,
        rows_of_scores=None if score_of is None else xp.groups(score_of, n),
        norm_price=np.ones((len(costs), 1)),
        loss_price=np.asarray(costs, dtype=np.float64)[:, None],
    )


def _start(problem: BatchArrays) -> Point:
    """The zero model: slacks with room on both sides, and every multiplier in the middle of its bounds.

    p and q, which cancel, are such that p z_p is like the products x z_x of the rows.
    """
    d, k, h = problem.F.shape[1], problem.O.shape[1], problem.h
    programs, half, room = (
        problem.v.shape[0],
        problem.loss_price * problem.c / 2,
        max(1.0, float(np.abs(h).max(initial=0.0))),
    )
    size, none = half.mean(axis=1, keepdims=True) + np.zeros((programs, d)), np.zeros((programs, 0))
    return Point(
        p=size,
        q=size,
        x=np.maximum(h, 0.0) + room + 0 * half,
        s=np.maximum(-h, 0.0) + room + 0 * half,
        r=none,
        t=none,
        b=np.zeros((programs, k)),
        a=half,
        theta=none,
        gamma=none,
        z_p=np.ones((programs, d)),
        z_q=np.ones((programs, d)),
        z_x=half,
    )
