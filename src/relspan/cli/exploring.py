"""What the commands that explore a table share: from a file to a session with pins, and text or JSON out of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import typer

from relspan.cli.options import analysis as fitting
from relspan.cli.options import table as reading
from relspan.cli.options.output import open_output, writable
from relspan.cli.options.pins import known_names, read_pins
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.explore.pins import pin_record
from relspan.tables.table_options import split_names

SCHEMA_VERSION = 1
FORMATS = ("table", "json")
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="|".join(FORMATS),
        help="Of the answer.",
        show_default="as FILE ends, else table",
        rich_help_panel="Output",
    ),
]


class Table(NamedTuple):
    """Where a table is and how to read it: the options of `reading`, in their order."""

    file: str
    target: str
    categorical: Sequence[str]
    impute: str | None
    drop: Sequence[str]
    separator: str | None
    decimal: str | None
    encoding: str
    missing: Sequence[str]


def open_explorer(
    table: Table,
    pins: Sequence[str],
    without: Sequence[str],
    quiet: bool,
    seed: int,
    mentioned: Sequence[str] = (),
    **settings: Any,
) -> Explorer:
    """Analyse a table and pin what was asked for; `mentioned` are names of features that the question needs."""
    fitting.check(settings)
    file, target, *rest = table
    prepared = reading.load(file, target, **dict(zip(Table._fields[2:], rest, strict=True)), quiet=quiet)  # type: ignore[arg-type]
    demands = read_pins(pins, without, prepared.names)
    known_names(split_names(mentioned, prepared.names), prepared.names)
    explorer = fitting.estimate(prepared, quiet=quiet, random_state=seed, **settings).explore()
    return explorer.pin_all(demands) if demands else explorer


def form_of(path: str, form: str | None) -> str:
    """The format of an answer, checked before any work is done."""
    if form not in (None, *FORMATS):
        raise ParameterError(f"format must be one of {', '.join(FORMATS)}, not {form!r}")
    writable(path)
    return form or ("json" if path.lower().endswith(".json") else "table")


def answer(path: str, form: str, text: str, explorer: Explorer, record: dict[str, Any]) -> None:
    """Write the text, or the record as JSON, with what the analysis was told and where its numbers came from."""
    result = explorer.result
    whole = {
        "schema_version": SCHEMA_VERSION,
        "versions": result.versions,
        "data": result.data,
        "parameters": {**result.parameters, "pins": [pin_record(pin) for pin in explorer.pins]},
        **record,
    }
    with open_output(path) as stream:
        stream.write((json.dumps(whole, indent=2, allow_nan=False) if form == "json" else text) + "\n")
