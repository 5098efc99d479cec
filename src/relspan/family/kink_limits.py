"""Offsets that suffice: limits within which every weight vector of a family finds offsets, though others lie beyond.

The loss need not hold offsets back. Where a covariate separates the classes, its effect may grow for ever. But for any
w the loss  sum_i c_i max(0, r_i - o_i.b),  r = h - F w,  is least at a vertex of the kinks  o_i.b = r_i,  as long as
the o_i span all offsets. If w belongs to the family, so does w with these offsets. A statement about weights alone
therefore needs no other ones, and they are limited: with one offset by

    |b|  =  |r_i / o_i|  <=  (|h_i| + M max|f_i|) / |o_i|

for some row i, and with two by Cramer's rule for some pair of rows. With more there are too many vertices to bound.
Whether two rows whose determinant is lost in rounding are parallel is decided with fractions.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from relspan.arrays import Floats
from relspan.tolerances import SUM_ROUNDING

MOST_KINKS = 2000  # kinds of rows of which all pairs are tried
MOST_FRACTIONS = 10_000  # pairs that fractions decide


def kink_limits(offsets: Floats, most: Floats) -> Floats:
    """Limits of one or two offsets, given o_i and the most that |r_i| can be; infinite where there are none."""
    k = offsets.shape[1]
    without = np.full(k, np.inf)
    kinks, kind = np.unique(offsets, axis=0, return_inverse=True)
    reach = np.zeros(len(kinks))
    np.maximum.at(reach, kind.ravel(), most)
    used = kinks.any(axis=1)
    kinks, reach = kinks[used], reach[used]
    if not len(kinks) or len(kinks) > MOST_KINKS or not np.isfinite(reach).all():
        return without
    if k == 1:
        return np.asarray((reach / np.abs(kinks[:, 0])).max(keepdims=True))
    if k != 2:
        return without
    x, z = kinks.T
    with np.errstate(over="ignore"):
        products = np.outer(x, z)
    if not np.isfinite(products).all():
        return without
    size = np.abs(products - products.T)
    unsure = SUM_ROUNDING * (np.abs(products) + np.abs(products.T))
    apart = size > unsure
    close = np.argwhere(np.triu(~apart, 1))
    if not apart.any() or len(close) > MOST_FRACTIONS or not all(_are_parallel(kinks[i], kinks[j]) for i, j in close):
        return without
    determinant = np.where(apart, size - unsure, np.inf)
    each = [np.outer(reach, np.abs(other)) for other in (z, x)]
    return np.array([((one + one.T) / determinant).max() for one in each])


def _are_parallel(one: Floats, other: Floats) -> bool:
    (x, z), (u, v) = ([Fraction(float(value)) for value in row] for row in (one, other))
    return x * v == z * u
