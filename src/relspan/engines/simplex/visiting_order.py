"""Visiting orders: from each column to the most similar one not yet visited, and from direction to direction.

Programs of similar columns have similar solutions, so a warm solver has less to do along such a chain than in the
order of the table.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix
from relspan.family import Family


def nearest_neighbour_chain(columns: Matrix, either_sign: bool) -> Ints:
    """The greedy chain in the cosine between columns, or in its absolute value for `either_sign`.

    Starts with the first column. Never forms all pairs: each step is one product with the columns that are left.
    """
    count = columns.shape[1]
    size = np.sqrt(np.asarray((columns * columns).sum(axis=0), dtype=np.float64)).ravel()
    scale = 1.0 / np.where(size > 0, size, 1.0)
    if sparse.issparse(columns):
        across = sparse.csr_array((sparse.csc_array(columns) @ sparse.diags_array(scale)).T)
    else:
        across = np.ascontiguousarray((columns * scale).T, dtype=np.float32)
    order = np.zeros(count, dtype=np.intp)
    names, left = np.arange(count), np.ones(count, dtype=bool)
    at = 0  # a position among `names`, which shrinks as columns are visited
    for step in range(count):
        order[step], left[at] = names[at], False
        if step == count - 1:
            break
        here = across[[at]].toarray().ravel() if sparse.issparse(across) else across[at]
        if 2 * left.sum() < len(left):
            names, across, left = names[left], across[left], np.ones(int(left.sum()), dtype=bool)
        similarity = np.asarray(across @ here)
        if either_sign:
            similarity = np.abs(similarity)
        similarity[~left] = -np.inf
        at = int(np.argmax(similarity))
    return order


def order_of_directions(family: Family, directions: Floats) -> Ints:
    """First maximise, then minimise: opposite directions have distant optima.

    Where weights sum to 0, as those of one feature over several classes do, one of them grows as others fall. There
    the direction +w_k is followed by -w_{k-1}, whose optimum is near.
    """
    falls = directions.sum(axis=1) < 0
    up, down = np.flatnonzero(~falls), np.flatnonzero(falls)
    extra = family.constraints
    if len(up) == len(down) and extra.features[extra.lower == extra.upper].any():
        return np.column_stack([up, np.roll(down, 1)]).ravel()
    return np.concatenate([up, down])
