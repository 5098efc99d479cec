"""The cost of large margin nearest neighbours (LMNN), on a given set of impostor pairs, and its gradient.

With d_ij = |L (x_i - x_j)|^2, T(i) the k nearest samples of the same class (the targets, fixed before learning), and
pairs (i, l) of different classes,

    E(L) = (1/nk) sum_{i, j in T(i)} [ (1 - m) d_ij  +  m sum_l h(1 + d_ij - d_il) ]  +  (rho/2) trace(L'L),

    h(t) = max(0, t)^2 or max(0, t).

A pair (i, l) adds nothing once d_il >= 1 + max_j d_ij, so E needs the *impostors* alone. On any subset of the pairs
the value is a lower bound of E; it is E itself when the subset holds all impostors of L. With V_ij = dE/dd_ij,

    dE/dL = 2 (M Z)' X + rho L,   Z = X L',   M = diag(V 1) + diag(V' 1) - V - V'.

Targets are near in every feature, noise included, so their distances hardly charge for it; the trace does. It lets go
of directions that no impostor asks for.

References
----------
K. Weinberger, L. Saul, "Distance metric learning for large margin nearest neighbor classification", JMLR 10, 2009.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from relspan.arrays import Floats, Ints
from relspan.metric.impostors import Pairs

PAIRS_AT_ONCE = 1 << 16  # keeps the temporary arrays small whatever the number of pairs


def squared(t: Floats) -> tuple[Floats, Floats]:
    """h(t) = max(0, t)^2, and its slope."""
    t = np.maximum(t, 0.0)
    return t * t, 2.0 * t


def linear(t: Floats) -> tuple[Floats, Floats]:
    """h(t) = max(0, t), and its slope."""
    return np.maximum(t, 0.0), (t > 0).astype(np.float64)


HINGES: dict[str, Callable[[Floats], tuple[Floats, Floats]]] = {"squared": squared, "linear": linear}


def target_distances(Z: Floats, targets: Ints) -> Floats:
    """d_ij of every sample to its targets, n x k."""
    distances: Floats = np.stack([np.sum((Z - Z[j]) ** 2, axis=1) for j in targets.T], axis=1)
    return distances


def lmnn_cost(
    L: Floats,
    X: Floats,
    targets: Ints,
    impostors: Iterable[Pairs],
    push: float = 0.5,
    hinge: str = "squared",
    regularization: float = 0.0,
) -> tuple[float, Floats]:
    """E restricted to the given pairs, and dE/dL.

    Parameters
    ----------
    L : ndarray of shape (rank, d)
        The map.
    X : ndarray of shape (n, d)
        The samples.
    targets : ndarray of shape (n, k)
        T(i), one row per sample.
    impostors : iterable of Pairs
        Blocks of pairs, none of them twice.
    push : float, default=0.5
        The weight m.
    hinge : {"squared", "linear"}, default="squared"
        The function h.
    regularization : float, default=0.0
        The weight rho.

    Returns
    -------
    float
        The cost.
    ndarray of shape (rank, d)
        Its gradient.
    """
    n, k = targets.shape
    h = HINGES[hinge]
    Z = X @ L.T
    d_target = target_distances(Z, targets)
    value = (1.0 - push) * float(d_target.sum())
    v_target = np.full((n, k), 1.0 - push)
    MZ = np.zeros_like(Z)
    for pairs in impostors:
        for block in pairs.blocks(PAIRS_AT_ONCE):
            i, l = block.rows, block.columns
            step = Z[i] - Z[l]
            d_impostor = np.einsum("ij,ij->i", step, step)
            loss, slope = h(1.0 + d_target[i] - d_impostor[:, None])
            value += push * float(loss.sum())
            MZ += laplacian_product(-push * slope.sum(axis=1), l, block.starts(n), Z)
            first, last = int(i[0]), int(i[-1]) + 1  # the pairs are sorted by sample
            for j in range(k):
                v_target[first:last, j] += push * np.bincount(i - first, weights=slope[:, j], minlength=last - first)
    MZ += laplacian_product(v_target.ravel(), targets.ravel(), np.arange(0, n * k + 1, k), Z)
    E = value / (n * k) + 0.5 * regularization * float(np.sum(L**2))
    return E, 2.0 / (n * k) * (MZ.T @ X) + regularization * L


def laplacian_product(values: Floats, columns: NDArray[np.integer], starts: NDArray[np.integer], Z: Floats) -> Floats:
    """(diag(V 1) + diag(V' 1) - V - V') Z for the sparse V given by rows."""
    V = csr_array((values, columns, starts), shape=(Z.shape[0], Z.shape[0]))
    degree = V.sum(axis=1) + V.sum(axis=0)
    product: Floats = degree[:, None] * Z - V @ Z - V.T @ Z
    return product
