"""A run that takes no end is stopped, later the larger its program; one that takes its time is let be."""

from __future__ import annotations

from types import SimpleNamespace

import highspy
import pytest

from relspan.engines.simplex import highs

STATES = highspy.HighsModelStatus
OPTIMAL, TIME_LIMIT, ITERATION_LIMIT = STATES.kOptimal, STATES.kTimeLimit, STATES.kIterationLimit
START = (ITERATION_LIMIT, highs.UNWATCHED_PIVOTS)


class Scripted:
    """A solver whose runs end as scripted: a status and a number of pivots each."""

    def __init__(self, entries: int, *runs: tuple[highspy.HighsModelStatus, int]) -> None:
        self.entries, self.runs, self.done, self.limits = entries, list(runs), 0, []
        self.pivot_limits: list[int] = []

    cbSimplexInterrupt = SimpleNamespace(clear=lambda: None, subscribe=lambda called: None)  # noqa: N815

    def setOptionValue(self, name: str, value: float) -> None:
        {"time_limit": self.limits, "simplex_iteration_limit": self.pivot_limits}[name].append(value)

    def getNumNz(self) -> int:
        return self.entries

    def getRunTime(self) -> float:
        return 60.0 * self.done

    def run(self) -> None:
        self.done += 1

    def getModelStatus(self) -> highspy.HighsModelStatus:
        return self.runs[self.done - 1][0]

    def getInfo(self) -> SimpleNamespace:
        return SimpleNamespace(simplex_iteration_count=self.runs[self.done - 1][1])


@pytest.mark.parametrize(
    ("entries", "runs", "end", "pivots"),
    [
        (1000, [(OPTIMAL, 7)], OPTIMAL, 7),
        (1000, [START, (TIME_LIMIT, 40), (TIME_LIMIT, 2), (OPTIMAL, 5)], OPTIMAL, START[1] + 47),
        (0, [START] + [(TIME_LIMIT, 900)] * highs.MOST_STRETCHES, TIME_LIMIT, START[1] + 900 * highs.MOST_STRETCHES),
        (
            highs.ENTRIES_PER_SHARE,
            [START] + [(TIME_LIMIT, 900)] * (2 * highs.MOST_STRETCHES),
            TIME_LIMIT,
            START[1] + 1800 * highs.MOST_STRETCHES,
        ),
        (1000, [(OPTIMAL, -1)], OPTIMAL, 0),  # nothing to solve
    ],
)
def test_a_run_ends(entries: int, runs: list, end: highspy.HighsModelStatus, pivots: int) -> None:
    solver = Scripted(entries, *runs)
    assert highs.run_bounded(solver) == (end, pivots)
    assert solver.done == len(runs)
    assert solver.limits == [60.0 * run + highs.SECONDS_PER_STRETCH for run in range(len(runs))]


def test_a_run_makes_no_more_pivots_than_it_may() -> None:
    few = Scripted(1000, (ITERATION_LIMIT, 50))
    assert highs.run_bounded(few, most_pivots=50) == (ITERATION_LIMIT, 50)
    assert few.pivot_limits == [50]
    many = Scripted(1000, START, (ITERATION_LIMIT, 100))
    assert highs.run_bounded(many, most_pivots=START[1] + 100) == (ITERATION_LIMIT, START[1] + 100)
    assert many.pivot_limits == [START[1], 100]
