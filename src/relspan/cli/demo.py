"""``relspan demo``: an analysis of data that come with scikit-learn, and what to try next."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from relspan.cli.analyze import deliver
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import FeatureOutput, open_output
from relspan.cli.options.packs import Only
from relspan.cli.options.task import TaskOptions
from relspan.cli.table_fit import fit
from relspan.show.example_tables import DEMO_TABLE, EXAMPLE_TABLES, example_table
from relspan.tables import PreparedTable, write_delimited
from relspan.tasks import guess_task

HINTS = """
Next, analyse your own table, or one whose truth is known:
  {relspan} inspect your_table.csv --target your_column
  {relspan} simulate -o known.csv && {relspan} analyze known.csv --target y
Further questions about this one:
  {relspan} demo --table diabetes.csv
  {relspan} analyze diabetes.csv --target progression --without "HDL cholesterol"
  {relspan} alternatives diabetes.csv --target progression --feature "HDL cholesterol"
  {relspan} panel diabetes.csv --target progression
A table in which every feature can be replaced:
  {relspan} demo --example "breast cancer\""""


def demo_command(
    table: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Only write the data to FILE, as CSV, for the other commands."),
    ] = None,
    example: Annotated[
        str,
        typer.Option(metavar="NAME", help=f"The data: {', '.join(repr(one.name) for one in EXAMPLE_TABLES)}."),
    ] = DEMO_TABLE.name,
    *,
    output: FeatureOutput,
    analysis: Annotated[AnalysisOptions, Only("n_jobs", "seed")],
) -> None:
    """Analyse a table that is built in: 10 measurements of 442 diabetes patients, some needed, some replaceable.

    How fast did the disease progress within a year? The data come with scikit-learn.
    """
    data = example_table(example).load()
    if table is not None:
        write_table(data, table)
        if table != "-":
            output.note(f"{len(data.y)} rows, target {data.report.target}: csv in {table}")
        return
    task, _ = guess_task(data.y)
    deliver(fit(data, TaskOptions(task), analysis, output), output)
    if not output.quiet and example == DEMO_TABLE.name:
        typer.echo(HINTS.format(relspan=this_command()), err=output.form != "table")


def write_table(data: PreparedTable, path: str) -> None:
    """The columns and the target as CSV."""
    with open_output(path) as stream:
        write_delimited(stream, [*data.names, data.report.target], [*data.X.T, data.y])


def this_command() -> str:
    """How to call relspan again: by its name where the shell finds it, else as it was called now."""
    if shutil.which("relspan"):
        return "relspan"
    return sys.argv[0] if Path(sys.argv[0]).stem == "relspan" else "python -m relspan"
