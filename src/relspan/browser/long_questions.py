"""Questions that take seconds, on solvers of their own, so that pins stay quick.

Each kind of question has a lane: within a lane one question runs at a time and the newest wins; lanes do not wait for
one another. A question ends at its next report of progress once it is cancelled, superseded or abandoned.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list

from relspan.arrays import dense
from relspan.browser.as_json import (
    alternative_record,
    comparison_record,
    map_record,
    panel_record,
    sample_record,
    samples_record,
    score_record,
)
from relspan.browser.pasted_sample import read_sample
from relspan.errors import RelspanError
from relspan.explore import Explorer, Groups, Panel, Pin, Predictions
from relspan.explore.contributions import table_means
from relspan.explore.explorer import history_of
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.member_models import held_out_score
from relspan.explore.paths import delta_path, usual_deltas
from relspan.explore.pin_history import PinHistory
from relspan.explore.predictions import predictions
from relspan.explore.substitute_groups import groups
from relspan.explore.substitutes import alternatives, substitution
from relspan.progress import Progress
from relspan.show.findings import equally_good_line, used_by_all

MOST_ROWS = 60  # features of a map: those that reach farthest
ENDS = ("min", "max")
MAPS = ("exchange", *ENDS)
MOST_ON_THE_SLIDER = 100  # features whose intervals are computed at other budgets: those that reach farthest
LANES = ("panel", "map", "detail", "budgets", "samples")
ABANDONED: ContextVar[threading.Event | None] = ContextVar("ABANDONED", default=None)
"""Set by whoever asks for somebody else: an event that is set when nobody waits for the answer any more."""


def slider_parameter(problem: FittedProblem) -> str:
    """The budget that a person moves: how much worse the loss may be."""
    return "delta_norm" if problem.settings.loss_budget == "combined" else "delta_loss"


def slider_record(problem: FittedProblem) -> dict[str, Any]:
    """The budgets that can be chosen, what each means in words, and which one is in force."""
    along, settings = slider_parameter(problem), problem.settings
    values = usual_deltas(settings, along)
    own = settings.delta_norm if along == "delta_norm" else settings.loss_share
    words = [equally_good_line(problem.result, value) for value in values]
    return {"values": values, "words": words, "current": values.index(own) if own in values else None}


class Superseded(RelspanError):
    """The question was stopped, or a newer one was asked before it was answered."""


class Lane:
    """A solver of its own, and the one question that it works on."""

    def __init__(self, problem: FittedProblem) -> None:
        self._problem = problem
        self._explorer: Explorer | None = None
        self._lock, self._ticket = threading.Lock(), 0
        self.progress: dict[str, Any] = {}

    def cancel(self) -> None:
        """Stop the current question at its next report of progress."""
        self._ticket += 1

    @contextmanager
    def turn(self, pins: tuple[Pin, ...]) -> Iterator[tuple[Explorer, Progress]]:
        """The lane's explorer at some pins, and a progress callback that gives up when nobody wants the answer."""
        self._ticket += 1
        report = self._reporter(self._ticket, ABANDONED.get())
        with self._lock:
            report("", 0.0)
            if self._explorer is None:
                self._explorer = Explorer(self._problem)
            history_of(self._explorer).set(pins)
            try:
                yield self._explorer, report
            finally:
                self.progress = {}

    def _reporter(self, ticket: int, abandoned: threading.Event | None) -> Progress:
        def report(stage: str, share: float | None, note: str = "") -> None:
            if ticket != self._ticket or (abandoned is not None and abandoned.is_set()):
                raise Superseded("The question was stopped, or a newer one was asked.")
            self.progress = {"share": share, "note": note}

        return report


class LongQuestions:
    """Long questions about one problem. Pins come with each question; the session's own pins are never touched."""

    def __init__(self, problem: FittedProblem) -> None:
        self.problem = problem
        self.lanes = {name: Lane(problem) for name in LANES}
        self._budgets: dict[str, Any] | None = None
        self._panels: dict[tuple[Pin, ...], list[Panel]] = {}
        self._predictions: dict[tuple[Pin, ...], Predictions] = {}
        self._maps: dict[tuple[tuple[Pin, ...], str], dict[str, Any]] = {}

    def cancel(self, lane: str | None = None) -> None:
        """Stop the questions of one lane, or all."""
        for name in LANES if lane is None else (lane,):
            self.lanes[name].cancel()

    def alternatives(self, pins: tuple[Pin, ...], feature: str) -> dict[str, Any]:
        """The relevant features that could take the place of this one, whatever it is pinned to itself."""
        others = tuple(pin for pin in pins if pin.feature != feature)
        with self.lanes["detail"].turn(others) as (explorer, progress):
            history, own = history_of(explorer), self.problem.column(feature)
            columns = [c for c in self._relevant_columns() if c != own][:MOST_ROWS]
            found = alternatives(history.solver, history.current_family(progress), feature, columns, progress)
            return {"feature": feature, "alternatives": [alternative_record(other) for other in found]}

    def substitution(self, pins: tuple[Pin, ...], at: str) -> dict[str, Any]:
        """A map between the relevant features: the exchange of every pair, or who moves when one is at an end."""
        if (pins, at) not in self._maps:
            with self.lanes["map"].turn(pins) as (explorer, progress):
                make = self._exchange_map if at == "exchange" else self._movement_maps
                made = make(history_of(explorer), self._relevant_columns()[:MOST_ROWS], progress)
                self._maps |= {(pins, kind): record for kind, record in made.items()}
        return self._maps[pins, at]

    def panel(
        self, pins: tuple[Pin, ...], costs: Mapping[str, float] | None, include: Sequence[str], seconds: float
    ) -> dict[str, Any]:
        """The smallest or, with costs, the cheapest panel."""
        with self.lanes["panel"].turn(pins) as (explorer, progress):
            options: dict[str, Any] = {"include": include, "time_limit": seconds, "progress": progress}
            found = explorer.smallest_panel(**options) if costs is None else explorer.cheapest_panel(costs, **options)
            kept = self._panels.setdefault(pins, [])
            self._panels[pins] = [*(one for one in kept if one.features != found.features), found]
            score = held_out_score(self.problem, found.features)
            return {**panel_record(found), "score": score_record(score)}

    def panels_found(self, pins: tuple[Pin, ...]) -> list[Panel]:
        """The panels that were found under these pins so far."""
        return list(self._panels.get(pins, ()))

    def substitute_groups(self, pins: tuple[Pin, ...]) -> Groups | None:
        """Groups of relevant features that replace one another; None where no feature is relevant."""
        columns = self._relevant_columns()[:MOST_ROWS]
        if not columns:
            return None
        with self.lanes["map"].turn(pins) as (explorer, progress):
            history = history_of(explorer)
            return groups(history.solver, history.current_family(progress), columns, progress=progress)

    def budgets(self) -> dict[str, Any]:
        """Intervals at other budgets, without pins, and which features every model uses there."""
        if self._budgets is None:
            with self.lanes["budgets"].turn(()) as (_, progress):
                reach, floor = self.problem.analysis.ranges.relevances[:, 1], self.problem.weight_floor
                columns = np.sort(np.argsort(-reach, kind="stable")[:MOST_ON_THE_SLIDER]).tolist()
                along = slider_parameter(self.problem)
                path = delta_path(self.problem, usual_deltas(self.problem.settings, along), along, progress, columns)
                needed = [[name for name, ends in step.intervals.items() if ends[0] > floor] for step in path.steps]
                self._budgets = {
                    "steps": [{name: list(ends) for name, ends in step.intervals.items()} for step in path.steps],
                    "sentences": [used_by_all(names) for names in needed],
                }
        return self._budgets

    def samples(self, pins: tuple[Pin, ...]) -> dict[str, Any]:
        """The score interval of every training sample under the pins; under pins also what they change."""
        with self.lanes["samples"].turn(pins) as (explorer, progress):
            history, Z = history_of(explorer), dense(self.problem.X)
            for wanted in dict.fromkeys(((), pins)):
                if wanted not in self._predictions:
                    family = history.family_under(wanted, progress)
                    self._predictions[wanted] = predictions(history.solver, family, Z, progress)
        before = self._predictions[()] if pins else None
        return samples_record(self.problem, self._predictions[pins], before)

    def sample(self, pins: tuple[Pin, ...], index: int | None, text: str) -> dict[str, Any]:
        """What the features contribute to the score of one sample: a training sample, or one as it was typed."""
        with self.lanes["detail"].turn(pins) as (explorer, _):
            if index is not None:
                return sample_record(explorer.contributions(index), bool(pins), [])
            values, absent = read_sample(self.problem, text, table_means(self.problem))
            return sample_record(explorer.contributions(values[None]), bool(pins), absent)

    def compare(self, session: Explorer, first: str, second: str) -> dict[str, Any]:
        """Two scenarios of a session."""
        with self.lanes["detail"].turn(session.pins) as (explorer, _):
            explorer.scenarios = dict(session.scenarios)
            return comparison_record(explorer.compare(first, second))

    def _relevant_columns(self) -> list[int]:
        """The columns of relevant features, those that reach farthest first."""
        reach = self.problem.analysis.ranges.relevances[:, 1]
        return sorted(np.flatnonzero(self.problem.analysis.classes > 0).tolist(), key=lambda column: -reach[column])

    def _movement_maps(self, history: PinHistory, columns: list[int], progress: Progress) -> dict[str, Any]:
        matrix = substitution(history.solver, columns, history.pins, progress)
        return {end: map_record(matrix.features, matrix.moves(end), end) for end in ENDS}

    def _exchange_map(self, history: PinHistory, columns: list[int], progress: Progress) -> dict[str, Any]:
        """The exchange of every pair (see `relspan.explore.substitute_groups`), similar features side by side."""
        found = groups(history.solver, history.current_family(progress), columns, progress=progress)
        order = leaves_list(found.tree) if len(found.tree) else np.arange(len(columns))
        names = [found.features[k] for k in order]
        return {"exchange": map_record(names, found.exchange[np.ix_(order, order)], "exchange")}
