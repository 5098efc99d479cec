"""A family's linear program as it is loaded into the solver: some of its columns, some of its kinks, bounds, and bases.

Variables are numbered b, p, q, x: offsets, the two signs of the weights, kinks (see `range_program`). The solver's
columns are those that have been loaded, in the order in which they came; its rows are the budgets, the constraints,
then one row for each kink. Nothing is solved here.

A pinned weight  low <= w_j <= high  needs no row: it is a pair of column bounds,

    max(0, low) <= p_j <= max(0, high),      max(0, -high) <= q_j <= max(0, -low).
"""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np

from relspan.arrays import Bools, Floats, Ints
from relspan.engines.simplex.highs import INFINITY, new_solver
from relspan.engines.simplex.split_weights import Coefficients
from relspan.family import Budget, Family
from relspan.tolerances import AT_KINK


@dataclass(eq=False)
class Start:
    """A basis from which a program may start, as long as none of its columns has been unloaded.

    Its size is stored beside it, because asking the solver's object for it copies the whole basis.
    """

    basis: highspy.HighsBasis
    n_columns: int
    n_rows: int


class LoadedProgram:
    """The columns and kinks of one linear program in the solver; `RangeProgram` explains the arguments."""

    def __init__(
        self,
        family: Family,
        reference: Floats | None = None,
        kinks: Ints | None = None,
        weights: Ints | None = None,
    ) -> None:
        self.family = family
        self.rows = family.rows
        self._coefficients = Coefficients(self.rows)
        d, k, m = family.n_features, family.n_offsets, self.rows.n_rows
        slack = None if reference is None else self.rows.slack(reference[:d], reference[d:])
        self._active = np.zeros(m, dtype=bool) if slack is None else slack > 0
        self._kinks = np.zeros(0, dtype=np.intp)  # hinge rows that have a kink, in the order of its row
        self._has_kink = self.rows.costs <= 0
        self._low, self._high = np.full(d, -INFINITY), np.full(d, INFINITY)
        self._budgets = family.budgets
        if reference is not None and not any(b.norm_price > 0 and b.loss_price == 0 for b in family.budgets):
            # The linear piece may fall below the loss. As long as there are no kinks, only a budget of the norm alone
            # keeps weights bounded, and a combined budget implies one.
            self._budgets += (Budget(1.0, 0.0, family.largest_norm),)
        self._cost = np.zeros(k + 2 * d + m)
        self.work = 0.0
        self._highs = new_solver()
        self._pass_model(np.arange(2 * d) if weights is None else weights)
        wanted = np.ones(m, dtype=bool) if slack is None else np.abs(slack) < AT_KINK
        if kinks is not None:
            wanted[kinks] = True
        self._add_kinks(np.flatnonzero(~self._has_kink & wanted))
        self._highs.setBasis(self._basis_at_zero())

    # -- building --------------------------------------------------------------------------------------------------

    def _pass_model(self, weights: Ints) -> None:
        """The program without kinks: budgets and constraints over the offsets and some signed weights."""
        family, extra, k = self.family, self.family.constraints, self.family.n_offsets
        costs = np.where(self._active, self.rows.costs, 0.0)
        f, o = self._coefficients.pressures(costs), self.rows.offset_pressures(costs)
        constant = costs @ self.rows.heights
        self._piece = np.concatenate([-o, -f, f])
        ones = np.concatenate([np.zeros(k), np.ones(2 * family.n_features)])
        self._fixed_rows = np.vstack(
            [b.norm_price * ones + b.loss_price * self._piece for b in self._budgets]
            + [np.hstack([extra.offsets, extra.features, -extra.features])]
        )
        self._n_fixed_rows = len(self._fixed_rows)
        self._loaded = np.concatenate([np.arange(k), k + weights])
        matrix = self._fixed_rows[:, self._loaded]
        lp = highspy.HighsLp()
        lp.num_row_, lp.num_col_ = matrix.shape
        lp.col_cost_ = np.zeros(len(self._loaded))
        # Offsets get the bounds that F implies: as long as it has few kinks, a program could be unbounded along them.
        lp.col_lower_ = np.concatenate([-family.offset_limits, np.zeros(len(weights))])
        lp.col_upper_ = np.concatenate([family.offset_limits, np.full(len(weights), INFINITY)])
        lp.row_lower_ = np.concatenate([np.full(len(self._budgets), -INFINITY), extra.lower])
        self._limits = np.array([b.limit - b.loss_price * constant for b in self._budgets])
        lp.row_upper_ = np.concatenate([self._limits, extra.upper])
        row, column = np.nonzero(matrix)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.searchsorted(row, np.arange(len(matrix) + 1)).astype(np.int32)
        lp.a_matrix_.index_ = column.astype(np.int32)
        lp.a_matrix_.value_ = matrix[row, column]
        self._highs.passModel(lp)

    def _add_kinks(self, which: Ints) -> None:
        """One column x_i and one row per kink: x_i + t >= 0 for an active row, x_i - t >= 0 for an inactive one."""
        if not len(which):
            return
        count, first, k = len(which), len(self._loaded), self.family.n_offsets
        charged = [(row, b.loss_price) for row, b in enumerate(self._budgets) if b.loss_price > 0]
        x = k + 2 * self.family.n_features + which
        self._highs.addCols(
            count,
            self._cost[x],
            np.zeros(count),
            np.full(count, INFINITY),
            count * len(charged),
            (np.arange(count) * len(charged)).astype(np.int32),
            np.tile([row for row, _ in charged], count).astype(np.int32),
            np.multiply.outer(self.rows.costs[which], [price for _, price in charged]).ravel(),
        )
        sign = self._sign(which)
        columns = np.flatnonzero(self._is_weight)
        start, index, value = self._coefficients.rows(which, self._loaded[columns] - k, sign)
        place = np.concatenate([np.arange(k), columns, first + np.arange(count)]).astype(np.int32)
        self._highs.addRows(
            count, sign * self.rows.heights[which], np.full(count, INFINITY), len(value), start, place[index], value
        )
        self._kinks = np.concatenate([self._kinks, which])
        self._has_kink[which] = True
        self._loaded = np.concatenate([self._loaded, x])

    def load_columns(self, weights: Ints) -> None:
        """Load the columns of these signed weights."""
        k = self.family.n_offsets
        weights = weights[~np.isin(k + weights, self._loaded)]
        if not len(weights):
            return
        count, v = len(weights), k + weights
        start, index, value = self._coefficients.columns(
            weights, self._fixed_rows[:, v], self._kinks, self._sign(self._kinks)
        )
        least, most = (side[weights] for side in self._column_bounds())
        self._highs.addCols(count, self._cost[v], least, most, len(value), start, index.astype(np.int32), value)
        self._loaded = np.concatenate([self._loaded, v])

    @property
    def _is_weight(self) -> Bools:
        """Which of the solver's columns are p or q."""
        k = self.family.n_offsets
        return (self._loaded >= k) & (self._loaded < k + 2 * self.family.n_features)

    def _sign(self, rows: Ints) -> Floats:
        return np.where(self._active[rows], -1.0, 1.0)

    @property
    def kinks(self) -> Ints:
        """The hinge rows that have a kink in the program."""
        return self._kinks

    @property
    def n_weights(self) -> int:
        """Columns of signed weights in the program."""
        return len(self._loaded) - self.family.n_offsets - len(self._kinks)

    # -- solutions -------------------------------------------------------------------------------------------------

    def _model(self, columns: Floats) -> tuple[Floats, Floats]:
        """(w, b) and x of a solution, (w, b) without the rounding that takes a basic column out of its bounds."""
        d, k = self.family.n_features, self.family.n_offsets
        z = np.zeros(len(self._cost))
        z[self._loaded] = columns
        signs = np.maximum(0.0, z[k : k + 2 * d])
        weights = np.clip(signs[:d] - signs[d:], self._low, self._high)
        return np.concatenate([weights, z[:k]]), z[k + 2 * d :]

    def _turned(self, model: Floats) -> Floats:
        """By how much every row is beyond its kink."""
        d = self.family.n_features
        scores = self._coefficients.scores(model[:d]) + self.rows.offsets @ model[d:]
        t = self.rows.heights - self.rows.by_row(scores)
        return np.where(self._active, -t, t)

    # -- bounds on weights -------------------------------------------------------------------------------------------

    def bound(self, feature: int, low: float, high: float) -> None:
        """Keep low <= w_feature <= high from now on; infinite sides are free."""
        self._low[feature], self._high[feature] = low, high
        pair = np.array([feature, self.family.n_features + feature])
        if np.isfinite([low, high]).any() and not low == high == 0.0:
            self.load_columns(pair)
        least, most = self._column_bounds()
        for column in np.flatnonzero(np.isin(self._loaded, self.family.n_offsets + pair)):
            weight = self._loaded[column] - self.family.n_offsets
            self._highs.changeColBounds(int(column), least[weight], most[weight])

    def _column_bounds(self) -> tuple[Floats, Floats]:
        """The bounds of all signed weights."""
        low, high = self._low, self._high
        least, most = np.concatenate([low, -high]), np.concatenate([high, -low])
        return np.maximum(0.0, least), np.maximum(0.0, most)

    def close(self, feature: int) -> None:
        """Keep w_feature at 0 from now on."""
        self.bound(feature, 0.0, 0.0)

    def open(self, feature: int) -> None:
        """Let w_feature be free again."""
        self.bound(feature, -INFINITY, INFINITY)

    # -- bases -------------------------------------------------------------------------------------------------------

    def _basis_at_zero(self) -> highspy.HighsBasis:
        """The basis of the zero model with its kinks, which saves one pivot per kink."""
        status, basis = highspy.HighsBasisStatus, highspy.HighsBasis()
        d, k = self.family.n_features, self.family.n_offsets
        beyond = self._turned(np.zeros(d + k))[self._kinks] > 0
        weights = len(self._loaded) - k - len(beyond)
        basis.col_status = (
            [status.kZero if limit == INFINITY else status.kLower for limit in self.family.offset_limits]
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
        return Start(self._highs.getBasis(), len(self._loaded), self._n_fixed_rows + len(self._kinks))

    def _padded(self, start: Start) -> highspy.HighsBasis:
        """The basis extended by what was added since: columns at 0, slack rows."""
        columns = len(self._loaded) - start.n_columns
        rows = self._n_fixed_rows + len(self._kinks) - start.n_rows
        if columns or rows:
            old, status = start.basis, highspy.HighsBasisStatus
            start.basis = highspy.HighsBasis()
            start.basis.col_status = list(old.col_status) + [status.kLower] * columns
            start.basis.row_status = list(old.row_status) + [status.kBasic] * rows
            start.basis.valid = True
            start.n_columns, start.n_rows = start.n_columns + columns, start.n_rows + rows
        return start.basis

    def prune(self, keep: Ints) -> None:
        """Unload all weights' columns that are neither basic nor among these signed weights; the basis stays."""
        basis = self._highs.getBasis()
        nonbasic = np.array([status != highspy.HighsBasisStatus.kBasic for status in basis.col_status])
        gone = np.flatnonzero(self._is_weight & nonbasic & ~np.isin(self._loaded, self.family.n_offsets + keep))
        if not len(gone):
            return
        self._highs.deleteCols(len(gone), gone.astype(np.int32))
        basis.col_status = np.delete(np.array(basis.col_status, dtype=object), gone).tolist()
        self._highs.setBasis(basis)
        self._loaded = np.delete(self._loaded, gone)


def signed(values: Floats, beyond: float = 0.0) -> Ints:
    """The signed weights (j for p_j, d + j for q_j) on whose side a value lies further out than `beyond`."""
    return np.flatnonzero(np.concatenate([values, -values]) > beyond)
