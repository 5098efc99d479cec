"""Scenarios: named sets of pins, and two of them side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from relspan.explore.pins import Interval, Pin
from relspan.result import RelevanceResult
from relspan.result.answer_table import AnswerTable, counted
from relspan.tolerances import MOVED_END

CURRENT, UNPINNED = "current", "unpinned"
IntervalPair: TypeAlias = tuple[Interval, Interval]


@dataclass(frozen=True)
class Scenario:
    """A named set of pins with a note.

    Parameters
    ----------
    name : str
        The name under which the pins were saved.
    pins : tuple of Pin
        The pins.
    note : str, default=""
        Any text, such as the reason for the pins.

    See Also
    --------
    Explorer.save_scenario : Save the current pins under a name.
    Explorer.compare : Compare two scenarios.

    Examples
    --------
    >>> from relspan.explore import Scenario
    >>> Scenario("start", ()).name
    'start'
    """

    name: str
    pins: tuple[Pin, ...]
    note: str = ""


@dataclass(frozen=True, repr=False)
class ScenarioComparison(AnswerTable):
    """The interval of every feature in two scenarios.

    Parameters
    ----------
    first, second : str
        The names of the scenarios.
    intervals : mapping of str to pair of intervals
        For each feature its relevance interval (min, max) in the first and in the second scenario, in shares of the
        baseline's norm.

    See Also
    --------
    Explorer.compare : Make the comparison.

    Examples
    --------
    >>> from relspan.explore import ScenarioComparison
    >>> both = ScenarioComparison("a", "b", {"x": ((0.0, 0.5), (0.2, 0.5)), "z": ((0.0, 0.1), (0.0, 0.1))})
    >>> list(both.moved)
    ['x']
    """

    first: str
    second: str
    intervals: Mapping[str, IntervalPair]

    @property
    def moved(self) -> dict[str, IntervalPair]:
        """The features whose intervals differ by more than rounding.

        Returns
        -------
        dict of str to pair of intervals
            As `intervals`, in the same order.
        """
        return {
            name: both
            for name, both in self.intervals.items()
            if np.abs(np.subtract(both[0], both[1])).max() > MOVED_END
        }

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature, by column.

        Returns
        -------
        dict of str to list
            The interval of each feature in the first and in the second scenario, and whether it moved.
        """
        names, moved = list(self.intervals), self.moved
        return {
            "name": names,
            "first_min": [self.intervals[name][0][0] for name in names],
            "first_max": [self.intervals[name][0][1] for name in names],
            "second_min": [self.intervals[name][1][0] for name in names],
            "second_max": [self.intervals[name][1][1] for name in names],
            "moved": [name in moved for name in names],
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        return f"{self.first} and {self.second}: {len(self.moved)} of {counted(len(self.intervals), 'interval')} moved"

    def __str__(self) -> str:
        width = max([len(name) for name in self.moved] + [7])
        lines = [f"{'feature':<{width}}  {self.first:>15}  {self.second:>15}"]
        for name, (a, b) in self.moved.items():
            lines.append(f"{name:<{width}}  {a[0]:7.3f} {a[1]:7.3f}  {b[0]:7.3f} {b[1]:7.3f}")
        same = len(self.intervals) - len(self.moved)
        return "\n".join([*lines, f"{same} intervals are the same in both"] if same else lines)


def compare_results(first: str, a: RelevanceResult, second: str, b: RelevanceResult) -> ScenarioComparison:
    """The intervals of two results over the same features."""
    pairs = {f.name: ((f.min, f.max), (g.min, g.max)) for f, g in zip(a.features, b.features, strict=True)}
    return ScenarioComparison(first, second, pairs)
