"""A batch of programs over one family as arrays of one library, and a primal-dual point of each of them.

`newton_step` writes the programs out and explains the symbols.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from relspan.engines.interior.array_library import Arrays
from relspan.engines.interior.contrast_rows import ClassProbe, ContrastRows

Array = Any


@dataclass(frozen=True, eq=False)
class BatchArrays:
    """A family as arrays of one library, its programs' directions, and their extra columns where they have any."""

    xp: Arrays
    F: Array  # of the scores, as O is
    O: Array
    h: Array  # of the hinge rows, as c is
    c: Array
    G: Array
    G_b: Array
    g: Array
    n_inequalities: int  # the first constraints; the rest are equalities
    P: Array
    Q: Array
    B: Array
    pairs: Array | None  # products of pairs of columns (tall) or of scores (wide) of F
    tall: bool
    v: Array  # (programs, features), the extra column's last
    v_b: Array
    extra_column: Array | None = None  # (programs, scores)
    single_precision: bool = False  # of the matrices and their factors
    score_of: Array | None = None  # the score of each hinge row; None where every row has a score of its own
    rows_of_scores: Array | None = None  # the same, as the library adds rows up
    norm_price: Array | None = None  # (programs, 1): what the objective itself charges for norm, where it does
    loss_price: Array | None = None  # and for loss
    contrasts: ContrastRows | None = None  # F by pairs of classes, where its rows compare classes
    probe: ClassProbe | None = None  # with weights for several classes, in place of the extra column

    def with_pairs(self) -> BatchArrays:
        """With the products of pairs, where they fit into memory: many programs' matrices in one multiplication."""
        n, d = self.F.shape
        size = min(n, d)
        if self.contrasts is not None:  # which holds products of its own
            return self
        if max(n, d) * size * (size + 1) // 2 * 8 > self.xp.memory:
            return self
        return replace(self, pairs=self.xp.pairs(self.F if self.tall else self.F.T))

    def in_single_precision(self) -> BatchArrays:
        """With matrices in single precision, which is enough for steps far from an optimum."""
        return replace(
            self,
            single_precision=True,
            pairs=None if self.pairs is None else self.xp.single(self.pairs),
            contrasts=None if self.contrasts is None else self.contrasts.in_single_precision(),
        )

    def with_single_vectors(self) -> BatchArrays:
        """With all arrays in single precision, for wide programs without constraints far from their optima."""
        names = ("F", "O", "h", "c", "G", "G_b", "g", "P", "Q", "B", "v", "v_b")
        values = {name: self.xp.single(getattr(self, name)) for name in names}
        groups = self.rows_of_scores
        return replace(
            self.in_single_precision(),
            xp=self.xp.in_single_precision(),
            rows_of_scores=None if groups is None else self.xp.single(groups),
            **values,
        )

    def where(self, kept: Array) -> BatchArrays:
        """The programs that are kept."""
        extra_column = None if self.extra_column is None else self.extra_column[kept]
        probe = None if self.probe is None else self.probe.where(kept)
        left = replace(self, v=self.v[kept], v_b=self.v_b[kept], extra_column=extra_column, probe=probe)
        if self.norm_price is None or self.loss_price is None:
            return left
        return replace(left, norm_price=self.norm_price[kept], loss_price=self.loss_price[kept])

    def by_row(self, values: Array) -> Array:
        """Values of the scores as values of the hinge rows, (programs, rows)."""
        return values if self.score_of is None else values[:, self.score_of]

    def by_score(self, values: Array) -> Array:
        """Values of the hinge rows, added up for each score, (programs, scores)."""
        return values if self.score_of is None else self.xp.added_up(values, self.rows_of_scores)

    def feature_scores(self, w: Array) -> Array:
        """F w, (programs, scores)."""
        if self.contrasts is not None:
            return self.contrasts.scores(w, self.probe)
        if self.extra_column is None:
            return w @ self.F.T
        return w[:, :-1] @ self.F.T + w[:, -1:] * self.extra_column

    def scores(self, w: Array, b: Array) -> Array:
        """F w + O b, (programs, scores)."""
        return self.feature_scores(w) + b @ self.O.T

    def charge(self, x: Array) -> Array:
        """c.x of every program, as a column."""
        return (x @ self.c)[:, None]

    def raised(self, a: Array) -> Array:
        """a.h of every program, as a column."""
        return (a @ self.h)[:, None]

    def offset_sums(self, a: Array) -> Array:
        """O' a, (programs, offsets), for values a of the scores."""
        return a @ self.O

    def columns(self, a: Array) -> Array:
        """F' a, (programs, features), for values a of the scores."""
        if self.contrasts is not None:
            return self.contrasts.columns(a, self.probe)
        if self.extra_column is None:
            return a @ self.F
        return self.xp.concat([a @ self.F, self.xp.dot(a, self.extra_column)], axis=1)

    @property
    def n_offsets(self) -> int:
        return int(self.v_b.shape[1])

    @cached_property
    def prices(self) -> Array:
        """The prices of norm and of loss, (2, budgets)."""
        return self.xp.stack([self.P, self.Q])

    @cached_property
    def border_prices(self) -> tuple[Array, Array]:
        """The prices of norm and of loss in the order of the border: offsets, budgets, constraints."""
        before, after = self.xp.zeros(self.n_offsets), self.xp.zeros(self.g.shape[0])
        return self.xp.concat([before, self.P, after], axis=0), self.xp.concat([before, self.Q, after], axis=0)

    @cached_property
    def border_parts(self) -> tuple[Array, Array, Array]:
        """What the border has of the norm, of the loss, and the coefficients of offsets in constraints."""
        xp, k, n_b = self.xp, self.n_offsets, self.B.shape[0]
        P, Q = self.border_prices
        of_offsets = xp.zeros(P.shape[0], P.shape[0])
        of_offsets[:k, k + n_b :] += self.G_b.T
        of_offsets[k + n_b :, :k] += self.G_b
        return xp.outer(P, P), xp.outer(Q, Q), of_offsets

    def constraint_columns(self) -> Array:
        """G', (programs, features, constraints)."""
        xp, (count, d) = self.xp, self.G.shape
        added = xp.zeros(self.v.shape[1] - d, count)
        return xp.broadcast(xp.concat([self.G.T, added], axis=0), (*self.v.shape, count))

    def constrained(self, w: Array) -> Array:
        """G w, (programs, constraints)."""
        return w[:, : self.G.shape[1]] @ self.G.T

    def constraint_matrix(self, weights: Array) -> Array:
        """G diag(weights) G', (programs, constraints, constraints)."""
        return self.G @ (weights[:, : self.G.shape[1], None] * self.G.T)

    def unconstrained(self, gamma: Array) -> Array:
        """G' gamma, (programs, features)."""
        shared = gamma @ self.G
        return shared if self.extra_column is None else self.xp.concat([shared, 0 * self.v[:, :1]], axis=1)

    def feature_matrices(self, weights: Array) -> tuple[Array, Array, Array]:
        """F' N F, F' N O and O' N O for weights N of the scores, each (programs, rows, columns)."""
        if self.contrasts is not None:
            return self.contrasts.matrix(self._in_precision(weights), self.probe)
        matrix, xp = self._feature_matrix(weights), self.xp
        if not self.n_offsets:
            return matrix, xp.zeros(*self.v.shape, 0), xp.zeros(self.v.shape[0], 0, 0)
        by_offset = [weights * self.O[:, j] for j in range(self.n_offsets)]
        FNO, ONO = ([by(one) for one in by_offset] for by in (self.columns, self.offset_sums))
        return matrix, xp.stack(FNO, axis=2), xp.stack(ONO, axis=1)

    def _feature_matrix(self, weights: Array) -> Array:
        """F' diag(weights) F, (programs, features, features), for weights of the scores."""
        xp, d = self.xp, self.F.shape[1]
        if self.extra_column is None:
            return self._shared_matrix(weights, self.F, d)
        weighted = weights * self.extra_column
        last = self._in_precision(xp.concat([weighted @ self.F, xp.dot(weighted, self.extra_column)], axis=1))
        if self.pairs is not None:
            return xp.symmetric(self._in_precision(weights) @ self.pairs, d, last)
        top = xp.concat([self._shared_matrix(weights, self.F, d), last[:, :d, None]], axis=2)
        return xp.concat([top, last[:, None, :]], axis=1)

    def score_matrix(self, weights: Array) -> Array:
        """F diag(weights) F', (programs, scores, scores)."""
        n, d = self.F.shape
        shared = self._shared_matrix(weights[:, :d], self.F.T, n)
        if self.extra_column is None:
            return shared
        return shared + (weights[:, -1:] * self.extra_column)[:, :, None] * self.extra_column[:, None, :]

    def factor(self, weights: Array, diagonal: Array, jitter: float) -> tuple[Array, Array]:
        """A factor of F diag(weights) F' + diag(diagonal), as `solved` takes it, and which programs have none."""
        return self.xp.cholesky(
            with_jitter(self.xp, self.xp.add_diagonal(self.score_matrix(weights), diagonal), jitter)
        )

    def solved(self, factor: Array, right: Array) -> Array:
        """What the factorised matrices take to the right hand sides, (programs, size, count)."""
        return self.xp.cholesky_solve(factor, right)

    def _shared_matrix(self, weights: Array, A: Array, size: int) -> Array:
        """A' diag(weights) A from the pairs or, where these would not fit into memory, one by one."""
        weights = self._in_precision(weights)
        if self.pairs is not None:
            return self.xp.symmetric(weights @ self.pairs, size)
        A = self._in_precision(A)
        return self.xp.stack([(A.T * weights[i]) @ A for i in range(weights.shape[0])])

    def _in_precision(self, values: Array) -> Array:
        """The values in the precision of the matrices."""
        return self.xp.single(values) if self.single_precision else values


@dataclass(frozen=True, eq=False)
class Point:
    """A primal-dual point of every program (or a step between two); each array is (programs, size)."""

    p: Array
    q: Array
    x: Array
    s: Array
    r: Array
    t: Array
    b: Array
    a: Array
    theta: Array
    gamma: Array
    z_p: Array
    z_q: Array
    z_x: Array

    @property
    def w(self) -> Array:
        return self.p - self.q


def with_jitter(xp: Arrays, matrices: Array, jitter: float) -> Array:
    """The matrices with a relative addition to their diagonals."""
    return xp.add_diagonal(matrices, jitter * xp.diagonal(matrices)) if jitter else matrices
