r"""Logarithms of upper tails, exact where the tail itself underflows.

HITON orders variables by their p-value. Beyond :math:`10^{-308}` a plain p-value is zero and the order is lost, so
every test here answers with :math:`\log p`.

=================  ====================================================================================
chi-square         :math:`\log Q(f/2, x/2)`; far out :math:`\Gamma(a, z) = e^{-z} z^a \cdot` (Legendre's
                   continued fraction)
Fisher F           :math:`\log I_u(d_2/2, d_1/2)` with :math:`u = d_2 / (d_2 + d_1 F)`; far out
                   :math:`I_u(a, b) = u^a (1-u)^b / (a B(a, b)) \cdot {}_2F_1(a + b, 1; a + 1; u)`
normal, two-sided  :math:`\log 2 + \log \Phi(-|z|)`
=================  ====================================================================================
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from relspan.arrays import Floats
from relspan.tolerances import FRACTION_CONVERGED, TAIL_UNDERFLOW


def chi2_log_tail(statistic: npt.ArrayLike, df: npt.ArrayLike) -> Floats:
    """Log probability that a chi-square variable exceeds the statistic; 0 where there is no degree of freedom."""
    x, f = np.broadcast_arrays(np.asarray(statistic, dtype=float), np.asarray(df, dtype=float))
    free = f > 0
    a = np.where(free, f, 2.0) / 2.0
    z = np.where(free, np.maximum(x, 0.0), 0.0) / 2.0
    tail = special.gammaincc(a, z)
    far = tail < TAIL_UNDERFLOW
    log_p = np.array(np.log(np.where(far, 1.0, tail)))
    if far.any():
        log_p[far] = _log_gamma_tail(a[far], z[far])
    return np.where(free, log_p, 0.0)


def _log_gamma_tail(a: Floats, z: Floats) -> Floats:
    """log Q(a, z) for z far beyond a, by the modified Lentz evaluation of the continued fraction."""
    b = z + 1.0 - a
    c = np.full_like(z, 1e300)
    d = 1.0 / b
    fraction = d.copy()
    for i in range(1, 200):
        coefficient = -i * (i - a)
        b = b + 2.0
        d = 1.0 / (coefficient * d + b)
        c = b + coefficient / c
        step = d * c
        fraction = fraction * step
        if np.all(np.abs(step - 1.0) < FRACTION_CONVERGED):
            break
    result: Floats = a * np.log(z) - z - special.gammaln(a) + np.log(fraction)
    return result


def f_log_tail(statistic: npt.ArrayLike, df1: npt.ArrayLike, df2: npt.ArrayLike) -> Floats:
    """Log probability that Fisher's F exceeds the statistic; 0 where either has no degree of freedom."""
    x, d1, d2 = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (statistic, df1, df2)))
    free = (d1 > 0) & (d2 > 0)
    a, b = np.where(free, d2, 2.0) / 2.0, np.where(free, d1, 2.0) / 2.0
    u = a / (a + b * np.where(free, np.maximum(x, 0.0), 0.0))
    tail = special.betainc(a, b, u)
    far = tail < TAIL_UNDERFLOW
    log_p = np.array(np.log(np.where(far, 1.0, tail)))
    if far.any():
        a, b, u = a[far], b[far], np.maximum(u[far], np.finfo(float).tiny)
        series = special.hyp2f1(a + b, 1.0, a + 1.0, u)
        log_p[far] = a * np.log(u) + b * np.log1p(-u) - np.log(a) - special.betaln(a, b) + np.log(series)
    return np.where(free, log_p, 0.0)


def normal_log_two_sided(z: npt.ArrayLike) -> Floats:
    """Log probability that a standard normal variable is farther from 0 than z."""
    result: Floats = np.minimum(np.log(2.0) + special.log_ndtr(-np.abs(np.asarray(z, dtype=float))), 0.0)
    return result
