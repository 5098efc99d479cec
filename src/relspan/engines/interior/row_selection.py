"""Rows that stay on one side of their kink in every program are set aside before the programs start.

A hinge row costs x = max(0, h - F w - O b). At the best models of most directions a row far from its kink is on the
same side as at the family's analytic centre: it costs nothing, or it costs something. How far is far? With D and T_w
from the Newton step at the centre (see `newton_step`), H = Z' D^-1 Z + diag(1 / T_w, 0), Z = (F, O), is the curvature
of the barrier there, and

    |h_i - F_i w - O_i b|  /  sqrt(Z_i H^-1 Z_i')

is the distance of row i's kink in Dikin radii. A family with m rows reaches some sqrt(m) radii; rows beyond are set
aside. Those that cost nothing are left out. The others are merged into one row, their mean weighted with their costs.

When a batch is roughly solved there is a further look, and a last one when its gaps are ten times smaller: rows that
one of its models has brought near their kink, or beyond it, are added. They join on the central path. (A single late
look leaves some programs far outside of the rows that join, from where they need dozens of short steps.) With
r = beta c the price of the loss for a row and mu the mean of all products x z, the row of slack t = h - F w - O b has
x - s = t and x z_x = s a = mu, z_x + a = r at

    a = r / 2 (1 + t r / (q + 2 mu)),    q^2 = (t r)^2 + 4 mu^2

No answer depends on these estimates, because certificates are about all rows. A program that turned a row which was set
aside has a model that violates its budget; it is not accepted, and is solved again with all rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from relspan.arrays import Floats, Ints
from relspan.engines.interior.array_library import Array, Arrays
from relspan.engines.interior.batch_arrays import BatchArrays, Point
from relspan.engines.interior.packed_point import packed

# Dikin radii up to which rows are kept, per square root of the number of rows: rows that have a score of their own, and
# rows that share scores, of which only a few near a score can turn
KINK_REACH = (0.75, 0.6)
ROWS_PER_UNKNOWN = 3  # that are kept at least: at an optimum about one row per unknown is at its kink
NEAR_KINK = 0.25  # share of its slack at the centre below which a row has come so near its kink that it may turn
MOST_ROWS_KEPT = 0.8  # share of the rows above which setting the others aside is not worth it


@dataclass(frozen=True, eq=False)
class RowSelection:
    """Which rows are kept, and the share of every other row in the merged one (0 where it is left out).

    `slack` is h - F w - O b of every row at the centre, `score_of` the score of every row (None: one of its own). The
    scores of the kept rows are kept; the merged row has a score of its own.
    """

    kept: np.ndarray
    merged_share: Floats
    slack: Floats
    score_of: Ints | None = None

    @property
    def all_rows(self) -> bool:
        return bool(self.kept.all())

    def rows(self, values: Floats) -> Floats:
        """Values of all rows, (rows, ...), as values of the kept rows and the merged one."""
        if not self.merged_share.any():
            return np.asarray(values[self.kept])
        return np.concatenate([values[self.kept], (self.merged_share @ values)[None]])

    @cached_property
    def kept_scores(self) -> Ints:
        """The scores of the kept rows, in rising order."""
        return np.flatnonzero(self.kept) if self.score_of is None else np.unique(self.score_of[self.kept])

    def scores(self, values: Floats) -> Floats:
        """Values of all scores, (scores, ...), as values of the kept scores and the merged row's."""
        kept = values[self.kept_scores]
        if not self.merged_share.any():
            return np.asarray(kept)
        share = np.zeros(len(values))
        np.add.at(share, np.arange(len(values)) if self.score_of is None else self.score_of, self.merged_share)
        return np.concatenate([kept, (share @ values)[None]])

    @property
    def score_of_kept(self) -> Ints | None:
        """The place of each kept row's score, and of the merged row's, among the kept scores; None: rows are scores."""
        if self.score_of is None:
            return None
        places = np.searchsorted(self.kept_scores, self.score_of[self.kept])
        return np.append(places, len(self.kept_scores)) if self.merged_share.any() else places

    def costs(self, costs: Floats) -> Floats:
        merged_costs = costs[self.merged_share > 0].sum()
        return np.append(costs[self.kept], merged_costs) if self.merged_share.any() else costs[self.kept]

    def multipliers(self, xp: Arrays, a: Array) -> Array:
        """Multipliers of all rows, from those of the kept rows and the merged one."""
        if self.all_rows:
            return a
        full = xp.array(self.merged_share) * a[:, -1:]
        full[:, xp.index(np.flatnonzero(self.kept))] = a[:, : int(self.kept.sum())]
        return full

    def with_rows_near(self, xp: Arrays, slack: Array) -> RowSelection:
        """Keep also the rows that one of these models brought near their kink; `slack` is (models, rows)."""
        limits = xp.array(NEAR_KINK * np.abs(self.slack))
        least = xp.smallest((slack * xp.array(np.sign(self.slack)) - limits).T)
        near = self.kept | (xp.to_numpy(least) < 0)
        shares = np.where(near, 0.0, self.merged_share)
        return replace(self, kept=near, merged_share=shares / max(shares.sum(), np.finfo(float).tiny))


def every_row(rows: int, score_of: Ints | None = None) -> RowSelection:
    return RowSelection(np.ones(rows, dtype=bool), np.zeros(rows), np.zeros(rows), score_of)


def extended_point(at: Point, problem: BatchArrays, old: RowSelection, new: RowSelection) -> Point:
    """A point of the old selection as a point of the new one: the rows that are added join on the central path."""
    xp = problem.xp
    together = packed(problem, at)
    mu = xp.dot(together.slacks, together.prices) / together.n_pairs
    t = problem.h - problem.by_row(problem.scores(at.w, at.b))
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


def select_rows(problem: BatchArrays, centre: Point, all_rows: RowSelection) -> RowSelection:
    """The rows to keep, for tall data; every row where that saves too little."""
    d, m = problem.F.shape[1], len(all_rows.kept)
    if not problem.tall:
        return all_rows
    numbers = problem.xp.to_numpy
    Z = np.concatenate([numbers(problem.F), numbers(problem.O)], axis=1)
    x, s, p, q, z_p, z_q = (
        numbers(value)[0] for value in (centre.x, centre.s, centre.p, centre.q, centre.z_p, centre.z_q)
    )
    H = Z.T @ (Z * numbers(problem.by_score(1 / (centre.x / centre.z_x + centre.s / centre.a)))[0][:, None])
    H[np.arange(d), np.arange(d)] += 1 / (p / z_p + q / z_q)
    try:
        radii = np.linalg.norm(solve_triangular(cholesky(H, lower=True), Z.T, lower=True), axis=0)
    except LinAlgError:
        return all_rows
    if all_rows.score_of is not None:
        radii = radii[all_rows.score_of_kept]
    margins = x - s
    with np.errstate(divide="ignore", invalid="ignore"):  # a row that no model moves keeps its side
        distances = np.abs(margins) / radii
    last = min(ROWS_PER_UNKNOWN * Z.shape[1], m - 1)
    nearest = np.partition(distances, last)[last]
    reach = KINK_REACH[all_rows.score_of is not None] * np.sqrt(m)
    kept = distances <= max(reach, nearest)
    if kept.mean() > MOST_ROWS_KEPT:
        return all_rows
    costs = np.where(~kept & (margins > 0), numbers(problem.c), 0.0)
    return RowSelection(kept, costs / max(costs.sum(), np.finfo(float).tiny), margins, all_rows.score_of)
