"""HiGHS as relspan runs it: its options, and runs that can be interrupted and always end."""

from __future__ import annotations

import math

import highspy

from relspan.tolerances import SMALLEST_ENTRY, SOLVER_TOLERANCE

UNSCALED, SCALED = 0, 4
PRIMAL, DUAL = 4, 1  # simplex strategies: after a change of costs or added columns, after one of bounds or added rows
INFINITY = highspy.kHighsInf
SECONDS_PER_STRETCH = 60.0  # Ctrl-C is noticed between two stretches of a run
MOST_STRETCHES = 3  # that a run may take; larger programs get more
ENTRIES_PER_SHARE = 1_000_000  # for each so many entries of the matrix, MOST_STRETCHES more


def new_solver() -> highspy.Highs:
    """A solver that prints nothing, works on one thread, and neither presolves nor drops anything."""
    solver = highspy.Highs()
    for option, value in {
        "output_flag": False,
        "threads": 1,
        "presolve": "off",
        "small_matrix_value": SMALLEST_ENTRY,
        "simplex_scale_strategy": SCALED,
        "primal_feasibility_tolerance": SOLVER_TOLERANCE,
        "dual_feasibility_tolerance": SOLVER_TOLERANCE,
    }.items():
        solver.setOptionValue(option, value)
    return solver


def run_bounded(solver: highspy.Highs) -> tuple[highspy.HighsModelStatus, int]:
    """Solve, and return the final status and the number of pivots. A run that does not terminate is stopped.

    On programs that are barely infeasible the dual simplex method may cycle for ever. Started again from where it was,
    it makes some hundred pivots and cycles again, so pivots alone do not show progress. The caller retries a stopped
    run with other solver options.
    """
    pivots = 0
    for _ in range(math.ceil(MOST_STRETCHES * (1 + solver.getNumNz() / ENTRIES_PER_SHARE))):
        solver.setOptionValue("time_limit", solver.getRunTime() + SECONDS_PER_STRETCH)
        solver.run()
        status = solver.getModelStatus()
        pivots += max(0, solver.getInfo().simplex_iteration_count)
        if status != highspy.HighsModelStatus.kTimeLimit:
            break
    return status, pivots
