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

from relspan.arrays import Ints
from relspan.engines.interior.array_library import Array, Arrays
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
    columns: Array
    rows: Array
    shares: Array
    n_features: int

    def weights(self, at: Point) -> Array:
        """The weights of all features."""
        xp = self.problem.xp
        return xp.put(xp.zeros(len(self.columns), self.n_features), self.columns, at.w)

    def hinge_multipliers(self, at: Point) -> Array:
        """The multipliers of all hinge rows."""
        return self.problem.xp.put(self.shares * at.a[:, -1:], self.rows, at.a[:, :-1])


def restricted_programs(problem: BatchArrays, at: Point, own: Ints, n_columns: int, n_rows: int) -> RestrictedPrograms:
    """The programs with so many columns, their own ones included, and so many rows beside the merged one."""
    pr, xp, first = problem, problem.xp, problem.xp.index(own)[:, None]
    use = xp.put(column_use(pr, at), first, xp.full(first.shape, -np.inf))
    columns = xp.concat([first, xp.leading(use, n_columns - 1)], axis=1)
    rows = xp.leading(-row_firmness(at), n_rows)
    cost = merged_costs(pr, at, rows)
    total = xp.sum(cost)
    shares = cost / xp.at_least(total, np.finfo(float).tiny)
    of_scores = pr.by_score(shares)
    scores = rows if pr.score_of is None else pr.score_of[rows]
    d, merged = pr.F.shape[1], xp.take(pr.columns(of_scores), columns)
    F = _of_programs(pr, scores, columns)
    restricted = OwnMatrices(
        **{name: getattr(pr, name) for name in ("xp", "G_b", "g", "n_inequalities", "P", "Q", "B", "v_b")},
        F=xp.concat([F, merged[:, None, :]], axis=1),
        O=xp.concat([pr.O[scores], (of_scores @ pr.O)[:, None, :]], axis=1),
        h=xp.concat([pr.h[rows], (shares @ pr.h)[:, None]], axis=1),
        c=xp.concat([pr.c[rows], xp.at_least(total, LEAST_COST * float(pr.c.mean()))], axis=1),
        G=xp.transpose(xp.concat([pr.G, xp.zeros(pr.G.shape[0], at.p.shape[1] - d)], axis=1).T[columns]),
        pairs=None,
        tall=False,
        v=xp.take(pr.v, columns),
    )
    start = restricted_start(restricted, at, columns, rows, shares)
    return RestrictedPrograms(restricted, start, columns, rows, shares, at.p.shape[1])


def column_use(pr: BatchArrays, at: Point) -> Array:
    """How much each program uses a column; those that it is about come first, and it may be about several."""
    return pr.xp.where(pr.v != 0, np.inf, at.p / at.z_p + at.q / at.z_q)


def row_firmness(at: Point) -> Array:
    """How far each row is from its kink."""
    return at.x / at.z_x + at.s / at.a


def merged_costs(pr: BatchArrays, at: Point, rows: Array) -> Array:
    """The costs of the rows that cost something, but for those that are kept: what is merged into one."""
    return pr.xp.put(pr.xp.where(at.a > at.z_x, 1.0, 0.0) * pr.c, rows, pr.xp.zeros(*rows.shape))


def _of_programs(pr: BatchArrays, scores: Array, columns: Array) -> Array:
    """The entries of the table in scores and columns of each program's own, an appended column's among them."""
    xp, d = pr.xp, pr.F.shape[1]
    if pr.extra_column is None:
        return xp.entries(pr.F, scores, columns)
    appended = columns == d
    entries = xp.entries(pr.F, scores, xp.where(appended, d - 1, columns))
    return xp.where(appended[:, None, :], xp.take(pr.extra_column, scores)[:, :, None], entries)


def restricted_start(problem: OwnMatrices, at: Point, columns: Array, rows: Array, shares: Array) -> Point:
    """The programs' points over their own columns and rows; the merged row loses what its rows lose together."""
    xp = problem.xp
    values = {name: xp.take(getattr(at, name), columns) for name in COLUMNS}
    most = (at.theta @ problem.Q)[:, None] * problem.c[:, -1:]
    mu = xp.dot(values["p"], values["z_p"]) / columns.shape[1]
    x = xp.at_least(xp.dot(shares, at.x), LEAST_SLACK)
    z_x = xp.where(mu / x < most / 2, mu / x, most / 2)
    last = {"x": mu / z_x, "s": mu / (most - z_x), "a": most - z_x, "z_x": z_x}
    values.update({name: xp.concat([xp.take(getattr(at, name), rows), last[name]], axis=1) for name in ROWS})
    return replace(at, **values)


def finite(xp: Arrays, at: Point) -> Point:
    """The point, with 1 in place of what broke down: nothing is proven by it, and nothing else is disturbed."""
    with np.errstate(all="ignore"):
        good = abs(sum(xp.sum(getattr(at, f.name)) for f in fields(Point))) < np.inf
    return Point(*(xp.where(good, getattr(at, f.name), 1.0) for f in fields(Point)))
