"""Exit codes, and errors in one line."""

from __future__ import annotations

import os
import sys
from enum import IntEnum

import typer

from relspan.errors import (
    DataError,
    DegenerateBaseline,
    InfeasibleFamily,
    InfeasiblePins,
    InfeasibleRules,
    ModelError,
    ParameterError,
    RelspanError,
    SolverError,
    VerificationError,
)
from relspan.terminal_text import printable


class ExitCode(IntEnum):
    """What a command ends with."""

    FINE = 0
    BUG = 1
    USAGE = 2
    BAD_DATA = 3
    INFEASIBLE = 4
    SOLVER = 5
    INTERRUPTED = 130


# The first match counts.
_CODES: tuple[tuple[type[RelspanError], ExitCode], ...] = (
    (ParameterError, ExitCode.USAGE),
    (InfeasiblePins, ExitCode.INFEASIBLE),
    (InfeasibleRules, ExitCode.INFEASIBLE),
    (InfeasibleFamily, ExitCode.SOLVER),  # the baseline is in its own family: without pins only rounding empties it
    (SolverError, ExitCode.SOLVER),
    (DegenerateBaseline, ExitCode.BAD_DATA),
    (DataError, ExitCode.BAD_DATA),
    (ModelError, ExitCode.BAD_DATA),
    (VerificationError, ExitCode.BAD_DATA),
)


def code_of(error: RelspanError) -> ExitCode:
    """Exit code of an error; a misspelt column name is a slip on the command line, not in the data."""
    from relspan.tables import UnknownColumnError  # imports NumPy, which a command that succeeds may not need

    if isinstance(error, UnknownColumnError):
        return ExitCode.USAGE
    return next((code for kind, code in _CODES if isinstance(error, kind)), ExitCode.BUG)


def advice(error: RelspanError) -> str:
    """The options that would help, in brackets, or nothing."""
    from relspan.tables import EncodingError, MissingValueError, TextColumnError

    if isinstance(error, TextColumnError):
        labels = ",".join(error.labels[:10])
        words = ",".join([name for name in error.columns if name not in error.labels][:10])
        both = f"--categorical {words} | --drop {words}" if words else ""
        return f" [{'; '.join(filter(None, [f'--drop {labels}' if labels else '', both]))}]"
    if isinstance(error, MissingValueError):
        ways = [f"--impute-text {'|'.join(error.text_ways)}"] if error.text_ways else []
        ways += [f"--impute {'|'.join(error.ways)}"] if error.ways else []
        return f" [{' | '.join(ways)}]" if ways else ""
    if isinstance(error, EncodingError):
        return " [--encoding latin-1]"
    return ""


def complain(message: str) -> None:
    """Report what went wrong, in one line on stderr."""
    typer.echo("relspan: " + printable(" ".join(message.split())), err=True)


def forget_output() -> None:
    """Nothing more can be written, as in `relspan ... | head` or on a full disk; Python must not try it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
