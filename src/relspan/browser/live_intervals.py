"""Intervals under pins, live: at once from models that are known, then exact, a few columns at a time.

A question is a set of pins. Its *answer* starts with inner bounds (see `relspan.explore.inner_bounds`) or, where no
known model helps, with the intervals without pins, which pins can only narrow. One thread then solves the columns
exactly, those in sight first, and drops a question when a newer one
comes. Every model it finds is kept: the next preview is nearer.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from relspan.analysis.classes import NAMES, classify
from relspan.arrays import Floats
from relspan.browser.as_json import told_model, told_score, told_usage
from relspan.errors import RelspanError
from relspan.explore.explorer import Explorer, history_of
from relspan.explore.inner_bounds import inner_bounds
from relspan.explore.member_models import budget_use, held_out_score, model_of
from relspan.explore.pinned_family import PinnedFamily
from relspan.explore.pins import Pin

STATUS = ("outer", "inner", "exact")
STEP = 0.06  # seconds that a step should take, so that newer questions wait no longer
KEPT_ANSWERS = 64
BASE_MODELS, RECENT_MODELS = 120, 120
PREVIEWED = 48  # columns whose inner bounds are worth computing at once
REST = 0.3  # seconds without a question until scores are computed

log = logging.getLogger("relspan.browser")


@dataclass(eq=False)
class Answer:
    """What is known of one set of pins, by the solver's columns."""

    pins: tuple[Pin, ...]
    relevances: Floats
    signed: Floats
    status: np.ndarray
    room: dict[str, tuple[float, float]] = field(default_factory=dict)
    price: dict[str, Any] | None = None

    @property
    def pending(self) -> int:
        return int((self.status < 2).sum())


class LiveIntervals:
    """The answers of one explorer. `lock` guards the solver: whoever asks the explorer must hold it."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer, self._history = explorer, history_of(explorer)
        self.problem = self._history.problem
        self.revision = 0
        self._lock, self._visitors = threading.RLock(), 0
        self._answers: dict[tuple[Pin, ...], Answer] = {}
        self._base = self._base_models()
        self._recent = self._base[:0]
        self._wake = threading.Condition()
        self._target: tuple[Answer, list[int]] | None = None
        self._spare: list[tuple[Pin, ...]] = []
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="relspan-live", daemon=True)
        self._thread.start()

    @contextmanager
    def solver(self) -> Iterator[Explorer]:
        """The explorer, for a question that cannot wait; the thread steps aside."""
        with self._wake:
            self._visitors += 1
        try:
            with self._lock:
                yield self.explorer
        finally:
            with self._wake:
                self._visitors -= 1
                self._wake.notify_all()

    def touch(self) -> None:
        """Something is new for whoever follows."""
        with self._wake:
            self.revision += 1

    def close(self) -> None:
        """End the thread."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()

    # -- questions -------------------------------------------------------------------------------------------------

    def answer(self, pins: tuple[Pin, ...], first: Sequence[int] = ()) -> Answer:
        """What is known of these pins now; the thread goes on with them, those columns first."""
        found = self._answer(pins, first)
        with self._wake:
            if found.pending or found.price is None or "score" not in found.price:
                self._target = (found, self._order(found, first))
            self._wake.notify_all()
        return found

    def grid(self, pins: Sequence[tuple[Pin, ...]]) -> None:
        """Sets of pins to be solved while nothing else is asked: what a hand on a handle may want next."""
        with self._wake:
            self._spare = [asked for asked in pins if asked not in self._answers]
            self._wake.notify_all()

    def known_models(self) -> Floats:
        """Models of the family: extreme ones, and the latest found."""
        return np.vstack([self._base, self._recent])

    def _answer(self, pins: tuple[Pin, ...], first: Sequence[int] = ()) -> Answer:
        found = self._answers.get(pins)
        if found is None:
            begun = self._begun(pins, first)
            with self._wake:
                found = self._answers.setdefault(pins, begun)
                while len(self._answers) > KEPT_ANSWERS:
                    self._answers.pop(next(iter(self._answers)))
        return found

    def _begun(self, pins: tuple[Pin, ...], first: Sequence[int] = ()) -> Answer:
        """A new answer: inner bounds of the columns in sight and of those that reach far, outer ones of the rest."""
        analysis, mu = self.problem.analysis, self.problem.mu
        relevances = analysis.ranges.relevances / mu
        signed = np.column_stack([analysis.ranges.lo, analysis.ranges.hi]) / mu
        found = Answer(pins, relevances, signed, np.full(len(relevances), 0 if pins else 2, dtype=np.int8))
        if pins:
            near = self._order(found, first)[:PREVIEWED]
            inner = inner_bounds(self.problem, self.known_models(), pins[-1], pins[:-1], near)
            if inner is not None:
                found.relevances[near], found.status[near] = inner, 1
        return found

    def _order(self, answer: Answer, first: Sequence[int]) -> list[int]:
        """Pinned columns, those in sight, then the others by how far they reach."""
        pinned = [j for j in (self.problem.column(pin.feature) for pin in answer.pins) if j is not None]
        reach = np.argsort(-self.problem.analysis.ranges.relevances[:, 1], kind="stable").tolist()
        return list(dict.fromkeys([*pinned, *first, *reach]))

    def _base_models(self) -> Floats:
        found = self.problem.analysis
        relevant = np.argsort(-found.ranges.relevances[:, 1], kind="stable")[: BASE_MODELS // 2]
        rows = np.sort(np.concatenate([2 * relevant, 2 * relevant + 1]))
        return np.vstack([found.baseline.model[None], found.ranges.extremes.models_of(rows)])

    # -- the thread ------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._wake:
                while not (self._closed or self._target or self._spare):
                    self._wake.wait()
                if self._closed:
                    return
                target = self._target
                spare = None if target else self._spare.pop(0)
            try:
                if target:
                    self._solve(*target)
                elif spare:
                    answer = self._answer(spare)
                    self._solve(answer, self._order(answer, ()), steps=1)
            except RelspanError as error:  # infeasible wishes are told when they are settled
                log.debug("no answer: %s", error)
                self._done(target)
            except Exception:
                log.exception("the live thread stumbled")
                self._done(target)

    def _done(self, target: tuple[Answer, list[int]] | None) -> None:
        with self._wake:
            if self._target is target:
                self._target = None

    def _stale(self, answer: Answer, spare: bool) -> bool:
        target = self._target
        return self._closed or (target is not None if spare else target is None or target[0] is not answer)

    def _solve(self, answer: Answer, order: list[int], steps: int | None = None) -> None:
        spare, size, last = steps is not None, 4, None
        todo = [j for j in order if answer.status[j] < 2]
        if answer.pins and not answer.room:
            self._room(answer)
        while todo and (steps is None or steps > 0):
            if self._stale(answer, spare):
                return
            self._step_aside()
            chunk, todo = todo[:size], todo[size:]
            begun = perf_counter()
            with self._lock:
                last = self._history.solver.family_under(answer.pins, columns=chunk)
            self._take(answer, chunk, last)
            spent = perf_counter() - begun
            size = max(2, min(64, round(size * STEP / max(spent, 1e-4))))
            steps = None if steps is None else steps - 1
        if not spare:
            self._settle(answer, last)

    def _step_aside(self) -> None:
        with self._wake:
            while self._visitors and not self._closed:
                self._wake.wait(0.002)

    def _take(self, answer: Answer, columns: list[int], found: PinnedFamily) -> None:
        """Put exact columns into the answer and their models among the known ones."""
        mu = self.problem.mu
        answer.relevances[columns] = found.relevances / mu
        answer.signed[columns] = found.signed / mu
        answer.status[columns] = 2
        models = [branch.ranges.extremes.models_of(slice(None)) for branch in found.branches]
        self._recent = np.vstack([self._recent, *models])[-RECENT_MODELS:]
        self.touch()

    def _room(self, answer: Answer) -> None:
        """For every pin, the interval that the others leave."""
        for pin in answer.pins:
            self._step_aside()
            with self._lock:
                found = self._history.solver.relevance(pin.feature, [p for p in answer.pins if p is not pin])
            if found:
                answer.room[pin.feature] = (min(low for low, _ in found), max(high for _, high in found))
        self.touch()

    def _settle(self, answer: Answer, last: PinnedFamily | None) -> None:
        """The price of the pins, and after a rest the held-out score of their best model."""
        if answer.price is None:
            with self._lock:
                solver = self._history.solver
                pinned = last or solver.family_under(answer.pins, columns=[0])
                model = model_of(self.problem, pinned.best.best)
                answer.price = {**told_usage(budget_use(solver, pinned)), "model": told_model(model)}
            answer.price["features"] = model.features
            self.touch()
        with self._wake:
            self._wake.wait(REST)
        if self._stale(answer, spare=False):
            return
        if "score" not in answer.price:
            score = held_out_score(self.problem, tuple(answer.price["features"]))
            answer.price = {**answer.price, "score": told_score(score)}
            self.touch()
        self._done(self._target)

    # -- as JSON ---------------------------------------------------------------------------------------------------

    def rows(self, answer: Answer) -> list[list[Any]]:
        """[min, max, lo, hi, class, status] of every feature of the table."""
        analysis, problem = self.problem.analysis, self.problem
        if not answer.pins:
            return [[f.min, f.max, f.lo, f.hi, f.relevance, "exact"] for f in problem.result.features]
        classes = classify(answer.relevances * problem.mu, analysis.feature_thresholds, analysis.floor, analysis.needed)
        ends = problem.for_all_features(np.column_stack([answer.relevances, answer.signed])).tolist()
        kinds, status = np.zeros(len(ends), dtype=int), np.full(len(ends), 2)
        # a class is told of exact intervals only; until then that of the unpinned ones stands
        kinds[problem.varies] = np.where(answer.status == 2, classes, analysis.classes)
        status[problem.varies] = answer.status
        return [[*four, NAMES[kind], STATUS[known]] for four, kind, known in zip(ends, kinds, status, strict=True)]
