"""``relspan blanket``: the Markov blanket of a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from relspan.cli.exit_codes import ExitCode
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.packs import Without
from relspan.cli.options.table import File, Target, load
from relspan.cli.plot import refuse_other_figure, save_figure, use_no_screen
from relspan.cli.selection_output import write_report
from relspan.markov.blanket import BlanketResult
from relspan.markov.parents_and_children import VARIANTS
from relspan.options import option
from relspan.selectors.blanket_report import blanket_report
from relspan.selectors.discrete_features import refuse_new_levels
from relspan.tables import TableOptions
from relspan.tables.table_options import split_names
from relspan.terminal_text import printable


@dataclass(frozen=True)
class SearchOptions:
    """The parameters of HITON, by its names."""

    alpha: float = option(0.05, help="The significance level of the independence tests.")
    max_k: int = option(3, help="The size of the largest set of columns to condition on.")
    test: str = option("auto", metavar="auto|g2|chi2|fisher-z|mixed", help="The independence test.")
    symmetric: bool = option(False, help="Keep a neighbour only if the target is among the neighbour's own neighbours.")
    n_bins: int | None = option(
        None, flag="--bins", help="Cut each column of numbers into this many bins.", show_default="numbers are not cut"
    )
    variant: str = option(
        VARIANTS[0],
        metavar="|".join(VARIANTS),
        help="The version of the algorithm: as published in 2010 (semi-interleaved) or in 2003 (interleaved).",
    )
    max_tests: int | None = option(
        None, help="Stop with a partial result after this many tests.", show_default="no limit"
    )
    max_pc: int | None = option(
        None, help="Stop with a partial result at this many neighbours.", show_default="no limit"
    )


def blanket_command(
    file: File,
    target: Target,
    *,
    why: Annotated[
        list[str],
        typer.Option(
            metavar="NAMES",
            help="Explain why these columns, separated by commas, were kept or dropped.",
            default_factory=list,
            show_default=False,
        ),
    ],
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the graph into a .svg, .png or .pdf file.")
    ] = None,
    search: SearchOptions,
    output: OutputOptions,
    table: Annotated[TableOptions, Without("categorical", "groups", "event")],
) -> None:
    """Find the Markov blanket of the target: the smallest set of columns that makes all others superfluous.

    The search (HITON) tests whether columns are independent of the target, alone and given other columns. The blanket
    contains the target's causes, its effects, and other causes of these effects, if the tests are right and no common
    cause is hidden.
    """
    if plot:
        refuse_other_figure(plot)
    prepared = load(file, target, table, output, encode="codes")
    refuse_new_levels(prepared)
    names = list(prepared.names)
    report, result = blanket_report(
        prepared,
        **asdict(search),
        progress=None if output.quiet else _print_progress,
        why=split_names(why, names),
    )
    write_report(report, output)
    if plot:
        _draw(result, [*names, target], plot)
    if report.stopped:
        raise typer.Exit(ExitCode.SOLVER)


def _print_progress(stage: str, share: float | None, note: str = "") -> None:
    typer.echo(printable(f"{stage}: {note}"), err=True)


def _draw(result: BlanketResult, names: Sequence[str], file: str) -> None:
    use_no_screen()
    from relspan.plots import BlanketDisplay

    save_figure(BlanketDisplay.from_result(result, names).figure_, file)
