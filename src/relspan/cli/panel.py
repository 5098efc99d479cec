"""``relspan panel``: the fewest or cheapest columns from which an equally good model can be made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from time import perf_counter
from typing import Annotated

import numpy as np
import typer

from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import AnswerOutput, OutputOptions
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target, refuse_absent
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven
from relspan.cli.table_fit import first_lines, open_explorer, origin
from relspan.errors import DataError, SolverError
from relspan.explore import Panel
from relspan.progress import Progress
from relspan.show.account import by_key
from relspan.tables import TableOptions, read_table
from relspan.tables.table_options import split_names

SECONDS_BETWEEN_NOTES = 2.0  # bounds creep, and not every step is news


def panel_command(
    file: File,
    target: Target,
    *,
    costs: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A table of two columns, names and costs, for the cheapest panel.",
            show_default="every column costs 1",
        ),
    ] = None,
    include: Annotated[
        list[str],
        typer.Option(
            metavar="NAMES",
            help="Columns that every panel must include, separated by commas.",
            default_factory=list,
            show_default=False,
        ),
    ],
    limit: Annotated[int, typer.Option(min=1, help="The number of minimal panels to list, the cheapest first.")] = 1,
    time_limit: Annotated[float, typer.Option(min=0.0, help="The seconds that the search may take.")] = 60.0,
    pins: PinOptions,
    output: AnswerOutput,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Find the fewest (or cheapest) columns from which a model as good as the best can be made.

    A panel is proven if no smaller (or cheaper) one can exist. Where the time does not suffice for a proof, the best
    panel found so far is shown with a lower bound of the cost.
    """
    prices = None if costs is None else read_costs(costs)
    mentioned = [*include, *(prices or ())]
    explorer = open_explorer(file, target, table, task, analysis, pins, output, mentioned)
    found = explorer.minimal_panels(
        limit,
        costs=prices,
        include=split_names(include, [*explorer.feature_names, *explorer.categories]),
        time_limit=time_limit,
        progress=search_notes(output),
    )
    if not found:
        raise SolverError(f"no panel was found in {time_limit:g} seconds; allow more with --time-limit")
    text = "\n".join(
        [*first_lines(explorer), *map(str, found), by_key(explorer.unpinned_result)["equally_good"].sentence]
    )
    output.write(text, {**origin(explorer), "panels": list(panel_records(found))})
    if not found[-1].proven:
        complain(
            f"within {time_limit:g} seconds the last panel was not proven to be the best; allow more with --time-limit"
        )
        raise typer.Exit(ExitCode.SOLVER)
    exit_unproven(explorer.unpinned_result)


def search_notes(output: OutputOptions) -> Progress:
    """The progress of a search as notes on stderr, with the seconds it has taken."""
    begun, last = perf_counter(), [-np.inf]

    def report(stage: str, share: float | None, note: str = "") -> None:
        seconds = perf_counter() - begun
        if seconds - last[0] >= SECONDS_BETWEEN_NOTES:
            last[0] = seconds
            output.note(f"{seconds:7.1f} s  {note}")

    return report


def panel_records(panels: Iterable[Panel]) -> Iterable[dict[str, object]]:
    """Panels as JSON has them; a share of a budget that is 0 is infinite, which JSON cannot hold."""
    for panel in panels:
        record = asdict(panel)
        for share in ("share_of_norm_budget", "share_of_loss_budget"):
            record["model"][share] = record["model"][share] if np.isfinite(record["model"][share]) else None
        yield {**record, "gap": panel.gap, "proven": panel.proven}


def read_costs(file: str) -> dict[str, float]:
    """Names and costs from the two columns of a table."""
    refuse_absent(file)
    table = read_table(file)
    if len(table.names) != 2 or not table.is_numeric(table.names[1]):
        raise DataError(f"{file!r} must have two columns, names and costs (numbers), not {', '.join(table.names)}")
    names, prices = table.columns
    return {str(name): float(price) for name, price in zip(names, prices, strict=True)}
