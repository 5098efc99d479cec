"""The one palette of all charts and pages, and the marks beside the colours: no two things differ by colour alone.

The hues are those of Okabe and Ito (2008), which readers with any common colour blindness can distinguish. They differ
in lightness as well, so that they stay apart in a grey print. The explorer's page uses the same colours.
"""

from __future__ import annotations

from typing import Any

BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"
INK, QUIET, PALE, FAINT = "#22272e", "#6b7280", "#b4bac2", "#e8eaed"

CLASS_COLOURS = {"strong": BLUE, "weak": ORANGE, "irrelevant": "#8a9099", "undecided": PURPLE}
CLASS_EDGES = {"strong": "#005a8d", "weak": "#8a5a00", "irrelevant": "#5b626c", "undecided": "#8c3f66"}

ROLE_COLOURS = {"target": ORANGE, "parent": GREEN, "child": SKY, "parent or child": FAINT, "spouse": PURPLE}
"""Colours of the members of a Markov blanket."""

SERIES_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
"""Colours of several curves in one chart, in this order; their line styles differ as well."""
LINE_STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))

GRID_STYLE = {"color": FAINT, "linewidth": 0.7}
CHANCE_COLOUR = "#f0e4ee"
"""Colour of the band that chance reaches."""


def class_marker(relevance: str, size: float = 6.0) -> dict[str, Any]:
    """How the mark of a class is drawn, as arguments of matplotlib's `plot`: the marks of the text table.

    A full disc is strong, a half one weak, a dot irrelevant, a diamond undecided.
    """
    edge = {"color": CLASS_EDGES[relevance], "linestyle": "none", "clip_on": False}
    shape: dict[str, dict[str, Any]] = {
        "strong": {"marker": "o", "markersize": size},
        "weak": {"marker": "o", "markersize": size, "fillstyle": "left", "markerfacecoloralt": "white"},
        "irrelevant": {"marker": "o", "markersize": 0.5 * size},
        "undecided": {"marker": "D", "markersize": 0.8 * size, "markerfacecolor": "white"},
    }
    return {**edge, "markeredgewidth": 0.8, **shape[relevance]}


def model_marker(used: bool) -> dict[str, Any]:
    """The dot of one model's weight; hollow where the model does not use the feature."""
    fill = INK if used else "white"
    return {
        "marker": "o",
        "markersize": 4.5,
        "color": INK,
        "markerfacecolor": fill,
        "linestyle": "none",
        "clip_on": False,
    }


def heat() -> Any:
    """From nothing (paper) to much (dark blue); its lightness falls all the way."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("relspan", ["#fbfbfa", "#cfe3f1", SKY, BLUE, "#00304d"])
