"""``relspan select``: the columns that a selector chooses."""

from __future__ import annotations

from typing import Annotated

import typer

from relspan.cli.options import analysis as fitting
from relspan.cli.options import table as reading
from relspan.cli.options.output import Format, Output, destination, write_report
from relspan.selectors.discrete_features import refuse_new_levels
from relspan.selectors.selection_report import COUNT_LEVELS, LEARNERS, METHODS, selection_report


def select_command(
    file: reading.File,
    target: reading.Target,
    *,
    method: Annotated[str, typer.Option(metavar="METHOD", help=f"One of {', '.join(METHODS)}.")] = "hiton",
    learner: Annotated[str, typer.Option(metavar="|".join(LEARNERS), help="Judges sets of features.")] = "svm",
    n_features: Annotated[int | None, typer.Option(help="Size of the set; else by cross-validation.")] = None,
    folds: Annotated[int, typer.Option(help="Of the cross-validation.")] = 5,
    alpha: Annotated[float, typer.Option(help="Level of the independence tests.")] = 0.05,
    output: Output = "-",
    form: Format = None,
    quiet: fitting.Quiet = False,
    impute: reading.Impute = None,
    drop: reading.Drop,
    separator: reading.Separator = None,
    decimal: reading.Decimal = None,
    encoding: reading.Encoding = "utf-8",
    missing: reading.Missing,
    seed: fitting.Seed = 0,
) -> None:
    """Select columns by HITON, a filter, recursive elimination, or a wrapper."""
    where = destination(output, form)
    table = reading.load(
        file,
        target,
        impute=impute,
        drop=drop,
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        missing=missing,
        quiet=quiet,
        encode="codes",
    )
    if method in COUNT_LEVELS:
        refuse_new_levels(table)
    report = selection_report(
        table,
        method=method,
        learner=learner,
        n_features=n_features,
        cv=folds,
        seed=seed,
        alpha=alpha,
    )
    write_report(report, where)
