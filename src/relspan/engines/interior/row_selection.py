"""Rows that keep their side in every program, set aside before the programs start.

A hinge row costs x = max(0, h - F w - O b). At the best models of most directions a row far from its kink is where it
is at the family's analytic centre: satisfied, or paying. How far is far? With D and T_w from the Newton step at the
centre (see `newton`), H = Z' D^-1 Z + diag(1 / T_w, 0), Z = (F, O), is the curvature of the barrier there, and

    |h_i - F_i w - O_i b|  /  sqrt(Z_i H^-1 Z_i')

the distance of row i's kink in Dikin radii. A family with m rows reaches some sqrt(m) radii; rows beyond are set aside.
Satisfied ones are left out. Paying ones pay together, as one row, their mean weighted with their costs.

When a batch is roughly solved there is a second look: rows that one of its models has brought near their kink, or
beyond, take part from then on. They join on the central path. With r = beta c the price of the loss for a row and mu
the mean of all products x z, the row of slack t = h - F w - O b has x - s = t and x z_x = s a = mu, z_x + a = r at

    a = r / 2 (1 + t r / (q + 2 mu)),    q^2 = (t r)^2 + 4 mu^2

Nothing rests on these estimates: certificates speak of all rows. A program that turned a row which was set aside has
a model that violates its budget, is not accepted, and is solved again with all rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from relspan.arrays import Floats
from relspan.engines.interior.newton_step import BatchArrays, Point

REACH = 0.75  # times the square root of the number of rows
LEAST = 3  # rows kept for each unknown: at an optimum about one is at its kink
NEAR = 0.25  # of the slack at the centre: a row that has come so near its kink may turn
WORTH_IT = 0.8  # share of rows kept above which all are


@dataclass(frozen=True, eq=False)
class RowSelection:
    """Which rows take part one by one, and the shares of those that take part together (0: not at all).

    `slack` is h - F w - O b of every row at the centre.
    """

    kept: np.ndarray
    together: Floats
    slack: Floats

    @property
    def all_rows(self) -> bool:
        return bool(self.kept.all())

    def rows(self, values: Floats) -> Floats:
        """Values of all rows, (rows, ...), as values of those that take part."""
        if not self.together.any():
            return np.asarray(values[self.kept])
        return np.concatenate([values[self.kept], (self.together @ values)[None]])

    def costs(self, costs: Floats) -> Floats:
        paid_together = costs[self.together > 0].sum()
        return np.append(costs[self.kept], paid_together) if self.together.any() else costs[self.kept]

    def multipliers(self, a: Floats) -> Floats:
        """Multipliers of all rows, from (programs, rows that take part)."""
        full = np.zeros((len(a), len(self.kept)))
        if self.together.any():
            full += a[:, -1:] * self.together
            a = a[:, :-1]
        full[:, self.kept] = a
        return full

    def widened(self, slack: Floats) -> RowSelection:
        """With those rows too that one of these models brought near their kink; (models, rows)."""
        near = self.kept | (slack * np.sign(self.slack) < NEAR * np.abs(self.slack)).any(axis=0)
        shares = np.where(near, 0.0, self.together)
        return RowSelection(near, shares / max(shares.sum(), np.finfo(float).tiny), self.slack)


def everything(rows: int) -> RowSelection:
    return RowSelection(np.ones(rows, dtype=bool), np.zeros(rows), np.zeros(rows))


def carried(at: Point, problem: BatchArrays, old: RowSelection, new: RowSelection) -> Point:
    """A point of the old focus, as one of the problem of the new one: the rows that join do so on the central path."""
    xp = problem.xp
    pairs = list(zip(at.slacks, at.prices, strict=True))
    mu = sum(xp.sum(x * z) for x, z in pairs) / sum(x.shape[1] for x, _ in pairs)
    t = problem.h - problem.scores(at.w, at.b)
    r = (at.theta @ problem.Q)[:, None] * problem.c
    tr = abs(t) * r
    q = (tr * tr + 4 * mu * mu) ** 0.5
    much = r / 2 * (1 + tr / (q + 2 * mu))
    little = r / 2 * (4 * mu * mu / (q + tr) + 2 * mu) / (q + 2 * mu)
    a, z_x = xp.where(t > 0, much, little), xp.where(t > 0, little, much)
    rows = {"x": mu / z_x, "s": mu / a, "a": a, "z_x": z_x}
    stayed = xp.index(np.flatnonzero(old.kept[new.kept]))
    for name, values in rows.items():
        values[:, stayed] = getattr(at, name)[:, : int(old.kept.sum())]
    return replace(at, **rows)


def focus(problem: BatchArrays, centre: Point) -> RowSelection:
    """The rows worth looking at one by one, for tall data; everything where that saves too little."""
    m, d = problem.F.shape
    if not problem.tall:
        return everything(m)
    numbers = problem.xp.to_numpy
    Z = np.concatenate([numbers(problem.F), numbers(problem.O)], axis=1)
    x, s, a, z_x, p, q, z_p, z_q = (
        numbers(value)[0]
        for value in (centre.x, centre.s, centre.a, centre.z_x, centre.p, centre.q, centre.z_p, centre.z_q)
    )
    H = Z.T @ (Z / (x / z_x + s / a)[:, None])
    H[np.arange(d), np.arange(d)] += 1 / (p / z_p + q / z_q)
    try:
        radii = np.linalg.norm(solve_triangular(cholesky(H, lower=True), Z.T, lower=True), axis=0)
    except LinAlgError:
        return everything(m)
    margins = x - s
    with np.errstate(divide="ignore", invalid="ignore"):  # a row that no model moves keeps its side
        distances = np.abs(margins) / radii
    nearest = np.partition(distances, min(LEAST * Z.shape[1], m - 1))[min(LEAST * Z.shape[1], m - 1)]
    kept = distances <= max(REACH * np.sqrt(m), nearest)
    if kept.mean() > WORTH_IT:
        return everything(m)
    costs = np.where(~kept & (margins > 0), numbers(problem.c), 0.0)
    return RowSelection(kept, costs / max(costs.sum(), np.finfo(float).tiny), margins)
