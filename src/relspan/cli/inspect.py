"""``relspan inspect``: what each column of a table is, what would be done with it, and the command to run."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
import typer
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from relspan.analysis.folds import FEWEST_FOLDS
from relspan.checks import listed
from relspan.cli.exit_codes import ExitCode
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.table import File, read
from relspan.errors import DataError
from relspan.options import flags_of
from relspan.result.record import write_record
from relspan.tables import EncodingError, Table, TableInspection, TableOptions, inspect_table, prepare_table
from relspan.tasks import TASKS, guess_task
from relspan.tasks.regression import REGRESSION
from relspan.tasks.target_kinds import ClassTask
from relspan.terminal_text import printable

OTHER_ENCODINGS = ("cp1252", "latin-1")  # of files that are not UTF-8, the likelier one first
VALUE_WIDTH = 14  # characters of a value that is shown


@dataclass(frozen=True)
class TableCheck:
    """What is reported: the plan for a table, and how far it gets."""

    file: str
    target: str | None
    table: Table
    plan: TableInspection
    obstacles: tuple[str, ...]
    task: str | None = None
    reason: str | None = None
    task_named: bool = False

    @property
    def command(self) -> str | None:
        """The command that analyses the table; None without a target, or where something stands in the way."""
        if self.target is None or self.obstacles:
            return None
        file = f"./{self.file}" if self.file.startswith("-") and self.file != "-" else self.file
        words = ["relspan", "analyze", file, "--target", self.target, *flags_of(self.plan.options)]
        words += ["--task", str(self.task)] if self.task_named else []
        return shlex.join(words)

    def columns(self) -> dict[str, Any]:
        """The plan as a table, by column."""
        shown = ("name", "kind", "part", "missing", "distinct", "action")
        return {key: [record[key] for record in self.plan.records()] for key in shown}

    def to_json(self) -> str:
        """Everything as JSON."""
        return write_record(
            {
                "file": self.file,
                "rows": len(self.table),
                "format": self.table.format,
                "row_labels": self.table.row_labels is not None,
                "target": self.target,
                "task": self.task,
                "task_guessed": self.reason,
                "columns": self.plan.records(),
                "incomplete_rows": self.plan.incomplete_rows,
                "table_options": self.plan.options.record(),
                "obstacles": list(self.obstacles),
                "command": self.command,
            },
            2,
        )


def inspect_command(
    file: File,
    *,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            "--time",
            metavar="NAME",
            help="The column to explain; with --event, its time.",
            show_default="none",
        ),
    ] = None,
    output: OutputOptions,
    table: TableOptions,
) -> None:
    """Describe what each column of a table is, what would be done with it, and which command analyses it.

    Nothing is computed, and the file is not changed. Options that are given are kept. The command says with one option
    each what is left out, encoded or filled; change what you would do otherwise. Where something stands in the way that
    no option deals with, it is described, and there is no command.
    """
    found = checked(file, target, table)
    output.write_report(found, lambda console: show_check(found, console))
    if found.obstacles:
        raise typer.Exit(ExitCode.BAD_DATA)


def checked(file: str, target: str | None, options: TableOptions) -> TableCheck:
    """The plan for a file, tried: the options are carried out, and the target is shown to its task."""
    whole, options = _read(file, options)
    plan = inspect_table(whole, target, options)
    if target is None or plan.obstacles:
        return TableCheck(file, target, whole, plan, plan.obstacles)
    again = whole if plan.options.missing == options.missing or file == "-" else read(file, plan.options)
    try:
        y = prepare_table(again, target, **plan.options.preparing(again.names)).y
        task, reason = guess_task(y)
        TASKS[task].refuse_target(y, target)
    except DataError as error:
        return TableCheck(file, target, whole, plan, (f"{str(error)[0].upper()}{str(error)[1:]}.",))
    rare = _rare_classes(task, y)
    if rare and y.dtype.kind in "iu" and len(np.unique(y)) > 2:
        why = f"the target has whole numbers, taken as measurements. As classes, they would be too rare: {listed(rare)}"
        return TableCheck(file, target, whole, plan, (), REGRESSION.name, why, task_named=True)
    obstacles = (
        f"Choosing C by cross-validation needs {FEWEST_FOLDS} rows of each class, and these have fewer: "
        f"{listed(rare)}; join or leave out such classes first."
    )
    return TableCheck(file, target, whole, plan, (obstacles,) if rare else (), task, reason)


def _read(file: str, options: TableOptions) -> tuple[Table, TableOptions]:
    """The table, and the options by which it can be read: with another encoding where it is not UTF-8."""
    try:
        return read(file, options), options
    except EncodingError:
        if file == "-" or options.encoding != TableOptions().encoding:
            raise
    for encoding in OTHER_ENCODINGS[:-1]:
        try:
            return read(file, replace(options, encoding=encoding)), replace(options, encoding=encoding)
        except EncodingError:
            continue
    last = replace(options, encoding=OTHER_ENCODINGS[-1])
    return read(file, last), last


def _rare_classes(task: str, y: np.ndarray) -> list[str]:
    """Classes with fewer rows than cross-validation needs, with their numbers of rows."""
    if not isinstance(TASKS[task], ClassTask):
        return []
    values, counts = np.unique(y, return_counts=True)
    return [f"{c!r} ({n})" for c, n in zip(values.tolist(), counts.tolist(), strict=True) if n < FEWEST_FOLDS]


def show_check(found: TableCheck, console: Console) -> None:
    """Print the columns, what stands in the way, and the command."""
    console.print(f"{printable(found.file)}: {found.table.description()}")
    console.print()
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    for title in ("column", "kind", "missing", "values", "what is done"):
        grid.add_column(title, justify="right" if title == "missing" else "left", overflow="fold")
    for plan in found.plan.columns:
        column = plan.column
        more = f" ... ({column.distinct})" if column.distinct > len(column.examples) else ""
        values = ", ".join(printable(_cut(word)) for word in column.examples) + more
        gaps = str(column.missing) if column.missing else ""
        grid.add_row(printable(column.name), column.kind, gaps, values, printable(plan.action))
    console.print(grid)
    console.print()
    if found.plan.incomplete_rows and found.target is not None:
        console.print(f"{found.plan.incomplete_rows} of {len(found.table)} rows have missing values.")
    if found.task is not None:
        console.print(f"Task {found.task}: {found.reason}.")
    for obstacle in found.obstacles:
        console.print(f"In the way: {printable(obstacle)}")
    if found.command is not None:
        console.print("This command analyses the table:")
        console.print(f"  {found.command}", soft_wrap=True)
    elif found.target is None:
        console.print("Name the column to explain with --target to get the command that analyses the table.")


def _cut(word: str) -> str:
    return word if len(word) <= VALUE_WIDTH else f"{word[: VALUE_WIDTH - 3]}..."
