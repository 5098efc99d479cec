"""Exports: the session, the result and the report as files in base64, and how to repeat it all as text."""

from __future__ import annotations

import base64
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

from relspan.browser.long_questions import slider_record
from relspan.checks import one_of
from relspan.errors import ParameterError
from relspan.explore.pins import pin_record
from relspan.result import RelevanceResult
from relspan.show.html.page import page
from relspan.show.recipe import command, script
from relspan.tables import write_delimited

if TYPE_CHECKING:
    from relspan.browser.browser_session import BrowserSession
    from relspan.browser.shown_result import ShownResult

RESULTS, RECIPES = ("csv", "json", "html"), ("python", "command")
EXPORT_KINDS = ("session", "shared", *RESULTS, *RECIPES)


def export(session: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """A file's name, type and content, or the text of a recipe."""
    kind = one_of("kind", payload.get("kind"), EXPORT_KINDS)
    shown = session.left_one(payload["left"]) if "left" in payload else session.require_shown()
    if shown.live is None and kind not in RESULTS:
        raise ParameterError(f"Without an explorer there is no {kind} to export.")
    if kind == "session":
        return _file("relspan-session.json", "application/json", shown.session_file())
    if kind == "shared":
        return _file("relspan-shared.html", "text/html", _shared_page(shown).encode())
    return _result(shown, kind) if kind in RESULTS else {"text": _recipe(shown, kind)}


def export_kinds(result: RelevanceResult, explorable: bool) -> list[str]:
    """The kinds of export that a result allows."""
    recipes = dict(zip(RECIPES, (script(result), command(result, "explore")), strict=True))
    more = ["session", "shared", *(kind for kind, text in recipes.items() if text is not None)]
    return [*RESULTS, *(more if explorable else [])]


def _result(shown: ShownResult, kind: str) -> dict[str, Any]:
    result = shown.result
    if shown.live is not None:
        with shown.live.solver() as explorer:
            result = explorer.result
    if kind == "json":
        return _file("relspan-result.json", "application/json", result.to_json().encode())
    if kind == "html":
        return _file("relspan-report.html", "text/html", result.to_html().encode())
    return _file("relspan-intervals.csv", "text/csv", _csv(result).encode())


def _shared_page(shown: ShownResult) -> str:
    """The report with all that can be looked at without a server: other budgets, substitutes, panels. No table."""
    assert shown.live is not None
    assert shown.long_questions is not None
    questions = shown.long_questions
    with shown.live.solver() as explorer:
        result, pins = explorer.result, explorer.pins
    slider = slider_record(questions.problem)
    budgets = None if pins or slider["current"] is None else {**slider, **questions.budgets()}
    groups, panels = questions.substitute_groups(pins), questions.panels_found(pins)
    return page(result, groups=groups, panels=panels, budgets=budgets)


def _recipe(shown: ShownResult, kind: str) -> str:
    """How to repeat what is shown, with its pins; they need no solving for that."""
    pins = [pin_record(pin) for pin in shown.explorer.pins] if shown.explorer is not None else []
    result = replace(shown.result, parameters={**shown.result.parameters, "pins": pins})
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
