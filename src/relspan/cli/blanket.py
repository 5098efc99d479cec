"""``relspan blanket``: the Markov blanket of a target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from relspan.cli.exit_codes import ExitCode
from relspan.cli.options import analysis as fitting
from relspan.cli.options import table as reading
from relspan.cli.options.output import Format, Output, destination, write_report
from relspan.cli.plot import figure_file, save, without_a_screen
from relspan.markov.blanket import BlanketResult
from relspan.markov.parents_and_children import VARIANTS
from relspan.selectors.blanket_report import blanket_report
from relspan.selectors.discrete_features import refuse_new_levels
from relspan.tables.table_options import split_names


def blanket_command(
    file: reading.File,
    target: reading.Target,
    *,
    alpha: Annotated[float, typer.Option(help="Level of the independence tests.")] = 0.05,
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
    refuse_new_levels(table)
    names = list(table.names)
    report, result = blanket_report(
        table,
        alpha=alpha,
        max_k=max_k,
        test=test,
        symmetric=symmetric,
        n_bins=bins,
        variant=variant,
        max_tests=max_tests,
        max_pc=max_pc,
        progress=None if quiet else _print_progress,
        why=split_names(why, names),
    )
    write_report(report, where)
    if plot:
        _draw(result, [*names, target], plot)
    if report.stopped:
        raise typer.Exit(ExitCode.SOLVER)


def _print_progress(stage: str, share: float | None, note: str = "") -> None:
    typer.echo(f"{stage}: {note}", err=True)


def _draw(result: BlanketResult, names: Sequence[str], file: str) -> None:
    without_a_screen()
    from relspan.plots import BlanketDisplay

    save(BlanketDisplay.from_result(result, names).figure_, file)
