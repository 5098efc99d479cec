"""Questions that take seconds, on a solver of their own, so that pins stay quick. One at a time; the newest wins."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list

from relspan.browser.as_json import told_alternative, told_map, told_panel
from relspan.errors import RelspanError
from relspan.explore import Explorer, Pin, ScenarioComparison
from relspan.explore.explorer import history_of
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.substitute_groups import groups
from relspan.explore.substitutes import alternatives, substitution
from relspan.progress import Progress

MOST_ROWS = 60  # features of a map, those that reach farthest


class Superseded(RelspanError):
    """A newer question was asked before this one was answered, or it was stopped."""


class LongQuestions:
    """Long questions about one problem."""

    def __init__(self, problem: FittedProblem) -> None:
        self.explorer, self.problem = Explorer(problem), problem
        self._lock, self._ticket = threading.Lock(), 0
        self._progress: dict[str, Any] = {}
        self._maps: dict[tuple[tuple[Pin, ...], bool], dict[str, Any]] = {}

    def cancel(self) -> None:
        """Stop what is going on, where it can be stopped."""
        self._ticket += 1

    def told(self) -> dict[str, Any]:
        """How far the current question has come."""
        return dict(self._progress)

    def alternatives(self, pins: tuple[Pin, ...], feature: str) -> dict[str, Any]:
        """The relevant features that could take this one's place, whatever it is pinned to itself."""
        others = tuple(pin for pin in pins if pin.feature != feature)
        with self._asked("alternatives", others) as (explorer, check):
            history = history_of(explorer)
            classes = self.problem.analysis.classes
            j = self.problem.column(feature)
            columns = [c for c in np.flatnonzero(classes > 0).tolist() if c != j]
            reach = self.problem.analysis.ranges.relevances[:, 1]
            columns = sorted(columns, key=lambda c: -reach[c])[:MOST_ROWS]
            found = alternatives(history.solver, history.current_family(), feature, columns, check)
            return {"feature": feature, "alternatives": [told_alternative(other) for other in found]}

    def substitution(self, pins: tuple[Pin, ...], at: str) -> dict[str, Any]:
        """The map between the relevant features: how far they can take one another's place, or who moves at an end."""
        key = (pins, at == "exchange")
        if key not in self._maps:
            with self._asked("substitution", pins) as (explorer, check):
                reach = self.problem.analysis.ranges.relevances[:, 1]
                relevant = np.flatnonzero(self.problem.analysis.classes > 0).tolist()
                columns = sorted(relevant, key=lambda c: -reach[c])[:MOST_ROWS]
                make = self._exchanges if at == "exchange" else self._movements
                self._maps[key] = make(explorer, columns, check)
        told: dict[str, Any] = self._maps[key][at]
        return told

    def _movements(self, explorer: Explorer, columns: list[int], check: Progress) -> dict[str, Any]:
        matrix = substitution(history_of(explorer).solver, columns, explorer.pins, check)
        return {at: told_map(matrix.features, matrix.moves(at), at) for at in ("min", "max")}

    def _exchanges(self, explorer: Explorer, columns: list[int], check: Progress) -> dict[str, Any]:
        """The exchange of every pair (see `relspan.explore.substitute_groups`), similar features side by side."""
        history = history_of(explorer)
        found = groups(history.solver, history.current_family(), columns, progress=check)
        order = leaves_list(found.tree) if len(found.tree) else np.arange(len(columns))
        names = [found.features[k] for k in order]
        return {"exchange": told_map(names, found.exchange[np.ix_(order, order)], "exchange")}

    def panel(
        self, pins: tuple[Pin, ...], costs: Mapping[str, float] | None, include: Sequence[str], seconds: float
    ) -> dict[str, Any]:
        """The smallest or, with costs, the cheapest panel."""
        with self._asked("panel", pins) as (explorer, _):

            def note_gap(stage: str, share: float | None, note: str = "") -> None:
                self._progress["note"] = note

            if costs is None:
                found = explorer.smallest_panel(include=include, time_limit=seconds, progress=note_gap)
            else:
                found = explorer.cheapest_panel(costs, include=include, time_limit=seconds, progress=note_gap)
            return told_panel(found)

    def compare(self, source: Explorer, first: str, second: str) -> ScenarioComparison:
        """Two scenarios of another session."""
        with self._asked("compare", source.pins) as (explorer, _):
            explorer.scenarios = dict(source.scenarios)
            return explorer.compare(first, second)

    def _asked(self, name: str, pins: tuple[Pin, ...]) -> _Question:
        self._ticket += 1
        return _Question(self, name, pins, self._ticket)


class _Question:
    """One question's turn with the solver."""

    def __init__(self, deep: LongQuestions, name: str, pins: tuple[Pin, ...], ticket: int) -> None:
        self.deep, self.name, self.pins, self.ticket = deep, name, pins, ticket

    def __enter__(self) -> tuple[Explorer, Any]:
        self.deep._lock.acquire()
        try:
            self.check(self.name, 0.0)
            self.deep._progress = {"question": self.name, "share": 0.0, "begun": perf_counter()}
            history_of(self.deep.explorer).set(self.pins)
        except BaseException:
            self.deep._lock.release()
            raise
        return self.deep.explorer, self.check

    def check(self, stage: str, share: float | None, note: str = "") -> None:
        """Note the progress; give up where a newer question was asked."""
        if self.ticket != self.deep._ticket:
            raise Superseded(f"the question {self.name!r} was dropped for a newer one")
        self.deep._progress["share"] = share

    def __exit__(self, *_: object) -> None:
        self.deep._progress = {}
        self.deep._lock.release()
