"""A dual centre as the point from which the programs of a wide family start, in whichever array library."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relspan.arrays import Floats
from relspan.engines.interior.batch_arrays import BatchArrays, Point
from relspan.engines.interior.dual_centre import DualCentre

PRICE_SCALE = 0.25  # of the prices at the start
OWN_WEIGHT, OWN_PRICE = 0.02, 1.0  # of the weight that a program is about: a share of the norm budget, and its price
LEAST_PRICE = 0.02  # of an appended column at the centre, as a share of the price of norm


def start_at(centre: DualCentre, problem: BatchArrays, scale: float) -> Point:
    """A centre as a point of every program: every product of a slack and its price is mu there."""
    xp, pr = problem.xp, centre.polytope
    n, mu, full = pr.n_hinge, scale * centre.mu, xp.full((problem.v.shape[0], 1), 1.0)
    g = full * xp.array(centre.pressures)
    if problem.extra_column is not None:
        appended = problem.extra_column @ xp.array(pr.by_score(centre.a)[: problem.F.shape[0]])
        most = 1 - LEAST_PRICE
        g = xp.concat([g, -xp.at_least(-xp.at_least(appended[:, None], -most), -most)], axis=1)
    P, Q = xp.to_numpy(problem.P), xp.to_numpy(problem.Q)  # one budget has the price of norm, the other that of loss
    theta = np.where(P > 0, 1.0, centre.beta) / np.maximum(P, Q)
    a = centre.a[:n]
    alike = (full * xp.array(price) for price in (a, theta, centre.a[n:], centre.beta * pr.c - a))
    a, theta, gamma, z_x, z_p, z_q = (scale * price for price in (*alike, 1 - g, 1 + g))
    return Point(
        p=mu / z_p,
        q=mu / z_q,
        x=mu / z_x,
        s=mu / a,
        r=mu / theta,
        t=mu / gamma,
        b=full * xp.array(centre.offsets),
        a=a,
        theta=theta,
        gamma=gamma,
        z_p=z_p,
        z_q=z_q,
        z_x=z_x,
    )


def with_own_weights(start: Point, v: Floats, largest_norm: float) -> Point:
    """The same for programs about one weight each, which is not where it is at the centre: first steps get longer.

    Programs about several weights start as they were (NumPy only).
    """
    one = np.flatnonzero(np.count_nonzero(v, axis=1) == 1)
    own = np.abs(v[one]).argmax(axis=1)
    values = {name: np.array(getattr(start, name)) for name in ("p", "q", "z_p", "z_q")}
    for sign, weight, price in ((1, "p", "z_p"), (-1, "q", "z_q")):
        up = sign * v[one, own] > 0
        values[weight][one[up], own[up]] = OWN_WEIGHT * largest_norm
        values[price][one[up], own[up]] = OWN_PRICE
    return replace(start, **values)
