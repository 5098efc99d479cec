"""Progress on stderr: a bar on a terminal, one line elsewhere, nothing if asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as ProgressBar

from relspan.progress import STAGES, Progress, silent
from relspan.terminal_text import printable


@contextmanager
def reported(task: str, quiet: bool) -> Iterator[Progress]:
    """What an estimator may call as ``progress(stage, share, note)`` while `task` goes on."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        if not quiet:
            typer.echo(printable(task), err=True)
        yield silent
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
    with ProgressBar(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        shown = bar.add_task(printable(task), total=1.0)

        def advance(stage: str, share: float | None, note: str = "") -> None:
            bar.update(shown, description=printable(f"{task}: {STAGES.get(stage, stage)}"), completed=share)

        yield advance
