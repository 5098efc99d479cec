"""Ends one pivot away from the leanest model, for many directions at once and without a solver.

For a family of equalities and a norm budget alone,

    F = { w :  A w = t,  ||w||_1 <= M },

let w* be its leanest model, S the features it uses, as many as there are equalities, sigma their signs, and
y = A_S^-T sigma the multipliers, with pressures p = A'y, |p| <= 1. A direction c costs on S what its *rest*

    r = c - A' A_S^-T c_S        (0 on S)

cannot pay for elsewhere. The feature k outside S, with the sign s, that has the largest lambda = s r_k / (1 - s p_k)
enters, and w* moves along

    delta_k = s,   delta_S = -s A_S^-1 a_k,   by   tau = (M - ||w*||_1) / (1 - s p_k),

which uses up the budget. As long as no weight of S changes its sign on the way, that is the end, proven by the
multipliers lambda y - A_S^-T c_S. Otherwise more pivots are needed, and the direction is left to an engine. Answers are
certified like all others.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, lu_factor, lu_solve

from relspan.arrays import Bools, Floats
from relspan.engines.certificates import CertifiedMaxima, certify
from relspan.family import Family
from relspan.tolerances import EQUALITY_MISS, PRESSURE_TIE


def is_lean(family: Family) -> bool:
    """Whether the family is one of equalities and a norm budget, nothing else."""
    extra = family.constraints
    return (
        family.rows.n_rows == 0
        and family.n_offsets == 0
        and all(b.loss_price == 0 for b in family.budgets)
        and bool((extra.lower == extra.upper).all())
    )


def one_pivot_away(
    family: Family, leanest: Floats, directions: Floats, tolerance: float
) -> tuple[CertifiedMaxima, Bools] | None:
    """The ends of the directions as far as one pivot goes, and which of them are proven.

    Parameters
    ----------
    family : Family
        Equalities and a norm budget.
    leanest : ndarray of shape (d,)
        Its model of least norm.
    directions : ndarray of shape (n, d)
    tolerance : float
        Largest certified gap.

    Returns
    -------
    (CertifiedMaxima, bool ndarray of shape (n,)) or None
        None where the leanest model does not have as many weights as there are equalities.
    """
    A, t = family.constraints.features, family.constraints.lower
    S = np.flatnonzero(leanest)
    if not is_lean(family) or len(S) != len(A):
        return None
    try:
        basis = lu_factor(A[:, S])
    except (LinAlgError, ValueError):
        return None
    sigma = np.sign(leanest[S])
    y = lu_solve(basis, sigma, trans=1)
    pressures = A.T @ y
    paid = lu_solve(basis, directions[:, S].T, trans=1).T  # A_S^-T c_S, one per row
    rest = directions - paid @ A
    rest[:, S] = 0.0

    up, down = 1.0 - pressures, 1.0 + pressures
    up[S] = down[S] = np.inf
    # tied features are not offered: an end that needs one is left without a proof
    up[up < PRESSURE_TIE], down[down < PRESSURE_TIE] = np.inf, np.inf
    prices = np.hstack([rest / up, -rest / down])
    which = prices.argmax(axis=1)
    programs, price = np.arange(len(directions)), prices.max(axis=1)
    k, s = which % len(leanest), np.where(which < len(leanest), 1.0, -1.0)
    room = family.largest_norm - np.abs(leanest).sum()
    step = np.where(price > 0, s * room / np.where(s > 0, up[k], down[k]), 0.0)

    models = np.zeros_like(directions)
    models[:, S] = lu_solve(basis, t[:, None] - A[:, k] * step).T
    models[programs, k] += step  # a direction that nothing can pay for stays where it is
    found = certify(family, directions, models, np.zeros((len(directions), 0)), price[:, None] * y - paid)
    proven = (found.gaps <= tolerance) & (found.violations <= EQUALITY_MISS)
    return found, proven
