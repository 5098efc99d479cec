"""Multipliers that prove more than a solver's tolerance allows: iterative refinement of a dual program.

The bound of a direction v is the value of a linear program in the multipliers (a, g) (see `certificates`):

    min  t - a.h - g+.lower + g-.upper
    s.t. N_k p + L_k q <= t     for every corner (N_k, L_k) of the budgets
         |v_w + a F + g A_w| <= p,    v_b + a O + g A_b = 0,    0 <= a <= q c,    g+, g- >= 0

A solver satisfies these rows to its tolerance, and a bound has to pay for that, times the largest norm. Where this lies
far beyond the norm of the best model, as it may with a combined budget, it is too much. So the program is asked again
for the *change* of known multipliers: what its rows lack is evaluated exactly, and multiplied by a power of 2, in which
the same tolerance is that much finer (Gleixner, Steffy and Wolter 2016). Changes are lost in the rounding of large
multipliers, so after the first step only small ones change.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from relspan.arrays import Floats, dense
from relspan.engines.careful_bounds import careful_bound, exact_sums
from relspan.engines.solver_runs import counted_run
from relspan.family import Family
from relspan.tolerances import FAR_FROM_BINDING, FINER_DUAL, REFERENCE_TOLERANCE

STEPS = 2
LARGEST_PROGRAM = 2 * 10**6  # entries: this is for small programs, where tolerances are all that is wrong


def refined_multipliers(family: Family, direction: Floats, a: Floats, g: Floats) -> tuple[float, Floats, Floats]:
    """The best bound that such steps find, and its multipliers."""
    best = careful_bound(family, direction, a, g), a, g
    if 2 * family.n_features * (family.rows.n_rows + family.constraints.n_rows) > LARGEST_PROGRAM:
        return best
    for step in range(1, STEPS + 1):
        largest = np.inf if step == 1 else float(np.abs(a).max(initial=0.0)) / FINER_DUAL
        changed = _changed(family, direction, a, g, FINER_DUAL**step, largest)
        if changed is None:
            break
        a, g = changed
        bound = careful_bound(family, direction, a, g)
        if bound < best[0]:
            best = bound, a, g
    return best


def _changed(
    family: Family, v: Floats, a: Floats, g: Floats, scale: float, largest: float
) -> tuple[Floats, Floats] | None:
    """Better multipliers: those that are not larger than `largest` change, by about 1 / scale. None if none is found.

    The variables are the changes of a, of g+ and of g-, then those of p, q and t.
    """
    rows, extra, d = family.rows, family.constraints, family.n_features
    paid, low, high = rows.costs > 0, np.isfinite(extra.lower), np.isfinite(extra.upper)
    F = np.vstack([dense(rows.features)[rows.scores_by_row], extra.features[low], -extra.features[high]])
    O = np.vstack([rows.offsets[rows.scores_by_row], extra.offsets[low], -extra.offsets[high]])
    known = np.concatenate([a, np.maximum(g, 0.0)[low], np.maximum(-g, 0.0)[high]])
    gain = np.concatenate([rows.heights, extra.lower[low], -extra.upper[high]])
    m, n = rows.n_rows, len(known)
    s = exact_sums(known, np.hstack([F, O]), v)
    p, q = np.abs(s[:d]).max(initial=0.0), (a[paid] / rows.costs[paid]).max(initial=0.0)
    support = family.corners @ np.array([p, q])
    limits = sparse.block_array(
        [
            [F.T, -np.ones((d, 1)), None, None],
            [-F.T, -np.ones((d, 1)), None, None],
            [None, family.corners[:, :1], family.corners[:, 1:], -np.ones((len(support), 1))],
            [sparse.eye_array(m, n, format="csr")[paid], None, -rows.costs[paid][:, None], None],
        ],
        format="csr",
    )
    room = scale * np.concatenate([p - s[:d], p + s[:d], support.max() - support, q * rows.costs[paid] - a[paid]])
    near = np.flatnonzero((room <= FAR_FROM_BINDING) | (np.arange(len(room)) < 2 * d + len(support)))
    changes = (known <= largest) & np.concatenate([paid, np.ones(n - m, dtype=bool)])
    least = -np.minimum(scale * known, FAR_FROM_BINDING)
    bounds = np.where(changes[:, None], np.column_stack([least, np.full(n, FAR_FROM_BINDING)]), 0.0)
    with counted_run():
        found = linprog(
            np.concatenate([-gain, [0.0, 0.0, 1.0]]),
            limits[near],
            room[near],
            np.hstack([O.T, np.zeros((family.n_offsets, 3))]) if family.n_offsets else None,
            -scale * s[d:] if family.n_offsets else None,
            np.vstack([bounds, np.tile([-np.inf, np.inf], (3, 1))]),
            "highs-ds",
            options={
                "presolve": False,
                "primal_feasibility_tolerance": REFERENCE_TOLERANCE,
                "dual_feasibility_tolerance": REFERENCE_TOLERANCE,
            },
        )
    if found.status != 0:
        return None
    better = np.maximum(known + found.x[:n] / scale, 0.0)
    sides = np.zeros(len(g))
    sides[low] += better[m : m + low.sum()]
    sides[high] -= better[m + low.sum() :]
    return better[:m], sides
