"""A batch of programs of which each has columns and rows of its own: `batch_arrays` with matrices by program.

The methods of `newton_step` and `predictor_corrector` see no difference. Programs are wide (no fewer columns than
rows), every row has a score of its own, and there are no further extra columns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from relspan.engines.interior.batch_arrays import Array, BatchArrays


@dataclass(frozen=True, eq=False)
class OwnMatrices(BatchArrays):
    """F is (programs, rows, columns), O (programs, rows, offsets), h and c (programs, rows), and G like F."""

    @cached_property
    def _F_in_precision(self) -> Array:
        return self._in_precision(self.F)

    def in_single_precision(self) -> OwnMatrices:
        return replace(self, single_precision=True)

    def where(self, kept: Array) -> OwnMatrices:
        names = ("F", "O", "h", "c", "G", "v", "v_b")
        left = replace(self, **{name: getattr(self, name)[kept] for name in names})
        if self.single_precision and "_F_in_precision" in self.__dict__:
            left.__dict__["_F_in_precision"] = self._F_in_precision[kept]
        return left

    def feature_scores(self, w: Array) -> Array:
        return (self.F @ w[:, :, None])[:, :, 0]

    def scores(self, w: Array, b: Array) -> Array:
        return self.feature_scores(w) + (self.O @ b[:, :, None])[:, :, 0]

    def columns(self, a: Array) -> Array:
        return (self.xp.transpose(self.F) @ a[:, :, None])[:, :, 0]

    def charge(self, x: Array) -> Array:
        return self.xp.dot(x, self.c)

    def raised(self, a: Array) -> Array:
        return self.xp.dot(a, self.h)

    def offset_sums(self, a: Array) -> Array:
        return (a[:, None, :] @ self.O)[:, 0, :]

    def constraint_columns(self) -> Array:
        return self.xp.transpose(self.G)

    def constrained(self, w: Array) -> Array:
        return (self.G @ w[:, :, None])[:, :, 0]

    def unconstrained(self, gamma: Array) -> Array:
        return (gamma[:, None, :] @ self.G)[:, 0, :]

    def constraint_matrix(self, weights: Array) -> Array:
        return (self.G * weights[:, None, :]) @ self.xp.transpose(self.G)

    def score_matrix(self, weights: Array) -> Array:
        return self.xp.own_grams(self._F_in_precision, self._in_precision(weights))
