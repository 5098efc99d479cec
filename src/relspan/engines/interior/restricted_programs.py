"""Programs over few columns and few rows of a family, chosen for each program by a point that is near its solution.

Columns whose price z is not small there are not used by the model at the end, and a row far from its kink
keeps its side of it. So a program keeps its own column, those that are used most,

    p / z_p + q / z_q     large,

the rows that are least firm,

    x / z_x + s / a       small,

and all constraints. The other rows that cost something (a > z_x) are merged into one, their mean weighted with their
costs, and the rest is left out. It goes on from where it is.

Nothing is taken on trust: an answer is about all columns and rows once it is certified.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from relspan.arrays import Floats, Ints
from relspan.engines.interior.batch_arrays import BatchArrays, Point
from relspan.engines.interior.own_matrices import OwnMatrices
from relspan.tolerances import LEAST_SLACK

LEAST_COST = 1e-3  # of the merged row, where nothing is merged, in units of the mean cost
COLUMNS, ROWS = ("p", "q", "z_p", "z_q"), ("x", "s", "a", "z_x")


@dataclass(frozen=True, eq=False)
class RestrictedPrograms:
    """Programs over columns (the own one first) and hinge rows (the merged one last) of their own, and their start.

    `columns` numbers the features, an appended one last; `shares` (programs, rows) is the part of each row in the
    merged one.
    """

    problem: OwnMatrices
    start: Point
    columns: Ints
    rows: Ints
    shares: Floats
    n_features: int

    def models(self, at: Point) -> Floats:
        """The models (w, b) over all features."""
        w = np.zeros((len(self.columns), self.n_features))
        np.put_along_axis(w, self.columns, at.w, axis=1)
        return np.hstack([w, at.b])

    def hinge_multipliers(self, at: Point) -> Floats:
        """The multipliers of all hinge rows."""
        a = self.shares * at.a[:, -1:]
        np.put_along_axis(a, self.rows, at.a[:, :-1], axis=1)
        return np.asarray(a)


def restricted_programs(problem: BatchArrays, at: Point, own: Ints, n_columns: int, n_rows: int) -> RestrictedPrograms:
    """The programs with so many columns, their own ones included, and so many rows beside the merged one."""
    pr, programs = problem, np.arange(len(own))
    use = at.p / at.z_p + at.q / at.z_q
    use[pr.v != 0] = np.inf  # a direction may have several weights
    use[programs, own] = -np.inf
    columns = np.column_stack([own, _largest(use, n_columns - 1)])
    rows = _largest(-(at.x / at.z_x + at.s / at.a), n_rows)
    merged = at.a > at.z_x
    np.put_along_axis(merged, rows, False, axis=1)
    cost = merged * pr.c
    total = cost.sum(axis=1)
    shares = cost / np.maximum(total, np.finfo(float).tiny)[:, None]
    of_scores = pr.by_score(shares)
    scores = rows if pr.score_of is None else pr.score_of[rows]
    merged_columns = pr.columns(of_scores)
    F = np.empty((len(own), rows.shape[1] + 1, columns.shape[1]))
    d = pr.F.shape[1]
    for i, (r, c) in enumerate(zip(scores, columns, strict=True)):
        F[i, :-1] = pr.F[r[:, None], np.minimum(c, d - 1)]
        F[i, -1] = merged_columns[i, c]
        if pr.extra_column is not None:
            F[i, :-1, c == d] = pr.extra_column[i, r]
    G = np.hstack([pr.G, np.zeros((len(pr.G), at.p.shape[1] - d))])
    restricted = OwnMatrices(
        **{name: getattr(pr, name) for name in ("xp", "G_b", "g", "n_inequalities", "P", "Q", "B", "v_b")},
        F=F,
        O=np.concatenate([pr.O[scores], (of_scores @ pr.O)[:, None, :]], axis=1),
        h=np.column_stack([pr.h[rows], shares @ pr.h]),
        c=np.column_stack([pr.c[rows], np.maximum(total, LEAST_COST * pr.c.mean())]),
        G=G.T[columns].transpose(0, 2, 1),
        pairs=None,
        tall=False,
        v=np.take_along_axis(pr.v, columns, 1),
    )
    start = _start(restricted, at, columns, rows, shares)
    return RestrictedPrograms(restricted, start, columns, rows, shares, at.p.shape[1])


def _largest(values: Floats, count: int) -> Ints:
    """The places of the largest values of each row, in rising order."""
    if count >= values.shape[1]:
        return np.tile(np.arange(values.shape[1]), (len(values), 1))
    return np.sort(np.argpartition(-np.nan_to_num(values, nan=-np.inf), count - 1, axis=1)[:, :count], axis=1)


def _start(problem: OwnMatrices, at: Point, columns: Ints, rows: Ints, shares: Floats) -> Point:
    """The programs' points over their own columns and rows; the merged row loses what its rows lose together."""
    values = {name: np.take_along_axis(getattr(at, name), columns, 1) for name in COLUMNS}
    kept = {name: np.take_along_axis(getattr(at, name), rows, 1) for name in ROWS}
    most = (at.theta @ problem.Q) * problem.c[:, -1]
    mu = np.mean(values["p"] * values["z_p"], axis=1)
    x = np.vecdot(shares, at.x)
    z_x = np.minimum(mu / np.maximum(x, LEAST_SLACK), most / 2)
    last = {"x": mu / z_x, "s": mu / (most - z_x), "a": most - z_x, "z_x": z_x}
    values.update({name: np.column_stack([kept[name], last[name]]) for name in ROWS})
    return replace(at, **values)


def finite(at: Point) -> Point:
    """The point, with 1 in place of what broke down: nothing is proven by it, and nothing else is disturbed."""
    with np.errstate(all="ignore"):
        good = np.isfinite(sum(getattr(at, f.name).sum(axis=1) for f in fields(Point)))[:, None]
    return Point(*(np.where(good, getattr(at, f.name), 1.0) for f in fields(Point)))
