"""Any answer in a notebook cell: its headline and the first rows of its table, without script and style sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from relspan.result.answer_table import AnswerTable, counted
from relspan.show.html.elements import element
from relspan.show.html.notebook_table import MOST_TABLE_ROWS, NUMBER_CELL, TEXT_CELL


def columns_table(answer: AnswerTable) -> str:
    """The answer as a piece of HTML for a notebook cell."""
    columns = answer.columns()
    styles = [NUMBER_CELL if is_number(values) else TEXT_CELL for values in columns.values()]
    rows = list(zip(*columns.values(), strict=True))
    heads = element("tr", (element("th", name, style=style) for name, style in zip(columns, styles, strict=True)))
    body = [
        element("tr", (element("td", cell(value), style=style) for value, style in zip(row, styles, strict=True)))
        for row in rows[:MOST_TABLE_ROWS]
    ]
    parts = [element("p", element("strong", answer.headline), style="margin:0 0 6px")]
    if rows:
        parts.append(
            element("table", element("tbody", heads, body), style="border-collapse:collapse;font-size:inherit")
        )
    hidden = len(rows) - MOST_TABLE_ROWS
    if hidden > 0:
        parts.append(element("p", f"and {counted(hidden, 'more row')}; see to_frame()"))
    return element("div", parts, class_="relspan-answer", style="font-size:13px;line-height:1.4")


def is_number(values: Sequence[Any]) -> bool:
    """Whether a column holds numbers; empty cells do not count."""
    held = [value for value in values if value is not None]
    return bool(held) and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in held)


def cell(value: Any) -> str:
    """A value as it is read: numbers to four digits, nothing where there is none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
