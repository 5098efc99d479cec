"""Progress on stderr: a bar on a terminal, one line elsewhere, nothing if asked for; and a forecast of long work."""

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
def reported(task: str, quiet: bool, shorter: str = "") -> Iterator[Progress]:
    """What an estimator may call as ``progress(stage, share, note)`` while `task` goes on.

    `shorter` says how to shorten long work; it follows the forecast.
    """
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        if not quiet:
            typer.echo(printable(task), err=True)
        yield silent if quiet else only_forecast(shorter)
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
    with ProgressBar(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        shown = bar.add_task(printable(task), total=1.0)

        def advance(stage: str, share: float | None, note: str = "") -> None:
            if stage == "forecast":
                bar.console.print(forecast_sentence(note, shorter), markup=False, highlight=False)
                return
            detail = f", {note}" if note else ""
            bar.update(shown, description=printable(f"{task}: {STAGES.get(stage, stage)}{detail}"), completed=share)

        yield advance


def only_forecast(shorter: str) -> Progress:
    """Progress of which only the forecast is shown."""

    def report(stage: str, share: float | None, note: str = "") -> None:
        if stage == "forecast":
            typer.echo(forecast_sentence(note, shorter), err=True)

    return report


def forecast_sentence(note: str, shorter: str) -> str:
    """How long it will take, and how to shorten it."""
    return f"This will take {note}.{f' {shorter}' if shorter else ''}"
