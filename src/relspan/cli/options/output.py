"""Where an answer goes and in which format: to standard output, or to a file if one was named."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, ClassVar, Protocol

import typer
from rich.console import Console

from relspan.checks import one_of
from relspan.cli.exit_codes import forget_output
from relspan.errors import ParameterError
from relspan.options import option
from relspan.result.record import write_record
from relspan.tables import write_delimited
from relspan.terminal_text import printable
from relspan.whole_files import whole_file

FILE_WIDTH = 100
ENDINGS = ("json", "csv", "html", "pdf", "png", "svg", "xlsx", "parquet")  # that promise a format


def _format_option(*formats: str) -> Any:
    return option(
        None,
        short="-f",
        metavar="|".join(formats),
        help="Format of the output.",
        show_default="from the ending of FILE, else table",
    )


class Report(Protocol):
    """What can be written in every format."""

    def to_json(self) -> str: ...

    def columns(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class OutputOptions:
    """A file (``-`` is standard output) and a format, both known to be possible before any work is done."""

    formats: ClassVar[tuple[str, ...]] = ("table", "json", "csv")

    output: str = option("-", short="-o", metavar="FILE", help="File to write the output to; - is standard output.")
    format: str | None = _format_option(*formats)
    quiet: bool = option(False, short="-q", help="Show neither progress nor notes, only warnings and errors.")

    def __post_init__(self) -> None:
        if self.format is not None:
            one_of("format", self.format, self.formats)
        elif self._ending in ENDINGS and self._ending not in self.formats:
            raise ParameterError(
                f"output: this command does not write .{self._ending} files; relspan report makes an HTML page, and "
                "relspan plot a figure, from the .json file of an analysis"
            )
        refuse_unwritable(self.output)

    @property
    def form(self) -> str:
        """The format in use: the one that was named, else that of the file's ending, else a table."""
        return self.format or (self._ending if self._ending in self.formats else "table")

    @property
    def _ending(self) -> str:
        return Path(self.output).suffix.lower().removeprefix(".")

    def note(self, text: str) -> None:
        """Write a note to stderr, unless notes are not wanted."""
        if not self.quiet:
            typer.echo(printable(text), err=True)

    @contextmanager
    def opened(self) -> Iterator[IO[str]]:
        """The text stream to write the answer to."""
        with open_output(self.output) as stream:
            yield stream

    def console(self, stream: IO[str]) -> Console:
        """What lays out tables on that stream; a file gets no colours, and a width of its own."""
        if self.output == "-":
            return Console(file=stream, highlight=False, markup=False)
        return Console(file=stream, highlight=False, markup=False, force_terminal=False, width=FILE_WIDTH)

    def write_report(self, report: Report, draw: Callable[[Console], None]) -> None:
        """Write a report as JSON, as CSV, or as the table that `draw` lays out."""
        with self.opened() as stream:
            if self.form == "json":
                stream.write(report.to_json() + "\n")
            elif self.form == "csv":
                write_columns(stream, report.columns())
            else:
                draw(self.console(stream))


@dataclass(frozen=True)
class FeatureOutput(OutputOptions):
    """The same for an answer that is a table of features."""

    everything: bool = option(False, flag="--all", help="Show irrelevant features as well.")


@dataclass(frozen=True)
class PageOutput(OutputOptions):
    """The same for a page."""

    formats: ClassVar[tuple[str, ...]] = ("html",)


@dataclass(frozen=True)
class AnswerOutput(OutputOptions):
    """The same for an answer in words, which has no form as CSV."""

    formats: ClassVar[tuple[str, ...]] = ("table", "json")

    format: str | None = _format_option(*formats)

    def write(self, text: str, record: Mapping[str, Any]) -> None:
        """Write the text, or the record as JSON."""
        with self.opened() as stream:
            shown = "\n".join(map(printable, text.split("\n")))
            stream.write((write_record(record) if self.form == "json" else shown) + "\n")


def write_columns(stream: IO[str], columns: dict[str, Any]) -> None:
    """Columns by name, as CSV; on a terminal without characters that would steer it."""
    if stream.isatty():
        columns = {
            printable(name): [printable(value) if isinstance(value, str) else value for value in values]
            for name, values in columns.items()
        }
    write_delimited(stream, list(columns), list(columns.values()))


def refuse_unwritable(path: str) -> None:
    """Refuse a file whose folder cannot be written to; ``-`` is standard output."""
    folder = Path(path).parent
    if path != "-" and not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise ParameterError(f"cannot write {path!r}: {str(folder)!r} is not a folder that can be written to")


@contextmanager
def open_output(path: str) -> Iterator[IO[str]]:
    """A text stream for writing; ``-`` is standard output."""
    if path == "-":
        if sys.stdout is None:  # closed, as by >&- in a shell
            raise ParameterError("standard output is closed; -o FILE writes to a file")
        try:
            yield sys.stdout
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            forget_output()
            raise ParameterError(f"cannot write to standard output: {error.strerror or error}") from error
        return
    with whole_file(path) as file:
        stream = TextIOWrapper(file, encoding="utf-8", newline="")
        yield stream
        stream.detach()  # flushed, and left open
