"""The cost of GMLVQ, its penalty, and their gradients.

With d_ip = |Omega (x_i - w_p)|^2, J the nearest prototype of the sample's own class and K the nearest of any other,

    E(Omega, W) = (1/n) sum_i Phi(mu_i),   mu_i = (d_iJ - d_iK) / (d_iJ + d_iK),   Phi the identity or a sigmoid;

with sample weights v the mean is weighted, sum_i v_i Phi(mu_i) / sum_i v_i.
E does not feel the size of Omega. An optional penalty keeps the map from collapsing to few directions. It is taken
relative to the trace, because the bare -ln det(Omega Omega') falls without limit as Omega grows:

    (nu/2) * -ln det(rank * Omega Omega' / trace(Omega Omega'))   >= 0, and 0 where all rows count the same.

References
----------
P. Schneider, M. Biehl, B. Hammer, "Adaptive relevance matrices in learning vector quantization", Neural Computation
21(12), 2009; the penalty: P. Schneider et al., "Regularization in matrix relevance learning", IEEE TNN 21(5), 2010.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import expit

from relspan.arrays import Bools, Floats

TINY = np.finfo(np.float64).tiny


def identity(mu: Floats, beta: float) -> tuple[Floats, Floats]:
    """Phi(mu) = mu, and its slope."""
    return mu, np.ones_like(mu)


def sigmoid(mu: Floats, beta: float) -> tuple[Floats, Floats]:
    """Phi(mu) = 1 / (1 + exp(-beta mu)), and its slope."""
    value: Floats = expit(beta * mu)
    return value, beta * value * (1.0 - value)


ACTIVATIONS: dict[str, Callable[[Floats, float], tuple[Floats, Floats]]] = {"identity": identity, "sigmoid": sigmoid}


def gmlvq_cost(
    omega: Floats,
    W: Floats,
    X: Floats,
    same: Bools,
    activation: str = "identity",
    beta: float = 1.0,
    shares: Floats | None = None,
) -> tuple[float, Floats, Floats]:
    """E, dE/dOmega and dE/dW.

    With R the n x P matrix of dE/dd_ip (each row has two entries: at J and at K), r = R 1 and c = R' 1,

        dE/dOmega = 2 [(diag(r) Z - R V)' X + (diag(c) V - R' Z)' W],   Z = X Omega', V = W Omega'
        dE/dW     = 2 (diag(c) V - R' Z) Omega.

    Parameters
    ----------
    omega : ndarray of shape (rank, d)
        The map.
    W : ndarray of shape (P, d)
        The prototypes.
    X : ndarray of shape (n, d)
        The samples.
    same : bool ndarray of shape (n, P)
        Whether the prototype has the sample's class.
    activation : {"identity", "sigmoid"}, default="identity"
        The function Phi.
    beta : float, default=1.0
        Steepness of the sigmoid.
    shares : ndarray of shape (n,), default=None
        The share of each sample in the mean, of sum 1; None means 1/n each.

    Returns
    -------
    float
        The cost.
    ndarray of shape (rank, d)
        Its gradient with respect to the map.
    ndarray of shape (P, d)
        Its gradient with respect to the prototypes.
    """
    n = X.shape[0]
    Z, V = X @ omega.T, W @ omega.T
    D = cdist(Z, V, "sqeuclidean")
    i = np.arange(n)
    J = np.where(same, D, np.inf).argmin(axis=1)
    K = np.where(same, np.inf, D).argmin(axis=1)
    dJ, dK = D[i, J], D[i, K]
    total = np.maximum(dJ + dK, TINY)  # a sample lying on both prototypes has mu = 0
    value, slope = ACTIVATIONS[activation]((dJ - dK) / total, beta)
    g = slope / n if shares is None else slope * shares
    R = np.zeros_like(D)
    R[i, J] = 2.0 * g * (dK / total) / total
    R[i, K] = -2.0 * g * (dJ / total) / total
    r, c = R.sum(axis=1), R.sum(axis=0)
    by_sample = r[:, None] * Z - R @ V
    by_prototype = c[:, None] * V - R.T @ Z
    E = float(value.mean() if shares is None else shares @ value)
    return E, 2.0 * (by_sample.T @ X + by_prototype.T @ W), 2.0 * by_prototype @ omega


def collapse_penalty(omega: Floats, nu: float) -> tuple[float, Floats]:
    """(nu/2) * -ln det(rank * Omega Omega' / trace), and its gradient -nu [(Omega Omega')^-1 - rank/trace] Omega."""
    rank = omega.shape[0]
    gram = omega @ omega.T
    trace = float(np.trace(gram))
    sign, log_det = np.linalg.slogdet(rank * gram / trace)
    if sign <= 0:
        return np.inf, np.zeros_like(omega)
    return -0.5 * nu * float(log_det), -nu * (np.linalg.solve(gram, omega) - rank / trace * omega)
