"""The best models, by the dual of their linear program: warm dual simplex (HiGHS), features and rows added on demand.

The model that is best,  min ||w||_1 + C loss(w, b)  s.t.  lower <= A_w w + A_b b <= upper,  is the multipliers of

    max  a.h + g+.lower - g-.upper
    s.t. |F'a + A_w'g| <= 1,    O'a + A_b'g = 0,    0 <= a <= C c

where row i of (F, O, h, c) are the coefficients, height and cost of a hinge row. It has one column for each hinge row
and one row for each feature: a basis is as small as the features are few. From one C
to the next only the bounds of a change, which leaves a basis dual feasible; and where a step of the dual simplex method
would turn many rows, it carries their a from one bound to the other at once.

*Features* of a wide table come into the program when they are missed, that is where |s_j| > 1, s = F'a + A_w'g. *Hinge
rows* of a tall table stay outside as long as they keep the side they have at a model that is near, a `guide`: their a
is 0, or C c where they cost something. When no feature is missed and no row has turned, the answer is exact. It is
believed by its own two sides alone: what the model costs, and what a and g prove that any model must cost.
"""

from __future__ import annotations

import highspy
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix, side_by_side
from relspan.engines.simplex.loaded_program import DUAL, INFINITY, PRIMAL, SCALED, TOLERANCE, UNSCALED, new_solver, run
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Constraints, HingeRows

NARROW = 200  # features up to which all are in the program
AT_ONCE = 50  # features added in one round
WAYS = ((DUAL, SCALED), (DUAL, UNSCALED), (PRIMAL, SCALED), (PRIMAL, UNSCALED))
BELIEVED = 1e-8  # of the objective, between the two sides of an answer


class BaselineProgram:
    """The best models of a loss, one C after the other; with a guide, at first with the `near` rows next to a kink."""

    def __init__(
        self, rows: HingeRows, constraints: Constraints, guide: Floats | None = None, near: int | None = None
    ) -> None:
        self._rows, self._constraints = rows, constraints
        self._by_row = rows.features.tocsr() if sparse.issparse(rows.features) else np.asarray(rows.features)
        d, m = rows.n_features, rows.n_rows
        slack = np.zeros(m) if guide is None else rows.slack(guide[:d], guide[d:])
        self._costly = slack > 0  # of the hinge rows outside, those that cost something
        self._distance = np.abs(slack)
        self._inside = np.zeros(0, dtype=np.intp)  # hinge rows, in the order of their columns
        self._features = np.zeros(0, dtype=np.intp)  # in the order of their rows
        self._highs = new_solver()
        self._begin()
        self._take_in(self._nearest(m if guide is None or near is None else max(1, near)))
        self._hold(np.arange(d) if d <= NARROW else np.zeros(0, dtype=np.intp))

    def solve(self, C: float) -> tuple[Floats, Floats]:
        """The best model (w, b) at this C, and the multipliers of all hinge rows."""
        way = 0
        while True:
            self._set_bounds(C)
            way, found = self._run(way)
            if not found:
                continue
            solution = self._highs.getSolution()
            model = self._model(np.array(solution.row_dual))
            slack = self._rows.slack(*np.split(model, [self._rows.n_features]))
            turned = self._turned(slack)
            if len(turned):
                self._take_in(turned)
                continue
            g, a = self._multipliers(np.array(solution.col_value), C)
            pressures = np.asarray(a @ self._by_row) + g @ self._constraints.features
            missed = self._missed(pressures)
            if len(missed):
                self._hold(missed)
                continue
            if self._feasible(g, a, pressures) and self._proven(C, model, slack, g, a):
                return model, a
            way += 1  # from a fresh start

    # -- the program ---------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Rows for the offsets, and columns for the constraints' finite sides."""
        extra, k = self._constraints, self._rows.n_offsets
        equal = extra.lower == extra.upper
        low, high = np.flatnonzero(np.isfinite(extra.lower)), np.flatnonzero(np.isfinite(extra.upper) & ~equal)
        self._side = np.concatenate([low, high])
        self._sign = np.concatenate([np.ones(len(low)), -np.ones(len(high))])
        self._highs.addRows(k, np.zeros(k), np.zeros(k), *_entries(np.zeros((k, 0))))
        self._highs.addCols(
            len(self._side),
            -self._sign * np.concatenate([extra.lower[low], extra.upper[high]]),
            np.where(equal[self._side], -INFINITY, 0.0),
            np.full(len(self._side), INFINITY),
            *_entries(self._sign[:, None] * extra.offsets[self._side]),
        )

    def _nearest(self, count: int) -> Ints:
        """The rows outside that the guide has nearest to their kink."""
        outside = np.setdiff1d(np.arange(self._rows.n_rows), self._inside)
        if count >= len(outside):
            return outside
        return np.sort(outside[np.argpartition(self._distance[outside], count)[:count]])

    def _take_in(self, rows: Ints) -> None:
        """Hinge rows into the program; bounds follow."""
        block = side_by_side(self._rows.offsets[rows], self._by_row[rows][:, self._features])
        nothing = np.zeros(len(rows))
        self._highs.addCols(len(rows), -self._rows.heights[rows], nothing, nothing, *_entries(block))
        self._inside = np.concatenate([self._inside, rows])
        self._costly[rows] = False

    def _hold(self, features: Ints) -> None:
        """Features into the program; bounds follow."""
        sides = self._sign[:, None] * self._constraints.features[self._side][:, features]
        block, nothing = side_by_side(sides.T, self._by_row[self._inside][:, features].T), np.zeros(len(features))
        self._highs.addRows(len(features), nothing, nothing, *_entries(block))
        self._features = np.concatenate([self._features, features])

    def _set_bounds(self, C: float) -> None:
        """0 <= a <= C c inside; what the rows outside press is taken from the rows' limits."""
        rows, first, count = self._rows, len(self._side), len(self._inside)
        columns = np.arange(first, first + count, dtype=np.int32)
        self._highs.changeColsBounds(count, columns, np.zeros(count), C * rows.costs[self._inside])
        room = np.concatenate([np.zeros(rows.n_offsets), np.ones(len(self._features))])
        pressed = np.zeros(len(room))
        if self._costly.any():
            outside = np.where(self._costly, C * rows.costs, 0.0)
            pressed = np.concatenate([outside @ rows.offsets, np.asarray(outside @ self._by_row)[self._features]])
        for row, (least, most) in enumerate(zip(-room - pressed, room - pressed, strict=True)):
            self._highs.changeRowBounds(row, least, most)

    def _run(self, way: int) -> tuple[int, bool]:
        """Solve, this way or one of the next: the way that worked, and whether there is an optimum.

        Where there is none, because rows or features are outside, some of them have been taken in.
        """
        states = highspy.HighsModelStatus
        for number, (strategy, scaling) in enumerate(WAYS[way:], way):
            if number:
                self._highs.clearSolver()
            self._highs.setOptionValue("simplex_strategy", strategy)
            self._highs.setOptionValue("simplex_scale_strategy", scaling)
            status, _ = run(self._highs)
            if status in (states.kOptimal, states.kModelEmpty):
                return number, True
            if status in (states.kInfeasible, states.kUnbounded, states.kUnboundedOrInfeasible):
                if len(self._inside) < self._rows.n_rows:  # what is outside may press more than the rest can bear
                    self._take_in(self._nearest(len(self._inside)))
                    return number, False
                if len(self._features) < self._rows.n_features:
                    self._hold(np.setdiff1d(np.arange(self._rows.n_features), self._features))
                    return number, False
                if number and status != states.kInfeasible:  # a = g = 0 is feasible, so it is unbounded
                    raise InfeasibleFamily("no model satisfies the constraints")
        raise SolverError("the simplex method found no best model that its own multipliers prove to be one")

    # -- answers -------------------------------------------------------------------------------------------------------

    def _model(self, row_dual: Floats) -> Floats:
        d, k = self._rows.n_features, self._rows.n_offsets
        model = np.zeros(d + k)
        model[d:], model[self._features] = -row_dual[:k], -row_dual[k:]
        return model

    def _multipliers(self, columns: Floats, C: float) -> tuple[Floats, Floats]:
        """Those of the constraints and of all hinge rows, without the rounding error by which they may leave bounds."""
        rows, first = self._rows, len(self._side)
        g = np.zeros(self._constraints.n_rows)
        np.add.at(g, self._side, self._sign * columns[:first])
        a = np.where(self._costly, C * rows.costs, 0.0)
        a[self._inside] = np.clip(columns[first:], 0.0, C * rows.costs[self._inside])
        return g, a

    def _turned(self, slack: Floats) -> Ints:
        """Rows outside that are not on the side they were taken to keep."""
        beyond = np.where(self._costly, -slack, slack)
        beyond[self._inside] = 0.0
        return np.flatnonzero((beyond > TOLERANCE) & (self._rows.costs > 0))

    def _missed(self, pressures: Floats) -> Ints:
        """The features outside that are pressed most beyond what norm costs."""
        excess = np.abs(pressures) - 1.0
        excess[self._features] = 0.0
        missed = np.flatnonzero(excess > TOLERANCE)
        return missed[np.argsort(-excess[missed], kind="stable")[:AT_ONCE]]

    def _feasible(self, g: Floats, a: Floats, pressures: Floats) -> bool:
        """Whether |F'a + A_w'g| <= 1 and O'a + A_b'g = 0 but for rounding, which grows with what is added up."""
        rows, extra = self._rows, self._constraints
        offsets = (rows.offsets, extra.offsets, a @ rows.offsets + g @ extra.offsets, 0.0)
        for F, A, sums, limit in ((self._by_row, extra.features, pressures, 1.0), offsets):
            excess = np.abs(sums) - limit - 10 * TOLERANCE
            beyond = np.flatnonzero(excess > 0)
            added_up = np.asarray(a @ abs(F[:, beyond])) + np.abs(g) @ np.abs(A[:, beyond])
            if (excess[beyond] > 10 * TOLERANCE * added_up).any():
                return False
        return True

    def _proven(self, C: float, model: Floats, slack: Floats, g: Floats, a: Floats) -> bool:
        """Whether the multipliers prove what the model costs, but for rounding."""
        rows, extra = self._rows, self._constraints
        lower, upper = (np.where(np.isfinite(side), side, 0.0) for side in (extra.lower, extra.upper))
        cost = np.abs(model[: rows.n_features]).sum() + C * (rows.costs @ np.where(slack > TOLERANCE, slack, 0.0))
        proven = a @ rows.heights + np.maximum(g, 0.0) @ lower - np.maximum(-g, 0.0) @ upper
        return bool(abs(cost - proven) <= BELIEVED * (abs(cost) + abs(proven)) + TOLERANCE**2)


def _entries(block: Matrix) -> tuple[int, NDArray[np.int32], NDArray[np.int32], Floats]:
    """A block row by row, as the solver takes it: how many entries, where rows start, indices, values."""
    if sparse.issparse(block):
        block = sparse.csr_array(block)
        return block.nnz, block.indptr[:-1].astype(np.int32), block.indices.astype(np.int32), block.data
    row, column = np.nonzero(block)
    starts = np.searchsorted(row, np.arange(len(block)))
    return len(row), starts.astype(np.int32), column.astype(np.int32), np.asarray(block[row, column], dtype=np.float64)
