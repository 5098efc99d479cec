"""The multipliers that prove bounds, as one polytope that all ends of a wide family share.

For a family with the budgets M of the norm and R of the loss, let

    D = { (a, beta) :  |F'S'a| <= 1,   O'S'a = 0,   0 <= a_i <= beta c_i  (hinge rows),   0 <= a_i  (constraints) }

S adds the rows of each score; a constraint  f.w + o.b >= h  is a row without a price, whose multiplier has no upper
limit. Every (a, beta) of D proves that no model of the family has a smaller norm than a.h - beta R, and, more
generally, that no model has w_j = s z unless

    a.(h - s z F_j) - beta R  <=  M - z.

For that statement the own column j need not stay within |F_j'a| <= 1 on its far side. So all ends (j, s) share the
polytope; only the objective moves. Its inside is kept by the barrier

    phi(a, beta) = - sum_j log(1 - g_j) - sum_j log(1 + g_j) - sum_i log a_i - sum_i log(beta c_i - a_i),   g = F'S'a,

and the point that minimises  phi - (a.h - beta R) / mu  is a centre. It carries a model of the family with it:
w = mu (1 / (1 - g) - 1 / (1 + g)), slacks x_i = mu / (beta c_i - a_i) with c.x = R, and offsets mu times the multiplier
of O'S'a = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Ints, content_hash
from relspan.engines.interior.constraint_sides import ConstraintSides
from relspan.family import Family
from relspan.tolerances import SUM_ROUNDING

BALANCING_ROUNDS = 3


def weighted_gram(F: Floats, weights: Floats) -> Floats:
    """F W F' for weights of the columns."""
    scaled = F * np.sqrt(weights)
    return np.asarray(scaled @ scaled.T)  # with itself, which takes half as long


@dataclass(frozen=True, eq=False)
class DualPolytope:
    """D as arrays: coefficients by score, heights and costs by row. Hinge rows come first, then constraints."""

    F: Floats
    O: Floats
    h: Floats
    c: Floats  # of the hinge rows
    score_of: Ints | None
    M: float
    R: float
    n_family_rows: int
    paid: Ints  # the family's hinge rows that cost something
    scores: Ints  # the family's scores that have such rows
    sides: ConstraintSides
    gram: Callable[[Floats], Floats] | None = None  # F W F' for weights of the columns, where a device computes it

    @property
    def n_hinge(self) -> int:
        return len(self.c)

    @property
    def n_rows(self) -> int:
        return len(self.h)

    @property
    def n_scores(self) -> int:
        return len(self.F)

    @property
    def n_features(self) -> int:
        return int(self.F.shape[1])

    @cached_property
    def O_rows(self) -> Floats:
        """O of every row."""
        return self.O if self.score_of is None else self.O[self.score_of]

    @cached_property
    def _rows_of_scores(self) -> sparse.csr_array:
        assert self.score_of is not None
        place = (np.ones(self.n_rows), (np.arange(self.n_rows), self.score_of))
        return sparse.csr_array(place, shape=(self.n_rows, self.n_scores))

    def by_score(self, values: Floats) -> Floats:
        """Values of the rows, (..., rows), added up for each score."""
        if self.score_of is None:
            return values
        flat = values.reshape(-1, self.n_rows) @ self._rows_of_scores
        return np.asarray(flat).reshape(*values.shape[:-1], self.n_scores)

    def by_row(self, values: Floats) -> Floats:
        """Values of the scores, (..., scores), as values of the rows."""
        return values if self.score_of is None else values[..., self.score_of]

    def pressures(self, a: Floats) -> Floats:
        """g = F'S'a, (..., features)."""
        return np.asarray(self.by_score(a) @ self.F)

    def curvature(self, weights: Floats) -> Floats:
        """F W F', (scores, scores), for weights W of the columns."""
        return weighted_gram(self.F, weights) if self.gram is None else self.gram(weights)

    def balanced(self, a: Floats) -> Floats:
        """Multipliers a >= 0 with O'S'a = 0 near these, (programs, rows).

        Each is multiplied by 1 - O lambda, where lambda makes the sums vanish; what would become negative is cut, and
        the sums are balanced again. What is still missing then is paid for by the bounds.
        """
        a = np.maximum(a, 0.0)
        k = self.O.shape[1]
        if not k:
            return a
        for _ in range(1 if k == 1 and bool((np.abs(self.O_rows) == 1).all()) else BALANCING_ROUNDS):
            sums = a @ self.O_rows
            spread = np.einsum("ki,ip,iq->kpq", a, self.O_rows, self.O_rows) if k > 1 else (a @ self.O_rows**2)[:, None]
            spread = spread.reshape(-1, k, k)
            # where hardly any row is left, offsets may depend on one another
            least = SUM_ROUNDING * np.trace(spread, axis1=1, axis2=2) + np.finfo(float).tiny
            spread = spread + least[:, None, None] * np.eye(k)
            share = np.linalg.solve(spread, sums[:, :, None])[:, :, 0]
            a = a * np.maximum(0.0, 1.0 - share @ self.O_rows.T)
        return a

    def own_columns(self, columns: Floats) -> Floats:
        """Columns by score of the family, one per row, as columns by score of the polytope: 0 in the constraints."""
        return np.hstack([columns[:, self.scores], np.zeros((len(columns), self.n_rows - self.n_hinge))])

    def digest(self) -> bytes:
        """A hash of everything in it: equal for equal families, in whichever process."""
        sides, score_of = self.sides, () if self.score_of is None else (self.score_of,)
        words = repr((self.M, self.R, self.F.shape, self.n_family_rows, sides.count))
        return content_hash(words, (self.F, self.O, self.h, self.c, self.paid, sides.source, sides.sign, *score_of))

    def family_multipliers(self, a: Floats) -> tuple[Floats, Floats]:
        """The multipliers of the family's hinge rows and of its constraints."""
        hinge = np.zeros((len(a), self.n_family_rows))
        hinge[:, self.paid] = a[:, : self.n_hinge]
        return hinge, self.sides.signed(a[:, self.n_hinge :])


def dual_polytope(family: Family) -> DualPolytope | None:
    """D of a family; None where it is not of this form, or has no inside.

    That is where the family has other budgets than one of the norm and one of the loss, a budget of 0, equalities, a
    sparse table, or no known model.
    """
    norm = [b for b in family.budgets if b.loss_price == 0]
    loss = [b for b in family.budgets if b.norm_price == 0]
    if len(family.budgets) != 2 or len(norm) != 1 or len(loss) != 1 or min(b.limit for b in family.budgets) <= 0:
        return None
    sides = ConstraintSides(family)
    if sparse.issparse(family.rows.features) or not len(family.anchors) or sides.n_inequalities < len(sides.heights):
        return None
    rows, paid = family.rows, np.flatnonzero(family.rows.costs > 0)
    count, used = len(sides.heights), np.unique(rows.scores_by_row[paid])
    F, O = np.asarray(rows.features), rows.offsets
    if len(used) < rows.n_scores:
        F, O = F[used], O[used]
    score_of = None
    if rows.score_of is not None:
        score_of = np.concatenate([np.searchsorted(used, rows.score_of[paid]), len(used) + np.arange(count)])
    return DualPolytope(
        F=np.vstack([F, sides.features]) if count else np.ascontiguousarray(F),
        O=np.vstack([O, sides.offsets]),
        h=np.concatenate([rows.heights[paid], sides.heights]),
        c=rows.costs[paid],
        score_of=score_of,
        M=family.largest_norm,
        R=family.largest_loss,
        n_family_rows=rows.n_rows,
        paid=paid,
        scores=used,
        sides=sides,
    )
