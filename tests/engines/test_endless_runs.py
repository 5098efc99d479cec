"""A run that makes no way is stopped; one that makes its way goes on."""

from __future__ import annotations

from types import SimpleNamespace

import highspy
import pytest

from relspan.engines import held

OPTIMAL, TIME_LIMIT = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kTimeLimit


class Scripted:
    """A solver whose runs end as told: a status and a number of pivots each."""

    def __init__(self, *runs: tuple[highspy.HighsModelStatus, int]) -> None:
        self.runs, self.done, self.limits = list(runs), 0, []

    def setOptionValue(self, name: str, value: float) -> None:
        assert name == "time_limit"
        self.limits.append(value)

    def getRunTime(self) -> float:
        return 60.0 * self.done

    def run(self) -> None:
        self.done += 1

    def getModelStatus(self) -> highspy.HighsModelStatus:
        return self.runs[self.done - 1][0]

    def getInfo(self) -> SimpleNamespace:
        return SimpleNamespace(simplex_iteration_count=self.runs[self.done - 1][1])


@pytest.mark.parametrize(
    ("runs", "end", "pivots"),
    [
        ([(OPTIMAL, 7)], OPTIMAL, 7),
        ([(TIME_LIMIT, 40), (TIME_LIMIT, 2), (OPTIMAL, 5)], OPTIMAL, 47),
        ([(TIME_LIMIT, 40), (TIME_LIMIT, 0)], TIME_LIMIT, 40),
        ([(OPTIMAL, -1)], OPTIMAL, 0),  # nothing to solve
    ],
)
def test_a_run_ends_where_it_makes_no_more_way(runs: list, end: highspy.HighsModelStatus, pivots: int) -> None:
    solver = Scripted(*runs)
    assert held.run(solver) == (end, pivots)
    assert solver.done == len(runs)
    assert solver.limits == [60.0 * run + held.STRETCH for run in range(len(runs))]
