"""Impostor pairs of LMNN: who of another class stands too near, found without an n x n matrix.

Sample l of another class is an impostor of sample i under the images Z when |z_i - z_l|^2 < reach_i. The search walks
over blocks of rows and keeps pairs alone, at most ``limit`` a sample on average; so memory is O(n limit +
BLOCK_ENTRIES) at any n. Where there are more, each sample keeps its ``limit`` nearest, and the others are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BLOCK_ENTRIES = 1 << 19  # distances held at once


@dataclass(frozen=True)
class Pairs:
    """Pairs (sample, impostor), sorted by sample, then by impostor; ``left_out`` counts those over the limit."""

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    left_out: int = 0

    @property
    def size(self) -> int:
        """Number of pairs."""
        return self.rows.size

    def starts(self, n: int) -> NDArray[np.int64]:
        """Where each sample's pairs begin: the row pointers of a compressed sparse matrix."""
        return np.searchsorted(self.rows, np.arange(n + 1)).astype(np.int64)

    def keys(self, n: int) -> NDArray[np.int64]:
        """One increasing number a pair."""
        return self.rows.astype(np.int64) * n + self.columns


def find_impostors(Z: Array, label: NDArray[np.intp], reach: Array, limit: int) -> Pairs:
    """All pairs of different classes with |z_i - z_l|^2 < reach_i; the nearest of each sample if they are too many.

    Parameters
    ----------
    Z : ndarray of shape (n, rank)
        The images of the samples.
    label : ndarray of shape (n,)
        Their classes, numbered from 0.
    reach : ndarray of shape (n,)
        Squared distance under which a sample of another class is an impostor.
    limit : int
        With more than n * limit pairs, each sample keeps only its ``limit`` nearest.

    Returns
    -------
    Pairs
    """
    n = Z.shape[0]
    keys: list[NDArray[np.int64]] = []
    total = 0
    for i, others, distance in distance_blocks(Z, label):
        row, column = np.nonzero(distance < reach[i, None])
        total += row.size
        if total > n * limit:
            return nearest_impostors(Z, label, reach, limit)
        keys.append(i[row].astype(np.int64) * n + others[column])
    return from_keys(keys, n, 0)


def nearest_impostors(Z: Array, label: NDArray[np.intp], reach: Array, limit: int) -> Pairs:
    """At most the ``limit`` nearest impostors of each sample."""
    n = Z.shape[0]
    keys: list[NDArray[np.int64]] = []
    left_out = 0
    for i, others, distance in distance_blocks(Z, label):
        left_out += int(np.maximum((distance < reach[i, None]).sum(axis=1) - limit, 0).sum())
        nearest = np.argpartition(distance, min(limit, others.size) - 1, axis=1)[:, :limit]
        row, rank = np.nonzero(np.take_along_axis(distance, nearest, axis=1) < reach[i, None])
        keys.append(i[row].astype(np.int64) * n + others[nearest[row, rank]])
    return from_keys(keys, n, left_out)


def distance_blocks(Z: Array, label: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], Array]]:
    """Blocks (i, others, distance): some samples of a class, all of the other classes, their squared distances."""
    square = np.sum(Z**2, axis=1)
    for c in range(int(label.max()) + 1):
        own, others = np.flatnonzero(label == c), np.flatnonzero(label != c)
        Z_others = Z[others]
        step = max(1, BLOCK_ENTRIES // others.size)
        for start in range(0, own.size, step):
            i = own[start : start + step]
            distance = Z[i] @ Z_others.T
            distance *= -2.0
            distance += square[others]
            distance += square[i, None]
            yield i, others, distance


def from_keys(keys: list[NDArray[np.int64]], n: int, left_out: int) -> Pairs:
    """The sorted pairs of the keys row * n + column."""
    key = np.sort(np.concatenate(keys))
    return Pairs((key // n).astype(np.int32), (key % n).astype(np.int32), left_out)
