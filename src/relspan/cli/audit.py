"""``relspan audit``: how much a fitted scikit-learn model can change among models as good as it.

A model file written by joblib or pickle is a program: reading it runs whatever it contains. So it is read only where
the caller says that it can be trusted. A file of skops holds data alone; it is read as it is, if it names no types but
those of scikit-learn, NumPy and SciPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from relspan.checks import did_you_mean_or_all
from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options.output import OutputOptions, write_columns
from relspan.cli.options.packs import Only
from relspan.cli.options.table import Target, read, refuse_absent
from relspan.errors import DataError, ModelError, ParameterError
from relspan.model_audit import audit
from relspan.tables import Table, TableOptions
from relspan.tables.table_options import split_names
from relspan.terminal_text import printable

PICKLES = (".joblib", ".pkl", ".pickle")


def audit_command(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="The fitted model: a .skops file, or a .joblib or .pkl file.")
    ],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The rows that it was fitted to: a CSV, TSV, Parquet or Excel file.")
    ],
    target: Target,
    *,
    trust_model: Annotated[
        bool,
        typer.Option(
            "--trust-model",
            help="Read a .joblib or .pkl file, which runs the code in it. Give this only for files of your own.",
        ),
    ] = False,
    delta_loss: Annotated[
        str,
        typer.Option(
            metavar="SHARE|one_se",
            help="How much more loss a model as good may have, as a share of the loss that the model saves compared "
            "with one without columns; or 'one_se', one standard error of the held-out loss.",
        ),
    ] = "0.02",
    delta_norm: Annotated[
        float | None,
        typer.Option(
            help="How much longer the coefficients of a model as good may be, as a share; inf sets no limit.",
            show_default="0.1; without a penalty no limit",
        ),
    ] = None,
    budget: Annotated[
        str,
        typer.Option(
            metavar="separate|combined",
            help="Whether loss and penalty have a limit each, or share the one that the model minimises.",
        ),
    ] = "separate",
    weights: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The column of sample weights that it was fitted with.", show_default="none"),
    ] = None,
    output: OutputOptions,
    table: Annotated[TableOptions, Only("separator", "decimal", "encoding", "missing", "sheet", "drop")],
) -> None:
    """Report how much the coefficients of a fitted scikit-learn model can change among models as good as it.

    Models are compared by the model's own loss and penalty, on the rows of the table. The columns of the table must be
    those that the model was fitted with; others are left aside.
    """
    share: float | str = delta_loss
    with suppress(ValueError):  # a word, which the audit knows or refuses
        share = float(delta_loss)
    refuse_absent(file)
    fitted = read_model_file(model, trust_model)
    X, y, sample_weight = rows_for(fitted, read(file, table), target, weights, table.drop)
    found = audit(fitted, X, y, delta_loss=share, delta_norm=delta_norm, budget=budget, sample_weight=sample_weight)
    with output.opened() as stream:
        if output.form == "json":
            stream.write(found.to_json() + "\n")
        elif output.form == "csv":
            write_columns(stream, found.columns())
        else:
            stream.write("\n".join(map(printable, str(found).split("\n"))) + "\n")
    if found.unproven:
        complain("warning: some ranges are not proven to their usual precision; see gap")
        raise typer.Exit(ExitCode.SOLVER)


def read_model_file(file: str, trusted: bool) -> Any:
    """The fitted model in a file; one that could run code is read only if it is trusted."""
    refuse_absent(file)
    ending = Path(file).suffix.lower()
    if ending == ".skops":
        return _read_skops(file)
    if ending not in PICKLES:
        raise ParameterError(f"{file!r} is no model file; a model ends in .skops, {', '.join(PICKLES)}")
    if not trusted:
        raise ParameterError(
            f"{file!r} is a pickle, and reading it runs the code in it. If you wrote the file, or trust who did, add "
            "--trust-model; a .skops file (skops.io.dump) needs no trust"
        )
    import joblib

    try:
        return joblib.load(file)
    except Exception as reason:  # a damaged pickle can raise anything
        raise ModelError(f"{file!r} cannot be read: {type(reason).__name__}: {reason}") from reason


def _read_skops(file: str) -> Any:
    """A model that skops has written, if it holds nothing but known types."""
    try:
        io = import_module("skops.io")
    except ModuleNotFoundError:
        raise ParameterError("a .skops file needs the package skops: pip install skops") from None
    unknown = io.get_untrusted_types(file=file)
    if unknown:
        raise ModelError(f"{file!r} contains types that are not known to be safe: {', '.join(unknown)}")
    return io.load(file)


def rows_for(
    fitted: Any, table: Table, target: str, weights: str | None, drop: Sequence[str]
) -> tuple[Any, np.ndarray, np.ndarray | None]:
    """The columns that a model was fitted with, the target, and the weights of the rows."""
    for name in filter(None, [target, weights]):
        if name not in table.names:
            raise ParameterError(f"no column {name!r}{did_you_mean_or_all(name, table.names)}")
    aside = {target, weights, *split_names(drop, table.names)}
    known = getattr(fitted, "feature_names_in_", None)
    names = [name for name in table.names if name not in aside] if known is None else [str(name) for name in known]
    missing = [name for name in names if name not in table.names]
    if missing:
        raise DataError(
            f"the table has no column {missing[0]!r}, which the model was fitted with"
            f"{did_you_mean_or_all(missing[0], table.names)}"
        )
    y = table.column(target)
    if (y.dtype == object and any(value is None for value in y)) or (y.dtype != object and np.isnan(y).any()):
        raise DataError(f"the target {target!r} has missing values; drop those rows first")
    columns = {name: table.column(name) for name in names}
    return _framed(columns, known is not None), y, None if weights is None else table.column(weights)


def _framed(columns: dict[str, np.ndarray], named: bool) -> Any:
    """The columns as a data frame, where the model knows names or some hold text; else as an array."""
    text = [name for name, column in columns.items() if column.dtype == object]
    if not (named or text):
        return np.column_stack(list(columns.values()))
    try:
        from pandas import DataFrame
    except ModuleNotFoundError:
        if text:
            raise DataError(f"column {text[0]!r} holds text, which needs pandas: pip install pandas") from None
        return np.column_stack(list(columns.values()))
    return DataFrame(columns)
