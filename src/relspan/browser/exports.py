"""Exports: the session, the result and the report as files in base64, and how to repeat it all as text."""

from __future__ import annotations

import base64
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

from relspan.checks import one_of
from relspan.errors import ParameterError
from relspan.explore.pins import pin_record
from relspan.result import RelevanceResult
from relspan.show.recipe import command, script
from relspan.tables import write_delimited

if TYPE_CHECKING:
    from relspan.browser.browser_session import BrowserSession

RESULTS, RECIPES = ("csv", "json", "html"), ("python", "command")
EXPORT_KINDS = ("session", *RESULTS, *RECIPES)


def export(session: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """A file's name, type and content, or the text of a recipe."""
    kind = one_of("kind", payload.get("kind"), EXPORT_KINDS)
    if kind == "session":
        with session.require_live().solver() as explorer:
            data = explorer.to_bytes(**session.saved_extras())
        return _file("relspan-session.json", "application/json", data)
    return _result(session, kind) if kind in RESULTS else {"text": _recipe(session, kind)}


def export_kinds(result: RelevanceResult, explorable: bool) -> list[str]:
    """The kinds of export that a result allows."""
    recipes = dict(zip(RECIPES, (script(result), command(result, "explore")), strict=True))
    more = ["session", *(kind for kind, text in recipes.items() if text is not None)]
    return [*RESULTS, *(more if explorable else [])]


def _result(session: BrowserSession, kind: str) -> dict[str, Any]:
    if session.result is None:
        raise ParameterError("There is no result yet.")
    if session.explorer is None:
        result = session.result
    else:
        with session.require_live().solver() as explorer:
            result = explorer.result
    if kind == "json":
        return _file("relspan-result.json", "application/json", result.to_json().encode())
    if kind == "html":
        return _file("relspan-report.html", "text/html", result.to_html().encode())
    return _file("relspan-intervals.csv", "text/csv", _csv(result).encode())


def _recipe(session: BrowserSession, kind: str) -> str:
    """How to repeat what is shown, with its pins; they need no solving for that."""
    explorer = session.require_explorer()
    pins = [pin_record(pin) for pin in explorer.pins]
    result = explorer.unpinned_result
    result = replace(result, parameters={**result.parameters, "pins": pins})
    text = script(result) if kind == "python" else command(result, "explore")
    if text is None:
        raise ParameterError("The table was given in Python, so no command can read it.")
    return text


def _file(name: str, kind: str, data: bytes) -> dict[str, Any]:
    return {"name": name, "type": kind, "data": base64.b64encode(data).decode()}


def _csv(result: RelevanceResult) -> str:
    columns, stream = result.columns(), StringIO()
    write_delimited(stream, list(columns), list(columns.values()))
    return stream.getvalue()
