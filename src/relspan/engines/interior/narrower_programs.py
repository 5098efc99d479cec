"""Restricted programs, restricted once more: near its optimum a program needs hardly more than the optimum itself.

A program that has come from a gap of one per cent to one of some ten thousandths (`restricted_programs`) has sorted its
columns and rows: those that the optimum uses are first in their order, with few others among them. It goes on with
these. Rows that cost something join the merged row, which stays the last one; the others are left out, as are columns
(NumPy only).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relspan.engines.interior.batch_arrays import Point
from relspan.engines.interior.restricted_programs import (
    RestrictedPrograms,
    column_use,
    merged_costs,
    restricted_start,
    row_firmness,
)


def narrower_programs(programs: RestrictedPrograms, at: Point, n_columns: int, n_rows: int) -> RestrictedPrograms:
    """The programs at these points with so many of their columns, and so many rows beside the merged one, at most."""
    pr = programs.problem
    xp, many = pr.xp, pr.h.shape[1] - 1
    n_columns, n_rows = min(n_columns, pr.v.shape[1]), min(n_rows, many)
    columns = xp.leading(column_use(pr, at), n_columns)
    rows = xp.leading(-row_firmness(at)[:, :many], n_rows)
    cost = merged_costs(pr, at, rows)
    cost[:, many] = pr.c[:, many]
    total = xp.sum(cost)
    shares = cost / total
    F = np.empty((len(rows), n_rows + 1, n_columns))
    for own, table, r, c in zip(F, pr.F, rows, columns, strict=True):
        own[:-1] = table[r[:, None], c]
    F[:, -1] = xp.take(pr.columns(shares), columns)
    O = xp.concat([xp.take(pr.O, rows[:, :, None]), shares[:, None, :] @ pr.O], axis=1)
    narrower = replace(
        pr,
        F=F,
        O=O,
        h=xp.concat([xp.take(pr.h, rows), xp.dot(shares, pr.h)], axis=1),
        c=xp.concat([xp.take(pr.c, rows), total], axis=1),
        G=np.take_along_axis(pr.G, columns[:, None, :], 2),
        v=xp.take(pr.v, columns),
        single_precision=False,
    )
    of_rows = xp.put(programs.shares * shares[:, many:], programs.rows, shares[:, :many])
    return RestrictedPrograms(
        narrower,
        restricted_start(narrower, at, columns, rows, shares),
        xp.take(programs.columns, columns),
        xp.take(programs.rows, rows),
        of_rows,
        programs.n_features,
    )
