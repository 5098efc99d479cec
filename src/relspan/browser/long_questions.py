"""Questions that take seconds, on solvers of their own, so that pins stay quick.

Each kind of question has a lane: within a lane one question runs at a time and the newest wins; lanes do not wait for
one another. A question ends at its next report of progress once it is cancelled, superseded or abandoned.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list

from relspan.arrays import dense
from relspan.browser.as_json import (
    alternative_record,
    comparison_record,
    exchange_record,
    map_record,
    panel_record,
    sample_record,
    samples_record,
    score_record,
    stability_record,
)
from relspan.browser.further_questions import ask_question
from relspan.browser.pasted_sample import read_sample
from relspan.errors import RelspanError
from relspan.explore import Explorer, Groups, Panel, Pin, Predictions
from relspan.explore.contributions import means_with_covariates
from relspan.explore.explorer import history_of
from relspan.explore.fitted_problem import FittedProblem, WholeFeature
from relspan.explore.member_models import held_out_score
from relspan.explore.paths import delta_path, usual_deltas
from relspan.explore.pin_history import PinHistory
from relspan.explore.predictions import predictions
from relspan.explore.substitute_groups import groups
from relspan.explore.substitutes import alternatives, substitution
from relspan.progress import Progress
from relspan.result.category_features import fold_categories
from relspan.show.explorer_account import classes_sentence, panel_sentences, panels_sentence, score_sentence
from relspan.show.findings import equally_good_line, used_by_all

MOST_ROWS = 60  # features of a map: those that reach farthest
ENDS = ("min", "max")
MAPS = ("exchange", *ENDS)
MOST_JUDGED_ON_THE_SLIDER = 200  # features up to which all are computed and judged again at other budgets
MOST_ON_THE_SLIDER = 100  # of a larger table: those that reach farthest
LANES = ("panel", "map", "detail", "budgets", "samples", "stability", "question")
MOST_PANELS = 10  # that one search lists
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
        self._stability: dict[int, dict[str, Any]] = {}
        self._panels: dict[tuple[Pin, ...], list[Panel]] = {}
        self._predictions: dict[tuple[Pin, ...] | str, Predictions] = {}  # by pins, or by what is not measured
        self._maps: dict[tuple[tuple[Pin, ...], str], dict[str, Any]] = {}

    def cancel(self, lane: str | None = None) -> None:
        """Stop the questions of one lane, or all."""
        for name in LANES if lane is None else (lane,):
            self.lanes[name].cancel()

    def alternatives(self, pins: tuple[Pin, ...], feature: str) -> dict[str, Any]:
        """The relevant features that could take the place of this one, whatever it is pinned to itself."""
        members = self.problem.members(feature)
        others = tuple(pin for pin in pins if pin.feature not in members)
        with self.lanes["detail"].turn(others) as (explorer, progress):
            history, own = history_of(explorer), self.problem.feature(feature)
            rest = [other for other in self._relevant_features() if not set(other.columns) & set(own.columns)]
            found = alternatives(history.solver, history.current_family(progress), own, rest[:MOST_ROWS], progress)
            return {"feature": feature, "alternatives": [alternative_record(other) for other in found]}

    def substitution(self, pins: tuple[Pin, ...], at: str) -> dict[str, Any]:
        """A map between the relevant features: the exchange of every pair, or who moves when one is at an end."""
        if (pins, at) not in self._maps:
            with self.lanes["map"].turn(pins) as (explorer, progress):
                make = self._exchange_map if at == "exchange" else self._movement_maps
                made = make(history_of(explorer), self._relevant_features()[:MOST_ROWS], progress)
                self._maps |= {(pins, kind): record for kind, record in made.items()}
        return self._maps[pins, at]

    def panel(
        self,
        pins: tuple[Pin, ...],
        costs: Mapping[str, float] | None,
        include: Sequence[str],
        seconds: float,
        price_limit: float | None = None,
        priced: Collection[str] = (),
    ) -> dict[str, Any]:
        """The smallest or, with costs, the cheapest panel; `priced` are the features whose cost somebody entered."""
        with self.lanes["panel"].turn(pins) as (explorer, progress):
            options: dict[str, Any] = {"include": include, "time_limit": seconds, "progress": progress}
            found = explorer.smallest_panel(**options) if costs is None else explorer.cheapest_panel(costs, **options)
            return {
                **self._described(pins, found),
                "sentences": panel_sentences(
                    found, costs is not None, price_limit, [name for name in found.features if name not in priced]
                ),
            }

    def panels(
        self, pins: tuple[Pin, ...], costs: Mapping[str, float] | None, include: Sequence[str], seconds: float
    ) -> dict[str, Any]:
        """Panels of which no feature can be left out, each with its held-out score."""
        with self.lanes["panel"].turn(pins) as (explorer, progress):
            found = explorer.minimal_panels(
                MOST_PANELS, costs=costs, include=include, time_limit=seconds, progress=progress
            )
            complete = bool(found) and found[-1].proven and found[-1].seconds < seconds
            records = []
            for number, panel in enumerate(found):
                progress("panel", None, f"scoring panel {number + 1} of {len(found)}")
                records.append(self._described(pins, panel))
            return {"panels": records, "sentence": panels_sentence(found, MOST_PANELS, complete)}

    def _described(self, pins: tuple[Pin, ...], panel: Panel) -> dict[str, Any]:
        """A panel with its held-out score; it is kept for the page to share."""
        kept = self._panels.setdefault(pins, [])
        self._panels[pins] = [*(one for one in kept if one.features != panel.features), panel]
        score = score_record(held_out_score(self.problem, panel.features), self.problem.result)
        return {**panel_record(panel), "score": score, "score_sentence": score_sentence(score)}

    def panels_found(self, pins: tuple[Pin, ...]) -> list[Panel]:
        """The panels that were found under these pins so far."""
        return list(self._panels.get(pins, ()))

    def substitute_groups(self, pins: tuple[Pin, ...]) -> Groups | None:
        """Groups of relevant features that replace one another; None where no feature is relevant."""
        features = self._relevant_features()[:MOST_ROWS]
        if not features:
            return None
        with self.lanes["map"].turn(pins) as (explorer, progress):
            history = history_of(explorer)
            return groups(history.solver, history.current_family(progress), features, progress=progress)

    def budgets(self) -> dict[str, Any]:
        """Intervals and classes at other budgets, without pins, and which features every model uses there.

        Classes are those of the analysis where the table has too many features to judge all of them at every budget.
        """
        if self._budgets is None:
            with self.lanes["budgets"].turn(()) as (_, progress):
                reach, floor = self.problem.analysis.ranges.relevances[:, 1], self.problem.weight_floor
                few = len(reach) <= MOST_JUDGED_ON_THE_SLIDER
                columns = None if few else np.sort(np.argsort(-reach, kind="stable")[:MOST_ON_THE_SLIDER]).tolist()
                along = slider_parameter(self.problem)
                values = usual_deltas(self.problem.settings, along)
                path = delta_path(self.problem, values, along, progress, columns, classes=few)
                own = {f.name: f.relevance for f in fold_categories(self.problem.result).features}
                steps = [{name: list(ends) for name, ends in step.intervals.items()} for step in path.steps]
                needed = [[name for name in own if name in step and step[name][0] > floor] for step in steps]
                classes = [_shown_classes(self.problem, step.classes) for step in path.steps]
                self._budgets = {
                    "steps": steps,
                    "classes": classes,
                    "sentences": [
                        f"{used_by_all(names)} {budget_classes_line(found, own)}"
                        for names, found in zip(needed, classes, strict=True)
                    ],
                }
        return self._budgets

    def stability(self, n_draws: int) -> dict[str, Any]:
        """Whiskers and class frequencies over draws of the samples, without pins."""
        if n_draws not in self._stability:
            with self.lanes["stability"].turn(()) as (explorer, progress):
                found = explorer.stability(n_draws, progress=progress)
                self._stability[n_draws] = stability_record(found)
        return self._stability[n_draws]

    def question(
        self, pins: tuple[Pin, ...], key: Any, names: Sequence[str], typed: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A further question; see `further_questions`."""
        with self.lanes["question"].turn(pins) as (explorer, progress):
            return ask_question(explorer, key, names, typed, progress)

    def samples(self, pins: tuple[Pin, ...], unmeasured: str | None = None) -> dict[str, Any]:
        """The score interval of every training sample under the pins, or where a feature is not measured at all.

        With either also what changes.
        """
        asked: tuple[Pin, ...] | str = pins if unmeasured is None else unmeasured
        with self.lanes["samples"].turn(pins) as (explorer, progress):
            history, Z = history_of(explorer), dense(self.problem.samples)
            for wanted in dict.fromkeys(((), asked)):
                if wanted in self._predictions:
                    continue
                if isinstance(wanted, str):
                    self._predictions[wanted] = explorer.predictions(unmeasured=[wanted], progress=progress)
                else:
                    family = history.family_under(wanted, progress)
                    self._predictions[wanted] = predictions(history.solver, family, Z, progress)
        before = self._predictions[()] if asked else None
        return samples_record(self.problem, self._predictions[asked], before, unmeasured)

    def sample(self, pins: tuple[Pin, ...], index: int | None, text: str) -> dict[str, Any]:
        """What the features contribute to the score of one sample: a training sample, or one as it was typed."""
        with self.lanes["detail"].turn(pins) as (explorer, _):
            if index is not None:
                return sample_record(explorer.contributions(index), bool(pins), [])
            values, absent = read_sample(self.problem, text, means_with_covariates(self.problem))
            return sample_record(explorer.contributions(values[None]), bool(pins), absent)

    def compare(self, session: Explorer, first: str, second: str) -> dict[str, Any]:
        """Two scenarios of a session."""
        with self.lanes["detail"].turn(session.pins) as (explorer, _):
            explorer.scenarios = dict(session.scenarios)
            return comparison_record(explorer.compare(first, second))

    def _relevant_features(self) -> list[WholeFeature]:
        """The relevant features, those that reach farthest first; a category is one."""
        reach = self.problem.analysis.ranges.relevances[:, 1]
        return sorted(self.problem.relevant_features, key=lambda feature: -reach[list(feature.columns)].max())

    def _movement_maps(self, history: PinHistory, features: list[WholeFeature], progress: Progress) -> dict[str, Any]:
        matrix = substitution(history.solver, features, history.pins, progress)
        return {end: map_record(matrix.features, matrix.moves(end), end) for end in ENDS}

    def _exchange_map(self, history: PinHistory, features: list[WholeFeature], progress: Progress) -> dict[str, Any]:
        """The exchange of every pair (see `relspan.explore.substitute_groups`), similar features side by side."""
        found = groups(history.solver, history.current_family(progress), features, progress=progress)
        order = leaves_list(found.tree) if len(found.tree) else np.arange(len(features))
        names = [found.features[k] for k in order]
        return {"exchange": exchange_record(found, names, found.exchange[np.ix_(order, order)])}


def _shown_classes(problem: FittedProblem, found: Mapping[str, str]) -> dict[str, str] | None:
    """The classes as the page shows them: a level has that of its category; None where they were not asked for."""
    if not found:
        return None
    home = {level: group.name for group in problem.result.groups if group.category for level in group.members}
    return {name: found[home.get(name, name)] for name in found}


def budget_classes_line(found: Mapping[str, str] | None, own: Mapping[str, str]) -> str:
    """What the classes at another budget are, in words."""
    if found is None:
        return (
            f"Classes are those of the analysis, and only the {MOST_ON_THE_SLIDER} features that reach farthest are "
            "shown at this budget: to judge all of them again would repeat the analysis at every budget."
        )
    return classes_sentence({name: found[name] for name in own}, own)
