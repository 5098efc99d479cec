"""What one browser works on. An action takes a JSON object and answers one: HTTP, a notebook or a test may `ask`."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Mapping
from typing import Any

from relspan.browser.actions import ACTIONS
from relspan.browser.as_json import described_pin, scenario_records
from relspan.browser.background_fit import BackgroundFit
from relspan.browser.exports import export_kinds
from relspan.browser.live_intervals import Answer, LiveIntervals
from relspan.browser.long_questions import LongQuestions
from relspan.browser.open_table import OpenedTable, gunzipped, open_bytes
from relspan.browser.request_values import read_costs, read_names
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.explore.explorer import history_of
from relspan.explore.fitted_problem import FittedProblem
from relspan.result import RelevanceResult
from relspan.show.account import account
from relspan.show.example_tables import EXAMPLE_TABLES

UPLOAD_LIMIT = 64 * 2**20
MOST_ROWS_IN_SIGHT = 200
NOT_OPEN = "There is nothing to explore yet. Open a table first."


class BrowserSession:
    """What one browser works on: a table, its analysis, its explorer.

    Parameters
    ----------
    upload_limit : int, default=64 MiB
        The largest upload in bytes, also after it is decompressed.

    See Also
    --------
    relspan.browser.server.prepare_server : Serve a session over HTTP.

    Examples
    --------
    >>> from relspan.browser.browser_session import BrowserSession
    >>> BrowserSession().ask("state", {})["phase"]
    'open'
    """

    def __init__(self, upload_limit: int = UPLOAD_LIMIT) -> None:
        self.upload_limit = upload_limit
        self.opened: OpenedTable | None = None
        self.fit: BackgroundFit | None = None
        self.explorer: Explorer | None = None
        self.result: RelevanceResult | None = None
        self.costs: dict[str, float] = {}
        self.stars: list[str] = []
        self.choice: dict[str, Any] = {}
        self.lock = threading.RLock()  # changes of the session, one at a time
        self._live: LiveIntervals | None = None
        self._long_questions: LongQuestions | None = None
        self._not_explorable: str | None = None
        self._session_id = ""
        self._export_kinds: list[str] = []
        self._summary: tuple[OpenedTable | None, dict[str, Any]] = (None, {})

    # -- what a person brings -----------------------------------------------------------------------------------------

    def show(self, explorer: Explorer) -> BrowserSession:
        """Work on an explorer that is there already."""
        with self.lock:
            self.stop_work()
            self.explorer, self.result, self._not_explorable = explorer, explorer.unpinned_result, None
            self._live, self._long_questions = LiveIntervals(explorer), LongQuestions(history_of(explorer).problem)
            self._begin_session()
        return self

    def show_result(self, result: RelevanceResult, reason: str) -> BrowserSession:
        """Show a result that cannot be explored, and the reason."""
        with self.lock:
            self.stop_work()
            self.explorer, self.result, self._not_explorable = None, result, reason
            self._begin_session()
        return self

    def _begin_session(self) -> None:
        """Another result is shown from now on."""
        assert self.result is not None
        self._session_id = secrets.token_hex(8)
        self._export_kinds = export_kinds(self.result, self.explorer is not None)

    def show_fitted(self, fitted: Any) -> BrowserSession:
        """Explore a fitted estimator; where it cannot be explored, show its result."""
        try:
            explorer = fitted.explore()
        except ParameterError as error:
            return self.show_result(fitted.result_, str(error))
        return self.show(explorer)

    def open(self, opened: OpenedTable) -> BrowserSession:
        """Take a table; nothing is computed yet."""
        with self.lock:
            self.stop_work()
            self.opened, self.explorer, self.result = opened, None, None
            self.costs, self.stars = {}, []
            self.choice = {"target": opened.likely_target()[0]}
        return self

    def upload(self, data: bytes, name: str) -> dict[str, Any]:
        """Open a table or a saved session from its bytes."""
        data = gunzipped(data, name, self.upload_limit)
        if data.lstrip()[:1] != b"{":
            return self.open(open_bytes(data, name, self.upload_limit)).state({})
        explorer, record = Explorer.from_bytes(data, name)
        costs, stars = read_costs(record.get("costs", {})), read_names(record.get("stars", []), "stars")
        with self.lock:
            self.show(explorer)
            self.opened, self.costs, self.stars = None, costs, stars
        return self.state({})

    def saved_extras(self) -> dict[str, Any]:
        """What a saved session holds besides pins and scenarios."""
        return {"costs": self.costs, "stars": self.stars}

    def close(self) -> None:
        """Stop all threads."""
        with self.lock:
            self.stop_work()

    def stop_work(self) -> None:
        """Stop the analysis and the solvers, and let go of them."""
        if self.fit is not None:
            self.fit.cancel()
            self.fit = None
        if self._live is not None:
            self._live.close()
        self.stop_questions()
        self._live = self._long_questions = None

    def stop_questions(self) -> None:
        """Stop a question that takes long."""
        if self._long_questions is not None:
            self._long_questions.cancel()

    def fit_finished(self, fit: BackgroundFit, fitted: Any) -> None:
        """Take over from an analysis, unless another one was started or the table was closed meanwhile."""
        with self.lock:
            if self.fit is fit:
                self.show_fitted(fitted)

    # -- what it answers ----------------------------------------------------------------------------------------------

    def ask(self, action: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Perform an action by its name; an unknown one is refused."""
        if action not in ACTIONS:
            raise ParameterError(f"there is no action {action[:40]!r}")
        return ACTIONS[action](self, dict(payload))

    def state(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Everything that the page shows. The result is left out where the page has it: `session` identifies it."""
        with self.lock:  # a page follows while it asks for changes
            return self._state(payload)

    def state_after_change(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """The state after a change that does not affect the pins."""
        self.require_live().mark_changed()
        return self.state(payload)

    def _state(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        base: dict[str, Any] = {"revision": self.revision, "session": self._session_id}
        fit = self.fit
        if fit is not None and fit.running:
            return {**base, "phase": "fitting", "progress": fit.progress_record(), "table": self._table_summary()}
        trouble = fit.trouble if fit is not None else None
        if self.result is None:
            if self.opened is None:
                examples = [{"name": example.name, "about": example.about} for example in EXAMPLE_TABLES]
                return {**base, "phase": "open", "examples": examples, "trouble": trouble}
            return {**base, "phase": "choose", "table": self._table_summary(), "trouble": trouble}
        ready = {
            **base,
            "phase": "ready",
            "explorable": self.explorer is not None,
            "reason": self._not_explorable,
            "view": self._view(payload),
            "costs": self.costs,
            "stars": self.stars,
            "exports": self._export_kinds,
        }
        if payload.get("session") != self._session_id:
            ready["result"] = json.loads(self.result.to_json(indent=None))
            ready["account"] = [{"key": e.key, "title": e.title, "sentence": e.sentence} for e in account(self.result)]
        return ready

    def _view(self, payload: Mapping[str, Any]) -> dict[str, Any] | None:
        if self.explorer is None or self._live is None:
            return None
        explorer, live = self.explorer, self._live
        answer: Answer = live.answer(explorer.pins, self.in_sight(payload)[1])
        return {
            "pins": [described_pin(pin) for pin in explorer.pins],
            "rows": live.rows(answer),
            "allowed": {name: list(ends) for name, ends in answer.allowed.items()},
            "pending": answer.pending,
            "undo": explorer.can_undo,
            "redo": explorer.can_redo,
            "scenarios": scenario_records(explorer),
            "best": answer.best,
        }

    def in_sight(self, payload: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        """Rows of the list that the reader sees now, and the solver's columns of those that vary."""
        given = payload.get("rows")
        problem = self.problem
        rows = given if isinstance(given, list) else []
        rows = [r for r in rows[:MOST_ROWS_IN_SIGHT] if isinstance(r, int) and 0 <= r < len(problem.names)]
        pairs = [(r, problem.column(problem.names[r])) for r in rows]
        return [r for r, j in pairs if j is not None], [j for _, j in pairs if j is not None]

    def _table_summary(self) -> dict[str, Any] | None:
        """The summary of the open table, made once."""
        if self.opened is None:
            return None
        if self._summary[0] is not self.opened:
            self._summary = (self.opened, self.opened.summary())
        return {**self._summary[1], "choice": self.choice}

    # -- parts, where they are there ----------------------------------------------------------------------------------

    @property
    def revision(self) -> int:
        """A number that changes with everything that is shown under pins."""
        return self._live.revision if self._live is not None else 0

    @property
    def live(self) -> LiveIntervals | None:
        """The live intervals; None where nothing is explored."""
        return self._live

    @property
    def problem(self) -> FittedProblem:
        """The problem that is explored."""
        return history_of(self.require_explorer()).problem

    def require_table(self) -> OpenedTable:
        """The open table, or a refusal."""
        if self.opened is None:
            raise ParameterError("Open a table first.")
        return self.opened

    def require_explorer(self) -> Explorer:
        """The explorer, or a refusal with the reason."""
        if self.explorer is None:
            raise ParameterError(self._not_explorable or NOT_OPEN)
        return self.explorer

    def require_live(self) -> LiveIntervals:
        """The live intervals, or a refusal with the reason."""
        if self._live is None:
            raise ParameterError(self._not_explorable or NOT_OPEN)
        return self._live

    def require_long_questions(self) -> LongQuestions:
        """The long questions, or a refusal with the reason."""
        if self._long_questions is None:
            raise ParameterError(self._not_explorable or NOT_OPEN)
        return self._long_questions
