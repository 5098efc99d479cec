"""Escaped elements, and the bar of an interval.

A plain string is text and is escaped; only what `element` itself has made, of type `Markup`, goes in as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from relspan.show.marks import span
from relspan.show.palette import CLASS_COLOURS, PURPLE

VOID_ELEMENTS = {"meta", "link", "br"}

BAR_SIZE = (160, 12)  # width and height in pixels
STEPS, SHORTEST = 4, 8  # steps per pixel, and of the shortest bar


class Markup(str):
    """A string that is markup already."""

    __slots__ = ()


Child = str | Iterable[str]


def element(tag: str, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """An element, as in `element("td", name, class_="name")`; underscores in attributes become dashes."""
    written = "".join(
        f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    return Markup(f"<{tag}{written}>" + ("" if tag in VOID_ELEMENTS else f"{_inside(children)}</{tag}>"))


def together(*children: Child) -> Markup:
    """Children without an element around them."""
    return Markup(_inside(children))


def _inside(children: Iterable[Child]) -> str:
    flat = (one for child in children for one in ([child] if isinstance(child, str) else child))
    return "".join(one if isinstance(one, Markup) else escape(one) for one in flat)


def number(value: float, digits: int = 3) -> Markup:
    """A number as it is read, which keeps its exact value for machines."""
    return element("data", f"{value:.{digits}f}" if value else "0", value=repr(float(value)))


def interval_bar(low: float, high: float, end: float, threshold: float | None, relevance: str) -> Markup:
    """A small drawing of the interval on an axis from 0 to `end`, with the reach of chance shaded."""
    width, height = BAR_SIZE
    steps = width * STEPS
    start, stop = (at / STEPS for at in span(low / end, high / end, steps, SHORTEST))
    parts = [element("rect", x=0, y=height / 2 - 0.5, width=width, height=1, fill="currentColor", opacity=0.3)]
    if threshold is not None:
        reach = span(0.0, threshold / end, steps)[1] / STEPS
        parts.append(element("rect", x=0, y=0, width=reach, height=height, fill=PURPLE, opacity=0.18))
    colour = CLASS_COLOURS[relevance]
    parts.append(element("rect", x=start, y=3, width=stop - start, height=height - 6, rx=2, fill=colour))
    label = f"{low:.3f} to {high:.3f}"
    return element(
        "svg", parts, width=width, height=height, viewBox=f"0 0 {width} {height}", role="img", aria_label=label
    )
