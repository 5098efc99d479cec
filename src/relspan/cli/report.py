"""``relspan report``: a result as one HTML file that needs no network."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from relspan.cli.options.output import PageOutput
from relspan.cli.options.packs import Only
from relspan.errors import DataError, ParameterError
from relspan.explore import Explorer
from relspan.result import RelevanceResult
from relspan.result.record import reason_in_words

ResultFile = Annotated[
    str,
    typer.Argument(
        metavar="RESULT",
        help="The JSON that relspan analyze -o result.json writes, or the model that its --save-model writes; - is "
        "standard input.",
    ),
]


def report_command(
    file: ResultFile,
    *,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The heading of the report.", show_default="the target")
    ] = None,
    panels: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Panels to add: the JSON that relspan panel -o panels.json writes."),
    ] = None,
    samples: Annotated[
        bool,
        typer.Option(
            "--samples",
            help="Include the samples of a saved model. The file then contains rows of the table: scores, classes and "
            "values.",
        ),
    ] = False,
    output: Annotated[PageOutput, Only("output")],
) -> None:
    """Write a result as a report to read, print and pass on: one HTML file with everything in it.

    From a saved model, the report also has the features that replace one another, minimal panels, the best model, and a
    slider that shows the intervals at other budgets. No row of the table is in the report, unless --samples asks for
    them.
    """
    packed = file.endswith(".gz")  # only models are packed
    given = "" if packed else read_text(file)
    if packed or is_session(given):
        explorer = Explorer.load(file) if packed else Explorer.from_bytes(given.encode(), file)[0]
        if panels is not None:
            raise ParameterError("a saved model finds its panels by itself; leave out --panels")
        text = explorer.to_html(title, samples=samples)
    else:
        if samples:
            raise ParameterError("a result has no samples; relspan analyze --save-model writes a model, which has them")
        text = result_in(given, file).to_html(title, panels=[] if panels is None else read_panels(panels))
    with output.opened() as stream:
        stream.write(text)
    if output.output != "-":
        output.note(f"report in {output.output}")


def is_session(text: str) -> bool:
    """Whether a text is a session that `relspan analyze --save-model` or `Explorer.save` wrote."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(read, dict) and "problem" in read and "session" in read


def read_result(file: str) -> RelevanceResult:
    """The result in a file: that of an analysis, or the one that a saved model has under its pins."""
    if file.endswith(".gz"):  # only models are packed
        return Explorer.load(file).result
    text = read_text(file)
    return Explorer.from_bytes(text.encode(), file)[0].result if is_session(text) else result_in(text, file)


def result_in(text: str, file: str) -> RelevanceResult:
    """The result in the text of a file."""
    if file != "-" and not text.lstrip().startswith("{"):
        raise DataError(f"{file!r} is not a result; `relspan analyze TABLE --target COLUMN -o result.json` writes one")
    return RelevanceResult.from_json(text)


def read_text(file: str) -> str:
    """The text of a file; ``-`` is standard input."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{file!r} is not text, so it is not the JSON of a relspan result") from None
    except OSError as error:
        raise ParameterError(f"cannot read {file!r}: {error.strerror or error}") from error


def read_panels(file: str) -> list[dict[str, Any]]:
    """The panels that ``relspan panel --format json`` wrote."""
    number = (int, float)
    needed: dict[str, Any] = {"features": list, "cost": number, "bound": number, "proven": bool}
    try:
        found = json.loads(read_text(file))["panels"]
        if all(isinstance(panel[word], kind) for panel in found for word, kind in needed.items()):
            return list(found)
    except (ValueError, KeyError, TypeError, RecursionError) as reason:
        raise DataError(f"{file!r} is not the JSON of `relspan panel`: {reason_in_words(reason)}") from reason
    raise DataError(f"{file!r} is not the JSON of `relspan panel`: a panel has {', '.join(sorted(needed))}")
