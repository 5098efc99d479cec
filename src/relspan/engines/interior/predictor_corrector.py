"""Mehrotra's predictor-corrector method for a batch of programs over one family.

All programs start from the family's *analytic centre*, the point where x z = 1 for every slack x and its price z when
there is nothing to maximise: found once, it is as far from all walls as can be, and saves each program half of its
iterations. Answers need no trust: the caller certifies them, and programs that broke down are named, so that another
engine can take them.

A program that has converged stays where it is, and leaves the batch the next time that the host looks at it. NumPy's
arrays are looked at after every step. A device would have to wait whenever the host reads a value, so that it is asked
once in several steps (`Arrays.steps_per_look`), for one number per program.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from relspan.engines.interior.array_library import Arrays
from relspan.engines.interior.batch_arrays import BatchArrays, Point
from relspan.engines.interior.newton_step import NewtonSystem, Residuals, residuals
from relspan.engines.interior.packed_point import PackedPoint, packed
from relspan.tolerances import (
    CENTRE_PRODUCT,
    CENTRE_RESIDUAL,
    DUAL_RESIDUAL,
    SHORT_STEP,
    STEP_TO_WALL,
    VANISHED_PRODUCTS,
)

Array = Any
MOST_ITERATIONS = 90
MOST_SHORT_STEPS = 5  # in a row, after which a program hardly recovers
CENTRE_ITERATIONS = 80


@dataclass(frozen=True, eq=False)
class Solution:
    """Where the programs of a batch ended, which of them met the stopping rule, and after how many iterations."""

    point: Point
    converged: np.ndarray
    iterations: int


def first_point(problem: BatchArrays, scale_norm: float, scale_loss: float) -> Point:
    """An arbitrary interior starting point: everything positive, of the size of the budgets."""
    xp, K = problem.xp, problem.v.shape[0]
    d, k, m = problem.v.shape[1], problem.O.shape[1], problem.h.shape[0]
    n_b, i = problem.B.shape[0], problem.n_inequalities

    def full(size: int, value: float) -> Array:
        return xp.full((K, size), value)

    price = 2.0
    beta = price * xp.to_numpy(problem.Q).sum()
    share = scale_loss / (2 * max(m, 1))
    half = full(m, beta / 2) * problem.c
    return Point(
        p=full(d, scale_norm / (4 * d)),
        q=full(d, scale_norm / (4 * d)),
        x=full(m, share),
        s=full(m, max(1.0, share)),
        r=full(n_b, 0.5) * problem.B,
        t=full(i, 1.0),
        b=full(k, 0.0),
        a=half,
        theta=full(n_b, price),
        gamma=xp.concat([full(i, 1.0), full(problem.g.shape[0] - i, 0.0)], axis=1),
        z_p=full(d, price),
        z_q=full(d, price),
        z_x=half,
    )


def analytic_centre(problem: BatchArrays, start: Point) -> Point | None:
    """The point of x z = 1 for v = 0, or None where it is not reached: the family has hardly any interior."""
    xp, at = problem.xp, packed(problem, start)
    failures = xp.zeros(1)
    for iteration in range(CENTRE_ITERATIONS):
        missing = residuals(problem, at)
        products = at.slacks * at.prices
        if (iteration + 1) % xp.steps_per_look == 0:
            largest = [*missing.largest(xp, problem.n_offsets), xp.largest_size(products - 1), failures]
            primal, dual, off, failed = xp.to_numpy(xp.stack(largest))[:, 0]
            if failed or not np.isfinite(primal + dual + off):
                return None
            if off < CENTRE_PRODUCT and primal < CENTRE_RESIDUAL and dual < CENTRE_RESIDUAL:
                return at.unpacked()
        system = NewtonSystem(problem, at, missing)
        failures = failures + system.failed
        step = system.step((1 - products) / at.prices)
        at = _moved(xp, at, step, *_step_lengths(problem, at, step))
    return None


def _step_lengths(problem: BatchArrays, at: PackedPoint, step: PackedPoint) -> tuple[Array, Array]:
    """How far the slacks, and their prices, may move: almost to the point where the first of them becomes 0."""
    return (
        _length_before(problem, step.slacks / at.slacks),
        _length_before(problem, step.prices / at.prices),
    )


def _length_before(problem: BatchArrays, relative: Array) -> Array:
    """The share of the steps, given in units of the values, that is taken."""
    xp = problem.xp
    length = 1 / xp.at_least(-xp.smallest(relative)[:, None], 1.0)
    return xp.where(length < 1, STEP_TO_WALL * length, length)


def _moved(xp: Arrays, at: PackedPoint, step: PackedPoint, primal: Array, dual: Array) -> PackedPoint:
    return at.with_values(
        xp.add_product(at.slacks, primal, step.slacks),
        xp.add_product(at.b, primal, step.b),
        xp.add_product(at.multipliers, dual, step.multipliers),
    )


def shared_start(problem: BatchArrays, centre: Point, scale_norm: float) -> Point:
    """The centre for every program, its prices scaled to the size of the answer.

    Weights and equalities that only the programs have get a place too.
    """
    xp, K = problem.xp, problem.v.shape[0]
    d, m = centre.p.shape[1], centre.a.shape[1]
    scale = scale_norm / (2 * d + 2 * m)
    more, equalities = problem.v.shape[1] - d, problem.g.shape[0] - centre.gamma.shape[1]
    values = {}
    for f in fields(Point):
        value = getattr(centre, f.name)
        if more and f.name in ("p", "q"):  # as far from 0 as a feature that the centre does not use
            value = xp.concat([value, xp.full((1, more), scale_norm / (4 * d))], axis=1)
        if more and f.name in ("z_p", "z_q"):
            value = xp.concat([value, xp.full((1, more), 4 * d / scale_norm)], axis=1)
        if equalities and f.name == "gamma":
            value = xp.concat([value, xp.zeros(1, equalities)], axis=1)
        if f.name in ("a", "theta", "gamma", "z_p", "z_q", "z_x"):
            value = value * scale
        values[f.name] = value + xp.zeros(K, value.shape[1])
    return Point(**values)


def maximise(
    problem: BatchArrays,
    start: Point,
    tolerance: float,
    residual: float = DUAL_RESIDUAL,
    floor: float = 0.0,
    jitter: float = 0.0,
    most: int = MOST_ITERATIONS,
) -> Solution:
    """All programs of the batch; `tolerance` is the absolute gap aimed at, `residual` that of the dual equations.

    `floor` is the least centring weight and `jitter` a relative addition to the diagonal; both are for retries. `most`
    limits the iterations.
    """
    xp, K = problem.xp, problem.v.shape[0]
    at, left = packed(problem, start), np.arange(K)
    end, converged = at.where(xp.index(left)), np.zeros(K, dtype=bool)
    stays, short_steps, iteration = xp.zeros(K, 1) > 0, xp.zeros(K, 1), 0
    for iteration in range(most):
        missing = residuals(problem, at)
        done, broken = _stopping(problem, at, missing, tolerance, residual)
        stays = stays | done | broken | (short_steps == MOST_SHORT_STEPS)
        if (iteration + 1) % xp.steps_per_look == 0 or iteration == most - 1:
            look = xp.to_numpy(xp.concat([stays, done], axis=1))
            gone = look[:, 0] | (iteration == most - 1)
            if gone.any():
                finished, place = xp.index(np.flatnonzero(gone)), xp.index(left[gone])
                end.put(place, at.where(finished))
                converged[left[look[:, 1]]] = True
                if gone.all():
                    break
                kept, left = xp.index(np.flatnonzero(~gone)), left[~gone]
                at, problem, missing = at.where(kept), problem.where(kept), missing.where(kept)
                stays, short_steps = stays[kept], short_steps[kept]
        step, *lengths = _direction(NewtonSystem(problem, at, missing, jitter), floor)
        moved = _moved(xp, at, step, *lengths)
        at = moved if xp.steps_per_look == 1 else moved.unless(xp, stays, at)
        short = (lengths[0] < SHORT_STEP) & (lengths[1] < SHORT_STEP)
        short_steps = xp.where(short, short_steps + 1, 0.0)
    return Solution(end.unpacked(), converged, iteration)


def _direction(system: NewtonSystem, floor: float) -> tuple[PackedPoint, Array, Array]:
    """Mehrotra's step: look ahead without centring, then centre the more, the less the look ahead achieved.

    The look ahead solves  z dx + x dz = -x z,  so with u = dx / x it has  dz / z = -1 - u  without solving for it.
    """
    problem, at, xp = system.problem, system.at, system.problem.xp
    ahead = system.step(-at.slacks).slacks
    u = ahead / at.slacks
    primal = 1 / xp.at_least(-xp.smallest(u)[:, None], 1.0)
    dual = 1 / xp.at_least(1 + xp.largest(u)[:, None], 1.0)
    xz = at.slacks * at.prices
    moved = u * xz
    now, first, second = xp.sum(xz), xp.sum(moved), xp.dot(u, moved)
    left = now + primal * first - dual * (now + first) - primal * dual * (first + second)
    target = xp.at_least((left / now) ** 3, floor) * now / at.n_pairs
    step = system.step(xp.add_product(target / at.prices - at.slacks, u + 1, ahead))
    return step, *_step_lengths(problem, at, step)


def _stopping(
    problem: BatchArrays, at: PackedPoint, missing: Residuals, tolerance: float, residual: float
) -> tuple[Array, Array]:
    """Which programs are done (gap and residuals are small), and which contain NaN or infinity, as columns."""
    xp, pr = problem.xp, problem
    value = xp.dot(pr.v, at.w) + xp.dot(pr.v_b, at.b)
    if pr.norm_price is not None:
        value = value - pr.norm_price * xp.sum(at.slacks[:, : 2 * at.d]) - pr.loss_price * pr.charge(at.x)
    bound = (at.theta @ pr.B)[:, None] - pr.raised(at.a)
    if pr.g.shape[0]:
        bound = bound - (at.gamma @ pr.g)[:, None]
    gap = abs(bound - value)
    primal, dual = (part[:, None] for part in missing.largest(xp, pr.n_offsets))
    done = (gap <= tolerance) & (primal <= tolerance) & (dual <= residual * (1 + abs(bound)))
    # where the products have long vanished, what is missing stays: the program has no point, or one without a price
    vanished = xp.dot(at.slacks, at.prices) < VANISHED_PRODUCTS * tolerance
    return done, ~(gap + primal + dual < np.inf) | vanished
