"""``relspan demo``: an analysis of the breast cancer data that comes with scikit-learn, and what to try next."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from relspan.cli.analyze import deliver
from relspan.cli.options import analysis as fitting
from relspan.cli.options.output import Everything, Format, Output, destination, open_output
from relspan.cli.options.task import Task
from relspan.tables import PreparedTable, write_delimited
from relspan.tables.examples import breast_cancer

HINTS = """
next, your own table, and one whose truth is known:
  {relspan} analyze your_table.csv --target your_column
  {relspan} simulate -o known.csv && {relspan} analyze known.csv --target y
and questions about this one:
  {relspan} demo --table cancer.csv
  {relspan} analyze cancer.csv --target diagnosis --without "worst texture"
  {relspan} alternatives cancer.csv --target diagnosis --feature "worst radius"
  {relspan} panel cancer.csv --target diagnosis"""


def demo_command(
    output: Output = "-",
    form: Format = None,
    everything: Everything = False,
    table: Annotated[
        str | None, typer.Option(metavar="FILE", help="Only write the table, as CSV, for the other commands.")
    ] = None,
    quiet: fitting.Quiet = False,
    jobs: fitting.Jobs = None,
    seed: fitting.Seed = 0,
) -> None:
    """Analyse the breast cancer data that comes with scikit-learn: 30 measurements of 569 tumours."""
    where = destination(output, form)
    if table is not None:
        data = breast_cancer()
        write_table(data, table)
        if table != "-" and not quiet:
            typer.echo(f"{len(data.y)} rows, target {data.report.target}: csv in {table}", err=True)
        return
    result = fitting.fit(breast_cancer(), quiet=quiet, task=Task("classification"), n_jobs=jobs, random_state=seed)
    deliver(result, where, everything, quiet)
    if not quiet:
        typer.echo(HINTS.format(relspan=this_command()), err=where.format != "table")


def write_table(data: PreparedTable, path: str) -> None:
    """The columns and the target as CSV."""
    with open_output(path) as stream:
        write_delimited(stream, [*data.names, data.report.target], [*data.X.T, data.y])


def this_command() -> str:
    """How to call relspan again: by its name where the shell finds it, else as it was called now."""
    if shutil.which("relspan"):
        return "relspan"
    return sys.argv[0] if Path(sys.argv[0]).stem == "relspan" else "python -m relspan"
