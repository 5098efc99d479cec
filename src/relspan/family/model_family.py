"""The family F of equally good models: plain data and plain formulas; nothing is optimised over it here.

    F = { z = (w, b) :  p_k ||w||_1 + q_k loss(z) <= B_k   for every budget k,
                        lower <= A z <= upper }

The usual budgets are the norm's (1, 0, M) and the loss's (0, 1, R) of the FRI paper, or the single combined one
(1, C, B) of Göpfert et al. 2017. In the plane of (norm, loss) they bound a polygon. Its support function, the largest
p norm + q loss in it, is all that a dual bound needs of the budgets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from relspan.arrays import Floats, Ints, Matrix, content_hash, side_by_side
from relspan.errors import ParameterError
from relspan.family.constraints import Constraints, no_constraints
from relspan.family.hinge_rows import HingeRows
from relspan.tolerances import CORNER_ROUNDING, LEAST_LOSS_LIMIT, SUM_ROUNDING

Bounds: TypeAlias = Mapping[int, tuple[float, float]]
"""For some features the bounds of their weight; infinite sides are free."""


@dataclass(frozen=True)
class Budget:
    """norm_price * ||w||_1 + loss_price * loss <= limit."""

    norm_price: float
    loss_price: float
    limit: float

    def __post_init__(self) -> None:
        if not (np.isfinite([self.norm_price, self.loss_price, self.limit]).all() and self.limit >= 0):
            raise ParameterError(f"a budget needs finite prices and a limit >= 0, not {self}")
        if min(self.norm_price, self.loss_price) < 0 or max(self.norm_price, self.loss_price) == 0:
            raise ParameterError(f"a budget needs prices >= 0, one of them positive, not {self}")


def norm_and_loss(norm: float, loss: float) -> tuple[Budget, ...]:
    """||w||_1 <= M and loss <= R, the budgets of the FRI paper."""
    return (Budget(1.0, 0.0, norm), Budget(0.0, 1.0, loss))


def combined(C: float, limit: float) -> tuple[Budget, ...]:
    """||w||_1 + C loss <= B, the budget of Göpfert et al. 2017."""
    return (Budget(1.0, C, limit),)


@dataclass(frozen=True, eq=False)
class Family:
    """All models within the budgets and constraints.

    `anchors` are models known to lie inside, one per row of (w, b). A solver's answer that sticks out by a rounding
    error is moved towards one of them.
    """

    rows: HingeRows
    budgets: tuple[Budget, ...]
    constraints: Constraints
    anchors: Floats

    def __post_init__(self) -> None:
        if self.largest_norm == np.inf:
            raise ParameterError("a family needs a budget on the norm, or its weights are unbounded")

    @property
    def n_features(self) -> int:
        return self.rows.n_features

    @property
    def n_offsets(self) -> int:
        return self.rows.n_offsets

    @cached_property
    def fingerprint(self) -> bytes:
        """A number that no other family has, as bytes; equal tables in another memory layout count as others."""
        rows, extra, table = self.rows, self.constraints, self.rows.features
        parts = [table.data, table.indices, table.indptr] if sparse.issparse(table) else [table]
        limits = np.array([(b.norm_price, b.loss_price, b.limit) for b in self.budgets])
        parts += [rows.offsets, rows.heights, rows.costs, limits, self.anchors]
        parts += [np.zeros(0) if rows.score_of is None else rows.score_of]
        parts += [extra.features, extra.offsets, extra.lower, extra.upper]
        return content_hash(repr([(part.shape, part.strides, part.dtype.str) for part in parts]), parts)

    @cached_property
    def corners(self) -> Floats:
        """Corners of the polygon of (norm, loss) that the budgets allow."""
        lines = [(b.norm_price, b.loss_price, b.limit) for b in self.budgets] + [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
        corners = [np.zeros(2)]
        for i, (p, q, limit) in enumerate(lines):
            for r, s, other in lines[:i]:
                determinant = p * s - q * r
                if determinant != 0:
                    corners.append(np.array([limit * s - other * q, p * other - r * limit]) / determinant)
        inside = [
            c
            for c in corners
            if (c >= 0).all()
            and all(b.norm_price * c[0] + b.loss_price * c[1] <= b.limit * (1 + CORNER_ROUNDING) for b in self.budgets)
        ]
        return np.array(inside)

    def support(self, norm_price: Floats, loss_price: Floats) -> Floats:
        """max  p ||w||_1 + q loss  over all (norm, loss) that the budgets allow, for prices p, q >= 0."""
        norm, loss = self.corners.T
        value = (np.multiply.outer(norm_price, norm) + np.multiply.outer(loss_price, loss)).max(-1)
        unlimited = not np.isfinite(self.largest_loss)
        return np.asarray(np.where(np.asarray(loss_price) > 0, np.inf, value) if unlimited else value)

    @cached_property
    def largest_norm(self) -> float:
        """The largest ||w||_1 the budgets allow."""
        return min((b.limit / b.norm_price for b in self.budgets if b.norm_price > 0), default=np.inf)

    @cached_property
    def largest_loss(self) -> float:
        """The largest loss the budgets allow."""
        return min((b.limit / b.loss_price for b in self.budgets if b.loss_price > 0), default=np.inf)

    @cached_property
    def offset_limits(self) -> Floats:
        """For each offset a bound on ``|b_k|`` over F that follows from single rows.

        Row i gives  o_i.b >= h_i - R / c_i - M max|f_i|,  since its hinge alone may cost at most R, and constraints
        bound sums of offsets too. A row with one offset bounds that offset; a row with several bounds one of them once
        the others are bounded; where every row has several, all rows together bound them. Dual certificates need these
        bounds: multipliers are orthogonal to the offsets only up to rounding.
        """
        return self.widened_offset_limits(np.zeros(self.rows.n_scores))

    def widened_offset_limits(self, reach: Floats) -> Floats:
        """`offset_limits` of a family with more columns, whose entries in score k are at most reach_k."""
        rows, extra, M = self.rows, self.constraints, self.largest_norm
        paid = rows.costs > 0
        scores = rows.scores_by_row[paid]
        reach = np.maximum(reach, rows.largest_entries)[scores]
        floors = rows.heights[paid] - self.largest_loss / rows.costs[paid] - M * reach
        spread = M * np.abs(extra.features).max(axis=1, initial=0.0)
        coefficients = np.vstack([rows.offsets[scores], extra.offsets, -extra.offsets])
        floors = np.concatenate([floors, extra.lower - spread, -extra.upper - spread])
        low, high = np.full(self.n_offsets, -np.inf), np.full(self.n_offsets, np.inf)
        for _ in range(self.n_offsets):
            for k in range(self.n_offsets):
                o, others = coefficients[:, k], np.delete(coefficients, k, axis=1)
                # the most that the other offsets can add to the row
                ends = np.where(others > 0, np.delete(high, k), np.delete(low, k))
                rest = floors - np.where(others == 0, 0.0, np.where(others == 0, 1.0, others) * ends).sum(axis=1)
                up, down = o > 0, o < 0
                low[k] = max(low[k], (rest[up] / o[up]).max(initial=-np.inf))
                high[k] = min(high[k], (rest[down] / o[down]).min(initial=np.inf))
            if np.isfinite(low).all() and np.isfinite(high).all():
                break
        limits = np.asarray(np.maximum(np.abs(low), np.abs(high)))
        return limits if np.isfinite(limits).all() else np.minimum(limits, _joint_limits(coefficients, floors))

    def violations(self, models: Floats, extra_column: Floats | None = None) -> Floats:
        """How far each model (a row of (w, b)) lies outside, as a share of each limit.

        The plain formulas, evaluated on the model itself: 0 means inside. A loss limit counts as at least a thousandth
        of the zero model's loss (on separable data it is 0, or a rounding error), a norm limit of 0 as 1, and a side s
        of a constraint as ``1 + |s|``. With `extra_column` (models x scores) each model has one more feature, the last
        of its weights, whose values in the scores are its row of `extra_column`.
        """
        return np.maximum(self.excess(models, extra_column), 0.0)

    def slacks(self, models: Floats, extra_column: Floats | None = None) -> Floats:
        """h - F w - O b of every model and hinge row: positive where the row costs something."""
        d = self.n_features
        width = d if extra_column is None else d + 1
        score = np.asarray(self.rows.features @ models[:, :d].T).T + models[:, width:] @ self.rows.offsets.T
        if extra_column is not None:
            score += models[:, d:width] * extra_column
        return np.asarray(self.rows.heights - self.rows.by_row(score))

    def excess(self, models: Floats, extra_column: Floats | None = None) -> Floats:
        """`violations` with a sign: how much room is left, as a share of the tightest limit, where it is negative."""
        d = self.n_features
        width = d if extra_column is None else d + 1
        weights, offsets = models[:, :width], models[:, width:]
        norm = np.abs(weights).sum(axis=1)
        loss = np.maximum(0.0, self.slacks(models, extra_column)) @ self.rows.costs
        worst = np.full(len(models), -np.inf)
        for b, size in zip(self.budgets, self.limit_sizes[0], strict=True):
            over = b.norm_price * norm + b.loss_price * loss - b.limit
            worst = np.maximum(worst, over / size)
        extra = self.constraints
        if extra.n_rows:
            value = weights[:, :d] @ extra.features.T + offsets @ extra.offsets.T
            # an equality is met up to the rounding of its own sum, and no further
            size = np.abs(weights[:, :d]) @ np.abs(extra.features).T + np.abs(offsets) @ np.abs(extra.offsets).T
            for side, excess in ((extra.lower, extra.lower - value), (extra.upper, value - extra.upper)):
                finite = np.isfinite(side)
                share = (excess - SUM_ROUNDING * size)[:, finite] / (1.0 + np.abs(side[finite]))
                worst = np.maximum(worst, share.max(axis=1, initial=-np.inf))
        return np.asarray(worst)

    @cached_property
    def limit_sizes(self) -> tuple[Floats, Floats]:
        """What `violations` are shares of, for every budget and every constraint (the larger of its sides)."""
        least = LEAST_LOSS_LIMIT * float(self.rows.costs @ np.abs(self.rows.heights))
        budgets = np.array([max(b.limit, b.loss_price * least) or 1.0 for b in self.budgets])
        sides = [
            np.where(np.isfinite(side), np.abs(side), 0.0) for side in (self.constraints.lower, self.constraints.upper)
        ]
        return budgets, 1.0 + np.maximum(*sides)

    def restricted(self, extra: Constraints) -> Family:
        """The models of this family that satisfy more constraints; of its anchors, those that do."""
        smaller = replace(self, constraints=self.constraints.stacked(extra))
        return replace(smaller, anchors=self.anchors[smaller.violations(self.anchors) <= 0])

    def of_features(self, chosen: Ints) -> Family:
        """The models that use no other features than these, over these alone."""
        d, extra = self.n_features, self.constraints
        others = np.delete(self.anchors[:, :d], chosen, axis=1)
        anchors = self.anchors[~others.any(axis=1)]
        return Family(
            self.rows.with_features(self.rows.features[:, chosen]),
            self.budgets,
            replace(extra, features=extra.features[:, chosen]),
            np.hstack([anchors[:, chosen], anchors[:, d:]]),
        )

    def boxed(self, bounds: Bounds) -> Family:
        """The models whose weights lie within bounds: one constraint  low <= w_j <= high  each, in the given order."""
        sides = np.array(list(bounds.values())).reshape(-1, 2)
        unit = np.zeros((len(bounds), self.n_features))
        unit[np.arange(len(bounds)), np.array(list(bounds), dtype=np.intp)] = 1.0
        return self.restricted(Constraints(unit, np.zeros((len(bounds), self.n_offsets)), sides[:, 0], sides[:, 1]))

    def with_columns(self, columns: Matrix) -> Family:
        """The family over more features: `columns` (scores x new) are appended, with the same budgets."""
        new = columns.shape[1]
        d = self.n_features
        extra = self.constraints
        widen = np.zeros((len(self.anchors), new))
        return Family(
            self.rows.with_features(side_by_side(self.rows.features, columns)),
            self.budgets,
            replace(extra, features=np.hstack([extra.features, np.zeros((extra.n_rows, new))])),
            np.hstack([self.anchors[:, :d], widen, self.anchors[:, d:]]),
        )

    def with_replaced_column(self, j: int, column: Floats) -> Family:
        """The family in which feature j carries other values; of its anchors, those that do not use this feature."""
        before, after = self.rows.features[:, :j], self.rows.features[:, j + 1 :]
        features = side_by_side(before, column[:, None], after)
        anchors = self.anchors[self.anchors[:, j] == 0]
        return replace(self, rows=self.rows.with_features(features), anchors=anchors)


def _joint_limits(coefficients: Floats, floors: Floats) -> Floats:
    """A bound on ``|b_k|`` over all b with  O b >= floors:  two small programs per offset; inf where there is none.

    They are solved to a tolerance, and need not be tight, so the bound is doubled.
    """
    known = np.isfinite(floors)
    found = np.empty(coefficients.shape[1])
    for k, unit in enumerate(np.eye(coefficients.shape[1])):
        ends = [linprog(s * unit, -coefficients[known], -floors[known], bounds=(None, None)) for s in (1.0, -1.0)]
        found[k] = max(2.0 * abs(end.fun) if end.status == 0 else np.inf for end in ends)
    return found


def build_family(
    rows: HingeRows,
    budgets: tuple[Budget, ...],
    constraints: Constraints | None = None,
    anchors: Floats | None = None,
) -> Family:
    """The family of these rows and budgets; by default without constraints and without known members."""
    d, k = rows.n_features, rows.n_offsets
    return Family(
        rows,
        budgets,
        no_constraints(d, k) if constraints is None else constraints,
        np.zeros((0, d + k)) if anchors is None else np.atleast_2d(anchors),
    )


def unit_directions(features: Iterable[int], family: Family) -> Floats:
    """The directions +e_j and -e_j of each feature, one per row over (w, b)."""
    chosen = list(features)
    directions = np.zeros((2 * len(chosen), family.n_features + family.n_offsets))
    for row, j in enumerate(chosen):
        directions[2 * row, j], directions[2 * row + 1, j] = 1.0, -1.0
    return directions


def sparse_unit_directions(features: Iterable[int], family: Family) -> sparse.csr_array:
    """The same as a sparse array."""
    columns = np.repeat(list(features), 2)
    shape = (len(columns), family.n_features + family.n_offsets)
    signs = np.tile([1.0, -1.0], len(columns) // 2)
    return sparse.csr_array((signs, (np.arange(len(columns)), columns)), shape=shape)
