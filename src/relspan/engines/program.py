"""The linear program behind every answer: warm simplex (HiGHS), kinks and columns added on demand.

With w = p - q the program of a direction v is

    max  v.(p - q, b)      over  p, q >= 0,  b free,  x >= 0
    s.t. P_k 1.(p + q) + Q_k (L(p - q, b) + c.x)  <=  B_k        for every budget k
         lower <= A (p - q, b) <= upper

where the loss is written as its linear piece L at a model of the family plus *kinks* x. A row that is active there
(it costs something) contributes t = h - f.w - o.b to L and the kink max(0, -t); an inactive one contributes the kink
max(0, t) only. Near the baseline almost every row stays on its side, so kinks are left out until a solution
violates them: each relaxed program bounds from outside, and when nothing is violated the answer is exact. Kinks are
shared by all programs of the family.

*Columns* of a wide table are left out likewise. With multipliers a of the hinge rows and g of the constraints, a unit
of w_j earns the pressure s_j = v_j + (a F)_j + (g A)_j and costs the price of norm, lambda. A column that is left out
is missed only where |s_j| > lambda: one product prices all of them, and when none is missed the answer is exact.

A pinned weight  low <= w_j <= high  needs no row: it is a pair of column bounds,

    max(0, low) <= p_j <= max(0, high),      max(0, -high) <= q_j <= max(0, -low),

and its multiplier in the certificate follows from the pressure.

This file and integer.py are the only ones that import highspy.
"""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from relspan.engines.coefficients import Coefficients, Integers
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Budget, Family
from relspan.losses import Floats

UNSCALED, SCALED = 0, 4
PRIMAL, DUAL = 4, 1  # simplex strategies: after a change of costs or added columns, after added rows
ANOTHER_WAY = ((None, SCALED), (DUAL, SCALED), (PRIMAL, SCALED), (DUAL, UNSCALED), (PRIMAL, UNSCALED))
TOLERANCE = 1e-9
BROKEN = 1e-7  # a constraint missed by more than this is no rounding error
AT_ONCE = 50  # columns added in one round
KINKS_AT_ONCE = 1000
_INF = highspy.kHighsInf


@dataclass(frozen=True, eq=False)
class Optimum:
    """A solver's raw answer: the point (w, b), the price of norm, multipliers of hinge rows, constraints, bounds."""

    model: Floats
    norm_price: float | Floats
    hinge_multipliers: Floats
    constraint_multipliers: Floats
    bound_multipliers: Floats


@dataclass(eq=False)
class Start:
    """A basis from which a program may start, as long as none of its columns has been let go."""

    basis: highspy.HighsBasis


class Program:
    """One warm linear program over (w, b) whose loss is a sum of hinges.

        min  norm_price ||w||_1 + loss_price loss(z) - v.z     within budgets and constraints

    Serves the ranges of a family (v = a direction), the baseline (norm_price = 1, loss_price = C) and the least loss
    (loss_price = 1). `reference` is the model at which the loss's linear piece is taken; without one, all rows are
    in the program from the start. `kinks` are rows that another program of the same loss found to matter. `weights`
    are the signed weights (j for p_j, d + j for q_j) whose columns are in the program from the start, by default all;
    they must suffice for some model of the family, the others come when they pay.

    Variables are numbered b, p, q, x. The solver's columns are those that are held, in the order in which they came.
    """

    def __init__(
        self,
        family: Family,
        reference: Floats | None = None,
        kinks: Integers | None = None,
        weights: Integers | None = None,
    ) -> None:
        self.family = family
        self.rows = family.rows
        self._coefficients = Coefficients(self.rows)
        d, k, m = family.n_features, family.n_offsets, self.rows.n_rows
        slack = None if reference is None else self.rows.slack(reference[:d], reference[d:])
        self._active = np.zeros(m, dtype=bool) if slack is None else slack > 0
        self._kinks = np.zeros(0, dtype=np.intp)  # hinge rows that have a kink, in the order of its row
        self._has_kink = self.rows.costs <= 0
        self._low, self._high = np.full(d, -_INF), np.full(d, _INF)
        self._budgets = family.budgets
        if reference is not None and not any(b.norm_price > 0 and b.loss_price == 0 for b in family.budgets):
            # the linear piece may fall below the loss: without kinks yet, only a budget of the norm alone keeps
            # weights bounded, and a combined budget implies one
            self._budgets += (Budget(1.0, 0.0, family.largest_norm),)
        self._cost = np.zeros(k + 2 * d + m)
        self.iterations = 0
        self._highs = highspy.Highs()
        for option, value in {
            "output_flag": False,
            "threads": 1,
            "presolve": "off",
            "small_matrix_value": 1e-12,  # the least allowed: by default entries below 1e-9 are dropped without a word
            "simplex_scale_strategy": SCALED,
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        }.items():
            self._highs.setOptionValue(option, value)
        self._pass_model(np.arange(2 * d) if weights is None else weights)
        wanted = np.ones(m, dtype=bool) if slack is None else np.abs(slack) < 1e-6
        if kinks is not None:
            wanted[kinks] = True
        self._add_kinks(np.flatnonzero(~self._has_kink & wanted))
        self._highs.setBasis(self._basis_at_zero())

    # -- building --------------------------------------------------------------------------------------------------

    def _pass_model(self, weights: Integers) -> None:
        """The program without kinks: budgets and constraints over the offsets and some signed weights."""
        family, extra, k = self.family, self.family.constraints, self.family.n_offsets
        costs = np.where(self._active, self.rows.costs, 0.0)
        f, o, constant = self._coefficients.pressures(costs), costs @ self.rows.offsets, costs @ self.rows.heights
        self._piece = np.concatenate([-o, -f, f])
        ones = np.concatenate([np.zeros(k), np.ones(2 * family.n_features)])
        self._fixed_rows = np.vstack(
            [b.norm_price * ones + b.loss_price * self._piece for b in self._budgets]
            + [np.hstack([extra.offsets, extra.features, -extra.features])]
        )
        self._n_fixed_rows = len(self._fixed_rows)
        self._held = np.concatenate([np.arange(k), k + weights])
        matrix = self._fixed_rows[:, self._held]
        lp = highspy.HighsLp()
        lp.num_row_, lp.num_col_ = matrix.shape
        lp.col_cost_ = np.zeros(len(self._held))
        # offsets get the bounds that F implies: a program with few kinks yet could run away along them
        lp.col_lower_ = np.concatenate([-family.offset_limits, np.zeros(len(weights))])
        lp.col_upper_ = np.concatenate([family.offset_limits, np.full(len(weights), _INF)])
        lp.row_lower_ = np.concatenate([np.full(len(self._budgets), -_INF), extra.lower])
        lp.row_upper_ = np.concatenate(
            [np.array([b.limit - b.loss_price * constant for b in self._budgets]), extra.upper]
        )
        row, column = np.nonzero(matrix)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.searchsorted(row, np.arange(len(matrix) + 1)).astype(np.int32)
        lp.a_matrix_.index_ = column.astype(np.int32)
        lp.a_matrix_.value_ = matrix[row, column]
        self._highs.passModel(lp)

    def _add_kinks(self, which: Integers) -> None:
        """A column x_i and a row each: x_i + t >= 0 for an active row, x_i - t >= 0 for an inactive one."""
        if not len(which):
            return
        count, first, k = len(which), len(self._held), self.family.n_offsets
        charged = [(row, b.loss_price) for row, b in enumerate(self._budgets) if b.loss_price > 0]
        x = k + 2 * self.family.n_features + which
        self._highs.addCols(
            count,
            self._cost[x],
            np.zeros(count),
            np.full(count, _INF),
            count * len(charged),
            (np.arange(count) * len(charged)).astype(np.int32),
            np.tile([row for row, _ in charged], count).astype(np.int32),
            np.multiply.outer(self.rows.costs[which], [price for _, price in charged]).ravel(),
        )
        sign = self._sign(which)
        columns = np.flatnonzero(self._is_weight)
        start, index, value = self._coefficients.rows(which, self._held[columns] - k, sign)
        place = np.concatenate([np.arange(k), columns, first + np.arange(count)]).astype(np.int32)
        self._highs.addRows(
            count, sign * self.rows.heights[which], np.full(count, _INF), len(value), start, place[index], value
        )
        self._kinks = np.concatenate([self._kinks, which])
        self._has_kink[which] = True
        self._held = np.concatenate([self._held, x])

    def hold(self, weights: Integers) -> None:
        """Take the columns of these signed weights into the program."""
        k = self.family.n_offsets
        weights = weights[~np.isin(k + weights, self._held)]
        if not len(weights):
            return
        count, v = len(weights), k + weights
        start, index, value = self._coefficients.columns(
            weights, self._fixed_rows[:, v], self._kinks, self._sign(self._kinks)
        )
        least, most = (side[weights] for side in self._column_bounds())
        self._highs.addCols(count, self._cost[v], least, most, len(value), start, index.astype(np.int32), value)
        self._held = np.concatenate([self._held, v])

    @property
    def _is_weight(self) -> NDArray[np.bool_]:
        """Which of the solver's columns are p or q."""
        k = self.family.n_offsets
        return (self._held >= k) & (self._held < k + 2 * self.family.n_features)

    def _sign(self, rows: Integers) -> Floats:
        return np.where(self._active[rows], -1.0, 1.0)

    @property
    def kinks(self) -> Integers:
        """The hinge rows that have a kink in the program."""
        return self._kinks

    # -- solving ---------------------------------------------------------------------------------------------------

    def solve(
        self,
        direction: Floats | None,
        norm_price: float | Floats = 0.0,
        loss_price: float = 0.0,
        start: Start | None = None,
    ) -> Optimum:
        """min norm_price ||w||_1 + loss_price loss - direction.z, exactly.

        Several norm prices, one a feature, make a weighted norm of the objective (not of the budgets).
        Starts where the last program ended, or from the basis `start`, which must be optimal for these costs under
        other bounds: it stays dual feasible.
        """
        d, k = self.family.n_features, self.family.n_offsets
        v = np.zeros(d + k) if direction is None else direction
        self._cost[: k + 2 * d] = loss_price * self._piece - np.concatenate([v[d:], v[:d], -v[:d]])
        self._cost[k : k + 2 * d] += np.tile(np.broadcast_to(norm_price, d), 2)
        self._cost[k + 2 * d :] = loss_price * self.rows.costs
        held = len(self._held)
        self._highs.changeColsCost(held, np.arange(held, dtype=np.int32), self._cost[self._held])
        if start is not None:
            self._highs.setBasis(self._padded(start))
        self._highs.setOptionValue("simplex_strategy", PRIMAL if start is None else DUAL)
        distrusted = False
        while True:
            self._run()
            solution = self._highs.getSolution()
            model, x = self._model(np.array(solution.col_value))
            t = self._turned(model)
            if (t[self._kinks] - x[self._kinks]).max(initial=0.0) > BROKEN:
                # the simplex method's own row values can drift away from its columns on thin families
                if distrusted:
                    raise SolverError("the simplex method's answer breaks its own constraints")
                distrusted = True
                self._highs.clearSolver()
                continue
            missing = self._missing_kinks(t)
            if len(missing):
                self._add_kinks(missing)
                self._highs.setOptionValue("simplex_strategy", DUAL)
                continue
            found, s = self._optimum(model, v[:d], np.array(solution.row_dual), norm_price, loss_price)
            paying = self._paying_weights(s, found.norm_price)
            if not len(paying):
                return found
            self.hold(paying)
            self._highs.setOptionValue("simplex_strategy", PRIMAL)

    def _model(self, columns: Floats) -> tuple[Floats, Floats]:
        """(w, b), without the rounding error by which a basic column may leave its bounds, and x, of a solution."""
        d, k = self.family.n_features, self.family.n_offsets
        z = np.zeros(len(self._cost))
        z[self._held] = columns
        b, p, q, x = np.split(z, [k, k + d, k + 2 * d])
        weights = np.clip(np.maximum(0.0, p) - np.maximum(0.0, q), self._low, self._high)
        return np.concatenate([weights, b]), x

    def _turned(self, model: Floats) -> Floats:
        """By how much every row is beyond its kink."""
        d = self.family.n_features
        t = self.rows.heights - self._coefficients.scores(model[:d]) - self.rows.offsets @ model[d:]
        return np.where(self._active, -t, t)

    def _missing_kinks(self, turned: Floats) -> Integers:
        """Rows beyond a kink that is not in the program, unless all together cost next to nothing."""
        missing = np.where(self._has_kink, 0.0, turned)
        violated = np.flatnonzero(missing > TOLERANCE * 1e-1)
        largest = self.family.largest_loss
        scale = max(1.0, largest) if np.isfinite(largest) else 1.0
        small = float(self.rows.costs[violated] @ missing[violated]) <= TOLERANCE * 1e-1 * scale
        if small:
            return violated[:0]
        if len(violated) > KINKS_AT_ONCE:  # a first solution may run far away, and the worst few bring it back
            return violated[np.argpartition(-missing[violated], KINKS_AT_ONCE)[:KINKS_AT_ONCE]]
        return violated

    def _paying_weights(self, pressures: Floats | None, price: float | Floats) -> Integers:
        """The signed weights not held that earn most beyond their price."""
        if pressures is None:
            return np.zeros(0, dtype=np.intp)
        excess = np.concatenate([pressures - price, -pressures - price])
        excess[np.tile(self._low == self._high, 2)] = -np.inf
        excess[self._held[self._is_weight] - self.family.n_offsets] = -np.inf
        paying = np.flatnonzero(excess > TOLERANCE)
        if len(paying) > AT_ONCE:
            paying = paying[np.argpartition(-excess[paying], AT_ONCE)[:AT_ONCE]]
        return paying

    def _run(self) -> None:
        """Solve; what is no optimum is believed from a fresh start only, and tried in other ways if it says nothing."""
        status, states = self._attempt(), highspy.HighsModelStatus
        if status != states.kOptimal:
            # the columns left out may be the ones that are needed
            self.hold(np.arange(2 * self.family.n_features))
        for strategy, scaling in ANOTHER_WAY:
            if status == states.kOptimal:
                break
            self._highs.clearSolver()
            self._highs.setOptionValue("simplex_scale_strategy", scaling)
            if strategy is not None:
                self._highs.setOptionValue("simplex_strategy", strategy)
            status = self._attempt()
            if status in (states.kInfeasible, states.kUnboundedOrInfeasible):
                self._highs.setOptionValue("simplex_scale_strategy", SCALED)
                raise InfeasibleFamily("no model satisfies the budgets and constraints")
        self._highs.setOptionValue("simplex_scale_strategy", SCALED)
        if status != states.kOptimal:
            raise SolverError(f"the simplex method ended with status {self._highs.modelStatusToString(status)!r}")

    def _attempt(self) -> highspy.HighsModelStatus:
        self._highs.run()
        self.iterations += self._highs.getInfo().simplex_iteration_count
        status: highspy.HighsModelStatus = self._highs.getModelStatus()
        return status

    def _optimum(
        self, model: Floats, v: Floats, row_dual: Floats, norm_price: float | Floats, loss_price: float
    ) -> tuple[Optimum, Floats | None]:
        """Multipliers of all hinge rows: a kink's own row dual y, turned round where the row is active.

        Also the pressures on all weights, where columns are left out or bounds must be paid for.
        """
        budgets, extra = self._budgets, self.family.constraints
        norm_price = norm_price - sum(b.norm_price * row_dual[k] for k, b in enumerate(budgets))
        loss_price -= sum(b.loss_price * row_dual[k] for k, b in enumerate(budgets))
        a = np.where(self._active, loss_price * self.rows.costs, 0.0)
        y = row_dual[self._n_fixed_rows :]
        a[self._kinks] = np.where(self._active[self._kinks], a[self._kinks] - y, y)
        g = row_dual[len(budgets) : self._n_fixed_rows]
        bounded = np.isfinite(self._low) | np.isfinite(self._high)
        paid, s = np.zeros(len(v)), None
        if bounded.any() or self._is_weight.sum() < 2 * len(v):
            s = v + self._coefficients.pressures(a) + g @ extra.features
            paid[bounded] = self._bound_multipliers(s, norm_price)[bounded]
        return Optimum(model, norm_price, a, g, paid), s

    def _bound_multipliers(self, s: Floats, price: float | Floats) -> Floats:
        """What a weight's bounds must pay so that it costs no more than the others: 0 where they do not bind.

        The reduced costs of p_j and q_j are lambda - s_j and lambda + s_j, with s_j the pressure on w_j and lambda the
        price of norm. A weight of certain sign pays one of them; one that may be 0 pays where |s_j| exceeds lambda.
        """
        p, q = price - s, price + s
        either = np.minimum(p, 0.0) - np.minimum(q, 0.0)
        return np.where(self._low > 0, p, np.where(self._high < 0, -q, either))

    # -- weights held within bounds for a while ----------------------------------------------------------------------

    def bound(self, feature: int, low: float, high: float) -> None:
        """Hold low <= w_feature <= high from now on; infinite sides are free."""
        self._low[feature], self._high[feature] = low, high
        pair = np.array([feature, self.family.n_features + feature])
        if np.isfinite([low, high]).any() and not low == high == 0.0:
            self.hold(pair)
        least, most = self._column_bounds()
        for column in np.flatnonzero(np.isin(self._held, self.family.n_offsets + pair)):
            weight = self._held[column] - self.family.n_offsets
            self._highs.changeColBounds(int(column), least[weight], most[weight])

    def _column_bounds(self) -> tuple[Floats, Floats]:
        """The bounds of all signed weights."""
        low, high = self._low, self._high
        least, most = np.concatenate([low, -high]), np.concatenate([high, -low])
        return np.maximum(0.0, least), np.maximum(0.0, most)

    def close(self, feature: int) -> None:
        """Hold w_feature at 0 from now on."""
        self.bound(feature, 0.0, 0.0)

    def open(self, feature: int) -> None:
        """Let w_feature be free again."""
        self.bound(feature, -_INF, _INF)

    # -- bases -------------------------------------------------------------------------------------------------------

    def _basis_at_zero(self) -> highspy.HighsBasis:
        """The zero model with its kinks as they are there, which saves a pivot for each of them."""
        status, basis = highspy.HighsBasisStatus, highspy.HighsBasis()
        d, k = self.family.n_features, self.family.n_offsets
        beyond = self._turned(np.zeros(d + k))[self._kinks] > 0
        weights = len(self._held) - k - len(beyond)
        basis.col_status = (
            [status.kZero if limit == _INF else status.kLower for limit in self.family.offset_limits]
            + [status.kLower] * weights
            + [status.kBasic if x else status.kLower for x in beyond]
        )
        basis.row_status = [status.kBasic] * self._n_fixed_rows + [
            status.kLower if x else status.kBasic for x in beyond
        ]
        basis.valid = True
        return basis

    def basis(self) -> Start:
        """The basis of the last solution, a start for the same costs under other bounds."""
        return Start(self._highs.getBasis())

    def _padded(self, start: Start) -> highspy.HighsBasis:
        """The basis with what came after it: columns at 0, rows slack."""
        old, status = start.basis, highspy.HighsBasisStatus
        columns = len(self._held) - len(old.col_status)
        rows = self._n_fixed_rows + len(self._kinks) - len(old.row_status)
        if columns or rows:
            start.basis = highspy.HighsBasis()
            start.basis.col_status = list(old.col_status) + [status.kLower] * columns
            start.basis.row_status = list(old.row_status) + [status.kBasic] * rows
            start.basis.valid = True
        return start.basis

    def prune(self, keep: Integers) -> None:
        """Let go of all columns that are neither basic nor of these signed weights; the basis stays."""
        basis = self._highs.getBasis()
        nonbasic = np.array([status != highspy.HighsBasisStatus.kBasic for status in basis.col_status])
        gone = np.flatnonzero(self._is_weight & nonbasic & ~np.isin(self._held, self.family.n_offsets + keep))
        if not len(gone):
            return
        self._highs.deleteCols(len(gone), gone.astype(np.int32))
        basis.col_status = np.delete(np.array(basis.col_status, dtype=object), gone).tolist()
        self._highs.setBasis(basis)
        self._held = np.delete(self._held, gone)


def signed(values: Floats, beyond: float = 0.0) -> Integers:
    """The signed weights (j for p_j, d + j for q_j) on whose side a value lies further out than `beyond`."""
    return np.flatnonzero(np.concatenate([values, -values]) > beyond)
