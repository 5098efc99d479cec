"""The options by which every command reads its table, and the reading itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from relspan.errors import ParameterError
from relspan.tables import PreparedTable, Table, TableOptions, prepare_table, read_table

PANEL = "Table"


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=PANEL, **more)


File = Annotated[str, typer.Argument(metavar="FILE", help="CSV, TSV or Parquet file, also .gz; - is stdin.")]
Target = Annotated[str, _option("--target", "-t", help="Column to explain.")]
Categorical = Annotated[
    list[str],
    _option(
        "--categorical",
        metavar="NAMES|all",
        help="Columns to encode as zeros and ones, with commas.",
        default_factory=list,
        show_default=False,
    ),
]
Impute = Annotated[
    str | None, _option("--impute", metavar="mean|median|drop", help="Fill missing values, or drop their rows.")
]
Drop = Annotated[
    list[str],
    _option(
        "--drop", metavar="NAMES", help="Columns to leave out, with commas.", default_factory=list, show_default=False
    ),
]
Separator = Annotated[
    str | None,
    _option("--separator", metavar="CHAR", help="Between columns; guessed among comma, semicolon and tab."),
]
Decimal = Annotated[
    str | None, _option("--decimal", metavar=".|,", help="Decimal sign; guessed if the separator is no comma.")
]
Encoding = Annotated[str, _option("--encoding", help="Of the text.")]
Missing = Annotated[
    list[str],
    _option(
        "--missing",
        metavar="MARK",
        help="Another mark of missing values, such as -999.",
        default_factory=list,
        show_default=False,
    ),
]


def load(
    file: str,
    target: str,
    *,
    categorical: Sequence[str] = (),
    impute: str | None = None,
    drop: Sequence[str] = (),
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str = "utf-8",
    missing: Sequence[str] = (),
    quiet: bool = False,
    encode: Literal["onehot", "codes"] = "onehot",
) -> PreparedTable:
    """Read a table and turn it into numbers; unless `quiet`, report on stderr what was understood and done."""
    options = TableOptions(tuple(categorical), impute, tuple(drop), separator, decimal, encoding, tuple(missing))
    refuse_absent(file)
    table = read_table(file, **options.reading())
    prepared = prepare_table(table, target, **options.preparing(table.names), encode=encode)
    if not quiet:
        where = "standard input" if file == "-" else file
        typer.echo(f"{where}: {len(table)} rows, {len(table.names)} columns, {table.format}", err=True)
        for note in prepared.report.notes():
            typer.echo(note, err=True)
    return prepared


def load_table(
    file: str,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str = "utf-8",
    missing: Sequence[str] = (),
) -> Table:
    """Read a table as it is; its target may not be known yet."""
    refuse_absent(file)
    options = TableOptions(separator=separator, decimal=decimal, encoding=encoding, missing=tuple(missing))
    return read_table(file, **options.reading())


def refuse_absent(file: str) -> None:
    """A file that is not there is a slip on the command line; ``-`` is stdin."""
    if file != "-" and not Path(file).exists():
        raise ParameterError(f"no file {file!r}")
