"""Mehrotra's predictor-corrector method for a batch of programs over one family.

All programs start from the family's *analytic centre*, the point where x z = 1 for every slack x and its price z when
there is nothing to maximise: found once, it is as far from all walls as can be, and saves each program half of its
iterations. Programs that have converged leave the batch. Nothing here is believed: answers are certified by the
caller, and programs that broke down are named so that another engine can take them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from relspan.engines.newton import NewtonSystem, Point, Problem, residuals

Array = Any
SHORT_OF_THE_WALL = 0.995
MOST_ITERATIONS = 45
CENTRE_ITERATIONS = 80


@dataclass(frozen=True, eq=False)
class Solution:
    """Raw answers of a batch: points (w, b), multipliers, and which programs met the stopping rule."""

    w: np.ndarray
    b: np.ndarray
    a: np.ndarray
    gamma: np.ndarray
    converged: np.ndarray
    iterations: int


def first_point(problem: Problem, scale_norm: float, scale_loss: float) -> Point:
    """A start without merit: everything positive, of the size of the budgets."""
    xp, K = problem.xp, problem.v.shape[0]
    d, (m, k) = problem.v.shape[1], problem.O.shape
    n_b, i = problem.B.shape[0], problem.n_inequalities

    def full(size: int, value: float) -> Array:
        return xp.full((K, size), value)

    price = 2.0
    share = scale_loss / (2 * max(m, 1))
    return Point(
        p=full(d, scale_norm / (4 * d)),
        q=full(d, scale_norm / (4 * d)),
        x=full(m, share),
        s=full(m, max(1.0, share)),
        r=xp.array(np.tile(xp.to_numpy(problem.B) / 2, (K, 1))),
        t=full(i, 1.0),
        b=full(k, 0.0),
        a=full(m, price / 2),
        theta=full(n_b, price),
        gamma=xp.concat([full(i, 1.0), full(problem.g.shape[0] - i, 0.0)], axis=1),
        z_p=full(d, price),
        z_q=full(d, price),
        z_x=full(m, price / 2),
        z_s=full(m, price / 2),
        z_r=full(n_b, price),
        z_t=full(i, 1.0),
    )


def analytic_centre(problem: Problem, start: Point) -> Point | None:
    """The point of x z = 1 for v = 0, or None where it is not reached: the family has no interior to speak of."""
    xp, at = problem.xp, start
    for _ in range(CENTRE_ITERATIONS):
        missing = residuals(problem, at)
        off = max(
            float(xp.to_numpy(xp.largest(abs(x * z - 1))).max())
            for x, z in zip(at.positive, at.prices, strict=True)
            if x.shape[1]
        )
        primal = _largest(problem, missing.rows, missing.budgets, missing.constraints)
        dual = _largest(problem, missing.offsets, *missing.prices)
        if off < 1e-3 and primal < 1e-8 and dual < 1e-8:
            return at
        system = NewtonSystem(problem, at)
        if xp.any(system.failed):
            return None
        step = system.step(missing, tuple(1 - x * z for x, z in zip(at.positive, at.prices, strict=True)))
        at = at.moved(step, *_step_lengths(problem, at, step))
        if not np.isfinite(primal + dual + off):
            return None
    return None


def _largest(problem: Problem, *parts: Array) -> float:
    return max((float(problem.xp.to_numpy(problem.xp.largest(abs(p))).max()) for p in parts if p.shape[1]), default=0.0)


def _step_lengths(problem: Problem, at: Point, step: Point, short: float = SHORT_OF_THE_WALL) -> tuple[Array, Array]:
    """How far the slacks, and their prices, can go before one of them meets its wall; stop short of it."""
    primal, dual = _length(problem, at.positive, step.positive), _length(problem, at.prices, step.prices)
    where = problem.xp.where
    return where(primal < 1, short * primal, primal), where(dual < 1, short * dual, dual)


def _length(problem: Problem, values: tuple[Array, ...], steps: tuple[Array, ...]) -> Array:
    """min(1, the step at which the first value reaches 0), program by program, as a column."""
    xp = problem.xp
    fastest = xp.full((problem.v.shape[0],), 1.0)
    for x, dx in zip(values, steps, strict=True):
        if x.shape[1]:
            shrink = xp.largest(-dx / x)
            fastest = xp.where(shrink > fastest, shrink, fastest)
    return (1 / fastest)[:, None]


def shared_start(problem: Problem, centre: Point, scale_norm: float, own: bool) -> Point:
    """The centre for every program, its prices scaled to the size of the answer; a probe gets a slot of its own."""
    xp, K = problem.xp, problem.v.shape[0]
    d, m = centre.p.shape[1], centre.a.shape[1]
    scale = scale_norm / (2 * d + 2 * m)
    dual = {"a", "theta", "gamma", "z_p", "z_q", "z_x", "z_s", "z_r", "z_t"}
    values = {}
    for f in fields(Point):
        value = getattr(centre, f.name)
        if own and f.name in ("p", "q", "z_p", "z_q"):
            value = xp.concat([value, value[:, -1:]], axis=1)
        value = value * scale if f.name in dual else value
        values[f.name] = value + xp.zeros(K, value.shape[1])
    if own:  # as far from its walls as a feature the centre does not use
        values["p"][:, -1:] = values["q"][:, -1:] = scale_norm / (4 * d)
        values["z_p"][:, -1:] = values["z_q"][:, -1:] = scale * 4 * d / scale_norm
    return Point(**values)


def maximise(problem: Problem, start: Point, tolerance: float, floor: float = 0.0, jitter: float = 0.0) -> Solution:
    """All programs of the batch; `tolerance` is the absolute gap aimed at.

    `floor` is the least centring weight and `jitter` a relative addition to the diagonal: both for a second try.
    """
    xp, K = problem.xp, problem.v.shape[0]
    at, left = start, np.arange(K)
    out = {name: np.zeros((K, getattr(at, name).shape[1])) for name in ("w", "b", "a", "gamma")}
    converged = np.zeros(K, dtype=bool)
    count = sum(x.shape[1] for x in at.positive)
    iteration = 0
    for iteration in range(MOST_ITERATIONS):
        missing = residuals(problem, at)
        done, broken = _stopping(problem, at, missing, tolerance)
        if iteration == MOST_ITERATIONS - 1:
            broken = ~done
        gone = done | broken
        if gone.any():
            leaving = left[gone]
            for name, values in out.items():
                values[leaving] = xp.to_numpy(getattr(at, name))[gone]
            converged[left[done]] = True
            if gone.all():
                break
            kept = xp.index(~gone)
            left, at, problem, missing = left[~gone], at.where(kept), problem.where(kept), missing.where(kept)
        system = NewtonSystem(problem, at, jitter)
        products = [x * z for x, z in zip(at.positive, at.prices, strict=True)]
        mu = sum(xp.sum(product) for product in products) / count
        affine = system.step(missing, tuple(-product for product in products))
        ahead = at.moved(affine, *_step_lengths(problem, at, affine, short=1.0))
        mu_ahead = sum(xp.sum(x * z) for x, z in zip(ahead.positive, ahead.prices, strict=True)) / count
        sigma = (mu_ahead / mu) ** 3
        sigma = xp.where(sigma < floor, floor + 0 * sigma, sigma)
        corrections = [
            sigma * mu - product - dx * dz
            for product, dx, dz in zip(products, affine.positive, affine.prices, strict=True)
        ]
        step = system.step(missing, tuple(corrections))
        at = at.moved(step, *_step_lengths(problem, at, step))
    return Solution(out["w"], out["b"], out["a"], out["gamma"], converged, iteration)


def _stopping(problem: Problem, at: Point, missing: Any, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Which programs are done (gap and residuals small), and which hold numbers that are none."""
    xp, pr = problem.xp, problem
    value = xp.sum(pr.v * at.w) + xp.sum(pr.v_b * at.b)
    bound = (at.theta @ pr.B - at.a @ pr.h - at.gamma @ pr.g)[:, None]
    gap = xp.to_numpy(abs(bound - value))[:, 0]
    primal = xp.largest(abs(missing.rows)) + xp.largest(abs(missing.budgets)) + xp.largest(abs(missing.constraints))
    dual = sum(xp.largest(abs(part)) for part in missing.prices) + xp.largest(abs(missing.offsets))
    primal, dual = xp.to_numpy(primal), xp.to_numpy(dual)
    finite = np.isfinite(gap) & np.isfinite(primal) & np.isfinite(dual)
    done = finite & (gap <= tolerance) & (primal <= tolerance) & (dual <= 1e-9 * (1 + np.abs(xp.to_numpy(bound)[:, 0])))
    return done, ~finite
