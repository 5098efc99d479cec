"""The group of all commands: a command's module is imported when the command is called, and errors end in exit codes.

Help and completion need only the names and the summaries, which the group knows without importing anything, so that
``relspan --help`` and ``relspan --version`` answer at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from relspan.cli.exit_codes import ExitCode, advice, code_of, complain, forget_output
from relspan.cli.options.packs import with_flags
from relspan.errors import RelspanError

UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for a wrong command line; it is not exported by name."""


class CommandGroup(TyperGroup):
    """Commands of ``relspan.cli``, each in the module of its name; derive and fill in `summaries`."""

    summaries: ClassVar[Mapping[str, str]] = {}
    """Each command's name and one-line summary, in the order of the help."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, summary in self.summaries.items():
            self.add_command(TyperCommand(name, help=summary))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, imported now."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and load_command(str(command.name)), rest

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run; a wrong command line is reported in one line."""
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs) or ExitCode.FINE
            if sys.stdout is not None:
                sys.stdout.flush()
            sys.exit(code)
        except BrokenPipeError:
            forget_output()
            sys.exit(ExitCode.FINE)
        except OSError as error:  # what was left to write at the end finds no room
            forget_output()
            complain(f"cannot write to standard output: {error.strerror or error}")
            sys.exit(ExitCode.USAGE)
        except SystemExit as end:
            if isinstance(end.__context__, BrokenPipeError):  # rich ends so, with code 1
                forget_output()
                end.code = ExitCode.FINE
            raise
        except UsageError as error:
            complain(f"{error.format_message()} [see {_command_path(error)} --help]")  # type: ignore[attr-defined]
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
            forget_output()
            raise typer.Exit(ExitCode.FINE) from error


def load_command(name: str) -> Any:
    """The command of that name, from the function ``NAME_command`` of the module ``relspan.cli.NAME``."""
    function: Callable[..., None] = getattr(import_module(f"relspan.cli.{name}"), f"{name}_command")
    alone = typer.Typer(add_completion=False)
    alone.command(name, help=_whole_lines(function.__doc__))(with_flags(function))
    return typer.main.get_command(alone)


def _whole_lines(text: str | None) -> str:
    """A docstring with one line per paragraph, since help keeps the ends of lines."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in (text or "").split("\n\n"))


def _command_path(error: Any) -> str:
    return str(error.ctx.command_path) if error.ctx else "relspan"
