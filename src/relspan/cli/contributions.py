"""``relspan contributions``: how far each column can push the score of each row."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import OutputOptions, write_columns
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven
from relspan.cli.table_fit import first_lines, open_explorer, origin
from relspan.errors import ParameterError
from relspan.result.record import write_record
from relspan.show.sample_account import pushes, verdict
from relspan.tables import TableOptions
from relspan.terminal_text import printable

WAYS = {"up": "always up", "down": "always down", None: "either way"}


def contributions_command(
    file: File,
    target: Target,
    *,
    row: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="The row to explain, counted from 1 among the rows that are analysed.",
            show_default="all rows, as CSV or JSON",
        ),
    ] = None,
    pins: PinOptions,
    output: OutputOptions,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Report how far each column can push the score of each row, over all equally good models.

    The contribution of a column is its weight times the distance of the row from the column's mean: for a linear model
    its SHAP value. A contribution whose range has one sign pushes the score in the same direction in every model.
    """
    if row is None and output.form == "table":
        raise ParameterError("all rows at once make a long table; name one with --row NUMBER, or choose --format csv")
    explorer = open_explorer(file, target, table, task, analysis, pins, output)
    if row is None:
        columns: dict[str, list[Any]] = explorer.shap().columns()
        columns["sample"] = [number + 1 for number in columns["sample"]]
        lines: list[str] = []
    else:
        if row < 1:
            raise ParameterError(f"rows are counted from 1, so --row cannot be {row}")
        one = explorer.contributions(row - 1)
        columns, lines = one.columns(), [verdict(one.prediction, bool(explorer.pins)), pushes(one)]
        width = max(len(f.feature) for f in one.features)
        lines += [
            f"{f.feature:<{width}}  {f.value:>10.4g}  {f.lo:>9.3g} to {f.hi:>9.3g}  {WAYS[f.pushes]}"
            for f in sorted(one.features, key=lambda f: -max(abs(f.lo), abs(f.hi)))
        ]
    with output.opened() as stream:
        if output.form == "json":
            stream.write(write_record({**origin(explorer), "contributions": columns}) + "\n")
        elif output.form == "csv":
            write_columns(stream, columns)
        else:
            stream.write("\n".join(printable(line) for line in [*first_lines(explorer), *lines]) + "\n")
    exit_unproven(explorer.unpinned_result)
