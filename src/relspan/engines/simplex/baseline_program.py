"""The best models, by the dual of their linear program: warm dual simplex (HiGHS), features and rows added on demand.

The model that is best,  min ||w||_1 + C loss(w, b)  s.t.  lower <= A_w w + A_b b <= upper,  is the multipliers of

    max  a.h + g+.lower - g-.upper
    s.t. |F'a + A_w'g| <= 1,    O'a + A_b'g = 0,    0 <= a <= C c

where row i of (F, O, h, c) are the coefficients, height and cost of a hinge row. It has one column for each hinge row
and one row for each feature, so a basis is no larger than the number of features. From one C to the next only the
bounds of a change, which leaves a basis dual feasible; and where a step of the dual simplex method would turn many
rows, it moves their a from one bound to the other at once.

*Features* of a wide table are added to the program when they are needed, that is where |s_j| > 1, s = F'a + A_w'g.
*Hinge rows* of a tall table stay outside as long as they are on the same side of their kink as at a nearby model, the
`guide`: their a is 0, or C c where they cost something. When no feature is missing and no row has turned, the answer is
exact. It is accepted for one reason only: what the model costs equals what a and g prove that any model must cost.

The solver's tolerance may be too coarse for that. Where loss is dear, each slack is found to within the tolerance, and
C c times that, over many rows at their kinks, is more than a proof may miss. Where it is cheap, the multipliers
themselves are not larger than the tolerance. Then the program is solved in *fine units*: heights (with them the model)
are multiplied by a power of 2, and where the largest C c is below 1, multipliers, bounds and limits are divided by the
power of 2 below it.
"""

from __future__ import annotations

import highspy
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix, side_by_side
from relspan.engines.simplex.highs import DUAL, INFINITY, PRIMAL, SCALED, UNSCALED, new_solver, run_bounded
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Constraints, HingeRows
from relspan.tolerances import ACCEPTED_GAP, DUAL_ROUNDING, FINE_HEIGHT, SOLVER_TOLERANCE

ALL_FEATURES_UP_TO = 200  # features that are all in the program from the start
FEATURES_AT_ONCE = 50  # added in one round
SIMPLEX_OPTIONS = ((DUAL, SCALED), (DUAL, UNSCALED), (PRIMAL, SCALED), (PRIMAL, UNSCALED))
RETRIES = tuple((*options, fine) for fine in (False, True) for options in SIMPLEX_OPTIONS)


class BaselineProgram:
    """The best models of a loss, one C after the other.

    With a guide, the program starts with the `near` hinge rows that are nearest to their kink there.
    """

    def __init__(
        self, rows: HingeRows, constraints: Constraints, guide: Floats | None = None, near: int | None = None
    ) -> None:
        self._rows, self._constraints = rows, constraints
        self._by_score = rows.features.tocsr() if sparse.issparse(rows.features) else np.asarray(rows.features)
        d, m = rows.n_features, rows.n_rows
        slack = np.zeros(m) if guide is None else rows.slack(guide[:d], guide[d:])
        self._costly = slack > 0  # the hinge rows outside the program that cost something
        self._distance = np.abs(slack)
        self._inside = np.zeros(0, dtype=np.intp)  # hinge rows, in the order of their columns
        self._features = np.zeros(0, dtype=np.intp)  # in the order of their rows
        self._limits = np.zeros((rows.n_offsets, 2))  # of the offsets' rows and the features', as the solver has them
        self._height_unit = self._multiplier_unit = 1.0
        self._highs = new_solver()
        self._begin()
        self._add_rows(self._nearest(m if guide is None or near is None else max(1, near)))
        self._add_features(np.arange(d) if d <= ALL_FEATURES_UP_TO else np.zeros(0, dtype=np.intp))

    def solve(self, C: float) -> tuple[Floats, Floats]:
        """The best model (w, b) at this C, and the multipliers of all hinge rows."""
        attempt = 0
        while True:
            attempt, found = self._run(attempt, C)
            if not found:
                continue
            solution = self._highs.getSolution()
            model = self._model(np.array(solution.row_dual))
            slack = self._rows.slack(*np.split(model, [self._rows.n_features]))
            turned = self._turned_rows(slack)
            if len(turned):
                self._add_rows(turned)
                continue
            g, a = self._multipliers(self._multiplier_unit * np.array(solution.col_value), C)
            pressures = self._rows.pressures(a) + g @ self._constraints.features
            missing = self._missing_features(pressures)
            if len(missing):
                self._add_features(missing)
                continue
            if self._feasible(g, a, pressures) and self._proven(C, model, slack, g, a):
                return model, a
            attempt += 1  # from a fresh start

    # -- the program ---------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Rows for the offsets, and columns for the constraints' finite sides."""
        extra, k = self._constraints, self._rows.n_offsets
        equal = extra.lower == extra.upper
        low, high = np.flatnonzero(np.isfinite(extra.lower)), np.flatnonzero(np.isfinite(extra.upper) & ~equal)
        self._side = np.concatenate([low, high])
        self._sign = np.concatenate([np.ones(len(low)), -np.ones(len(high))])
        self._side_costs = -self._sign * np.concatenate([extra.lower[low], extra.upper[high]])
        self._highs.addRows(k, np.zeros(k), np.zeros(k), *_entries(np.zeros((k, 0))))
        self._highs.addCols(
            len(self._side),
            self._height_unit * self._side_costs,
            np.where(equal[self._side], -INFINITY, 0.0),
            np.full(len(self._side), INFINITY),
            *_entries(self._sign[:, None] * extra.offsets[self._side]),
        )

    def _nearest(self, count: int) -> Ints:
        """The rows outside the program that are nearest to their kink at the guide."""
        outside = np.setdiff1d(np.arange(self._rows.n_rows), self._inside)
        if count >= len(outside):
            return outside
        return np.sort(outside[np.argpartition(self._distance[outside], count)[:count]])

    def _add_rows(self, rows: Ints) -> None:
        """Add hinge rows to the program; `_set_bounds` sets their bounds."""
        scores = self._rows.scores_by_row[rows]
        block = side_by_side(self._rows.offsets[scores], self._by_score[scores][:, self._features])
        nothing = np.zeros(len(rows))
        self._highs.addCols(
            len(rows), -self._height_unit * self._rows.heights[rows], nothing, nothing, *_entries(block)
        )
        self._inside = np.concatenate([self._inside, rows])
        self._costly[rows] = False

    def _add_features(self, features: Ints) -> None:
        """Add features to the program; `_set_bounds` sets their bounds."""
        sides = self._sign[:, None] * self._constraints.features[self._side][:, features]
        inside = self._rows.scores_by_row[self._inside]
        block, room = side_by_side(sides.T, self._by_score[inside][:, features].T), np.ones(len(features))
        self._highs.addRows(len(features), -room, room, *_entries(block))
        self._features = np.concatenate([self._features, features])
        self._limits = np.vstack([self._limits, np.column_stack([-room, room])])

    def _set_bounds(self, C: float) -> None:
        """0 <= a <= C c for the rows in the program; the pressure of the others is subtracted from the limits."""
        rows, first, count, unit = self._rows, len(self._side), len(self._inside), self._multiplier_unit
        columns = np.arange(first, first + count, dtype=np.int32)
        self._highs.changeColsBounds(count, columns, np.zeros(count), C * rows.costs[self._inside] / unit)
        room = np.concatenate([np.zeros(rows.n_offsets), np.ones(len(self._features))])
        pressed = np.zeros(len(room))
        if self._costly.any():
            outside = np.where(self._costly, C * rows.costs, 0.0)
            pressed = np.concatenate([rows.offset_pressures(outside), rows.pressures(outside)[self._features]])
        limits = np.column_stack([-room - pressed, room - pressed]) / unit
        for row in np.flatnonzero((limits != self._limits).any(axis=1)).tolist():
            self._highs.changeRowBounds(row, *limits[row])
        self._limits = limits

    def _choose_units(self, C: float, fine: bool) -> None:
        """What the solver sees: heights times one unit, multipliers divided by another."""
        height = FINE_HEIGHT if fine else 1.0
        if height != self._height_unit:
            self._height_unit = height
            costs = height * np.concatenate([self._side_costs, -self._rows.heights[self._inside]])
            self._highs.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), costs)
        largest = C * float(self._rows.costs.max(initial=0.0))
        self._multiplier_unit = 2.0 ** np.floor(np.log2(largest)) if fine and 0 < largest < 1 else 1.0

    def _run(self, attempt: int, C: float) -> tuple[int, bool]:
        """Solve by this attempt's options or the next ones: the attempt that worked, and whether it is optimal.

        Where there is no optimum because rows or features are missing from the program, some of them are added.
        """
        states = highspy.HighsModelStatus
        for number, (strategy, scaling, fine) in enumerate(RETRIES[attempt:], attempt):
            if number:
                self._highs.clearSolver()
            self._choose_units(C, fine)
            self._set_bounds(C)
            self._highs.setOptionValue("simplex_strategy", strategy)
            self._highs.setOptionValue("simplex_scale_strategy", scaling)
            status, _ = run_bounded(self._highs)
            if status in (states.kOptimal, states.kModelEmpty):
                return number, True
            if status in (states.kInfeasible, states.kUnbounded, states.kUnboundedOrInfeasible):
                # the rows outside may press more than the others can balance
                if len(self._inside) < self._rows.n_rows:
                    self._add_rows(self._nearest(len(self._inside)))
                    return number, False
                if len(self._features) < self._rows.n_features:
                    self._add_features(np.setdiff1d(np.arange(self._rows.n_features), self._features))
                    return number, False
                if number and status != states.kInfeasible:  # a = g = 0 is feasible, so it is unbounded
                    raise InfeasibleFamily("no model satisfies the constraints")
        raise SolverError("the simplex method found no best model that its own multipliers prove to be one")

    # -- answers -------------------------------------------------------------------------------------------------------

    def _model(self, row_dual: Floats) -> Floats:
        d, k = self._rows.n_features, self._rows.n_offsets
        model = np.zeros(d + k)
        model[d:], model[self._features] = -row_dual[:k], -row_dual[k:]
        return model / self._height_unit

    def _multipliers(self, columns: Floats, C: float) -> tuple[Floats, Floats]:
        """Multipliers of the constraints and of all hinge rows, without the rounding that takes them out of bounds."""
        rows, first = self._rows, len(self._side)
        g = np.zeros(self._constraints.n_rows)
        np.add.at(g, self._side, self._sign * columns[:first])
        a = np.where(self._costly, C * rows.costs, 0.0)
        a[self._inside] = np.clip(columns[first:], 0.0, C * rows.costs[self._inside])
        return g, a

    def _turned_rows(self, slack: Floats) -> Ints:
        """Rows outside the program that are not on the side of their kink that was assumed."""
        beyond = np.where(self._costly, -slack, slack)
        beyond[self._inside] = 0.0
        return np.flatnonzero((beyond > SOLVER_TOLERANCE) & (self._rows.costs > 0))

    def _missing_features(self, pressures: Floats) -> Ints:
        """The features outside the program whose pressure exceeds the price of norm most."""
        excess = np.abs(pressures) - 1.0
        excess[self._features] = 0.0
        missed = np.flatnonzero(excess > SOLVER_TOLERANCE)
        return missed[np.argsort(-excess[missed], kind="stable")[:FEATURES_AT_ONCE]]

    def _feasible(self, g: Floats, a: Floats, pressures: Floats) -> bool:
        """Whether |F'a + A_w'g| <= 1 and O'a + A_b'g = 0 up to rounding, which grows with the size of the sums."""
        rows, extra = self._rows, self._constraints
        a = rows.by_score(a)
        offsets = (rows.offsets, extra.offsets, a @ rows.offsets + g @ extra.offsets, 0.0)
        for F, A, sums, limit in ((self._by_score, extra.features, pressures, 1.0), offsets):
            excess = np.abs(sums) - limit - DUAL_ROUNDING
            beyond = np.flatnonzero(excess > 0)
            added_up = np.asarray(a @ abs(F[:, beyond])) + np.abs(g) @ np.abs(A[:, beyond])
            if (excess[beyond] > DUAL_ROUNDING * added_up).any():
                return False
        return True

    def _proven(self, C: float, model: Floats, slack: Floats, g: Floats, a: Floats) -> bool:
        """Whether the multipliers prove what the model costs, up to rounding."""
        rows, extra = self._rows, self._constraints
        lower, upper = (np.where(np.isfinite(side), side, 0.0) for side in (extra.lower, extra.upper))
        lost = rows.costs @ np.where(slack > SOLVER_TOLERANCE / self._height_unit, slack, 0.0)
        cost = np.abs(model[: rows.n_features]).sum() + C * lost
        proven = a @ rows.heights + np.maximum(g, 0.0) @ lower - np.maximum(-g, 0.0) @ upper
        return bool(abs(cost - proven) <= ACCEPTED_GAP * (abs(cost) + abs(proven)) + SOLVER_TOLERANCE**2)


def _entries(block: Matrix) -> tuple[int, NDArray[np.int32], NDArray[np.int32], Floats]:
    """A block row by row, as the solver takes it: how many entries, where rows start, indices, values."""
    if sparse.issparse(block):
        block = sparse.csr_array(block)
        return block.nnz, block.indptr[:-1].astype(np.int32), block.indices.astype(np.int32), block.data
    row, column = np.nonzero(block)
    starts = np.searchsorted(row, np.arange(len(block)))
    return len(row), starts.astype(np.int32), column.astype(np.int32), np.asarray(block[row, column], dtype=np.float64)
