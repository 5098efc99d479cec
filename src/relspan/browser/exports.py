"""Exports: the session, the result and the report as files in base64, and how to repeat it all as text."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

from relspan.browser.long_questions import LongQuestions, slider_record
from relspan.browser.shared_samples import shared_samples
from relspan.checks import flag, one_of, whole
from relspan.errors import ParameterError
from relspan.explore import Explorer, Model, Panel, Pin
from relspan.explore.explorer import history_of
from relspan.explore.pins import pin_record
from relspan.progress import ProgressChoice, reporter
from relspan.result import RelevanceResult
from relspan.show.html.page import page
from relspan.show.recipe import command, script
from relspan.tables import write_delimited

if TYPE_CHECKING:
    from relspan.browser.browser_session import BrowserSession
    from relspan.browser.shown_result import ShownResult

RESULTS, RECIPES = ("csv", "json", "html"), ("python", "command")
MOST_COMPARED_IN_A_REPORT = 30  # relevant features, each pair of which is compared
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
        asked = payload.get("samples") is True  # nothing else counts as asking for rows of the table
        return _file("relspan-shared.html", "text/html", _shared_page(shown, asked).encode())
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
        return _file("relspan-report.html", "text/html", _report(shown, result).encode())
    return _file("relspan-intervals.csv", "text/csv", _csv(result).encode())


def _report(shown: ShownResult, result: RelevanceResult) -> str:
    """The report of what is shown, with its best model, the panels found so far and what replaces what.

    Among many relevant features substitutes take minutes, so there they stand only in the page to share.
    """
    questions = shown.long_questions
    if shown.live is None or questions is None:
        return result.to_html()
    with shown.live.solver() as explorer:
        pins, model = explorer.pins, explorer.model()
    few = len(questions.problem.relevant_features) <= MOST_COMPARED_IN_A_REPORT
    groups = questions.substitute_groups(pins) if few else None
    return result.to_html(groups=groups, panels=questions.panels_found(pins), model=model)


def _shared_page(shown: ShownResult, samples: bool) -> str:
    """The page to share of what is shown, with the panels that were found so far, and with samples if asked."""
    assert shown.live is not None
    assert shown.long_questions is not None
    with shown.live.solver() as explorer:
        result, pins, model = explorer.result, explorer.pins, explorer.model()
    rows = shared_samples(shown.long_questions, pins) if samples else None
    return _page(shown.long_questions, result, pins, model, shown.long_questions.panels_found(pins), samples=rows)


def shared_page(
    explorer: Explorer,
    title: str | None = None,
    n_panels: int = 3,
    time_limit: float = 20.0,
    progress: ProgressChoice = None,
    samples: bool = False,
) -> str:
    """The page to share of an explorer: everything in it is computed now, so that it works without a server.

    Parameters
    ----------
    explorer : Explorer
        What is shown, under its pins.
    title : str, optional
        The heading. By default it names the target, where that is known.
    n_panels : int, default=3
        The number of minimal panels to find; 0 leaves them out.
    time_limit : float, default=20.0
        Seconds for the search for panels.
    progress : callable or bool, optional
        Called as ``progress(stage, share, note)``; True prints lines to standard error.
    samples : bool, default=False
        Whether the page contains the samples, with their scores, classes and values.

    Returns
    -------
    str
        The text of one HTML file. Without `samples` it contains no row of the table.

    See Also
    --------
    relspan.show.html.page.page : The report alone.
    """
    questions = LongQuestions(history_of(explorer).problem)
    n_panels = whole("n_panels", n_panels, at_least=0)
    panels = explorer.minimal_panels(n_panels, time_limit=time_limit, progress=progress) if n_panels else ()
    rows = shared_samples(questions, explorer.pins, reporter(progress)) if flag("samples", samples) else None
    return _page(questions, explorer.result, explorer.pins, explorer.model(), panels, title, rows)


def _page(
    questions: LongQuestions,
    result: RelevanceResult,
    pins: tuple[Pin, ...],
    model: Model,
    panels: Sequence[Panel],
    title: str | None = None,
    samples: dict[str, Any] | None = None,
) -> str:
    """The report with all that can be looked at without a server: other budgets, substitutes, panels, samples."""
    slider = slider_record(questions.problem)
    budgets = None if pins or slider["current"] is None else {**slider, **questions.budgets()}
    return page(result, title, questions.substitute_groups(pins), panels, budgets, model, samples)


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
