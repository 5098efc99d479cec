"""Live intervals under pins: at once from models that are known, then exact, a few columns at a time.

A question is a set of pins. Its *answer* starts with inner bounds (see `relspan.explore.inner_bounds`) or, where no
known model helps, with the intervals without pins, which pins can only narrow. One thread then solves the columns
exactly, those in sight first, and drops a question when a newer one comes. Every model it finds is kept, so that the
inner bounds of the next question are nearer to the truth.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.browser.as_json import budget_record, model_record, score_record
from relspan.browser.category_rows import exact_categories, has_categories
from relspan.browser.revision import Revision
from relspan.errors import RelspanError
from relspan.explore import Explorer, Pin
from relspan.explore.explorer import history_of
from relspan.explore.inner_bounds import inner_bounds
from relspan.explore.member_models import budget_use, held_out_score, model_of
from relspan.explore.pin_effects import pin_effect
from relspan.explore.pinned_family import PinnedFamily

OUTER, INNER, EXACT = 0, 1, 2
STATUS_NAMES = ("outer", "inner", "exact")
STEP_SECONDS = 0.06  # that one step should take, so that newer questions wait no longer
FIRST_STEP, SHORTEST_STEP, LONGEST_STEP = 4, 2, 64  # columns per step
MOST_KEPT_ANSWERS = 64
MOST_BASE_MODELS, MOST_RECENT_MODELS = 120, 120
MOST_ALLOWED = 24  # pinned features for which it is computed what the other pins leave them
MOST_FIRST_BOUNDS = 48  # columns whose inner bounds are computed before the first answer
QUIET_SECONDS = 0.5  # between two news about columns that are out of sight
SECONDS_TO_END = 5.0  # that closing waits for the step in progress
SECONDS_BEFORE_SCORE = 0.3  # without a newer question, until the held-out score is computed

log = logging.getLogger("relspan.browser")


class Outdated(RelspanError):
    """A newer question was asked before this one was answered."""


@dataclass(eq=False)
class Answer:
    """What is known of one set of pins, by the solver's columns.

    `status` is OUTER, INNER or EXACT for each column. `allowed` holds, for each pinned feature, the interval that the
    other pins leave it. `best` describes the best model under the pins, with its score once that is known. `categories`
    are the intervals of categories, once they are solved.
    """

    pins: tuple[Pin, ...]
    relevances: Floats
    signed: Floats
    gaps: Floats
    status: np.ndarray
    allowed: dict[str, tuple[float, float]] = field(default_factory=dict)
    best: dict[str, Any] | None = None
    categories: dict[str, list[Any]] | None = None

    @property
    def pending(self) -> int:
        """How many columns are not exact yet."""
        return int((self.status < EXACT).sum())

    @property
    def finished(self) -> bool:
        """Whether nothing is left to compute."""
        return not self.pending and self.best is not None and "score" in self.best


class LiveIntervals:
    """The answers to the sets of pins that one explorer is asked about."""

    def __init__(self, explorer: Explorer, revision: Revision | None = None) -> None:
        self.explorer, self._history = explorer, history_of(explorer)
        self.problem = self._history.problem
        self.revision = revision or Revision()
        self._lock, self._visitors = threading.RLock(), 0
        self._answers: dict[tuple[Pin, ...], Answer] = {}
        self._by_reach = np.argsort(-self.problem.analysis.ranges.relevances[:, 1], kind="stable").tolist()
        self._base_models = self._extreme_models()
        self._recent_models = self._base_models[:0]
        self._changed = threading.Condition()
        self._target: tuple[Answer, list[int]] | None = None
        self._idle_work: list[tuple[Pin, ...]] = []
        self._in_sight: frozenset[int] = frozenset()
        self._last_news = 0.0  # when whoever follows last heard of something new
        self._busy = self._closed = False
        self._thread = threading.Thread(target=self._run, name="relspan-live", daemon=True)
        self._thread.start()

    @contextmanager
    def solver(self) -> Iterator[Explorer]:
        """The explorer, for a question that cannot wait: the thread steps aside until it is answered."""
        with self._changed:
            self._visitors += 1
        try:
            with self._lock:
                yield self.explorer
        finally:
            with self._changed:
                self._visitors -= 1
                self._changed.notify_all()

    def mark_changed(self, answer: Answer | None = None, columns: Sequence[int] | None = None) -> None:
        """Something new is known; if it is about the pins in force, whoever follows looks again.

        News about columns that nobody sees wait a little, since every look costs as much as some programs.
        """
        with self._changed:
            self._changed.notify_all()
        hidden = columns is not None and self._in_sight.isdisjoint(columns)
        if hidden and perf_counter() - self._last_news < QUIET_SECONDS:
            return
        if answer is None or answer.pins == self.explorer.pins:
            self._last_news = perf_counter()
            self.revision.grow()

    def wait_for(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until a condition on the answers holds, or the time is over; whether it holds."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or condition(), seconds)
            return condition()

    def wait_until_idle(self, seconds: float) -> bool:
        """Wait until every question is answered and all work in advance is done; whether it is."""
        return self.wait_for(lambda: not (self._busy or self._target or self._idle_work), seconds)

    def rest(self) -> None:
        """Drop all questions; the next one starts anew."""
        with self._changed:
            self._target, self._idle_work = None, []
            self._changed.notify_all()

    def close(self) -> None:
        """End the thread, and wait for its step: a process that ends inside a program of the solver is aborted."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(SECONDS_TO_END)

    # -- questions ----------------------------------------------------------------------------------------------------

    def answer(self, pins: tuple[Pin, ...], first: Sequence[int] = ()) -> Answer:
        """What is known of these pins now; the thread goes on with them, the columns `first` before the others."""
        found = self._answers.get(pins) or self._keep(self.first_answer(pins, first))
        with self._changed:
            if not found.finished:
                self._target = (found, self._order(found, first))
                self._in_sight = frozenset(first)
            self._changed.notify_all()
        return found

    def solve_in_advance(self, pins: Sequence[tuple[Pin, ...]]) -> None:
        """Solve sets of pins while nothing else is asked: what the person who drags a handle may want next."""
        with self._changed:
            self._idle_work = [wanted for wanted in pins if wanted not in self._answers]
            self._changed.notify_all()

    def first_answer(self, pins: tuple[Pin, ...], first: Sequence[int] = ()) -> Answer:
        """A new answer: inner bounds of the columns in sight and of those that reach far, outer ones of the rest."""
        analysis, mu = self.problem.analysis, self.problem.mu
        relevances = analysis.ranges.relevances / mu
        signed = np.column_stack([analysis.ranges.lo, analysis.ranges.hi]) / mu
        gaps, status = analysis.ranges.gaps / mu, np.full(len(relevances), OUTER if pins else EXACT, dtype=np.int8)
        found = Answer(pins, relevances, signed, gaps, status)
        if pins:
            near = self._order(found, first)[:MOST_FIRST_BOUNDS]
            inner = inner_bounds(self.problem, self._known_models(), pins[-1], pins[:-1], near)
            if inner is not None:
                found.relevances[near], found.status[near] = inner, INNER
            left_out = self.problem.columns_of(pin.feature for pin in pins if pin.high == 0)
            for known in (found.relevances, found.signed, found.gaps):
                known[left_out] = 0.0  # the pin itself is the proof
            found.status[left_out] = EXACT
        return found

    def _keep(self, answer: Answer) -> Answer:
        with self._changed:
            kept = self._answers.setdefault(answer.pins, answer)
            while len(self._answers) > MOST_KEPT_ANSWERS:
                self._answers.pop(next(iter(self._answers)))
        return kept

    def _order(self, answer: Answer, first: Sequence[int]) -> list[int]:
        """Pinned columns, those in sight, then the others by how far they reach."""
        pinned = self.problem.columns_of(pin.feature for pin in answer.pins if pin.high > 0)
        return list(dict.fromkeys([*pinned, *first, *self._by_reach]))

    def _known_models(self) -> Floats:
        return np.vstack([self._base_models, self._recent_models])

    def _extreme_models(self) -> Floats:
        found = self.problem.analysis
        farthest = np.array(self._by_reach[: MOST_BASE_MODELS // 2], dtype=int)
        rows = np.sort(np.concatenate([2 * farthest, 2 * farthest + 1]))
        return np.vstack([found.baseline.model[None], found.ranges.extremes.models_of(rows)])

    # -- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._closed or self._target or self._idle_work)
                if self._closed:
                    return
                self._busy = True
                target = self._target
                advance = None if target else self._idle_work.pop(0)
            try:
                if target:
                    self._solve(*target)
                elif advance:
                    self._solve_one_step(advance)
            except Outdated:
                pass
            except RelspanError as error:  # pins that cannot be satisfied are explained when they are set
                log.debug("no answer: %s", error)
                self._drop(target and target[0])
            except Exception:
                log.exception("the thread that solves intervals met an error and goes on")
                self._drop(target and target[0])

    def _drop(self, answer: Answer | None) -> None:
        """Nothing more is to be done about an answer; a newer question stays."""
        with self._changed:
            if self._target is not None and self._target[0] is answer:
                self._target = None

    def _is_outdated(self, answer: Answer) -> bool:
        target = self._target
        return self._closed or target is None or target[0] is not answer

    def _solve(self, answer: Answer, order: list[int]) -> None:
        """Everything about the answer, unless a newer question comes."""
        size, last = FIRST_STEP, None
        todo = [j for j in order if answer.status[j] < EXACT]
        if answer.pins and not answer.allowed:
            self._find_allowed(answer, order)
        while todo:
            if self._is_outdated(answer):
                return
            chunk, todo = todo[:size], todo[size:]
            begun = perf_counter()
            last = self._solve_columns(answer, chunk)
            pace = STEP_SECONDS / max(perf_counter() - begun, 1e-4)
            size = max(SHORTEST_STEP, min(LONGEST_STEP, round(size * pace)))
        if last is not None:
            self.mark_changed(answer)  # the last news may have waited
        if answer.pins and answer.categories is None and has_categories(self.problem):
            self._solve_categories(answer)
        self._describe_best(answer, last)

    def _solve_categories(self, answer: Answer) -> None:
        """The total of every category, after its levels."""

        def report(stage: str, share: float | None, note: str = "") -> None:
            if self._is_outdated(answer):
                raise Outdated("a newer question was asked")

        self._step_aside()
        with self._lock:
            answer.categories = exact_categories(self.problem, self._history.family_under(answer.pins, report))
        self.mark_changed(answer)

    def _solve_one_step(self, pins: tuple[Pin, ...]) -> None:
        """The first columns of a set of pins that nobody has asked about yet: their models serve the next bounds."""
        answer = self._answers.get(pins) or self._keep(self.first_answer(pins))
        todo = [j for j in self._order(answer, ()) if answer.status[j] < EXACT]
        if todo and self._target is None:
            self._solve_columns(answer, todo[:FIRST_STEP])

    def _solve_columns(self, answer: Answer, columns: list[int]) -> PinnedFamily:
        """Make some columns of the answer exact, and keep the models found on the way."""
        self._step_aside()
        with self._lock:
            found = self._history.solver.family_under(answer.pins, columns=columns)
        mu = self.problem.mu
        answer.relevances[columns] = found.relevances / mu
        answer.signed[columns] = found.signed / mu
        answer.gaps[columns] = found.gaps / mu
        answer.status[columns] = EXACT
        models = [branch.ranges.extremes.models_of(slice(None)) for branch in found.branches]
        self._recent_models = np.vstack([self._recent_models, *models])[-MOST_RECENT_MODELS:]
        self.mark_changed(answer, columns)
        return found

    def _find_allowed(self, answer: Answer, order: list[int]) -> None:
        """For every pinned feature, the interval that the other pins leave it; of many pins for those in sight."""
        place = {self.problem.columns[j]: at for at, j in enumerate(order)}
        for pin in sorted(answer.pins, key=lambda pin: place.get(pin.feature, len(place)))[:MOST_ALLOWED]:
            self._step_aside()
            with self._lock:
                found = self._history.solver.relevance(pin.feature, [p for p in answer.pins if p is not pin])
            if found:
                answer.allowed[pin.feature] = (min(low for low, _ in found), max(high for _, high in found))
        self.mark_changed(answer)

    def _describe_best(self, answer: Answer, last: PinnedFamily | None) -> None:
        """The best model under the pins and the budget they use; after a pause its held-out score."""
        if answer.best is None:
            with self._lock:
                solver = self._history.solver
                pinned = last or solver.family_under(answer.pins, columns=[0])
                model = model_of(self.problem, pinned.best.best)
                used = budget_use(solver, pinned)
            answer.best = {**budget_record(used), "model": model_record(model), "features": list(model.features)}
            self.mark_changed(answer)
        if "score" not in answer.best:
            with self._changed:
                self._changed.wait_for(lambda: self._is_outdated(answer), SECONDS_BEFORE_SCORE)
            if self._is_outdated(answer):
                return
            score = held_out_score(self.problem, tuple(answer.best["features"]))
            answer.best = {**answer.best, "score": score_record(score, self.problem.result)}
            self.mark_changed(answer)
        self._drop(answer)

    def _step_aside(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._visitors)

    # -- as JSON ------------------------------------------------------------------------------------------------------

    def rows(self, answer: Answer) -> list[list[Any] | None]:
        """[min, max, lo, hi, outcome, status] of every feature of the table.

        The outcome is what the pins do to the feature; None without pins, and as long as its interval is not exact. A
        row is None as long as nothing is known but the interval without pins: thousands of them come with every look.
        """
        problem, exact = self.problem, STATUS_NAMES[EXACT]
        features = problem.result.features
        if not answer.pins:
            return [[f.min, f.max, f.lo, f.hi, None, exact] for f in features]
        own, status = {pin.feature: pin for pin in answer.pins}, np.full(len(problem.names), EXACT)
        status[problem.varies] = answer.status
        known = problem.for_all_features(np.column_stack([answer.relevances, answer.signed, answer.gaps]))
        rows: list[list[Any] | None] = [None] * len(features)
        for k in np.flatnonzero(status > OUTER).tolist():
            f, at = features[k], status[k]
            least, most, lo, hi, *gaps = known[k].tolist()
            effect = pin_effect(f, least, most, (gaps[0], gaps[1]), own.get(f.name), problem.weight_floor)
            rows[k] = [least, most, lo, hi, effect.outcome if at == EXACT else None, STATUS_NAMES[at]]
        return rows
