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
ANY_NUMBER = highspy.kHighsIInf
SECONDS_PER_STRETCH = 60.0
UNWATCHED_PIVOTS = 200  # at the start of a run, without callbacks: each takes as long as a tenth of a small pivot
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

    solver.cbSimplexInterrupt.subscribe(called)
    return stopped


def run_bounded(solver: highspy.Highs, most_pivots: int = ANY_NUMBER) -> tuple[highspy.HighsModelStatus, int]:
    """Solve, and return the final status and the number of pivots. A run that does not terminate is stopped.

    On programs that are barely infeasible the dual simplex method may cycle for ever. Started again from where it was,
    it makes some hundred pivots and cycles again, so pivots alone do not show progress. The caller retries a stopped
    run with other solver options.
    """
    solver.cbSimplexInterrupt.clear()
    status, pivots = _stretch(solver, min(UNWATCHED_PIVOTS, most_pivots))
    states = highspy.HighsModelStatus
    if status not in (states.kIterationLimit, states.kTimeLimit) or pivots >= most_pivots:
        return status, pivots
    stopped = _interruption(solver)
    for _ in range(math.ceil(MOST_STRETCHES * (1 + solver.getNumNz() / ENTRIES_PER_SHARE))):
        status, more = _stretch(solver, most_pivots - pivots)
        pivots += more
        if stopped:
            raise stopped[0]
        if status != states.kTimeLimit:
            break
    return status, pivots


def _stretch(solver: highspy.Highs, most_pivots: int) -> tuple[highspy.HighsModelStatus, int]:
    """Solve for so many pivots and seconds at most."""
    solver.setOptionValue("time_limit", solver.getRunTime() + SECONDS_PER_STRETCH)
    solver.setOptionValue("simplex_iteration_limit", most_pivots)
    with counted_run():
        solver.run()
    return solver.getModelStatus(), max(0, solver.getInfo().simplex_iteration_count)
