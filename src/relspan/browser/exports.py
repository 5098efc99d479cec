"""What can be taken away: files as base64, code as text."""

from __future__ import annotations

import base64
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

from relspan.errors import ParameterError
from relspan.explore.pins import pin_record
from relspan.result import RelevanceResult
from relspan.show.recipe import command, script
from relspan.tables import write_delimited

if TYPE_CHECKING:
    from relspan.browser.browser_session import BrowserSession


def export(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """A file's name, type and content, or the text of a recipe."""
    kind = payload.get("kind")
    if kind == "session":
        with bench.live.solver() as explorer:
            data = explorer.to_bytes(**bench.kept())
        return _file("relspan-session.json", "application/json", data)
    if kind in ("csv", "json", "html"):
        return _result(bench, str(kind))
    if kind in ("python", "command"):
        return {"text": _recipe(bench, str(kind))}
    raise ParameterError("kind must be session, csv, json, html, python or command")


def exports_of(bench: BrowserSession) -> list[str]:
    """The kinds that `export` has now."""
    if bench.explorer is None:
        return ["csv", "json", "html"]
    result = bench.explorer.unpinned_result
    recipes = {"python": script(result), "command": command(result, "explore")}
    return ["csv", "json", "html", "session", *(kind for kind, text in recipes.items() if text is not None)]


def _result(bench: BrowserSession, kind: str) -> dict[str, Any]:
    if bench.result is None:
        raise ParameterError("there is no result yet")
    if bench.explorer is None:
        result = bench.result
    else:
        with bench.live.solver() as explorer:
            result = explorer.result
    if kind == "json":
        return _file("relspan-result.json", "application/json", result.to_json().encode())
    if kind == "html":
        return _file("relspan-report.html", "text/html", result.to_html().encode())
    return _file("relspan-intervals.csv", "text/csv", _csv(result).encode())


def _recipe(bench: BrowserSession, kind: str) -> str:
    """How to repeat what is shown, with its pins; they need no solving for that."""
    explorer = bench.exploring
    pins = [pin_record(pin) for pin in explorer.pins]
    result = explorer.unpinned_result
    result = replace(result, parameters={**result.parameters, "pins": pins})
    text = script(result) if kind == "python" else command(result, "explore")
    if text is None:
        raise ParameterError("this table was given in Python, so no command can read it")
    return text


def _file(name: str, kind: str, data: bytes) -> dict[str, Any]:
    return {"name": name, "type": kind, "data": base64.b64encode(data).decode()}


def _csv(result: RelevanceResult) -> str:
    columns, stream = result.columns(), StringIO()
    write_delimited(stream, list(columns), list(columns.values()))
    return stream.getvalue()
