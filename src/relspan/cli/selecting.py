"""``relspan blanket`` and ``relspan select``: the commands around the two reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from relspan.cli.blanket import BlanketReport, blanket_report
from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options import analysis as fitting
from relspan.cli.options import table as reading
from relspan.cli.options.output import Destination, Format, Output, destination, open_output
from relspan.cli.plot import figure_file, save, without_a_screen
from relspan.cli.select import COUNT_LEVELS, LEARNERS, METHODS, SelectionReport, selection_report
from relspan.markov.blanket import BlanketResult
from relspan.markov.hiton import VARIANTS
from relspan.markov.independence_choice import discrete_columns
from relspan.tables import Completed, MissingValueError, write_delimited

Alpha = Annotated[float, typer.Option(help="Level of the independence tests.")]


def blanket_command(
    file: reading.File,
    target: reading.Target,
    *,
    alpha: Alpha = 0.05,
    max_k: Annotated[int, typer.Option(help="Largest conditioning set.")] = 3,
    test: Annotated[str, typer.Option(metavar="auto|g2|chi2|fisher-z|mixed", help="Independence test.")] = "auto",
    symmetric: Annotated[bool, typer.Option(help="Keep a neighbour only if the target is among its own.")] = False,
    bins: Annotated[int | None, typer.Option(help="Discretise numbers into so many bins.")] = None,
    variant: Annotated[
        str, typer.Option(metavar="|".join(VARIANTS), help="The algorithm of 2010, or that of 2003.")
    ] = VARIANTS[0],
    max_tests: Annotated[int | None, typer.Option(help="Stop with a partial result after so many tests.")] = None,
    max_pc: Annotated[int | None, typer.Option(help="Stop with a partial result at so many neighbours.")] = None,
    why: Annotated[
        list[str],
        typer.Option(
            metavar="NAMES",
            help="Say why these columns were kept or dropped.",
            default_factory=list,
            show_default=False,
        ),
    ],
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the graph: .svg, .png or .pdf.")] = None,
    output: Output = "-",
    form: Format = None,
    quiet: fitting.Quiet = False,
    impute: reading.Impute = None,
    drop: reading.Drop,
    separator: reading.Separator = None,
    decimal: reading.Decimal = None,
    encoding: reading.Encoding = "utf-8",
    missing: reading.Missing,
) -> None:
    """Find the Markov blanket of the target: the smallest set that makes all other columns superfluous (HITON)."""
    where = destination(output, form)
    if plot:
        figure_file(plot)
    table = reading.load_levels(
        file,
        target,
        impute=impute,
        drop=drop,
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        missing=missing,
        quiet=quiet,
    )
    _refuse_new_levels(table, impute)
    names = list(table.features)
    report, result = blanket_report(
        names,
        list(table.features.values()),
        table.y,
        target,
        alpha=alpha,
        max_k=max_k,
        test=test,
        symmetric=symmetric,
        n_bins=bins,
        variant=variant,
        max_tests=max_tests,
        max_pc=max_pc,
        progress=not quiet and _teller([*names, target]),
        why=reading.split_names(why, names),
        data=table.report.facts(),
    )
    _write(report, where)
    if plot:
        _draw(result, [*names, target], plot)
    if report.stopped:
        raise typer.Exit(ExitCode.SOLVER)


def select_command(
    file: reading.File,
    target: reading.Target,
    *,
    method: Annotated[str, typer.Option(metavar="METHOD", help=f"One of {', '.join(METHODS)}.")] = "hiton",
    learner: Annotated[str, typer.Option(metavar="|".join(LEARNERS), help="Judges sets of features.")] = "svm",
    n_features: Annotated[int | None, typer.Option(help="Size of the set; else by cross-validation.")] = None,
    folds: Annotated[int, typer.Option(help="Of the cross-validation.")] = 5,
    alpha: Alpha = 0.05,
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
    table = reading.load_levels(
        file,
        target,
        impute=impute,
        drop=drop,
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        missing=missing,
        quiet=quiet,
    )
    if method in COUNT_LEVELS:
        _refuse_new_levels(table, impute)
    names = list(table.features)
    report = selection_report(
        names,
        list(table.features.values()),
        table.y,
        target,
        method=method,
        learner=learner,
        n_features=n_features,
        cv=folds,
        seed=seed,
        alpha=alpha,
        data=table.report.facts(),
    )
    _write(report, where)


def _refuse_new_levels(table: Completed, impute: str | None) -> None:
    """A mean of levels is a level that nobody has: 1.4 among 1, 2 and 3 would be one of its own."""
    for name, (count, value) in table.report.imputed.items():
        column = table.features[name]
        present = column[column != value]
        if discrete_columns(present[:, None])[0] and len(column) - len(present) == count:
            ways = ("median", "drop") if np.median(present) in present else ("drop",)
            raise MissingValueError(
                f"{name!r} holds levels, and its {impute} {value:g} is none of them", {name: count}, ways
            )


def _teller(names: Sequence[str]) -> Callable[[str], None]:
    """What tells the progress of HITON on stderr, with names instead of column numbers."""

    def tell(line: str) -> None:
        number, rest = line.removeprefix("target ").split(":", 1)
        typer.echo(f"neighbours of {names[int(number)]}:{rest}", err=True)

    return tell


def _draw(result: BlanketResult, names: Sequence[str], file: str) -> None:
    without_a_screen()
    from relspan.plots import BlanketDisplay

    save(BlanketDisplay.from_result(result, names).figure_, file)


def _write(report: BlanketReport | SelectionReport, where: Destination) -> None:
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
