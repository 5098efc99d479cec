"""``relspan demo``: an analysis of the breast cancer data that comes with scikit-learn, and what to try next."""

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
from relspan.show.example_tables import DEMO_TABLE
from relspan.tables import PreparedTable, write_delimited
from relspan.tasks import guess_task

HINTS = """
Next, analyse your own table, or one whose truth is known:
  {relspan} analyze your_table.csv --target your_column
  {relspan} simulate -o known.csv && {relspan} analyze known.csv --target y
Further questions about this one:
  {relspan} demo --table cancer.csv
  {relspan} analyze cancer.csv --target diagnosis --without "worst texture"
  {relspan} alternatives cancer.csv --target diagnosis --feature "worst radius"
  {relspan} panel cancer.csv --target diagnosis"""


def demo_command(
    table: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Only write the data to FILE, as CSV, for the other commands."),
    ] = None,
    *,
    output: FeatureOutput,
    analysis: Annotated[AnalysisOptions, Only("n_jobs", "seed")],
) -> None:
    """Analyse the breast cancer data that comes with scikit-learn: 30 measurements of 569 tumours."""
    data = DEMO_TABLE.load()
    if table is not None:
        write_table(data, table)
        if table != "-":
            output.note(f"{len(data.y)} rows, target {data.report.target}: csv in {table}")
        return
    task, _ = guess_task(data.y)
    deliver(fit(data, TaskOptions(task), analysis, output), output)
    if not output.quiet:
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
