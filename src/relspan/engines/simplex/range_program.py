"""The linear program behind every answer: warm simplex (HiGHS), kinks and columns added on demand.

With w = p - q the program of a direction v is

    max  v.(p - q, b)      over  p, q >= 0,  b free,  x >= 0
    s.t. P_k 1.(p + q) + Q_k (L(p - q, b) + c.x)  <=  B_k        for every budget k
         lower <= A (p - q, b) <= upper

where the loss is written as its linear piece L at a model of the family plus *kinks* x. A row that is active there
(it costs something) contributes t = h - f.w - o.b to L and the kink max(0, -t); an inactive one contributes the kink
max(0, t) only. Near the baseline almost every row stays on its side, so kinks are left out until a solution
violates them: each relaxed program gives an outer bound, and when nothing is violated the answer is exact. Kinks are
shared by all programs of the family.

*Columns* of a wide table are left out likewise. With multipliers a of the hinge rows and g of the constraints, a unit
of w_j earns the pressure s_j = v_j + (a F)_j + (g A)_j and costs the price of norm, lambda. A column that is left out
is missing only where |s_j| > lambda. One product gives all pressures, and when none is missing the answer is exact.

`loaded_program` keeps what is in the solver at any time. Best models have a program of their own, `baseline_program`.
Only files of this folder import highspy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import highspy
import numpy as np

from relspan.arrays import Floats, Ints
from relspan.engines.certificates import is_proven_empty
from relspan.engines.simplex.highs import ANY_NUMBER, DUAL, INFINITY, PRIMAL, SCALED, UNSCALED, run_bounded
from relspan.engines.simplex.loaded_program import LoadedProgram, Start
from relspan.errors import InfeasibleFamily, SolverError
from relspan.tolerances import BROKEN_CONSTRAINT, KINK_TOLERANCE, SOLVER_TOLERANCE

RETRIES = ((None, SCALED), (DUAL, SCALED), (PRIMAL, SCALED), (DUAL, UNSCALED), (PRIMAL, UNSCALED))
EMPTY = (
    highspy.HighsModelStatus.kInfeasible,
    highspy.HighsModelStatus.kUnboundedOrInfeasible,
    highspy.HighsModelStatus.kUnknown,
)  # what the solver says where there may be no model
COLUMNS_AT_ONCE = 50  # added in one round
KINKS_AT_ONCE = 1000  # added in one round


class PivotLimit(Exception):
    """The pivots of a program took more work than it was given."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """A solver's raw answer: the point (w, b), the price of norm, multipliers of hinge rows, constraints, bounds."""

    model: Floats
    norm_price: float | Floats
    hinge_multipliers: Floats
    constraint_multipliers: Floats
    bound_multipliers: Floats


class RangeProgram(LoadedProgram):
    """One warm linear program over (w, b) whose loss is a sum of hinges.

        min  norm_price ||w||_1 + loss_price loss(z) - v.z     within budgets and constraints

    Serves the ranges of a family (v = a direction), its model of least norm (norm_price = 1) and the least loss
    (loss_price = 1). `reference` is the model at which the loss's linear piece is taken; without one, all rows are
    in the program from the start. `kinks` are rows that another program of the same loss found to matter. `weights`
    are the signed weights (j for p_j, d + j for q_j) whose columns are in the program from the start, by default all;
    they must suffice for some model of the family, the others come when they pay.
    """

    work_limit: float | None = None  # total work, of this and earlier programs, beyond which PivotLimit is raised

    @property
    def pivot_work(self) -> float:
        """The work of one pivot, in the microseconds of `auto_choice`."""
        return 15 + 0.15 * len(self._kinks) + 0.12 * self.n_weights

    def solve(
        self,
        direction: Floats | None,
        norm_price: float | Floats = 0.0,
        loss_price: float = 0.0,
        start: Start | None = None,
    ) -> Optimum:
        """min norm_price ||w||_1 + loss_price loss - direction.z, exactly.

        Several norm prices, one per feature, make a weighted norm of the objective (not of the budgets). The program
        starts where the last one ended, or from the basis `start`, which must be optimal for these costs under other
        bounds: it is dual feasible.
        """
        d, k = self.family.n_features, self.family.n_offsets
        v = np.zeros(d + k) if direction is None else direction
        self._set_cost(self._costs(v, norm_price, loss_price))
        if start is not None:
            self._highs.setBasis(self._padded(start))
        self._choose(PRIMAL if start is None else DUAL, SCALED)
        retries = iter(RETRIES)
        while True:
            self._run()
            solution = self._highs.getSolution()
            model, x = self._model(np.array(solution.col_value))
            t = self._turned(model)
            if (t[self._kinks] - x[self._kinks]).max(initial=0.0) > BROKEN_CONSTRAINT:
                # on thin families the simplex method's row values can drift away from its columns
                options = next(retries, None)
                if options is None:
                    raise SolverError("the simplex method's answer breaks its own constraints")
                self._start_afresh(*options)
                continue
            missing = self._missing_kinks(t)
            if len(missing):
                self._add_kinks(missing)
                self._choose(DUAL)
                continue
            found, s = self._optimum(model, v[:d], np.array(solution.row_dual), norm_price, loss_price)
            paying = self._paying_weights(s, found.norm_price)
            if not len(paying):
                return found
            self.load_columns(paying)
            self._choose(PRIMAL)

    def _costs(self, v: Floats, norm_price: float | Floats, loss_price: float) -> Floats:
        """What every variable costs in  norm_price ||w||_1 + loss_price loss - v.z."""
        d, k = self.family.n_features, self.family.n_offsets
        cost = np.concatenate([loss_price * self._piece, loss_price * self.rows.costs])
        cost[: k + 2 * d] -= np.concatenate([v[d:], v[:d], -v[:d]])
        cost[k : k + 2 * d] += np.tile(np.broadcast_to(norm_price, d), 2)
        return cost

    def _set_cost(self, cost: Floats) -> None:
        self._cost, count = cost, len(self._loaded)
        self._highs.changeColsCost(count, np.arange(count, dtype=np.int32), cost[self._loaded])

    def _missing_kinks(self, turned: Floats) -> Ints:
        """Rows beyond a kink that is not in the program, unless all together cost next to nothing."""
        missing = np.where(self._has_kink, 0.0, turned)
        violated = np.flatnonzero(missing > KINK_TOLERANCE)
        largest = self.family.largest_loss
        scale = max(1.0, largest) if np.isfinite(largest) else 1.0
        small = float(self.rows.costs[violated] @ missing[violated]) <= KINK_TOLERANCE * scale
        if small:
            return violated[:0]
        if len(violated) > KINKS_AT_ONCE:  # a first solution may lie far away, and the worst few kinks bring it back
            return violated[np.argpartition(-missing[violated], KINKS_AT_ONCE)[:KINKS_AT_ONCE]]
        return violated

    def _paying_weights(self, pressures: Floats | None, price: float | Floats) -> Ints:
        """The signed weights outside the program that would improve it most."""
        if pressures is None:
            return np.zeros(0, dtype=np.intp)
        excess = np.concatenate([pressures - price, -pressures - price])
        excess[np.tile(self._low == self._high, 2)] = -np.inf
        excess[self._loaded[self._is_weight] - self.family.n_offsets] = -np.inf
        paying = np.flatnonzero(excess > SOLVER_TOLERANCE)
        if len(paying) > COLUMNS_AT_ONCE:
            paying = paying[np.argpartition(-excess[paying], COLUMNS_AT_ONCE)[:COLUMNS_AT_ONCE]]
        return paying

    def _run(self) -> None:
        """Solve. A status other than optimal counts from a fresh start only, and is retried with other options.

        That there is no model counts only where it is proven.
        """
        optimal, unbounded = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kUnbounded
        status = self._attempt()
        if status in EMPTY:
            self._refuse_proven_empty()
            if self._strategy != DUAL:  # which leaves a ray
                self._choose(DUAL)
                status = self._attempt()
                self._refuse_proven_empty()
        if status != optimal:
            # the program may need a column that is not loaded
            self.load_columns(np.arange(2 * self.family.n_features))
        for options in RETRIES:
            if status == optimal:
                break
            self._start_afresh(*options)
            status = self._attempt()
            if status not in (optimal, unbounded):
                self._refuse_proven_empty()
                status = self._from_nearest()
        self._choose(scaling=SCALED)
        if status == unbounded:
            raise SolverError(
                "this has no limit among the equally good models: their loss bounds neither every offset nor the "
                "effect of every covariate; a smaller delta_loss, fewer covariates or more rows may bound them"
            )
        if status in EMPTY:
            raise SolverError(
                "the simplex method found neither a model within all limits nor a proof that there is none: the limits "
                "leave next to no room, if any; slightly different limits may settle it"
            )
        if status != optimal:
            raise SolverError(f"the simplex method ended with status {self._highs.modelStatusToString(status)!r}")

    def _choose(self, strategy: int | None = None, scaling: int | None = None) -> None:
        """Set options of the simplex method; those that are not given stay."""
        if strategy is not None:
            self._strategy = strategy
            self._highs.setOptionValue("simplex_strategy", strategy)
        if scaling is not None:
            self._highs.setOptionValue("simplex_scale_strategy", scaling)

    def _start_afresh(self, strategy: int | None, scaling: int) -> None:
        """Forget the basis; another strategy or scaling leads to another one."""
        self._highs.clearSolver()
        self._choose(strategy, scaling)

    def _from_nearest(self) -> highspy.HighsModelStatus:
        """Solve from the model that needs least of the last budget, unless its multipliers prove that there is none.

        Where the other limits leave a model, this question always has an answer.
        """
        row, last, own = len(self.family.budgets) - 1, self.family.budgets[-1], self._cost
        direction = np.zeros(self.family.n_features + self.family.n_offsets)
        self._highs.changeRowBounds(row, -INFINITY, INFINITY)
        self._set_cost(self._costs(direction, last.norm_price, last.loss_price))
        try:
            if self._attempt() == highspy.HighsModelStatus.kOptimal:
                multipliers = np.array(self._highs.getSolution().row_dual)
                self._refuse_if_proven([multipliers], last.norm_price, last.loss_price)
            else:
                self._refuse_proven_empty()
        finally:
            self._highs.changeRowBounds(row, -INFINITY, self._limits[row])
            self._set_cost(own)
        return self._attempt()

    def _refuse_proven_empty(self) -> None:
        """Raise InfeasibleFamily where what the solver has found proves that no model satisfies everything: multipliers
        that were growing without end when it gave up, or a ray."""
        candidates = [np.array(self._highs.getSolution().row_dual)]
        if self._highs.getDualRayExist()[1]:
            candidates.append(np.array(self._highs.getDualRay()[2]))
        self._refuse_if_proven([sign * each for each in candidates for sign in (1.0, -1.0)])  # rays have either sign

    def _refuse_if_proven(self, candidates: Sequence[Floats], norm_price: float = 0.0, loss_price: float = 0.0) -> None:
        """Raise InfeasibleFamily where multipliers of all rows, at these prices, prove that no model satisfies all."""
        zero = np.zeros(self.family.n_features + self.family.n_offsets)
        bounded = np.flatnonzero(np.isfinite(self._low) | np.isfinite(self._high))
        boxed = self.family.boxed({int(j): (self._low[j], self._high[j]) for j in bounded})
        for row_dual in candidates:
            if not len(row_dual):
                continue
            found, _ = self._optimum(zero, zero[: self.family.n_features], row_dual, norm_price, loss_price)
            g = np.concatenate([found.constraint_multipliers, found.bound_multipliers[bounded]])
            if is_proven_empty(boxed, found.hinge_multipliers, g):
                raise InfeasibleFamily("no model satisfies the budgets and constraints")

    def _attempt(self) -> highspy.HighsModelStatus:
        left = ANY_NUMBER
        if self.work_limit is not None:
            left = max(0, int((self.work_limit - self.work) / self.pivot_work))
        status, pivots = run_bounded(self._highs, left)
        self.work += pivots * self.pivot_work
        if pivots >= left:
            raise PivotLimit
        return status

    def _optimum(
        self, model: Floats, v: Floats, row_dual: Floats, norm_price: float | Floats, loss_price: float
    ) -> tuple[Optimum, Floats | None]:
        """Multipliers of all hinge rows: the dual y of a kink's row, with the sign changed where the row is active.

        Also the pressures on all weights, where some columns are not loaded.
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
        left_out = self.n_weights < 2 * len(v)
        if bounded.any() or left_out:
            s = v + self._coefficients.pressures(a) + g @ extra.features
            paid[bounded] = self._bound_multipliers(s, norm_price)[bounded]
        return Optimum(model, norm_price, a, g, paid), s if left_out else None

    def _bound_multipliers(self, s: Floats, price: float | Floats) -> Floats:
        """What the bounds of a weight must pay so that it costs no more than the others: 0 where they do not bind.

        The reduced costs of p_j and q_j are lambda - s_j and lambda + s_j, with s_j the pressure on w_j and lambda the
        price of norm. A weight of certain sign pays one of them; one that may be 0 pays where |s_j| exceeds lambda.
        """
        p, q = price - s, price + s
        either = np.minimum(p, 0.0) - np.minimum(q, 0.0)
        return np.where(self._low > 0, p, np.where(self._high < 0, -q, either))
