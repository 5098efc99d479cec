"""Multipliers for all weights at a vertex of the family, from one system of equations.

Let (a, g), with the prices lambda of norm and beta of loss, prove  w_j <= H,  and let the vertex z attain H. For a
further weight w_k that z uses, multipliers (a', g') that are tight at z, though not yet of the right signs, solve

    pressure  e_k + a' F + g' A  =  lambda' sign(z_i)   on every weight i that z uses,      a' O + g' A_b  =  0,
    a'_i  =  beta' c_i   on rows beyond their kink,      a'_i  =  0   on rows before it,

with the unknowns a' on the rows at their kink, g' on the constraints that bind, beta' and lambda'. The matrix is the
same for every k, and -(a', g') belongs to -w_k. If a pin keeps w_j at or above L, then (a' + t a, g' + t g, t) has the
right signs for t large enough, unless z is degenerate, and proves  w_k <= z_k + t (H - L).  No program is needed, and
no trust: `certificates` evaluates the proof.
"""

from __future__ import annotations

import numpy as np

from relspan.arrays import Bools, Floats, Ints, dense
from relspan.family import Family
from relspan.tolerances import DUAL_ROUNDING, PIN_ROUNDING


def vertex_multipliers(family: Family, model: Floats, a: Floats, g: Floats) -> tuple[Ints, Floats, Floats]:
    """The weights that a vertex uses, and multipliers for +w_k and -w_k of each in turn.

    (a, g) are those that prove the vertex's own end, together with the multiplier of the pin that keeps it there.
    """
    rows, sides = family.rows, family.constraints
    used = np.flatnonzero(np.abs(model[: family.n_features]) > PIN_ROUNDING * family.largest_norm)
    pressures = rows.pressures(a) + g @ sides.features
    shares = np.divide(a, rows.costs, out=np.zeros_like(a), where=rows.costs > 0)
    lam, beta = np.abs(pressures).max(initial=0.0), shares.max(initial=0.0)
    before, beyond = shares <= DUAL_ROUNDING * beta, shares >= (1 - DUAL_ROUNDING) * beta
    kinks = np.flatnonzero(~before & ~beyond)
    beyond &= beta > 0
    both = np.tile([1.0, -1.0], len(used))[:, None]
    tight = _tight_multipliers(family, used, np.sign(model[used]), kinks, beyond, np.flatnonzero(g))
    more, more_sides, more_beta, more_lam = (both * np.repeat(part, 2, axis=0) for part in tight)

    # t with  0 <= a' + t a <= (beta' + t beta) c  at the kinks, and  |pressure' + t pressure| <= lambda' + t lambda
    own, costs, unused = more[:, kinks], rows.costs[kinks], np.setdiff1d(np.arange(family.n_features), used)
    pulled = (rows.pressures(more) + more_sides @ sides.features)[:, unused]
    t = np.max(
        [
            _least_scale(-own, a[kinks]),
            _least_scale(own - more_beta * costs, beta * costs - a[kinks]),
            _least_scale(pulled - more_lam, lam - pressures[unused]),
            _least_scale(-pulled - more_lam, lam + pressures[unused]),
            _least_scale(np.hstack([-more_lam, -more_beta]), np.array([lam, beta])),
        ],
        axis=0,
    )
    return used, more + t[:, None] * a, more_sides + t[:, None] * g


def _tight_multipliers(
    family: Family, used: Ints, signs: Floats, kinks: Ints, beyond: Bools, binding: Ints
) -> tuple[Floats, Floats, Floats, Floats]:
    """a', g', beta' and lambda' of the equations above, one row for each weight that is used."""
    rows, sides, paid = family.rows, family.constraints, np.where(beyond, family.rows.costs, 0.0)
    scores, k = rows.scores_by_row[kinks], len(kinks)
    F_used, A_used = dense(rows.features[scores][:, used]), sides.features[np.ix_(binding, used)]
    matrix = np.block(
        [
            [F_used.T, A_used.T, rows.pressures(paid)[used, None], -signs[:, None]],
            [
                rows.offsets[scores].T,
                sides.offsets[binding].T,
                rows.offset_pressures(paid)[:, None],
                np.zeros((rows.n_offsets, 1)),
            ],
        ]
    )
    right = -np.eye(len(matrix), len(used))
    found = np.linalg.lstsq(matrix, right, rcond=None)[0].T
    more, more_sides = found[:, -2:-1] * paid, np.zeros((len(used), sides.n_rows))
    more[:, kinks], more_sides[:, binding] = found[:, :k], found[:, k : k + len(binding)]
    return more, more_sides, found[:, -2:-1], found[:, -1:]


def _least_scale(needed: Floats, room: Floats) -> Floats:
    """The least t >= 0 with  needed <= t room,  row by row; where there is no room, the proof will show."""
    wide = room > DUAL_ROUNDING * np.abs(room).max(initial=0.0)
    return np.asarray((needed[:, wide] / room[wide]).max(axis=1, initial=0.0))
