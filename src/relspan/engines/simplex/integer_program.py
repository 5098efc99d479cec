"""Integer programs over a family: 0/1 switches tied to the model.

    min  costs . s      over  (w, b) in F,  s in {0, 1}^m
    s.t. lower <= A (w, b) + D s <= upper

by branch and bound (HiGHS), with lazy kinks: the loss is its linear piece at a model of the family plus the kinks that
are known to matter (see `loss_piece`). A program with few kinks has more models than F. So its lower bound holds for
F too, while the switches it finds must be checked by the loss itself; the kinks that then turn out to be missing are
added, and the search goes on. One thread and a fixed seed: without a time limit the answer is always the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import highspy
import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Ints
from relspan.engines.simplex.highs import INFINITY
from relspan.engines.simplex.loss_piece import LossPiece
from relspan.engines.solver_runs import counted_run, is_ending
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Family
from relspan.tolerances import SMALLEST_ENTRY, SOLVER_TOLERANCE

GapReport = Callable[[float, float], None]
"""Called with the best value and the proven bound, again and again; what it raises ends the search."""


@dataclass(frozen=True, eq=False)
class Switches:
    """The 0/1 variables of a program: their costs, their own bounds, and the rows that tie them to the model."""

    costs: Floats
    least: Floats
    most: Floats
    models: Floats
    coefficients: Floats
    lower: Floats
    upper: Floats

    def with_row(self, coefficients: Floats, lower: float, upper: float) -> Switches:
        """One more row on the switches alone."""
        return replace(
            self,
            models=np.vstack([self.models, np.zeros(self.models.shape[1])]),
            coefficients=np.vstack([self.coefficients, coefficients]),
            lower=np.append(self.lower, lower),
            upper=np.append(self.upper, upper),
        )


@dataclass(frozen=True, eq=False)
class Found:
    """The best switches of a relaxed program, the model behind them, a proven bound, and rows that lack a kink."""

    on: np.ndarray
    model: Floats
    bound: float
    finished: bool
    missing: Ints


def least_switches(
    family: Family,
    reference: Floats,
    kinks: Ints,
    switches: Switches,
    start: tuple[Floats, np.ndarray] | None,
    time_limit: float,
    absolute_gap: float,
    report: GapReport,
) -> Found | None:
    """Solve the program with these kinks; None if nothing was found in time. Infeasible programs raise."""
    built = _Built(family, reference, kinks, switches)
    warm = None if start is None else built.columns(*start)
    found = branch_and_bound(
        built.lp, time_limit, absolute_gap, report, "no choice of switches has a model in the family", warm
    )
    if found.solution is None:
        return None
    model, on = built.read(found.solution)
    return Found(on, model, found.bound, found.finished, built.loss.missing(model))


@dataclass(frozen=True, eq=False)
class SearchEnd:
    """How a search ended: the best solution and its value (None and infinity without one), and the proven bound."""

    solution: Floats | None
    value: float
    bound: float
    finished: bool


def branch_and_bound(
    lp: highspy.HighsLp,
    time_limit: float,
    absolute_gap: float,
    report: GapReport,
    infeasible: str,
    start: Floats | None = None,
) -> SearchEnd:
    """Minimise an integer program. One without a solution raises InfeasibleFamily with this message."""
    highs = highspy.Highs()
    for option, value in {
        "output_flag": False,
        "threads": 1,
        "random_seed": 0,
        "small_matrix_value": SMALLEST_ENTRY,
        "mip_feasibility_tolerance": SOLVER_TOLERANCE,
        "primal_feasibility_tolerance": SOLVER_TOLERANCE,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": absolute_gap,
        "time_limit": max(0.01, time_limit),
    }.items():
        highs.setOptionValue(option, value)
    highs.passModel(lp)
    if start is not None:
        warm = highspy.HighsSolution()
        warm.col_value = start.tolist()
        highs.setSolution(warm)
    interruption = _subscribe(highs, report)
    with counted_run():
        highs.run()
    if interruption:
        raise interruption[0]
    status, states = highs.getModelStatus(), highspy.HighsModelStatus
    if status in (states.kInfeasible, states.kUnboundedOrInfeasible):
        raise InfeasibleFamily(infeasible)
    if status not in (states.kOptimal, states.kTimeLimit):
        raise SolverError(f"branch and bound ended with status {highs.modelStatusToString(status)!r}")
    information = highs.getInfo()
    bound = float(information.mip_dual_bound)
    if information.primal_solution_status != 2:
        return SearchEnd(None, np.inf, bound, False)
    solution, value = np.array(highs.getSolution().col_value), float(information.objective_function_value)
    return SearchEnd(solution, value, bound, status == states.kOptimal)


def row_matrix(lp: highspy.HighsLp, matrix: Floats) -> None:
    """Give a program this matrix."""
    by_row = sparse.csr_array(matrix)
    lp.num_row_, lp.num_col_ = matrix.shape
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = by_row.indptr.astype(np.int32), by_row.indices.astype(np.int32)
    lp.a_matrix_.value_ = by_row.data


def _subscribe(highs: highspy.Highs, report: GapReport) -> list[BaseException]:
    """Report while the search runs. What the report raises stops the search, and is put into the list returned."""
    raised: list[BaseException] = []

    def reported(event: Any) -> None:
        if not raised:
            try:
                report(float(event.data_out.mip_primal_bound), float(event.data_out.mip_dual_bound))
            except BaseException as error:  # it cannot pass through HiGHS, so it is raised when the run has ended
                raised.append(error)
        event.interrupt(bool(raised) or is_ending())

    highs.cbMipInterrupt.subscribe(reported)
    return raised


class _Built:
    """The program's matrix over the columns (p, q, b, s, x), w = p - q, x the kinks."""

    def __init__(self, family: Family, reference: Floats, kinks: Ints, switches: Switches) -> None:
        d = family.n_features
        self.family, self.count, self.loss = family, len(switches.costs), LossPiece(family, reference, kinks)
        loss, extra = self.loss, family.constraints
        blocks = [
            self._budget_rows(),
            self._wide(extra.features, extra.offsets),
            self._wide(switches.models[:, :d], switches.models[:, d:], switches.coefficients),
            self._wide(loss.kink_weights, loss.kink_offsets, kinks=np.eye(len(kinks))),
        ]
        lower = [np.full(len(blocks[0]), -INFINITY), extra.lower, switches.lower, loss.kink_heights]
        upper = [
            np.array([b.limit - b.loss_price * loss.constant for b in loss.budgets]),
            extra.upper,
            switches.upper,
            np.full(len(kinks), INFINITY),
        ]
        self.lp = self._program(np.vstack(blocks), np.concatenate(lower), np.concatenate(upper), switches)

    def _wide(self, w: Floats, b: Floats, s: Floats | None = None, kinks: Floats | None = None) -> Floats:
        """Rows over all columns from their parts."""
        count = len(w)
        return np.hstack(
            [
                w,
                -w,
                b,
                np.zeros((count, self.count)) if s is None else s,
                np.zeros((count, len(self.loss.kinks))) if kinks is None else kinks,
            ]
        )

    def _budget_rows(self) -> Floats:
        piece = self.loss
        loss = self._wide(piece.weights[None], piece.offsets[None], kinks=piece.kink_costs[None])
        norm = np.zeros_like(loss)
        norm[0, : 2 * self.family.n_features] = 1.0
        return np.vstack([b.norm_price * norm + b.loss_price * loss for b in piece.budgets])

    def _program(self, matrix: Floats, lower: Floats, upper: Floats, switches: Switches) -> highspy.HighsLp:
        family, d = self.family, self.family.n_features
        M, free = family.largest_norm, family.offset_limits
        lp = highspy.HighsLp()
        row_matrix(lp, matrix)
        before, after = 2 * d + family.n_offsets, len(self.loss.kinks)
        lp.col_cost_ = np.concatenate([np.zeros(before), switches.costs, np.zeros(after)])
        lp.col_lower_ = np.concatenate([np.zeros(2 * d), -free, switches.least, np.zeros(after)])
        lp.col_upper_ = np.concatenate([np.full(2 * d, M), free, switches.most, np.full(after, INFINITY)])
        lp.row_lower_, lp.row_upper_ = lower, upper
        kinds = highspy.HighsVarType
        lp.integrality_ = [kinds.kContinuous] * before + [kinds.kInteger] * self.count + [kinds.kContinuous] * after
        return lp

    def columns(self, model: Floats, on: np.ndarray) -> Floats:
        """A model and its switches as a solution."""
        d = self.family.n_features
        w, kinks = model[:d], np.maximum(0.0, self.loss.kink_values(model)[self.loss.kinks])
        return np.concatenate([np.maximum(w, 0.0), np.maximum(-w, 0.0), model[d:], on.astype(np.float64), kinks])

    def read(self, x: Floats) -> tuple[Floats, np.ndarray]:
        d, before = self.family.n_features, 2 * self.family.n_features + self.family.n_offsets
        model = np.concatenate([x[:d] - x[d : 2 * d], x[2 * d : before]])
        return model, x[before : before + self.count] > 0.5
