"""``relspan demo``: an analysis of the breast cancer data that comes with scikit-learn, and what to try next."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import typer

from relspan.cli import fitting
from relspan.cli.analyze import deliver
from relspan.cli.output import Everything, Format, Output, destination
from relspan.tables.embedded import breast_cancer

HINTS = """
next, your own table, and one whose truth is known:
  {relspan} analyze your_table.csv --target your_column
  {relspan} simulate -o known.csv && {relspan} analyze known.csv --target y"""


def demo_command(
    output: Output = "-",
    form: Format = None,
    everything: Everything = False,
    quiet: fitting.Quiet = False,
    jobs: fitting.Jobs = None,
    seed: fitting.Seed = 0,
) -> None:
    """Analyse the breast cancer data that comes with scikit-learn: 30 measurements of 569 tumours."""
    where = destination(output, form)
    result = fitting.fit(breast_cancer(), quiet=quiet, n_jobs=jobs, random_state=seed)
    deliver(result, where, everything, quiet)
    if not quiet:
        typer.echo(HINTS.format(relspan=this_command()), err=where.format != "table")


def this_command() -> str:
    """How to call relspan again: by its name where the shell finds it, else as it was called now."""
    if shutil.which("relspan"):
        return "relspan"
    return sys.argv[0] if Path(sys.argv[0]).stem == "relspan" else "python -m relspan"
