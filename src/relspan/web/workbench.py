"""The verbs of one session: a JSON object in, a JSON object out. HTTP, a notebook or a test may call `ask`."""

from __future__ import annotations

import base64
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from time import monotonic, sleep
from typing import Any

import numpy as np

from relspan.errors import DataError, InfeasiblePins, ParameterError
from relspan.explore.pins import Demand, read_pin
from relspan.explore.preview import preview
from relspan.explore.session import Explorer
from relspan.result import RelevanceResult
from relspan.web import recipes
from relspan.web.deep import Deep
from relspan.web.fitting import Fit, read_settings
from relspan.web.live import Answer, Live
from relspan.web.opening import SAMPLES, Opened, open_bytes, open_sample, read_task
from relspan.web.view import told_comparison, told_pin, told_scenarios

UPLOAD_LIMIT = 64 * 2**20
PATIENCE = 10.0  # seconds that `follow` waits for something new
NAME_LIMIT, NOTE_LIMIT = 200, 10_000
CHOICES = ("target", "impute", "drop", "text")
GRID = 4  # values of a handle that are solved in advance


class Workbench:
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
        self._live: Live | None = None
        self._deep: Deep | None = None
        self._reason: str | None = None
        self._session = ""
        self._turn = threading.RLock()  # changes of the session, one at a time
        self._told: tuple[str, Any] = ("", None)

    # -- what a person brings -----------------------------------------------------------------------------------------

    def show(self, explorer: Explorer) -> Workbench:
        """Work on a session that is there already."""
        with self._turn:
            self._close()
            self.explorer, self.result, self._reason = explorer, explorer.problem.result, None
            self.task = self.result.task if self.result.task in ("ordinal", "regression") else "classification"
            self._live, self._deep = Live(explorer), Deep(explorer.problem)
            self._session = secrets.token_hex(8)
        return self

    def show_result(self, result: RelevanceResult, reason: str) -> Workbench:
        """Show a result that cannot be explored, and say why not."""
        with self._turn:
            self._close()
            self.explorer, self.result, self._reason = None, result, reason
            self._session = secrets.token_hex(8)
        return self

    def open(self, opened: Opened) -> Workbench:
        """Take a table; nothing is computed yet."""
        with self._turn:
            self._close()
            self.opened, self.explorer, self.result = opened, None, None
            self.costs, self.stars = {}, []
            self.choice, self.settings = {"target": opened.likely_target()[0]}, {}
        return self

    def upload(self, data: bytes, name: str) -> dict[str, Any]:
        """A table or a saved session, as bytes."""
        if data.lstrip()[:1] == b"{":
            explorer, kept = Explorer.parse(data, name)
            self.show(explorer)
            self.opened = None
            self.costs = _costs(kept.get("costs") or {})
            self.stars = [str(star) for star in kept.get("stars") or []]
            self.choice = kept["choice"] if isinstance(kept.get("choice"), dict) else {}
            return self.state({})
        return self.open(open_bytes(data, name, self.upload_limit)).state({})

    def close(self) -> None:
        """Stop all threads."""
        with self._turn:
            self._close()

    def _close(self) -> None:
        if self.fit is not None:
            self.fit.cancel()
            self.fit = None
        if self._live is not None:
            self._live.close()
        if self._deep is not None:
            self._deep.cancel()
        self._live = self._deep = None

    # -- the verbs ----------------------------------------------------------------------------------------------------

    def ask(self, verb: str, payload: Mapping[str, Any]) -> Any:
        """Do what a verb says; one that is not there is refused."""
        if verb not in VERBS:
            raise ParameterError(f"no verb {verb[:40]!r}")
        return VERBS[verb](self, dict(payload))

    def state(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Everything that is shown. The result itself is left out where the reader has it: `session` says which."""
        base: dict[str, Any] = {"revision": self._revision, "session": self._session}
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
            "exports": self._exports(),
        }
        if payload.get("session") != self._session:
            ready["result"] = json.loads(self.result.to_json(indent=None))
        return ready

    def follow(self, payload: dict[str, Any]) -> dict[str, Any]:
        """The state as soon as it is newer than `revision`, or after a while."""
        seen, until = payload.get("revision"), monotonic() + PATIENCE
        while monotonic() < until and self._revision == seen and not (self.fit and self.fit.running):
            sleep(0.02)
        return self.state(payload)

    def sample(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Open a built-in data set."""
        return self.open(open_sample(_text(payload, "name"))).state({})

    def target(self, payload: dict[str, Any]) -> dict[str, Any]:
        """The task that another target asks for."""
        return self._table.task_of(_text(payload, "target"))

    def analyse(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Start the analysis."""
        with self._turn:
            opened, task, settings = (
                self._table,
                read_task(payload.get("task")),
                read_settings(payload.get("settings", {})),
            )
            choice: dict[str, Any] = {key: payload[key] for key in CHOICES if key in payload}
            prepared = opened.to_numbers(choice)
            self._close()
            self.choice, self.settings, self.task = choice, settings, task
            self.result = self.explorer = None
            self.fit = Fit(prepared, task, settings, self._finished)
            self.fit.start()
        return self.state({})

    def cancel(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Stop the analysis, or the question that takes long."""
        if self.fit is not None and self.fit.running:
            self.fit.cancel()
            self.fit.join(5.0)
        if self._deep is not None:
            self._deep.cancel()
        return self.state(payload)

    def reset(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Back to the choice of a table."""
        with self._turn:
            self._close()
            self.opened = self.explorer = self.result = None
        return self.state(payload)

    def _finished(self, fitted: Any) -> None:
        try:
            self.show_fitted(fitted)
        finally:
            self.fit = None

    def show_fitted(self, fitted: Any) -> Workbench:
        """Explore a fitted estimator; where it cannot be, show its result."""
        try:
            explorer = fitted.explore()
        except ParameterError as error:
            return self.show_result(fitted.result_, str(error))
        return self.show(explorer)

    # -- pins ---------------------------------------------------------------------------------------------------------

    def pin(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Pin a feature; demand null frees it."""
        feature, demand = _text(payload, "feature"), _demand(payload.get("demand"))
        return self._changed(payload, lambda ex: ex.unpin(feature) if demand is None else ex.pin(feature, demand))

    def pin_all(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Several pins in one step; those with null are freed."""
        given = payload.get("demands")
        if not isinstance(given, dict) or len(given) > 1000:
            raise ParameterError("demands must be an object of features and demands")
        demands = {str(name): _demand(demand) for name, demand in given.items()}

        def change(explorer: Explorer) -> None:
            kept = [pin for pin in explorer.pins if pin.feature not in demands]
            new = [read_pin(explorer.problem, name, d) for name, d in demands.items() if d is not None]
            explorer.go((*kept, *new))

        return self._changed(payload, change)

    def clear(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Free everything."""
        return self._changed(payload, lambda explorer: explorer.unpin())

    def undo(self, payload: dict[str, Any]) -> dict[str, Any]:
        return self._changed(payload, lambda explorer: explorer.undo())

    def redo(self, payload: dict[str, Any]) -> dict[str, Any]:
        return self._changed(payload, lambda explorer: explorer.redo())

    def recall(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Go to a scenario."""
        return self._changed(payload, lambda explorer: explorer.recall(_text(payload, "name")))

    def grab(self, payload: dict[str, Any]) -> dict[str, Any]:
        """A handle was taken: solve some of its values in advance."""
        explorer, live, feature = self._explorer, self._alive, _text(payload, "feature")
        others = tuple(pin for pin in explorer.pins if pin.feature != feature)
        column = explorer.problem.column(feature)
        if column is not None:
            _, most = explorer.problem.analysis.ranges.relevances[column] / explorer.problem.mu
            shares = (np.arange(GRID) + 0.5) / GRID * float(most)
            sides = [(0.0, float(v)) if payload.get("side") == "max" else (float(v), np.inf) for v in shares[::-1]]
            live.grid([(*others, read_pin(explorer.problem, feature, side)) for side in sides])
        return {}

    def wish(self, payload: dict[str, Any]) -> dict[str, Any]:
        """While a handle moves: intervals from inside at once, exact ones where they are known by now."""
        explorer, live, feature = self._explorer, self._alive, _text(payload, "feature")
        demand = _demand(payload.get("demand"))
        if demand is None:
            raise ParameterError("a wish needs a demand")
        pin = read_pin(explorer.problem, feature, demand)
        others = tuple(p for p in explorer.pins if p.feature != feature)
        rows, columns = self._in_sight(payload)
        answer = live.answer((*others, pin), columns)
        near = preview(explorer.problem, live.known_models(), pin, others, columns) if columns else None
        known = answer.status[columns] == 2
        inner = (
            answer.relevances[columns] if near is None else np.where(known[:, None], answer.relevances[columns], near)
        )
        state = np.where(known, 2, 0 if near is None else 1)
        told = [[row, *ends, int(s)] for row, ends, s in zip(rows, np.round(inner, 6).tolist(), state, strict=True)]
        return {"rows": told, "exact": int(known.sum())}

    def _changed(self, payload: dict[str, Any], change: Callable[[Explorer], Any]) -> dict[str, Any]:
        with self._turn:
            live = self._alive
            with live.solver() as explorer:
                change(explorer)
            live.answer(explorer.pins, self._in_sight(payload)[1])
            live.revision += 1
            return self.state(payload)

    # -- scenarios ----------------------------------------------------------------------------------------------------

    def keep(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Remember the current pins under a name."""
        name, note = _text(payload, "name", NAME_LIMIT).strip(), _text({"note": "", **payload}, "note", NOTE_LIMIT)
        self._explorer.keep(name, note)
        return self._noticed(payload)

    def note(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Write a note to a scenario."""
        self._explorer.note(_text(payload, "name"), _text(payload, "note", NOTE_LIMIT))
        return self._noticed(payload)

    def forget(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Drop a scenario."""
        self._explorer.forget(_text(payload, "name"))
        return self._noticed(payload)

    def compare(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Two scenarios side by side, exactly."""
        first, second = _text(payload, "first"), _text(payload, "second")
        deep, explorer = self._deeply, self._explorer
        return told_comparison(deep.compare(explorer, first, second))

    def star(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Mark a feature, or take the mark away."""
        name = self._explorer.problem.known(_text(payload, "feature"))
        self.stars = [star for star in self.stars if star != name] if name in self.stars else [*self.stars, name]
        return self._noticed(payload)

    def cost(self, payload: dict[str, Any]) -> dict[str, Any]:
        """What features cost; null takes a cost away."""
        given = payload.get("costs")
        if not isinstance(given, dict):
            raise ParameterError("costs must be an object of features and numbers")
        for name in given:
            self._explorer.problem.known(name)
        gone = {name for name, value in given.items() if value is None}
        costs = _costs({name: value for name, value in given.items() if value is not None})
        self.costs = {**{name: cost for name, cost in self.costs.items() if name not in gone}, **costs}
        return self._noticed(payload)

    # -- questions that take longer -----------------------------------------------------------------------------------

    def alternatives(self, payload: dict[str, Any]) -> dict[str, Any]:
        """What replaces a feature?"""
        return self._deeply.alternatives(self._explorer.pins, _text(payload, "feature"))

    def substitution(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Which features can take one another's place, or who moves when one is at its min or max?"""
        at = payload.get("at", "exchange")
        if at not in ("exchange", "min", "max"):
            raise ParameterError(f"at must be 'exchange', 'min' or 'max', not {str(at)[:40]!r}")
        return self._deeply.substitution(self._explorer.pins, at)

    def panel(self, payload: dict[str, Any]) -> dict[str, Any]:
        """The smallest or cheapest panel at the current pins; features without a cost cost 1."""
        explorer = self._explorer
        must = payload.get("must", [])
        if not isinstance(must, list):
            raise ParameterError("must is a list of features")
        seconds = float(payload.get("seconds", 10.0))
        if not 0 < seconds <= 600:
            raise ParameterError(f"seconds must lie between 0 and 600, not {seconds:g}")
        prices = {n: self.costs.get(n, 1.0) for n in explorer.problem.names} if payload.get("priced") else None
        return self._deeply.panel(explorer.pins, prices, [str(name) for name in must], seconds)

    def job(self, payload: dict[str, Any]) -> dict[str, Any]:
        """How far the question that takes long has come."""
        return self._deeply.told()

    # -- exports ------------------------------------------------------------------------------------------------------

    def export(self, payload: dict[str, Any]) -> dict[str, Any]:
        """A file's name, type and text: session, csv, json, python, command."""
        kind = payload.get("kind")
        if kind == "session":
            with self._alive.solver() as explorer:
                data = explorer.dump(costs=self.costs, stars=self.stars, choice=self.choice)
            return _file("relspan-session.json", "application/json", data)
        if kind in ("csv", "json", "html"):
            return self._export_result(str(kind))
        if kind in ("python", "command"):
            return {"text": self._recipe(str(kind))}
        raise ParameterError("kind must be session, csv, json, python or command")

    def _exports(self) -> list[str]:
        """The kinds that `export` has now."""
        report = ["html"] if hasattr(RelevanceResult, "to_html") else []
        return ["csv", "json", *report, *(["session", "python", "command"] if self.explorer is not None else [])]

    def _export_result(self, kind: str) -> dict[str, Any]:
        if self.result is None:
            raise ParameterError("there is no result yet")
        if self.explorer is None:
            result = self.result
        else:
            with self._alive.solver() as explorer:
                result = explorer.result
        if kind == "json":
            return _file("relspan-result.json", "application/json", result.to_json().encode())
        if kind == "html":
            write: Callable[[], str] | None = getattr(result, "to_html", None)
            if write is None:
                raise ParameterError("this relspan writes no HTML report")
            return _file("relspan-report.html", "text/html", write().encode())
        return _file("relspan-intervals.csv", "text/csv", _csv(result).encode())

    def _recipe(self, kind: str) -> str:
        explorer = self._explorer
        source = str(explorer.problem.result.data.get("file", "table.csv"))
        sample = self.opened.sample if self.opened is not None else None
        choice = {"target": explorer.problem.result.data.get("target", "y"), **self.choice}
        if kind == "python":
            return recipes.as_python(source, sample, self.task, choice, self.settings, explorer.pins)
        return recipes.as_command(source, sample, choice, self.settings, explorer.pins)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _view(self, payload: dict[str, Any]) -> dict[str, Any] | None:
        if self.explorer is None or self._live is None:
            return None
        explorer, live = self.explorer, self._live
        answer: Answer = live.answer(explorer.pins, self._in_sight(payload)[1])
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

    def _in_sight(self, payload: dict[str, Any]) -> tuple[list[int], list[int]]:
        """Rows of the table that the reader sees now, and the solver's columns of those that vary."""
        given = payload.get("rows")
        problem = self._explorer.problem
        rows = given if isinstance(given, list) else []
        rows = [r for r in rows[:200] if isinstance(r, int) and 0 <= r < len(problem.names)]
        pairs = [(r, problem.column(problem.names[r])) for r in rows]
        return [r for r, j in pairs if j is not None], [j for _, j in pairs if j is not None]

    def _noticed(self, payload: dict[str, Any]) -> dict[str, Any]:
        self._alive.revision += 1
        return self.state(payload)

    def _summary(self) -> dict[str, Any] | None:
        """The table in words, made once."""
        if self.opened is None:
            return None
        key = f"{id(self.opened)}"
        if self._told[0] != key:
            self._told = (key, self.opened.summary())
        return {**self._told[1], "choice": self.choice}

    @property
    def _revision(self) -> int:
        return self._live.revision if self._live is not None else 0

    @property
    def _table(self) -> Opened:
        if self.opened is None:
            raise ParameterError("open a table first")
        return self.opened

    @property
    def _explorer(self) -> Explorer:
        if self.explorer is None:
            raise ParameterError(self._reason or "there is nothing to explore yet")
        return self.explorer

    @property
    def _alive(self) -> Live:
        if self._live is None:
            raise ParameterError(self._reason or "there is nothing to explore yet")
        return self._live

    @property
    def _deeply(self) -> Deep:
        if self._deep is None:
            raise ParameterError(self._reason or "there is nothing to explore yet")
        return self._deep


VERBS: dict[str, Callable[[Workbench, dict[str, Any]], Any]] = {
    name: getattr(Workbench, name)
    for name in (
        *("state", "follow", "sample", "target", "analyse", "cancel", "reset"),
        *("pin", "pin_all", "clear", "undo", "redo", "recall", "grab", "wish"),
        *("keep", "note", "forget", "compare", "star", "cost"),
        *("alternatives", "substitution", "panel", "job", "export"),
    )
}


def told_error(error: Exception) -> dict[str, Any]:
    """A refusal as the page shows it; infeasible pins come with their conflict and what would work."""
    told: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)}
    if isinstance(error, InfeasiblePins):
        told |= {"conflict": list(error.conflict), "nearest": error.nearest}
    return told


def _demand(given: Any) -> Demand | None:
    """A demand as JSON has it: a word, a number, [low, high] with null for no end, or null."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, bool):
        raise ParameterError(f"a demand is a word, a number or a range, not {given!r}")
    if isinstance(given, (int, float)):
        return float(given)
    if isinstance(given, list) and len(given) == 2 and all(isinstance(v, (int, float, type(None))) for v in given):
        low, high = given
        return (float(low or 0.0), np.inf if high is None else float(high))
    raise ParameterError(f"a demand is a word, a number or a range [low, high], not {str(given)[:80]!r}")


def _text(payload: Mapping[str, Any], key: str, limit: int = 10_000) -> str:
    value = payload.get(key)
    if not isinstance(value, str) or len(value) > limit:
        raise ParameterError(f"{key} must be a text of at most {limit} characters")
    return value


def _costs(given: Any) -> dict[str, float]:
    if not isinstance(given, dict):
        raise DataError("costs must be an object of features and numbers")
    costs = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < np.inf:
            raise ParameterError(f"the cost of {name!r} must be a number of at least 0, not {str(value)[:40]!r}")
        costs[str(name)] = float(value)
    return costs


def _file(name: str, kind: str, data: bytes) -> dict[str, Any]:
    return {"name": name, "type": kind, "data": base64.b64encode(data).decode()}


def _csv(result: RelevanceResult) -> str:
    from io import StringIO

    from relspan.tables import write_delimited

    columns, stream = result.columns(), StringIO()
    write_delimited(stream, list(columns), list(columns.values()))
    return stream.getvalue()
