"""Questions that take seconds, on a solver of their own, so that pins stay quick. One at a time; the newest wins."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list

from relspan.browser.as_json import alternative_record, comparison_record, map_record, panel_record
from relspan.errors import RelspanError
from relspan.explore import Explorer, Pin
from relspan.explore.explorer import history_of
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pin_history import PinHistory
from relspan.explore.substitute_groups import groups
from relspan.explore.substitutes import alternatives, substitution
from relspan.progress import Progress

MOST_ROWS = 60  # features of a map: those that reach farthest
ENDS = ("min", "max")
MAPS = ("exchange", *ENDS)


class Superseded(RelspanError):
    """The question was stopped, or a newer one was asked before it was answered."""


class LongQuestions:
    """Long questions about one problem. Pins come with each question; the session's own pins are never touched."""

    def __init__(self, problem: FittedProblem) -> None:
        self.problem, self._explorer = problem, Explorer(problem)
        self._lock, self._ticket = threading.Lock(), 0
        self._progress: dict[str, Any] = {}
        self._maps: dict[tuple[tuple[Pin, ...], str], dict[str, Any]] = {}

    def cancel(self) -> None:
        """Stop the current question at its next report of progress."""
        self._ticket += 1

    def progress_record(self) -> dict[str, Any]:
        """How far the current question has come: its name, and a share or a note."""
        return dict(self._progress)

    def alternatives(self, pins: tuple[Pin, ...], feature: str) -> dict[str, Any]:
        """The relevant features that could take the place of this one, whatever it is pinned to itself."""
        others = tuple(pin for pin in pins if pin.feature != feature)
        with self._turn("alternatives", others) as (history, progress):
            own = self.problem.column(feature)
            columns = [c for c in self._relevant_columns() if c != own][:MOST_ROWS]
            found = alternatives(history.solver, history.current_family(), feature, columns, progress)
            return {"feature": feature, "alternatives": [alternative_record(other) for other in found]}

    def substitution(self, pins: tuple[Pin, ...], at: str) -> dict[str, Any]:
        """A map between the relevant features: the exchange of every pair, or who moves when one is at an end."""
        if (pins, at) not in self._maps:
            with self._turn("substitution", pins) as (history, progress):
                make = self._exchange_map if at == "exchange" else self._movement_maps
                made = make(history, self._relevant_columns()[:MOST_ROWS], progress)
                self._maps |= {(pins, kind): record for kind, record in made.items()}
        return self._maps[pins, at]

    def panel(
        self, pins: tuple[Pin, ...], costs: Mapping[str, float] | None, include: Sequence[str], seconds: float
    ) -> dict[str, Any]:
        """The smallest or, with costs, the cheapest panel."""
        with self._turn("panel", pins):

            def note_gap(stage: str, share: float | None, note: str = "") -> None:
                self._progress["note"] = note  # branch and bound cannot be left from within: the time limit ends it

            options: dict[str, Any] = {"include": include, "time_limit": seconds, "progress": note_gap}
            if costs is None:
                return panel_record(self._explorer.smallest_panel(**options))
            return panel_record(self._explorer.cheapest_panel(costs, **options))

    def compare(self, session: Explorer, first: str, second: str) -> dict[str, Any]:
        """Two scenarios of a session."""
        with self._turn("compare", session.pins):
            self._explorer.scenarios = dict(session.scenarios)
            return comparison_record(self._explorer.compare(first, second))

    def _relevant_columns(self) -> list[int]:
        """The columns of relevant features, those that reach farthest first."""
        reach = self.problem.analysis.ranges.relevances[:, 1]
        return sorted(np.flatnonzero(self.problem.analysis.classes > 0).tolist(), key=lambda column: -reach[column])

    def _movement_maps(self, history: PinHistory, columns: list[int], progress: Progress) -> dict[str, Any]:
        matrix = substitution(history.solver, columns, history.pins, progress)
        return {end: map_record(matrix.features, matrix.moves(end), end) for end in ENDS}

    def _exchange_map(self, history: PinHistory, columns: list[int], progress: Progress) -> dict[str, Any]:
        """The exchange of every pair (see `relspan.explore.substitute_groups`), similar features side by side."""
        found = groups(history.solver, history.current_family(), columns, progress=progress)
        order = leaves_list(found.tree) if len(found.tree) else np.arange(len(columns))
        names = [found.features[k] for k in order]
        return {"exchange": map_record(names, found.exchange[np.ix_(order, order)], "exchange")}

    @contextmanager
    def _turn(self, question: str, pins: tuple[Pin, ...]) -> Iterator[tuple[PinHistory, Progress]]:
        """The solver at some pins, and a progress callback that gives up when a newer question comes."""
        self._ticket += 1
        report = self._reporter(question, self._ticket)
        with self._lock:
            report(question, 0.0)
            history = history_of(self._explorer)
            history.set(pins)
            try:
                yield history, report
            finally:
                self._progress = {}

    def _reporter(self, question: str, ticket: int) -> Callable[..., None]:
        def report(stage: str, share: float | None, note: str = "") -> None:
            if ticket != self._ticket:
                raise Superseded(f"The question {question!r} was stopped, or a newer one was asked.")
            self._progress = {"question": question, "share": share, "note": note}

        return report
