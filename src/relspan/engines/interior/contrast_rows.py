"""Rows that compare two classes: what one weight vector per class leaves of a table's products.

A loss for several classes has rows that compare the class k with the class l of one sample. With the weights of a
feature side by side, one per class, the coefficients of such a row are those of one vector x, the sample's or its
negative:

    f_r . w  =  x_r . (w_k - w_l)

All rows of a pair of classes are one block X_kl. For values a and weights N of the rows,

    (F w)_kl  =  X_kl (w_k - w_l)
    F' a      =  sum over pairs of  + X_kl' a_kl  in class k  and  - X_kl' a_kl  in class l
    F' N F    =  sum over pairs of  A_kl = X_kl' N_kl X_kl,  added to the blocks (k, k) and (l, l), taken from (k, l)

so that the matrix of K d weights costs the products of d columns: K^2 times fewer. The offsets are compared alike,
o_r . b = y_r (b_k - b_l) with y_r = 1 or -1 and b_0 = 0: they are one more column of x, and F' N O and O' N O come with
the same products. A probe is a further column, another one in every program. The structure is found in the rows
themselves. Rows that do not have it (the merged row of `row_selection`) may stand at the end.
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
    """The rows that compare the class `first` with `second`: their places, x, the y of the offsets, and the products
    of pairs of columns of (x, y)."""

    first: int
    second: int
    rows: slice
    x: Array
    y: Array
    products: Array

    @property
    def signs(self) -> tuple[tuple[int, int, float], ...]:
        """Where a product of values of class k - l goes among those of the classes, and with which sign."""
        k, other = self.first, self.second
        return (k, k, 1.0), (other, other, 1.0), (k, other, -1.0), (other, k, -1.0)


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
    rest_offsets: Array

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

    def matrix(self, weights: Array, probe: ClassProbe | None) -> tuple[Array, Array, Array]:
        """F' N F, F' N O and O' N O for weights N, in their precision; of the first only the upper triangle counts."""
        xp, K, programs = self.xp, self.n_classes, weights.shape[0]
        d = self.rest.shape[1] // K
        whole = d + (probe is not None)
        FNF, FNO, ONO = (
            xp.zeros_like(weights, (programs, *shape)) for shape in ((whole, K, whole, K), (whole, K, K), (K, K))
        )
        for pair in self.pairs:
            part = weights[:, pair.rows]
            block = xp.symmetric(part @ pair.products, d + 1)
            appended = None if probe is None else self._probe_products(pair, part, probe.x[:, pair.rows])
            for one, other, sign in pair.signs:
                FNF[:, :d, one, :d, other] += sign * block[:, :d, :d]
                FNO[:, :d, one, other] += sign * block[:, :d, d]
                ONO[:, one, other] += sign * block[:, d, d]
                if appended is not None:
                    FNF[:, :, one, d, other] += sign * appended[:, :whole]
                    FNO[:, d, one, other] += sign * appended[:, whole]
        size = whole * K
        found = FNF.reshape(programs, size, size), FNO.reshape(programs, size, K)[:, :, 1:], ONO[:, 1:, 1:]
        for row in range(self.rest.shape[0]):
            f = self.rest[row] + 0 * weights[:, :1]
            f = f if probe is None else xp.concat([f, probe.rest[:, row]], axis=1)
            o, N = self.rest_offsets[row], weights[:, self.n_compared + row, None, None]
            for product, left, right in zip(found, (f, f, o[None]), (f, o[None], o[None]), strict=True):
                product += N * left[:, :, None] * right[:, None, :]
        return found

    def _probe_products(self, pair: ClassPair, weights: Array, x: Array) -> Array:
        """The products of the probe's column with all others, itself, and y."""
        weighted, xp = weights * x, self.xp
        return xp.concat([weighted @ pair.x, xp.dot(weighted, x), (weighted @ pair.y)[:, None]], axis=1)

    def in_single_precision(self) -> ContrastRows:
        """With products in single precision."""
        return replace(self, pairs=tuple(replace(pair, products=self.xp.single(pair.products)) for pair in self.pairs))

    def probe(self, columns: Floats, rest: Floats) -> ClassProbe:
        """Probes from their columns, (programs, rows of pairs, classes), and those of the other rows."""
        x = np.concatenate([columns[:, pair.rows, pair.first] for pair in self.pairs], axis=1)
        return ClassProbe(self.xp.array(x), self.xp.array(rest))


def contrast_rows(xp: Arrays, F: Floats, O: Floats, n_rest: int) -> ContrastRows | None:
    """The structure of a table of scores, and of their offsets, whose last `n_rest` rows need not have it.

    None where there is none.
    """
    count = len(F) - n_rest
    found = _classes_and_pairs(F[:count])
    if found is None:
        return None
    K, pairs = found
    if O.shape[1] != K - 1:
        return None
    shown = (F[:count] != 0).any(axis=1)[:, None]  # a row of zeros shows its classes in its offsets alone
    pairs = np.where(shown, pairs, _pairs_of_offsets(O[:count]))
    y = _offset_signs(O[:count], K, pairs)
    runs = np.flatnonzero(np.diff(pairs, axis=0, prepend=-1).any(axis=1))
    if y is None or len(runs) > K * (K - 1) // 2:  # the rows of a pair are not together
        return None
    ends = [*runs[1:].tolist(), count]
    blocks = [_pair(xp, F, y, K, pairs[i], slice(i, j)) for i, j in zip(runs.tolist(), ends, strict=True)]
    return ContrastRows(xp, K, tuple(blocks), xp.array(F[count:]), xp.array(O[count:]))


def compares_classes(F: Floats) -> bool:
    """Whether all rows of a table of scores compare classes."""
    return _classes_and_pairs(F) is not None


def _pairs_of_offsets(O: Floats) -> Ints:
    """The two classes whose offsets each row compares; that of class 0 is 0."""
    of_classes = np.column_stack([-O.sum(axis=1), O])
    return np.asarray(np.sort(np.column_stack([of_classes.argmin(axis=1), of_classes.argmax(axis=1)]), axis=1))


def _offset_signs(O: Floats, K: int, pairs: Ints) -> Floats | None:
    """The y of every row, whose offsets are those of its two classes but for that of class 0; else None."""
    unit = np.eye(K)[:, 1:]
    difference = unit[pairs[:, 0]] - unit[pairs[:, 1]]
    y = (O * difference).sum(axis=1) / (difference**2).sum(axis=1)
    return np.asarray(y) if np.array_equal(y[:, None] * difference, O) else None


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


def _pair(xp: Arrays, F: Floats, y: Floats, K: int, pair: Ints, rows: slice) -> ClassPair:
    x = F[rows].reshape(rows.stop - rows.start, -1, K)[:, :, pair[0]]
    products = xp.pairs(xp.array(np.column_stack([x, y[rows]])))
    return ClassPair(int(pair[0]), int(pair[1]), rows, xp.array(x), xp.array(y[rows]), products)
