"""The options by which every command reads its table, and the reading itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer

from relspan.errors import ParameterError
from relspan.markov.independence_choice import discrete_columns
from relspan.tables import (
    MISSING,
    Completed,
    MissingValueError,
    Preparation,
    PreparedTable,
    Table,
    complete,
    prepare_table,
    read_table,
)

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
) -> PreparedTable:
    """Read a table and turn it into numbers; unless `quiet`, say on stderr what was understood and done."""
    table = load_table(file, separator=separator, decimal=decimal, encoding=encoding, missing=missing)
    prepared = prepare_table(
        table,
        target,
        categorical=_all_or(split_names(categorical, table.names)),
        impute=impute,  # type: ignore[arg-type]
        drop=split_names(drop, table.names),
    )
    if not quiet:
        _tell(file, table, prepared.report)
    return prepared


def load_levels(
    file: str,
    target: str,
    *,
    impute: str | None = None,
    drop: Sequence[str] = (),
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str = "utf-8",
    missing: Sequence[str] = (),
    quiet: bool = False,
) -> Completed:
    """The same for methods that count levels: words stay words."""
    table = load_table(file, separator=separator, decimal=decimal, encoding=encoding, missing=missing)
    completed = complete(table, target, impute=impute, drop=split_names(drop, table.names))  # type: ignore[arg-type]
    if not quiet:
        _tell(file, table, completed.report)
    return completed


def refuse_new_levels(table: Completed, impute: str | None) -> None:
    """A mean of levels is a level that nobody has: 1.4 among 1, 2 and 3 would be one of its own."""
    for name, (count, value) in table.report.imputed.items():
        column = table.features[name]
        present = column[column != value]
        if discrete_columns(present[:, None])[0] and len(column) - len(present) == count:
            ways = ("median", "drop") if np.median(present) in present else ("drop",)
            raise MissingValueError(
                f"{name!r} holds levels, and its {impute} {value:g} is none of them", {name: count}, ways
            )


def _tell(file: str, table: Table, report: Preparation) -> None:
    where = "standard input" if file == "-" else file
    typer.echo(f"{where}: {len(table)} rows, {len(table.names)} columns, {table.format}", err=True)
    for note in report.notes():
        typer.echo(note, err=True)


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
    tab = separator in ("\\t", "tab")
    return read_table(
        file,
        separator="\t" if tab else separator,
        decimal=decimal,
        encoding=encoding,
        missing=MISSING.union(missing),
    )


def refuse_absent(file: str) -> None:
    """A file that is not there is a slip on the command line; ``-`` is stdin."""
    if file != "-" and not Path(file).exists():
        raise ParameterError(f"no file {file!r}")


def split_names(words: Sequence[str], names: Sequence[str]) -> list[str]:
    """Column names from words that may hold several with commas; a name with a comma in it counts as itself."""
    found: list[str] = []
    for word in words:
        found += [word] if word in names else [part.strip() for part in word.split(",") if part.strip()]
    return found


def _all_or(names: list[str]) -> list[str] | Literal["all"]:
    return "all" if names == ["all"] else names
