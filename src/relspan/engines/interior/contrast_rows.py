"""Rows that compare two classes: what one weight vector per class leaves of a table's products.

A loss for several classes has rows that compare the class k with the class l of one sample. With the weights of a
feature side by side, one per class, the coefficients of such a row are those of one vector x, the sample's or its
negative:

    f_r . w  =  x_r . (w_k - w_l)

All rows of a pair of classes are one block X_kl. For values a and weights N of the rows,

    (F w)_kl  =  X_kl (w_k - w_l)
    F' a      =  sum over pairs of  + X_kl' a_kl  in class k  and  - X_kl' a_kl  in class l
    F' N F    =  sum over pairs of  A_kl = X_kl' N_kl X_kl,  added to the blocks (k, k) and (l, l), taken from (k, l)

so that the matrix of K d weights costs the products of d columns: K^2 times fewer. A probe is one more column of x,
another one in every program. The structure is found in the rows themselves. Rows that do not have it (the merged row
of `row_selection`) may stand at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from relspan.arrays import Floats, Ints
from relspan.engines.interior.array_library import Arrays

Array = Any
FEWEST_CLASSES = 3  # with two, one weight vector is enough


@dataclass(frozen=True, eq=False)
class ClassPair:
    """The rows that compare the class `first` with `second`: their places, x, and the products of pairs of columns."""

    first: int
    second: int
    rows: slice
    x: Array
    squares: Array


@dataclass(frozen=True, eq=False)
class ClassProbe:
    """One more feature, another one in every program: x of every row of a pair, and the coefficients of other rows."""

    x: Array  # (programs, rows of pairs)
    rest: Array  # (programs, other rows, classes)

    def where(self, kept: Array) -> ClassProbe:
        return ClassProbe(self.x[kept], self.rest[kept])


@dataclass(frozen=True, eq=False)
class ContrastRows:
    """A table of scores whose rows compare classes; `rest` are the rows at its end that do not."""

    xp: Arrays
    n_classes: int
    pairs: tuple[ClassPair, ...]
    rest: Array

    @property
    def n_compared(self) -> int:
        """How many rows compare classes."""
        return int(self.pairs[-1].rows.stop)

    def scores(self, w: Array, probe: ClassProbe | None) -> Array:
        """F w, (programs, rows)."""
        xp, K, width = self.xp, self.n_classes, self.rest.shape[1]
        per_class = w.reshape(w.shape[0], -1, K)
        found = xp.zeros(w.shape[0], self.n_compared)
        for pair in self.pairs:
            difference = per_class[:, :, pair.first] - per_class[:, :, pair.second]
            own = difference if probe is None else difference[:, :-1]
            found[:, pair.rows] = own @ pair.x.T
            if probe is not None:
                found[:, pair.rows] += difference[:, -1:] * probe.x[:, pair.rows]
        rest = w[:, :width] @ self.rest.T
        if probe is not None:
            rest = rest + (probe.rest * w[:, None, width:]).sum(-1)
        return xp.concat([found, rest], axis=1)

    def columns(self, a: Array, probe: ClassProbe | None) -> Array:
        """F' a, (programs, weights)."""
        xp, K, count = self.xp, self.n_classes, self.n_compared
        d = self.rest.shape[1] // K
        found = xp.zeros(a.shape[0], d + (probe is not None), K)
        for pair in self.pairs:
            part = a[:, pair.rows]
            pulled = part @ pair.x
            found[:, :d, pair.first] += pulled
            found[:, :d, pair.second] -= pulled
            if probe is not None:
                pulled = xp.dot(part, probe.x[:, pair.rows])[:, 0]
                found[:, d, pair.first] += pulled
                found[:, d, pair.second] -= pulled
        found = found.reshape(a.shape[0], -1)
        found[:, : d * K] += a[:, count:] @ self.rest
        if probe is not None:
            found[:, d * K :] += (a[:, count:, None] * probe.rest).sum(1)
        return found

    def matrix(self, weights: Array, probe: ClassProbe | None) -> Array:
        """F' diag(weights) F, of which only the upper triangle counts, in the precision of the weights."""
        xp, K, count, programs = self.xp, self.n_classes, self.n_compared, weights.shape[0]
        d = self.rest.shape[1] // K
        whole = d + (probe is not None)
        found = xp.zeros_like(weights, (programs, whole, K, whole, K))
        for pair in self.pairs:
            k, other = pair.first, pair.second
            part = weights[:, pair.rows]
            block = (part @ pair.squares).reshape(programs, d, d)
            found[:, :d, k, :d, k] += block
            found[:, :d, other, :d, other] += block
            found[:, :d, k, :d, other] = -block
            found[:, :d, other, :d, k] = -block
            if probe is not None:
                self._add_probe(found, pair, part, probe.x[:, pair.rows])
        full = found.reshape(programs, whole * K, whole * K)
        for row in range(self.rest.shape[0]):
            f = self.rest[row] + 0 * weights[:, :1]
            f = f if probe is None else xp.concat([f, probe.rest[:, row]], axis=1)
            full += weights[:, count + row, None, None] * f[:, :, None] * f[:, None, :]
        return full

    def _add_probe(self, found: Array, pair: ClassPair, weights: Array, x: Array) -> None:
        """The probe's column of the matrix."""
        d, k, m = pair.x.shape[1], pair.first, pair.second
        weighted = weights * x
        column, corner = weighted @ pair.x, self.xp.dot(weighted, x)[:, 0]
        for one, other, sign in ((k, k, 1.0), (m, m, 1.0), (k, m, -1.0), (m, k, -1.0)):
            found[:, :d, one, d, other] += sign * column
            found[:, d, one, d, other] += sign * corner

    def in_single_precision(self) -> ContrastRows:
        """With products in single precision."""
        return replace(self, pairs=tuple(replace(pair, squares=self.xp.single(pair.squares)) for pair in self.pairs))

    def probe(self, columns: Floats, rest: Floats) -> ClassProbe:
        """Probes from their columns, (programs, rows of pairs, classes), and those of the other rows."""
        x = np.concatenate([columns[:, pair.rows, pair.first] for pair in self.pairs], axis=1)
        return ClassProbe(self.xp.array(x), self.xp.array(rest))


def contrast_rows(xp: Arrays, F: Floats, n_rest: int) -> ContrastRows | None:
    """The structure of a table of scores whose last `n_rest` rows need not have it; None where it has none."""
    compared = F[: len(F) - n_rest]
    found = _classes_and_pairs(compared)
    if found is None:
        return None
    K, pairs = found
    runs = np.flatnonzero(np.diff(pairs, axis=0, prepend=-1).any(axis=1))
    if len(runs) > K * (K - 1) // 2:  # the rows of a pair are not together
        return None
    ends = [*runs[1:].tolist(), len(compared)]
    blocks = [_pair(xp, compared, K, pairs[i], slice(i, j)) for i, j in zip(runs.tolist(), ends, strict=True)]
    return ContrastRows(xp, K, tuple(blocks), xp.array(F[len(compared) :]))


def compares_classes(F: Floats) -> bool:
    """Whether all rows of a table of scores compare classes."""
    return _classes_and_pairs(F) is not None


def _classes_and_pairs(F: Floats) -> tuple[int, Ints] | None:
    """The number of classes, and the two classes that each row compares."""
    for K in range(FEWEST_CLASSES, F.shape[1] + 1):
        if F.shape[1] % K == 0 and (pairs := _class_pairs(F, K)) is not None:
            return K, pairs
    return None


def _class_pairs(F: Floats, K: int) -> Ints | None:
    """The two classes that each row compares; None where rows are not of that kind."""
    if not len(F):
        return None
    by_class = F.reshape(len(F), -1, K)
    used = (by_class != 0).any(axis=1)
    count = used.sum(axis=1)
    if not (count == 2).any() or not np.isin(count, (0, 2)).all() or by_class.sum(axis=2).any():
        return None
    pairs = np.column_stack([used.argmax(axis=1), K - 1 - used[:, ::-1].argmax(axis=1)])
    known = np.maximum.accumulate(np.where(count == 2, np.arange(len(F)), 0))  # a row of zeros goes with its neighbour
    return np.asarray(pairs[np.maximum(known, np.argmax(count))])


def _pair(xp: Arrays, F: Floats, K: int, pair: Ints, rows: slice) -> ClassPair:
    x = F[rows].reshape(rows.stop - rows.start, -1, K)[:, :, pair[0]]
    squares = (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    return ClassPair(int(pair[0]), int(pair[1]), rows, xp.array(x), xp.array(squares))
