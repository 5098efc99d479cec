"""What one browser works on. An action takes a JSON object and answers one: HTTP, a notebook or a test may `ask`."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from relspan.browser.actions import ACTIONS
from relspan.browser.as_json import described_pin, scenario_records
from relspan.browser.background_fit import BackgroundFit
from relspan.browser.category_rows import category_records, category_rows
from relspan.browser.further_questions import question_records
from relspan.browser.live_intervals import Answer, LiveIntervals
from relspan.browser.long_questions import LongQuestions, slider_record
from relspan.browser.open_table import OpenedTable, open_bytes
from relspan.browser.request_values import read_costs, read_names
from relspan.browser.revision import Revision
from relspan.browser.shown_result import ShownResult
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.explore.explorer import history_of
from relspan.explore.fitted_problem import FittedProblem
from relspan.result import RelevanceResult
from relspan.show.account import Entry, account
from relspan.show.example_tables import EXAMPLE_TABLES
from relspan.show.findings import equally_good_line, findings, group_marks
from relspan.unpacking import unpacked_gzip

UPLOAD_LIMIT = 64 * 2**20
MOST_ROWS_IN_SIGHT = 200
MOST_LEFT = 3  # results that are kept when another table is opened
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
        self.choice: dict[str, Any] = {}
        self.shown: ShownResult | None = None
        self.left: list[ShownResult] = []  # results that were left for another table, the latest last
        self.news = Revision()
        self.lock = threading.RLock()  # changes of the session, one at a time
        self._summary: tuple[OpenedTable | None, dict[str, Any]] = (None, {})

    # -- what a person brings -----------------------------------------------------------------------------------------

    def show(self, explorer: Explorer) -> BrowserSession:
        """Work on an explorer that is there already."""
        return self._show(ShownResult.of_explorer(explorer, self.news))

    def show_result(self, result: RelevanceResult, reason: str) -> BrowserSession:
        """Show a result that cannot be explored, and the reason."""
        return self._show(ShownResult.of_result(result, reason))

    def _show(self, shown: ShownResult) -> BrowserSession:
        """Another result is shown from now on; the one before it is kept."""
        with self.lock:
            self.stop_fit()
            self.leave()
            self.shown = shown
        self.news.grow()
        return self

    def show_fitted(self, fitted: Any, row_names: tuple[str, ...] = ()) -> BrowserSession:
        """Explore a fitted estimator; where it cannot be explored, show its result."""
        try:
            explorer = fitted.explore()
        except ParameterError as error:
            return self.show_result(fitted.result_, str(error))
        shown = ShownResult.of_explorer(explorer, self.news)
        shown.row_names = row_names
        return self._show(shown)

    def open(self, opened: OpenedTable) -> BrowserSession:
        """Take a table; nothing is computed yet, and the result before it is kept."""
        with self.lock:
            self.stop_fit()
            self.leave()
            self.opened = opened
            self.choice = {"target": opened.likely_target()[0]}
        self.news.grow()
        return self

    def leave(self) -> None:
        """Go back to the choice of a table. What was shown is kept, with the last few before it."""
        if self.shown is not None:
            self.shown.rest()
            self.left.append(self.shown)
            self.shown = None
        for forgotten in self.left[:-MOST_LEFT]:
            forgotten.close()
        self.left = self.left[-MOST_LEFT:]

    def take_up(self, identifier: str) -> None:
        """Show a result again that was left."""
        with self.lock:
            wanted = self.left_one(identifier)
            self.left.remove(wanted)
            self._show(wanted)

    def left_one(self, identifier: Any) -> ShownResult:
        """A result that was left and is kept, or a refusal."""
        for one in self.left:
            if one.identifier == identifier:
                return one
        raise ParameterError("This session is not kept any more. Open its file, if it was saved.")

    def upload(self, data: bytes, name: str) -> dict[str, Any]:
        """Open a table or a saved session from its bytes."""
        data = unpacked_gzip(data, name, self.upload_limit)
        if data.lstrip()[:1] != b"{":
            return self.open(open_bytes(data, name, self.upload_limit)).state({})
        explorer, record = Explorer.from_bytes(data, name)
        costs, stars = read_costs(record.get("costs", {})), read_names(record.get("stars", []), "stars")
        shown = ShownResult.of_explorer(explorer, self.news)
        shown.costs, shown.stars = costs, stars
        names = read_names(record.get("row_names", []), "row_names")
        shown.row_names = tuple(names) if len(names) == shown.result.data["n_samples"] else ()
        return self._show(shown).state({})

    def close(self) -> None:
        """Stop all threads."""
        with self.lock:
            self.stop_fit()
            for shown in (*self.left, *([self.shown] if self.shown is not None else [])):
                shown.close()

    def stop_fit(self) -> None:
        """Stop the analysis, and let go of it."""
        if self.fit is not None:
            self.fit.cancel()
            self.fit = None

    def fit_finished(self, fit: BackgroundFit, fitted: Any) -> None:
        """Take over from an analysis, unless another one was started or the table was closed meanwhile."""
        with self.lock:
            if self.fit is fit:
                self.show_fitted(fitted, fit.row_names)

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
        self.news.grow()
        return self.state(payload)

    def _state(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        base: dict[str, Any] = {"revision": self.revision, "left": [one.record() for one in reversed(self.left)]}
        fit = self.fit
        if fit is not None and fit.running:
            return {**base, "phase": "fitting", "progress": fit.progress_record(), "table": self._table_summary()}
        trouble = fit.trouble if fit is not None else None
        shown = self.shown
        if shown is None:
            if self.opened is None:
                examples = [{"name": example.name, "about": example.about} for example in EXAMPLE_TABLES]
                return {**base, "phase": "open", "examples": examples, "trouble": trouble}
            return {**base, "phase": "choose", "table": self._table_summary(), "trouble": trouble}
        ready = {
            **base,
            "phase": "ready",
            "session": shown.identifier,
            "explorable": shown.explorer is not None,
            "reason": shown.not_explorable,
            "view": self._view(shown, payload),
            "costs": shown.costs,
            "stars": shown.stars,
            "exports": shown.export_kinds,
        }
        if payload.get("session") != shown.identifier:
            ready["result"] = json.loads(shown.result.to_json(indent=None))
            ready |= self._about(shown)
        return ready

    def _about(self, shown: ShownResult) -> dict[str, Any]:
        """What stays as long as a result is shown: sentences about it, its categories, what can be asked of it."""
        explorer = shown.explorer
        result = shown.result if explorer is None else explorer.unpinned_result  # with one feature per category
        about: dict[str, Any] = {
            "account": _sentences(account(result)),
            "findings": _sentences(findings(result)),
            "equally_good": equally_good_line(result),
            "groups": group_marks(result),
            "categories": [],
            "slider": None,
            "questions": [],
        }
        if explorer is not None:
            about["categories"] = category_records(explorer)
            about["slider"] = slider_record(self.problem)
            about["questions"] = question_records(len(self.problem.classes or ()))
        return about

    def _view(self, shown: ShownResult, payload: Mapping[str, Any]) -> dict[str, Any] | None:
        explorer, live = shown.explorer, shown.live
        if explorer is None or live is None:
            return None
        answer: Answer = live.answer(explorer.pins, self.in_sight(payload)[1])
        rows = live.rows(answer)
        return {
            "pins": [described_pin(pin) for pin in explorer.pins],
            "rows": rows,
            "categories": category_rows(self.problem, rows, answer.categories) if explorer.pins else {},
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
        columns = self.problem.columns_by_place
        rows = given if isinstance(given, list) else []
        rows = [r for r in rows[:MOST_ROWS_IN_SIGHT] if isinstance(r, int) and 0 <= r < len(columns)]
        pairs = [(r, columns[r]) for r in rows]
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
        """A number that grows with every change of what is shown."""
        return self.news.number

    @property
    def explorer(self) -> Explorer | None:
        """The explorer that is shown; None where nothing can be explored."""
        return self.shown.explorer if self.shown is not None else None

    @property
    def result(self) -> RelevanceResult | None:
        """The result that is shown, without pins."""
        return self.shown.result if self.shown is not None else None

    @property
    def problem(self) -> FittedProblem:
        """The problem that is explored."""
        return history_of(self.require_explorer()).problem

    def require_table(self) -> OpenedTable:
        """The open table, or a refusal."""
        if self.opened is None:
            raise ParameterError("Open a table first.")
        return self.opened

    def require_shown(self) -> ShownResult:
        """What is shown, or a refusal."""
        if self.shown is None:
            raise ParameterError(NOT_OPEN)
        return self.shown

    def require_explorer(self) -> Explorer:
        """The explorer, or a refusal with the reason."""
        shown = self.require_shown()
        if shown.explorer is None:
            raise ParameterError(shown.not_explorable or NOT_OPEN)
        return shown.explorer

    def require_live(self) -> LiveIntervals:
        """The live intervals, or a refusal with the reason."""
        shown = self.require_shown()
        if shown.live is None:
            raise ParameterError(shown.not_explorable or NOT_OPEN)
        return shown.live

    def require_long_questions(self) -> LongQuestions:
        """The long questions, or a refusal with the reason."""
        shown = self.require_shown()
        if shown.long_questions is None:
            raise ParameterError(shown.not_explorable or NOT_OPEN)
        return shown.long_questions


def _sentences(entries: list[Entry]) -> list[dict[str, str]]:
    return [{"key": entry.key, "title": entry.title, "sentence": entry.sentence} for entry in entries]
