"""Exit codes, and errors told in one line."""

from __future__ import annotations

import os
import sys
from enum import IntEnum
from typing import Any

import typer
from typer.core import TyperGroup

from relspan.errors import (
    DataError,
    DegenerateBaseline,
    InfeasibleFamily,
    InfeasiblePins,
    ParameterError,
    RelspanError,
    SolverError,
)
from relspan.tables import EncodingError, MissingValueError, TextColumnError, UnknownColumnError


class ExitCode(IntEnum):
    """What the shell is told."""

    FINE = 0
    BUG = 1
    USAGE = 2
    BAD_DATA = 3
    INFEASIBLE = 4
    SOLVER = 5
    INTERRUPTED = 130


# The first match counts: a misspelt column name is a slip on the command line, not in the data.
_CODES: tuple[tuple[type[RelspanError], ExitCode], ...] = (
    (UnknownColumnError, ExitCode.USAGE),
    (ParameterError, ExitCode.USAGE),
    (InfeasiblePins, ExitCode.INFEASIBLE),
    (InfeasibleFamily, ExitCode.SOLVER),  # the baseline is in its own family: without pins only rounding empties it
    (SolverError, ExitCode.SOLVER),
    (DegenerateBaseline, ExitCode.BAD_DATA),
    (DataError, ExitCode.BAD_DATA),
)

UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for a wrong command line; it is not exported by name."""


def code_of(error: RelspanError) -> ExitCode:
    """Exit code of an error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), ExitCode.BUG)


def advice(error: RelspanError) -> str:
    """The options that would help, in brackets, or nothing."""
    if isinstance(error, TextColumnError):
        labels = ",".join(error.labels[:10])
        words = ",".join([name for name in error.columns if name not in error.labels][:10])
        both = f"--categorical {words} | --drop {words}" if words else ""
        return f" [{'; '.join(filter(None, [f'--drop {labels}' if labels else '', both]))}]"
    if isinstance(error, MissingValueError):
        return f" [--impute {'|'.join(error.ways)}]" if error.ways else ""
    if isinstance(error, EncodingError):
        return " [--encoding latin-1]"
    return ""


def complain(message: str) -> None:
    """Tell what went wrong, in one line on stderr."""
    typer.echo("relspan: " + " ".join(message.split()), err=True)


class Commands(TyperGroup):
    """The group of all commands, which ends in an exit code and at most one line of complaint."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run; a wrong command line is told in one line."""
        kwargs["standalone_mode"] = False
        try:
            sys.exit(super().main(*args, **kwargs) or ExitCode.FINE)
        except UsageError as error:
            complain(f"{error.format_message()} [see {_command(error)} --help]")  # type: ignore[attr-defined]
            sys.exit(ExitCode.USAGE)

    def invoke(self, ctx: Any) -> Any:
        """Run one command; an error that is not foreseen here is a bug and keeps its traceback."""
        try:
            return super().invoke(ctx)
        except RelspanError as error:
            complain(str(error) + advice(error))
            raise typer.Exit(code_of(error)) from error
        except KeyboardInterrupt as error:
            complain("interrupted")
            raise typer.Exit(ExitCode.INTERRUPTED) from error
        except BrokenPipeError as error:
            # The reader has seen enough, as in `relspan ... | head`; Python must not try to flush the rest at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(ExitCode.FINE) from error


def _command(error: Any) -> str:
    return str(error.ctx.command_path) if error.ctx else "relspan"
