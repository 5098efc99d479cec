"""The options by which every command reads its table, and the reading itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from relspan.errors import ParameterError
from relspan.tables import MISSING, Prepared, prepare, read_table

File = Annotated[str, typer.Argument(metavar="FILE", help="CSV, TSV or Parquet file, also .gz; - is stdin.")]
Target = Annotated[str, typer.Option("--target", "-t", help="Column to explain.")]
Categorical = Annotated[
    list[str], typer.Option(metavar="NAMES|all", help="Columns to encode as zeros and ones, with commas.")
]
Impute = Annotated[
    str | None, typer.Option(metavar="mean|median|drop", help="Fill missing values, or drop their rows.")
]
Drop = Annotated[list[str], typer.Option(metavar="NAMES", help="Columns to leave out, with commas.")]
Separator = Annotated[
    str | None, typer.Option(metavar="CHAR", help="Between columns; guessed among comma, semicolon and tab.")
]
Decimal = Annotated[str | None, typer.Option(metavar=".|,", help="Decimal sign; guessed if the separator is no comma.")]
Encoding = Annotated[str, typer.Option(help="Of the text.")]
Missing = Annotated[list[str], typer.Option(metavar="MARK", help="Another mark of missing values, such as -999.")]


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
) -> Prepared:
    """Read a table and turn it into numbers; say on stderr what was understood and done."""
    if file != "-" and not Path(file).exists():
        raise ParameterError(f"no file {file!r}")
    tab = separator in ("\\t", "tab")
    table = read_table(
        file,
        separator="\t" if tab else separator,
        decimal=decimal,
        encoding=encoding,
        missing=MISSING.union(missing),
    )
    prepared = prepare(
        table,
        target,
        categorical=_all_or(split_names(categorical, table.names)),
        impute=impute,  # type: ignore[arg-type]
        drop=split_names(drop, table.names),
    )
    where = "standard input" if file == "-" else file
    typer.echo(f"{where}: {len(table)} rows, {len(table.names)} columns, {table.format}", err=True)
    for note in prepared.report.notes():
        typer.echo(note, err=True)
    return prepared


def split_names(words: Sequence[str], names: Sequence[str]) -> list[str]:
    """Column names from words that may hold several with commas; a name with a comma in it counts as itself."""
    found: list[str] = []
    for word in words:
        found += [word] if word in names else [part.strip() for part in word.split(",") if part.strip()]
    return found


def _all_or(names: list[str]) -> list[str] | Literal["all"]:
    return "all" if names == ["all"] else names
