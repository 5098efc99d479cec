"""The exact engine: warm simplex (HiGHS) on one model per family, kinks added on demand.

With w = p - q the program of a direction v is

    max  v.(p - q, b)      over  p, q >= 0,  b free,  x >= 0
    s.t. P_k 1.(p + q) + Q_k (L(p - q, b) + c.x)  <=  B_k        for every budget k
         lower <= A (p - q, b) <= upper

where the loss is written as its linear piece L at a model of the family plus *kinks* x. A row that is active there
(it costs something) contributes t = h - f.w - o.b to L and the kink max(0, -t); an inactive one contributes the kink
max(0, t) only. Near the baseline almost every row stays on its side, so kinks are left out until a solution
violates them: each relaxed program bounds from outside, and when nothing is violated the answer is exact. Kinks are
shared by all programs of the family.

A pinned weight  low <= w_j <= high  needs no row: it is a pair of column bounds,

    max(0, low) <= p_j <= max(0, high),      max(0, -high) <= q_j <= max(0, -low),

and its multiplier in the certificate is read off the reduced costs of p_j and q_j.

This file and integer.py are the only ones that import highspy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

import highspy
import numpy as np
from numpy.typing import NDArray

from relspan.engines.certify import Extremes, certify
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Bounds, Budget, Family, norm_and_loss
from relspan.losses import Floats, Matrix

Integers: TypeAlias = NDArray[np.intp]

PRIMAL, DUAL = 4, 1  # simplex strategies: after a change of costs, after added rows
TOLERANCE = 1e-9
BROKEN = 1e-7  # a constraint missed by more than this is no rounding error
_INF = highspy.kHighsInf


@dataclass(frozen=True, eq=False)
class Optimum:
    """A solver's raw answer: the point (w, b), multipliers of hinge rows, constraints, and the weights' bounds."""

    model: Floats
    hinge_multipliers: Floats
    constraint_multipliers: Floats
    bound_multipliers: Floats


@dataclass(eq=False)
class Start:
    """A basis from which a program may start, and how many kinks it knows of."""

    basis: highspy.HighsBasis
    kinks: int


class Program:
    """One warm linear program over (w, b) whose loss is a sum of hinges.

        min  norm_price ||w||_1 + loss_price loss(z) - v.z     within budgets and constraints

    Serves the ranges of a family (v = a direction), the baseline (norm_price = 1, loss_price = C) and the least loss
    (loss_price = 1). `reference` is the model at which the loss's linear piece is taken; without one, all rows are
    in the program from the start. `kinks` are rows that another program of the same loss found to matter.
    """

    def __init__(self, family: Family, reference: Floats | None = None, kinks: Integers | None = None) -> None:
        self.family = family
        self.rows = family.rows
        d, k = family.n_features, family.n_offsets
        self._weights = 2 * d  # columns of p and q
        self._fixed = 2 * d + k  # and of b
        self._budgets = family.budgets
        if reference is not None and not any(b.norm_price > 0 and b.loss_price == 0 for b in family.budgets):
            # the linear piece may fall below the loss: without kinks yet, only a budget of the norm alone keeps
            # weights bounded, and a combined budget implies one
            self._budgets += (Budget(1.0, 0.0, family.largest_norm),)
        self._features: Floats = np.ascontiguousarray(_dense(self.rows.features))
        if reference is None:
            self._active = np.zeros(self.rows.n_rows, dtype=bool)
        else:
            self._active = self.rows.slack(reference[:d], reference[d:]) > 0
        self._kinks = np.zeros(0, dtype=np.intp)  # hinge rows that have a kink, in the order of its column
        self._has_kink = self.rows.costs <= 0
        self._low, self._high = np.full(d, -_INF), np.full(d, _INF)
        self._loss_price = 0.0
        self.iterations = 0
        self._highs = highspy.Highs()
        for option, value in {
            "output_flag": False,
            "threads": 1,
            "presolve": "off",
            "small_matrix_value": 1e-12,  # the least allowed: by default entries below 1e-9 are dropped without a word
            "simplex_scale_strategy": 4,
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        }.items():
            self._highs.setOptionValue(option, value)
        self._pass_model()
        if reference is None:
            self._add_kinks(np.flatnonzero(~self._has_kink))
        else:
            on_the_kink = np.abs(self.rows.slack(reference[:d], reference[d:])) < 1e-6
            if kinks is not None:
                on_the_kink[kinks] = True
            self._add_kinks(np.flatnonzero(~self._has_kink & on_the_kink))

    # -- building --------------------------------------------------------------------------------------------------

    def _linear_piece(self) -> tuple[Floats, float]:
        """Coefficients over (p, q, b) and constant of the loss's linear piece."""
        costs = np.where(self._active, self.rows.costs, 0.0)
        f, o = costs @ self._features, costs @ self.rows.offsets
        return np.concatenate([-f, f, -o]), float(costs @ self.rows.heights)

    def _pass_model(self) -> None:
        family, extra = self.family, self.family.constraints
        piece, constant = self._linear_piece()
        ones = np.concatenate([np.ones(self._weights), np.zeros(family.n_offsets)])
        matrix = np.vstack(
            [b.norm_price * ones + b.loss_price * piece for b in self._budgets]
            + [np.hstack([extra.features, -extra.features, extra.offsets])]
        )
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = self._fixed, len(matrix)
        lp.col_cost_ = np.zeros(self._fixed)
        # offsets get the bounds that F implies: a program with few kinks yet could run away along them
        lp.col_lower_ = np.concatenate([np.zeros(self._weights), -family.offset_limits])
        lp.col_upper_ = np.concatenate([np.full(self._weights, _INF), family.offset_limits])
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
        self._n_fixed_rows = len(matrix)
        self._piece = piece

    def _add_kinks(self, which: Integers) -> None:
        """A column x_i and a row each: x_i + t >= 0 for an active row, x_i - t >= 0 for an inactive one."""
        if not len(which):
            return
        count, first = len(which), self._highs.getNumCol()
        costs = self.rows.costs[which]
        charged = [(k, b.loss_price) for k, b in enumerate(self._budgets) if b.loss_price > 0]
        self._highs.addCols(
            count,
            self._loss_price * costs,
            np.zeros(count),
            np.full(count, _INF),
            count * len(charged),
            (np.arange(count) * len(charged)).astype(np.int32),
            np.tile([k for k, _ in charged], count).astype(np.int32),
            np.multiply.outer(costs, [price for _, price in charged]).ravel(),
        )
        sign = np.where(self._active[which], -1.0, 1.0)
        f = sign[:, None] * self._features[which]
        values = np.hstack([f, -f, sign[:, None] * self.rows.offsets[which], np.ones((count, 1))])
        columns = np.empty(values.shape, dtype=np.int32)
        columns[:, :-1] = np.arange(self._fixed)
        columns[:, -1] = first + np.arange(count)
        self._highs.addRows(
            count,
            sign * self.rows.heights[which],
            np.full(count, _INF),
            values.size,
            (np.arange(count) * values.shape[1]).astype(np.int32),
            columns.ravel(),
            values.ravel(),
        )
        self._kinks = np.concatenate([self._kinks, which])
        self._has_kink[which] = True

    @property
    def kinks(self) -> Integers:
        """The hinge rows that have a kink in the program."""
        return self._kinks

    # -- solving ---------------------------------------------------------------------------------------------------

    def solve(
        self,
        direction: Floats | None,
        norm_price: float = 0.0,
        loss_price: float = 0.0,
        start: Start | None = None,
    ) -> Optimum:
        """min norm_price ||w||_1 + loss_price loss - direction.z, exactly.

        Starts where the last program ended, or from the basis `start`, which must be optimal for these costs under
        other bounds: it stays dual feasible.
        """
        d = self.family.n_features
        cost = np.zeros(self._fixed)
        cost[: self._weights] = norm_price
        cost += loss_price * self._piece
        if direction is not None:
            cost[:d] -= direction[:d]
            cost[d : self._weights] += direction[:d]
            cost[self._weights :] -= direction[d:]
        self._loss_price = loss_price
        whole = np.concatenate([cost, loss_price * self.rows.costs[self._kinks]])
        self._highs.changeColsCost(len(whole), np.arange(len(whole), dtype=np.int32), whole)
        if start is not None:
            self._highs.setBasis(self._padded(start))
        self._highs.setOptionValue("simplex_strategy", PRIMAL if start is None else DUAL)
        scale = max(1.0, self.family.largest_loss) if np.isfinite(self.family.largest_loss) else 1.0
        distrusted = False
        while True:
            self._run()
            solution = self._highs.getSolution()
            x = np.array(solution.col_value)
            model = self._model(x)
            t = self.rows.heights - self._features @ model[:d] - self.rows.offsets @ model[d:]
            missing = np.where(self._active, -t, t)
            if (missing[self._kinks] - x[self._fixed :]).max(initial=0.0) > BROKEN:
                # the simplex method's own row values can drift away from its columns on thin families
                if distrusted:
                    raise SolverError("the simplex method's answer breaks its own constraints")
                distrusted = True
                self._highs.clearSolver()
                continue
            missing[self._has_kink] = 0.0
            violated = np.flatnonzero(missing > TOLERANCE * 1e-1)
            if not len(violated) or float(self.rows.costs[violated] @ missing[violated]) <= TOLERANCE * 1e-1 * scale:
                return self._optimum(model, solution, loss_price)
            self._add_kinks(violated)
            self._highs.setOptionValue("simplex_strategy", DUAL)

    def _run(self) -> None:
        status = self._attempt()
        if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
            # a warm basis can mislead on thin families: believe infeasibility only from a fresh start
            self._highs.clearSolver()
            status = self._attempt()
            if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
                raise InfeasibleFamily("no model satisfies the budgets and constraints")
        for strategy in (DUAL, PRIMAL):
            if status == highspy.HighsModelStatus.kOptimal:
                return
            self._highs.clearSolver()
            self._highs.setOptionValue("simplex_strategy", strategy)
            status = self._attempt()
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"the simplex method ended with status {self._highs.modelStatusToString(status)!r}")

    def _attempt(self) -> highspy.HighsModelStatus:
        self._highs.run()
        self.iterations += self._highs.getInfo().simplex_iteration_count
        status: highspy.HighsModelStatus = self._highs.getModelStatus()
        return status

    def _optimum(self, model: Floats, solution: highspy.HighsSolution, loss_price: float) -> Optimum:
        """Multipliers of all hinge rows: a kink's own row dual y, turned round where the row is active."""
        budgets, row_dual = self._budgets, np.array(solution.row_dual)
        price = loss_price - sum(b.loss_price * row_dual[k] for k, b in enumerate(budgets))
        a = np.where(self._active, price * self.rows.costs, 0.0)
        y = row_dual[self._n_fixed_rows :]
        a[self._kinks] = np.where(self._active[self._kinks], a[self._kinks] - y, y)
        reduced = np.array(solution.col_dual[: self._weights])
        return Optimum(model, a, row_dual[len(budgets) : self._n_fixed_rows], self._bound_multipliers(reduced))

    def _bound_multipliers(self, reduced: Floats) -> Floats:
        """What a weight's bounds must pay so that it costs no more than the others: 0 where they do not bind.

        The reduced costs of p_j and q_j are lambda - s_j and lambda + s_j, with s_j the pressure on w_j and lambda the
        price of norm. A weight of certain sign pays one of them; one that may be 0 pays where |s_j| exceeds lambda.
        """
        d = self.family.n_features
        p, q = reduced[:d], reduced[d:]
        either = np.minimum(p, 0.0) - np.minimum(q, 0.0)
        return np.where(self._low > 0, p, np.where(self._high < 0, -q, either))

    # -- weights held within bounds for a while ----------------------------------------------------------------------

    def bound(self, feature: int, low: float, high: float) -> None:
        """Hold low <= w_feature <= high from now on; infinite sides are free."""
        d = self.family.n_features
        self._low[feature], self._high[feature] = low, high
        self._highs.changeColBounds(feature, max(0.0, low), max(0.0, high))
        self._highs.changeColBounds(d + feature, max(0.0, -high), max(0.0, -low))

    def close(self, feature: int) -> None:
        """Hold w_feature at 0 from now on."""
        self.bound(feature, 0.0, 0.0)

    def open(self, feature: int) -> None:
        """Let w_feature be free again."""
        self.bound(feature, -_INF, _INF)

    def _model(self, x: Floats) -> Floats:
        """A solution's (w, b), without the rounding error by which a basic column may leave its bounds."""
        d = self.family.n_features
        weights = np.clip(np.maximum(0.0, x[:d]) - np.maximum(0.0, x[d : self._weights]), self._low, self._high)
        return np.concatenate([weights, x[self._weights : self._fixed]])

    def basis(self) -> Start:
        """The basis of the last solution, a start for the same costs under other bounds."""
        return Start(self._highs.getBasis(), len(self._kinks))

    def _padded(self, start: Start) -> highspy.HighsBasis:
        """The basis with the kinks that came after it: their columns at 0, their rows slack."""
        new = len(self._kinks) - start.kinks
        if new:
            status, old, start.basis = highspy.HighsBasisStatus, start.basis, highspy.HighsBasis()
            start.basis.col_status = list(old.col_status) + [status.kLower] * new
            start.basis.row_status = list(old.row_status) + [status.kBasic] * new
            start.basis.valid, start.kinks = True, len(self._kinks)
        return start.basis


class ExactEngine:
    """Ranges over a family by warm simplex; see the module's text."""

    name = "exact"

    def __init__(self, family: Family) -> None:
        self.family = family
        self._program = Program(family, reference=family.anchors[0] if len(family.anchors) else None)
        self._starts: dict[bytes, Start] = {}

    def maxima(self, directions: Floats) -> Extremes:
        """The largest value of each direction (a row over (w, b)), with certificates."""
        return _certified(self.family, directions, solve_all(self._program, directions))

    def remember(self, directions: Floats) -> None:
        """Solve these directions and keep their bases, from which `maxima_within` starts."""
        for v in directions:
            self._program.solve(v)
            self._starts[v.tobytes()] = self._program.basis()

    def maxima_within(self, boxed: Family, bounds: Bounds, directions: Floats, thin: bool = False) -> Extremes:
        """The same over `boxed`, which must be `family.boxed(bounds)`: weights held within bounds, the program warm.

        Under other bounds a direction's own unbounded optimum stays dual feasible and is a near start; where the
        bounds leave little room (`thin`) the last direction's optimum is nearer.
        """
        with self.held(bounds) as program:
            starts = [None if thin else self._starts.get(v.tobytes()) for v in directions]
            found = [program.solve(v, start=start) for v, start in zip(directions, starts, strict=True)]
        pinned = list(bounds)
        sides = [np.concatenate([o.constraint_multipliers, o.bound_multipliers[pinned]]) for o in found]
        return _certified(
            boxed, directions, [replace(o, constraint_multipliers=g) for o, g in zip(found, sides, strict=True)]
        )

    @contextmanager
    def held(self, bounds: Bounds) -> Iterator[Program]:
        """The engine's program while weights are held within bounds."""
        for feature, (low, high) in bounds.items():
            self._program.bound(feature, low, high)
        try:
            yield self._program
        finally:
            for feature in bounds:
                self._program.open(feature)

    def appended(self, columns: Matrix) -> Extremes:
        """For each column, appended alone as one more feature: the maxima of +w and -w of that feature."""
        d, k, count = self.family.n_features, self.family.n_offsets, columns.shape[1]
        program = Program(
            self.family.with_columns(columns), reference=_first_anchor(self.family, count), kinks=self._program.kinks
        )
        for probe in range(count):
            program.close(d + probe)
        found = []
        for probe in range(count):
            program.open(d + probe)
            mine = np.concatenate([np.arange(d), [d + probe], d + count + np.arange(k)])
            for sign in (1.0, -1.0):
                direction = np.zeros(d + count + k)
                direction[d + probe] = sign
                optimum = program.solve(direction)
                found.append(replace(optimum, model=optimum.model[mine]))
            program.close(d + probe)
        directions = np.zeros((2 * count, d + 1 + k))
        directions[::2, d], directions[1::2, d] = 1.0, -1.0
        return _certified(self.family, directions, found, own=np.repeat(columns.T, 2, axis=0))


def solve_all(program: Program, directions: Floats) -> list[Optimum]:
    """All directions, opposite ones apart: from one end of a feature to the other is the longest way of all."""
    found: dict[int, Optimum] = {}
    for i in np.argsort(directions.sum(axis=1) < 0, kind="stable"):
        found[int(i)] = program.solve(directions[i])
    return [found[i] for i in range(len(directions))]


def least_losses(family: Family, null_loss: float, without: Iterable[int | Integers]) -> Floats:
    """For each weight or block G of weights the least loss without it:  min loss  s.t.  w_G = 0, ||w||_1 <= M.

    The null model's loss is always within reach, so it serves as the loss budget that keeps the offsets bounded.
    """
    within = replace(family, budgets=norm_and_loss(family.largest_norm, null_loss * (1 + 1e-9)))
    program = Program(within, reference=within.anchors[0] if len(within.anchors) else None)
    losses = []
    for block in map(np.atleast_1d, without):
        for j in block:
            program.close(int(j))
        model = program.solve(None, loss_price=1.0).model
        losses.append(family.rows.loss(model[: family.n_features], model[family.n_features :]))
        for j in block:
            program.open(int(j))
    return np.array(losses)


def _certified(family: Family, directions: Floats, found: list[Optimum], own: Floats | None = None) -> Extremes:
    return certify(
        family,
        directions,
        np.array([o.model for o in found]).reshape(len(found), directions.shape[1]),
        np.array([o.hinge_multipliers for o in found]).reshape(len(found), family.rows.n_rows),
        np.array([o.constraint_multipliers for o in found]).reshape(len(found), family.constraints.n_rows),
        own,
    )


def _first_anchor(family: Family, new: int) -> Floats | None:
    """The family's first anchor, widened by `new` features it does not use."""
    if not len(family.anchors):
        return None
    d = family.n_features
    return np.concatenate([family.anchors[0, :d], np.zeros(new), family.anchors[0, d:]])


def _dense(matrix: Matrix) -> Floats:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, dtype=np.float64)
