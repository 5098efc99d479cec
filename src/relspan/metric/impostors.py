"""Impostor pairs of LMNN: samples of another class that are too near, found without an n x n matrix.

Sample l of another class is an impostor of sample i under the images Z when |z_i - z_l|^2 < reach_i. The search walks
over blocks of rows, and whoever can do with a block at a time never needs more memory than that. A set that is to be
kept has at most ``limit`` pairs per sample on average, so memory is O(n limit + DISTANCES_AT_ONCE) at any n; where
there are more, each sample keeps its ``limit`` nearest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats, Ints

DISTANCES_AT_ONCE = 1 << 19


@dataclass(frozen=True)
class Pairs:
    """Pairs (sample, impostor), sorted by sample, then by impostor, and whether they are all that were asked for."""

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    complete: bool = True

    @property
    def size(self) -> int:
        """Number of pairs."""
        return self.rows.size

    def starts(self, n: int) -> NDArray[np.int64]:
        """Where each sample's pairs begin: the row pointers of a compressed sparse matrix."""
        return np.searchsorted(self.rows, np.arange(n + 1)).astype(np.int64)

    def keys(self, n: int) -> NDArray[np.int64]:
        """One increasing number per pair."""
        return self.rows.astype(np.int64) * n + self.columns

    def blocks(self, size: int) -> Iterator[Pairs]:
        """The same pairs, so many at a time."""
        for start in range(0, self.size, size):
            yield Pairs(self.rows[start : start + size], self.columns[start : start + size])


def impostor_blocks(Z: Floats, label: Ints, reach: Floats) -> Iterator[Pairs]:
    """All pairs of different classes with |z_i - z_l|^2 < reach_i, those of some samples at a time.

    Parameters
    ----------
    Z : ndarray of shape (n, rank)
        The images of the samples.
    label : ndarray of shape (n,)
        Their classes, numbered from 0.
    reach : ndarray of shape (n,)
        Squared distance under which a sample of another class is an impostor.
    """
    for i, others, distance in distance_blocks(Z, label):
        row, column = np.nonzero(distance < reach[i, None])
        yield Pairs(i[row].astype(np.int32), others[column].astype(np.int32))


def find_impostors(Z: Floats, label: Ints, reach: Floats, limit: int) -> Pairs:
    """The pairs of `impostor_blocks` as one set; with more than n * limit, the ``limit`` nearest of each sample."""
    n, found, total = Z.shape[0], [], 0
    for pairs in impostor_blocks(Z, label, reach):
        total += pairs.size
        if total > n * limit:
            return nearest_impostors(Z, label, reach, limit)
        found.append(pairs.keys(n))
    return from_keys(found, n)


def nearest_impostors(Z: Floats, label: Ints, reach: Floats, limit: int) -> Pairs:
    """At most the ``limit`` nearest impostors of each sample."""
    n, keys = Z.shape[0], []
    for i, others, distance in distance_blocks(Z, label):
        nearest = np.argpartition(distance, min(limit, others.size) - 1, axis=1)[:, :limit]
        row, rank = np.nonzero(np.take_along_axis(distance, nearest, axis=1) < reach[i, None])
        keys.append(i[row].astype(np.int64) * n + others[nearest[row, rank]])
    return replace(from_keys(keys, n), complete=False)


def distance_blocks(Z: Floats, label: Ints) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Blocks (i, others, distance): some samples of a class, all of the other classes, their squared distances."""
    square = np.sum(Z**2, axis=1)
    for c in range(int(label.max()) + 1):
        own, others = np.flatnonzero(label == c), np.flatnonzero(label != c)
        Z_others = Z[others]
        step = max(1, DISTANCES_AT_ONCE // others.size)
        for start in range(0, own.size, step):
            i = own[start : start + step]
            distance = Z[i] @ Z_others.T
            distance *= -2.0
            distance += square[others]
            distance += square[i, None]
            yield i, others, distance


def from_keys(keys: list[NDArray[np.int64]], n: int) -> Pairs:
    """The sorted pairs of the keys row * n + column, each once."""
    key = np.sort(np.concatenate(keys))
    key = key[np.diff(key, prepend=-1) > 0]
    return Pairs((key // n).astype(np.int32), (key % n).astype(np.int32))
