"""Where results go, and in which form: to stdout, or to a file if one was named."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple

import typer
from rich.console import Console

from relspan.cli.exit_codes import complain
from relspan.errors import ParameterError
from relspan.result import RelevanceResult
from relspan.show.terminal.result_table import show
from relspan.tables import write_delimited

FORMATS = ("table", "json", "csv")
FILE_WIDTH = 100
PANEL = "Output"

Output = Annotated[
    str, typer.Option("--output", "-o", metavar="FILE", help="Where to write; - is stdout.", rich_help_panel=PANEL)
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="|".join(FORMATS),
        help="Of the result.",
        show_default="as FILE ends, else table",
        rich_help_panel=PANEL,
    ),
]
Everything = Annotated[bool, typer.Option("--all", help="Irrelevant features have rows too.", rich_help_panel=PANEL)]
SaveModel = Annotated[
    str | None,
    typer.Option(
        "--save-model",
        metavar="FILE",
        help="Keep all equally good models for relspan predict and Explorer.load, as JSON (.gz: compressed). "
        "The file holds the table too.",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]


class Destination(NamedTuple):
    """A file (``-`` is stdout) and a format, both known to be possible before any work is done."""

    path: str
    format: str

    def write(self, result: RelevanceResult, everything: bool = False) -> None:
        """Write the whole result; only the table folds irrelevant features."""
        with open_output(self.path) as stream:
            if self.format == "json":
                stream.write(result.to_json() + "\n")
            elif self.format == "csv":
                columns = result.columns()
                write_delimited(stream, list(columns), list(columns.values()))
            else:
                in_file = {} if self.path == "-" else {"force_terminal": False, "width": FILE_WIDTH}
                show(result, Console(file=stream, highlight=False, **in_file), everything)  # type: ignore[arg-type]


def destination(path: str, form: str | None) -> Destination:
    """Check where to write and how; without a format the ending of the file's name tells."""
    if form not in (None, *FORMATS):
        raise ParameterError(f"format must be one of {', '.join(FORMATS)}, not {form!r}")
    writable(path)
    ending = Path(path).suffix.lower().removeprefix(".")
    return Destination(path, form or (ending if ending in FORMATS else "table"))


def writable(path: str) -> None:
    """Refuse a file whose folder cannot be written to; ``-`` is stdout."""
    folder = Path(path).parent
    if path != "-" and not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise ParameterError(f"cannot write {path!r}: {str(folder)!r} is not a folder that can be written to")


@contextmanager
def open_output(path: str) -> Iterator[IO[str]]:
    """A text stream for writing; ``-`` is stdout."""
    if path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            yield stream
    except OSError as error:
        raise ParameterError(f"cannot write {path!r}: {error.strerror or error}") from error


def write_report(report: Any, where: Destination) -> None:
    """Write what a selector found; `report` has warnings, to_json, columns and to_table."""
    for remark in report.warnings:
        complain(f"warning: {remark}")
    with open_output(where.path) as stream:
        if where.format == "json":
            stream.write(report.to_json() + "\n")
        elif where.format == "csv":
            columns = report.columns()
            write_delimited(stream, list(columns), list(columns.values()))
        else:
            table = report.to_table()
            title, caption = table.title, table.caption
            table.title = table.caption = None  # inside they are broken to the width of the names
            Console(file=stream, highlight=False, markup=False).print(title, table, caption, sep="\n")
