"""Interval bars in a terminal: as wide as there is room, with the chance threshold, below a common axis.

Where the terminal shows no more than ASCII, so do the bars.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from relspan.show.marks import ASCII, UNICODE, Glyphs, bar

NARROWEST, WIDEST = 12, 60


def glyphs(options: ConsoleOptions) -> Glyphs:
    """The characters that this output can show."""
    return ASCII if options.ascii_only else UNICODE


@dataclass(frozen=True)
class Bar:
    """From `low` to `high` on a scale from 0 to 1, with a mark at a known threshold; as wide as there is room."""

    low: float
    high: float
    threshold: float | None
    style: str

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return _room(options)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        known, width = glyphs(options), _width(options)
        drawn = Text(bar(self.low, self.high, width, known), self.style, no_wrap=True)
        if self.threshold is None:
            yield drawn
            return
        mark = column_of(self.threshold, width)
        covered = drawn.plain[mark] != " "
        middle = Text(known.crossed, self.style) if covered else Text(known.threshold, "dim")
        yield Text.assemble(drawn[:mark], middle, drawn[mark + 1 :], no_wrap=True)


@dataclass(frozen=True)
class Axis:
    """The scale of the bars below: 0, where the threshold is if it is known, and the largest value."""

    top: float
    threshold: float | None

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return _room(options)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = _width(options)
        top, mark = f"{self.top:5.3f}", None if self.threshold is None else column_of(self.threshold / self.top, width)
        # a pointer in the midst of the number would spoil it: there the number ends before the pointer
        end = width if mark is None or mark < width - len(top) or mark <= len(top) else mark
        line = list(("0".ljust(end - len(top)) + top).ljust(width))
        if mark is not None:
            line[mark] = glyphs(options).pointer
        yield Text("".join(line), no_wrap=True)


def column_of(share: float, width: int) -> int:
    """The character in which a value of the scale falls."""
    return min(int(share * width), width - 1)


def _width(options: ConsoleOptions) -> int:
    return max(1, min(options.max_width, WIDEST))


def _room(options: ConsoleOptions) -> Measurement:
    return Measurement(min(NARROWEST, options.max_width), min(WIDEST, options.max_width))
