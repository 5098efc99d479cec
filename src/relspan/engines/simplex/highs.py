"""HiGHS as relspan runs it: its options, and runs that can be interrupted and always end."""

from __future__ import annotations

import math
from typing import Any

import highspy

from relspan.engines.solver_runs import counted_run, is_ending
from relspan.tolerances import SMALLEST_ENTRY, SOLVER_TOLERANCE

UNSCALED, SCALED = 0, 4
PRIMAL, DUAL = 4, 1  # simplex strategies: after a change of costs or added columns, after one of bounds or added rows
INFINITY = highspy.kHighsInf
SECONDS_PER_STRETCH = 60.0
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


def _interruption(solver: highspy.Highs) -> list[BaseException]:
    """Let Ctrl-C stop a run: it is noticed while HiGHS calls back, and is put into the list returned."""
    stopped: list[BaseException] = []

    def called(event: Any) -> None:
        try:
            event.interrupt(bool(stopped) or is_ending())
        except KeyboardInterrupt as error:  # it must not pass through HiGHS
            stopped.append(error)
            event.interrupt(True)

    solver.cbSimplexInterrupt.clear()
    solver.cbSimplexInterrupt.subscribe(called)
    return stopped


def run_bounded(solver: highspy.Highs) -> tuple[highspy.HighsModelStatus, int]:
    """Solve, and return the final status and the number of pivots. A run that does not terminate is stopped.

    On programs that are barely infeasible the dual simplex method may cycle for ever. Started again from where it was,
    it makes some hundred pivots and cycles again, so pivots alone do not show progress. The caller retries a stopped
    run with other solver options.
    """
    pivots, stopped = 0, _interruption(solver)
    for _ in range(math.ceil(MOST_STRETCHES * (1 + solver.getNumNz() / ENTRIES_PER_SHARE))):
        solver.setOptionValue("time_limit", solver.getRunTime() + SECONDS_PER_STRETCH)
        with counted_run():
            solver.run()
        if stopped:
            raise stopped[0]
        status = solver.getModelStatus()
        pivots += max(0, solver.getInfo().simplex_iteration_count)
        if status != highspy.HighsModelStatus.kTimeLimit:
            break
    return status, pivots
