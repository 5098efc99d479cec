"""What all charts share: new axes, a light grid, and names as plain text.

matplotlib is imported when the first picture is drawn, never before. Nothing here shows a figure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from relspan.checks import having, listed
from relspan.result import RelevanceResult
from relspan.show.account import nothing_called, pin_texts, table_test
from relspan.show.palette import GRID_STYLE, INK

LONGEST_LABEL = 34  # characters of a name


class Display:
    """What a notebook prints beside a chart: its name and how much it shows, not the numbers behind it."""

    def __repr__(self) -> str:
        sizes = {f.name: getattr(self, f.name) for f in fields(self) if f.repr}  # type: ignore[arg-type]
        counted = [
            f"{len(v)} {n}" for n, v in sizes.items() if hasattr(v, "__len__") and not isinstance(v, str) and len(v)
        ]
        return f"<{type(self).__name__}{': ' if counted else ''}{', '.join(counted)}>"


def new_axes(width: float = 7.0, height: float = 3.6) -> Any:
    """Axes in a figure of their own; width and height are in inches."""
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def axes_or_new(ax: Any, width: float = 7.0, height: float = 3.6) -> Any:
    """The axes that were given, or new ones; ParameterError where it is something else."""
    return new_axes(width, height) if ax is None else having("ax", ax, "get_subplotspec", "axes of matplotlib")


def finish(ax: Any, grid: str = "y") -> None:
    """Put a light grid behind the chart ("x", "y", "both" or "none"), and take the box away."""
    if grid != "none":
        ax.grid(axis=grid, **GRID_STYLE)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(color=GRID_STYLE["color"], labelcolor=INK)


def label(name: str, longest: int = LONGEST_LABEL) -> str:
    """A feature's name for matplotlib: one line, not too long, and never read as mathematics."""
    line = "".join(c if c.isprintable() else "·" for c in name)
    if len(line) > longest:
        line = line[: longest * 2 // 3] + "…" + line[len(line) - (longest - longest * 2 // 3 - 1) :]
    return line.replace("$", r"\$")


def heading(text: str) -> str:
    """A title for matplotlib, as it was given and never read as mathematics."""
    return text.replace("$", r"\$")


def result_heading(result: RelevanceResult, title: str = "") -> str:
    """What a chart of a result says first: that no feature is called relevant, then the pins, then the title."""
    first = table_test(result).sentence if nothing_called(result) else ""
    return "\n".join(part for part in (first, pins_heading(pin_texts(result), title)) if part)


def pins_heading(pins: Iterable[object], title: str = "") -> str:
    """The pins in words, and after them the title; the title alone where there are no pins."""
    words = listed(map(str, pins))
    return ". ".join(part for part in (words and f"Under these pins: {words}", title) if part)


def name_pins(ax: Any, pins: Iterable[object]) -> None:
    """Put the pins above a chart that was drawn under them."""
    ax.set_title(heading(pins_heading(pins)), fontsize="medium", loc="left")


def legend_above(ax: Any, handles: list[Any], **more: Any) -> Any:
    """Put one line of keys above the axes, from the left."""
    return ax.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=len(handles),
        frameon=False,
        fontsize="small",
        handletextpad=0.4,
        columnspacing=1.2,
        borderaxespad=0.2,
        **more,
    )
