"""The file and the target that a command is about, and how the file is read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from relspan.cli.options.output import OutputOptions
from relspan.errors import ParameterError
from relspan.tables import PreparedTable, Table, TableOptions, prepare_table, read_table

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="The table: a CSV, TSV, Parquet or Excel file, which may end in .gz; - is standard input."
    ),
]
Target = Annotated[
    str, typer.Option("--target", "-t", "--time", metavar="NAME", help="The column to explain; with --event, its time.")
]


def load(
    file: str, target: str, options: TableOptions, output: OutputOptions, encode: Literal["onehot", "codes"] = "onehot"
) -> PreparedTable:
    """Read a table and turn it into numbers; notes on stderr report what was understood and done."""
    return prepared_from(read(file, options), file, target, options, output, encode)


def prepared_from(
    table: Table,
    file: str,
    target: str,
    options: TableOptions,
    output: OutputOptions,
    encode: Literal["onehot", "codes"] = "onehot",
) -> PreparedTable:
    """The same of a table that was read already."""
    prepared = prepare_table(table, target, **options.preparing(table.names), encode=encode)
    source = "standard input" if file == "-" else file
    output.note(f"{source}: {table.description()}")
    for sentence in prepared.report.notes():
        output.note(sentence)
    return prepared


def read(file: str, options: TableOptions) -> Table:
    """Read a table as it is; its target may not be known yet."""
    refuse_absent(file)
    return read_table(file, **options.reading())


def refuse_absent(file: str) -> None:
    """A file that is not there is a slip on the command line; ``-`` is standard input."""
    if file != "-" and not Path(file).exists():
        raise ParameterError(f"no file {file!r}")
