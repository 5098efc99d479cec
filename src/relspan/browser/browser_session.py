"""What one browser works on. A verb takes a JSON object and answers one: HTTP, a notebook or a test may `ask`."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Mapping
from typing import Any

from relspan.browser.actions import CHOICES, VERBS
from relspan.browser.as_json import told_pin, told_scenarios
from relspan.browser.background_fit import Fit, read_settings
from relspan.browser.exports import exports_of
from relspan.browser.live_intervals import Answer, LiveIntervals
from relspan.browser.long_questions import LongQuestions
from relspan.browser.open_table import SAMPLES, Opened, open_bytes, read_task, unpacked
from relspan.browser.request_values import read_costs, read_names
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.explore.explorer import history_of
from relspan.explore.fitted_problem import FittedProblem
from relspan.result import RelevanceResult
from relspan.show.account import account

UPLOAD_LIMIT = 64 * 2**20


class BrowserSession:
    """What one browser works on: a table, its analysis, its explorer."""

    def __init__(self, upload_limit: int = UPLOAD_LIMIT) -> None:
        self.upload_limit = upload_limit
        self.opened: Opened | None = None
        self.fit: Fit | None = None
        self.explorer: Explorer | None = None
        self.result: RelevanceResult | None = None
        self.costs: dict[str, float] = {}
        self.stars: list[str] = []
        self.choice: dict[str, Any] = {}
        self.settings: dict[str, Any] = {}
        self.task = "classification"
        self.sample: str | None = None
        self._live: LiveIntervals | None = None
        self._deep: LongQuestions | None = None
        self._reason: str | None = None
        self._session = ""
        self.turn = threading.RLock()  # changes of the session, one at a time
        self._told: tuple[Opened | None, dict[str, Any]] = (None, {})

    # -- what a person brings -----------------------------------------------------------------------------------------

    def show(self, explorer: Explorer) -> BrowserSession:
        """Work on a session that is there already."""
        task = read_task(explorer.unpinned_result.task)
        with self.turn:
            self.drop_work()
            self.explorer, self.result, self._reason = explorer, explorer.unpinned_result, None
            self.task = task
            self._live, self._deep = LiveIntervals(explorer), LongQuestions(history_of(explorer).problem)
            self._session = secrets.token_hex(8)
        return self

    def show_result(self, result: RelevanceResult, reason: str) -> BrowserSession:
        """Show a result that cannot be explored, and say why not."""
        with self.turn:
            self.drop_work()
            self.explorer, self.result, self._reason = None, result, reason
            self._session = secrets.token_hex(8)
        return self

    def open(self, opened: Opened) -> BrowserSession:
        """Take a table; nothing is computed yet."""
        with self.turn:
            self.drop_work()
            self.opened, self.explorer, self.result, self.sample = opened, None, None, opened.sample
            self.costs, self.stars = {}, []
            self.choice, self.settings = {"target": opened.likely_target()[0]}, {}
        return self

    def upload(self, data: bytes, name: str) -> dict[str, Any]:
        """A table or a saved session, as bytes."""
        data = unpacked(data, name, self.upload_limit)
        if data.lstrip()[:1] != b"{":
            return self.open(open_bytes(data, name, self.upload_limit)).state({})
        explorer, kept = Explorer.from_bytes(data, name)
        held = self._held(kept, explorer.unpinned_result.task)
        with self.turn:
            self.show(explorer)
            self.opened = None
            for key, value in held.items():
                setattr(self, key, value)
        return self.state({})

    def kept(self) -> dict[str, Any]:
        """What a saved session holds besides pins and scenarios."""
        names = ("costs", "stars", "choice", "settings", "task", "sample")
        return {name: getattr(self, name) for name in names}

    @staticmethod
    def _held(kept: Mapping[str, Any], task: str) -> dict[str, Any]:
        """What a saved session held, as `kept` gave it, checked: it may come from anywhere."""
        choice, sample = kept.get("choice") or {}, kept.get("sample")
        return {
            "costs": read_costs(kept.get("costs") or {}),
            "stars": read_names(kept.get("stars") or []),
            "choice": {key: choice[key] for key in CHOICES if key in choice} if isinstance(choice, dict) else {},
            "settings": read_settings(kept.get("settings") or {}),
            "task": read_task(kept.get("task", task)),
            "sample": sample if isinstance(sample, str) and sample in SAMPLES else None,
        }

    def close(self) -> None:
        """Stop all threads."""
        with self.turn:
            self.drop_work()

    def drop_work(self) -> None:
        """Let go of the analysis and the solvers."""
        if self.fit is not None:
            self.fit.cancel()
            self.fit = None
        if self._live is not None:
            self._live.close()
        if self._deep is not None:
            self._deep.cancel()
        self._live = self._deep = None

    def finished(self, fit: Fit, fitted: Any) -> None:
        """Take over from an analysis, unless another one has been started or the table was put away meanwhile."""
        with self.turn:
            if self.fit is fit:
                self.show_fitted(fitted)

    def show_fitted(self, fitted: Any) -> BrowserSession:
        """Explore a fitted estimator; where it cannot be, show its result."""
        try:
            explorer = fitted.explore()
        except ParameterError as error:
            return self.show_result(fitted.result_, str(error))
        return self.show(explorer)

    # -- what it answers --------------------------------------------------------------------------------------------

    def ask(self, verb: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a verb says; one that is not there is refused."""
        if verb not in VERBS:
            raise ParameterError(f"no verb {verb[:40]!r}")
        return VERBS[verb](self, dict(payload))

    def state(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Everything that is shown. The result itself is left out where the reader has it: `session` says which."""
        with self.turn:  # a page follows while it asks for changes
            return self._state(payload)

    def _state(self, payload: dict[str, Any]) -> dict[str, Any]:
        base: dict[str, Any] = {"revision": self.revision, "session": self._session}
        fit = self.fit
        if fit is not None and fit.running:
            return {**base, "phase": "fitting", "progress": fit.told(), "table": self._summary()}
        trouble = fit.trouble if fit is not None else None
        if self.result is None:
            if self.opened is None:
                about = [{"name": name, "about": words} for name, (words, _) in SAMPLES.items()]
                return {**base, "phase": "open", "samples": about, "trouble": trouble}
            return {**base, "phase": "choose", "table": self._summary(), "trouble": trouble}
        ready = {
            **base,
            "phase": "ready",
            "explorable": self.explorer is not None,
            "reason": self._reason,
            "view": self._view(payload),
            "costs": self.costs,
            "stars": self.stars,
            "exports": exports_of(self),
        }
        if payload.get("session") != self._session:
            ready["result"] = json.loads(self.result.to_json(indent=None))
            ready["account"] = [{"key": e.key, "title": e.title, "sentence": e.sentence} for e in account(self.result)]
        return ready

    def _view(self, payload: dict[str, Any]) -> dict[str, Any] | None:
        if self.explorer is None or self._live is None:
            return None
        explorer, live = self.explorer, self._live
        answer: Answer = live.answer(explorer.pins, self.in_sight(payload)[1])
        return {
            "pins": [told_pin(pin) for pin in explorer.pins],
            "rows": live.rows(answer),
            "room": {name: list(ends) for name, ends in answer.room.items()},
            "pending": answer.pending,
            "undo": explorer.can_undo,
            "redo": explorer.can_redo,
            "scenarios": told_scenarios(explorer),
            "price": answer.price,
        }

    def in_sight(self, payload: dict[str, Any]) -> tuple[list[int], list[int]]:
        """Rows of the table that the reader sees now, and the solver's columns of those that vary."""
        given = payload.get("rows")
        problem = self.problem
        rows = given if isinstance(given, list) else []
        rows = [r for r in rows[:200] if isinstance(r, int) and 0 <= r < len(problem.names)]
        pairs = [(r, problem.column(problem.names[r])) for r in rows]
        return [r for r, j in pairs if j is not None], [j for _, j in pairs if j is not None]

    def noticed(self, payload: dict[str, Any]) -> dict[str, Any]:
        """The state after a change that is none of the pins."""
        self.live.touch()
        return self.state(payload)

    def _summary(self) -> dict[str, Any] | None:
        """The table in words, made once."""
        if self.opened is None:
            return None
        if self._told[0] is not self.opened:
            self._told = (self.opened, self.opened.summary())
        return {**self._told[1], "choice": self.choice}

    @property
    def revision(self) -> int:
        return self._live.revision if self._live is not None else 0

    @property
    def table(self) -> Opened:
        if self.opened is None:
            raise ParameterError("open a table first")
        return self.opened

    @property
    def exploring(self) -> Explorer:
        if self.explorer is None:
            raise ParameterError(self._reason or "there is nothing to explore yet")
        return self.explorer

    @property
    def problem(self) -> FittedProblem:
        return history_of(self.exploring).problem

    @property
    def live(self) -> LiveIntervals:
        if self._live is None:
            raise ParameterError(self._reason or "there is nothing to explore yet")
        return self._live

    @property
    def deep(self) -> LongQuestions:
        if self._deep is None:
            raise ParameterError(self._reason or "there is nothing to explore yet")
        return self._deep

    def stop_questions(self) -> None:
        """Give up a question that takes long."""
        if self._deep is not None:
            self._deep.cancel()

    @property
    def is_fitting(self) -> bool:
        return self.fit is not None and self.fit.running
