"""Mehrotra's predictor-corrector method for a batch of programs over one family.

All programs start from the family's *analytic centre*, the point where x z = 1 for every slack x and its price z when
there is nothing to maximise: found once, it is as far from all walls as can be, and saves each program half of its
iterations. Programs that have converged leave the batch. Answers need no trust: the caller certifies them, and programs
that broke down are named, so that another engine can take them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from relspan.engines.interior.array_library import Arrays
from relspan.engines.interior.batch_arrays import BatchArrays, Point
from relspan.engines.interior.newton_step import NewtonSystem, Residuals, residuals
from relspan.tolerances import CENTRE_PRODUCT, CENTRE_RESIDUAL, DUAL_RESIDUAL, SHORT_STEP, STEP_TO_WALL

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
    beta = price * sum(Q for _, Q in problem.budget_prices)
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
    xp, at = problem.xp, start
    for _ in range(CENTRE_ITERATIONS):
        missing = residuals(problem, at)
        primal, dual = (float(xp.to_numpy(part)[0]) for part in missing.largest(xp))
        products = [x * z for x, z in zip(at.slacks, at.prices, strict=True)]
        off = max(float(xp.to_numpy(xp.largest(abs(product - 1)))[0]) for product in products)
        if off < CENTRE_PRODUCT and primal < CENTRE_RESIDUAL and dual < CENTRE_RESIDUAL:
            return at
        system = NewtonSystem(problem, at, missing)
        if xp.any(system.failed) or not np.isfinite(primal + dual + off):
            return None
        step = system.step(tuple((1 - xz) / z for xz, z in zip(products, at.prices, strict=True)))
        at = at.moved(step, *_step_lengths(problem, at, step))
    return None


def _step_lengths(problem: BatchArrays, at: Point, step: Point) -> tuple[Array, Array]:
    """How far the slacks, and their prices, may move: almost to the point where the first of them becomes 0."""
    xp, lengths = problem.xp, []
    for values, steps in ((at.slacks, step.slacks), (at.prices, step.prices)):
        shrinking = [-xp.smallest(dx / x) for x, dx in zip(values, steps, strict=True) if x.shape[1]]
        length = 1 / _most(shrinking, xp)
        lengths.append(xp.where(length < 1, STEP_TO_WALL * length, length))
    return lengths[0], lengths[1]


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
    at, left = start, np.arange(K)
    end = Point(*(xp.zeros(K, getattr(at, f.name).shape[1]) for f in fields(Point)))
    converged, short_steps = np.zeros(K, dtype=bool), np.zeros(K, dtype=int)
    iteration = 0
    for iteration in range(most):
        missing = residuals(problem, at)
        done, broken = _stopping(problem, at, missing, tolerance, residual)
        gone = done | broken | (short_steps == MOST_SHORT_STEPS) | (iteration == most - 1)
        if gone.any():
            finished, place = xp.index(gone), xp.index(left[gone])
            for f in fields(Point):
                getattr(end, f.name)[place] = getattr(at, f.name)[finished]
            converged[left[done]] = True
            if gone.all():
                break
            kept = xp.index(~gone)
            left, short_steps = left[~gone], short_steps[~gone]
            at, problem, missing = at.where(kept), problem.where(kept), missing.where(kept)
        step, *lengths = _direction(NewtonSystem(problem, at, missing, jitter), floor)
        at = at.moved(step, *lengths)
        short = np.max([xp.to_numpy(length)[:, 0] for length in lengths], axis=0) < SHORT_STEP
        short_steps = np.where(short, short_steps + 1, 0)
    return Solution(end, converged, iteration)


def _direction(system: NewtonSystem, floor: float) -> tuple[Point, Array, Array]:
    """Mehrotra's step: look ahead without centring, then centre the more, the less the look ahead achieved.

    The look ahead solves  z dx + x dz = -x z,  so with u = dx / x it has  dz / z = -1 - u  without solving for it.
    """
    problem, at, xp = system.problem, system.at, system.problem.xp
    ahead = system.step(tuple(-x for x in at.slacks))
    pairs = [(x, z, dx / x) for x, z, dx in zip(at.slacks, at.prices, ahead.slacks, strict=True) if x.shape[1]]
    primal = 1 / _most([-xp.smallest(u) for _, _, u in pairs], xp)
    dual = 1 / _most([1 + xp.largest(u) for _, _, u in pairs], xp)
    now = first = second = 0.0
    for x, z, u in pairs:
        xz = x * z
        moved = u * xz
        now, first, second = now + xp.sum(xz), first + xp.sum(moved), second + xp.dot(u, moved)
    left = now + primal * first - dual * (now + first) - primal * dual * (first + second)
    sigma = (left / now) ** 3
    sigma = xp.where(sigma < floor, floor + 0 * sigma, sigma)
    target = sigma * now / sum(x.shape[1] for x in at.slacks)
    corrected = iter([target / z + (u + u * u - 1) * x for x, z, u in pairs])
    step = system.step(tuple(next(corrected) if x.shape[1] else x for x in at.slacks))
    return step, *_step_lengths(problem, at, step)


def _most(values: list[Array], xp: Arrays) -> Array:
    """max(1, the largest value), program by program, as a column."""
    most = values[0]
    for value in values[1:]:
        most = xp.where(value > most, value, most)
    return xp.where(most > 1, most, 1 + 0 * most)[:, None]


def _stopping(
    problem: BatchArrays, at: Point, missing: Residuals, tolerance: float, residual: float
) -> tuple[np.ndarray, np.ndarray]:
    """Which programs are done (gap and residuals are small), and which contain NaN or infinity."""
    xp, pr = problem.xp, problem
    value = xp.dot(pr.v, at.w) + xp.dot(pr.v_b, at.b)
    if pr.norm_price is not None:
        value = value - pr.norm_price * xp.sum(at.p + at.q) - pr.loss_price * pr.charge(at.x)
    bound = (at.theta @ pr.B - at.gamma @ pr.g)[:, None] - pr.raised(at.a)
    gap, size = xp.to_numpy(abs(bound - value))[:, 0], np.abs(xp.to_numpy(bound)[:, 0])
    primal, dual = (xp.to_numpy(part) for part in missing.largest(xp))
    finite = np.isfinite(gap) & np.isfinite(primal) & np.isfinite(dual)
    return finite & (gap <= tolerance) & (primal <= tolerance) & (dual <= residual * (1 + size)), ~finite
