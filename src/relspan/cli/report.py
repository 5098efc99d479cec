"""``relspan report``: a result as one HTML file that needs no network."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from relspan.cli.options.output import Output, destination, open_output
from relspan.errors import DataError, ParameterError
from relspan.result import RelevanceResult

ResultFile = Annotated[str, typer.Argument(metavar="RESULT", help="JSON of `relspan analyze`; - is stdin.")]
PanelFile = Annotated[
    str | None, typer.Option("--panels", metavar="FILE", help="Panels to add: JSON of `relspan panel`.")
]


def report_command(
    file: ResultFile,
    output: Output = "-",
    title: Annotated[str | None, typer.Option(help="Heading.", show_default="the target")] = None,
    panels: PanelFile = None,
) -> None:
    """Write a result as a report to read, to print and to pass on: one HTML file with everything in it."""
    destination(output, None)
    result = read_result(file)
    text = result.to_html(title, panels=[] if panels is None else read_panels(panels))
    with open_output(output) as stream:
        stream.write(text)
    if output != "-":
        typer.echo(f"report in {output}", err=True)


def read_result(file: str) -> RelevanceResult:
    """The result in a file."""
    text = read_text(file)
    if file != "-" and not text.lstrip().startswith("{"):
        raise DataError(f"{file!r} is no result; `relspan analyze TABLE --target COLUMN -o result.json` writes one")
    return RelevanceResult.from_json(text)


def read_text(file: str) -> str:
    """The text of a file; ``-`` is stdin."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{file!r} is not text, so it is not the JSON of a relspan result") from None
    except OSError as error:
        raise ParameterError(f"cannot read {file!r}: {error.strerror or error}") from error


def read_panels(file: str) -> list[dict[str, Any]]:
    """The panels that ``relspan panel --format json`` wrote."""
    number = (int, float)
    needed: dict[str, Any] = {"features": list, "cost": number, "bound": number, "proven": bool, "meaning": str}
    try:
        found = json.loads(read_text(file))["panels"]
        if all(isinstance(panel[word], kind) for panel in found for word, kind in needed.items()):
            return list(found)
    except (ValueError, KeyError, TypeError) as reason:
        raise DataError(f"{file!r} is not the JSON of `relspan panel` ({reason!r})") from reason
    raise DataError(f"{file!r} is not the JSON of `relspan panel`: a panel has {', '.join(sorted(needed))}")
