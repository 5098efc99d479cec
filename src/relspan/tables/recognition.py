"""What each column of a table is, as far as its values show: a number, a boolean, a category, a date, a name of rows.

Nothing is changed here. What is recognised is a plain object per column, for a person to read or for
`relspan.tables.inspection`, which plans what to do with each column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.checks import having
from relspan.tables.categories import boolean_levels
from relspan.tables.known_orders import known_order
from relspan.tables.table import Column, Table, absent, numeric, spelled
from relspan.tables.text_columns import another_in_every_row, holds_dates, mostly_numbers, values_and_words

COLUMN_KINDS = (
    "number",
    "boolean",
    "category",
    "ordered category",
    "date",
    "identifier",
    "constant",
    "empty",
    "text",
    "numbers with slips",
    "other type",
)
EXAMPLES = 4  # values that are shown of each column
MOST_LEVELS = 20  # of a category in a small table
LARGEST_CATEGORY = 60  # levels of a category in a table of any size
ROWS_PER_LEVEL = 10  # of a category with more levels than that
FEWEST_NUMBERED_ROWS = 10  # from which on whole numbers that count the rows are no accident
MOST_MARKS = 3  # different words among numbers that may be marks of missing values
_IDENTIFIER = re.compile(r"(.*[_. -])?(id|ids|idx|index|rownames?|row names?|unnamed: 0|case number|subject)", re.I)


@dataclass(frozen=True)
class RecognisedColumn:
    """What a column of a table is.

    Attributes
    ----------
    name : str
        The column's name.
    kind : str
        One of `COLUMN_KINDS`.
    missing : int
        How many values are missing.
    distinct : int
        How many different values there are.
    examples : tuple of str
        Some of its values: the first different ones.
    levels : tuple of str, default=()
        The levels of a category, those of an ordered one from low to high; the words for false and true of a boolean.
    marks : tuple of str, default=()
        Words among numbers that probably stand for missing values.
    detail : str, default=""
        What was seen, where the kind alone does not explain it: the type in the file, or the line of a slip.

    See Also
    --------
    recognise_column : Makes one.

    Examples
    --------
    >>> from relspan.tables import parse_table, recognise_column
    >>> table = parse_table(b"sex,y\\nf,0\\nm,1\\nf,1\\nm,0\\n", "four.csv")
    >>> recognise_column(table, "sex").kind
    'category'
    """

    name: str
    kind: str
    missing: int
    distinct: int
    examples: tuple[str, ...]
    levels: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    detail: str = ""


def recognise_column(table: Table, name: str) -> RecognisedColumn:
    """Recognise what a column is from its values.

    Parameters
    ----------
    table : Table
        From :func:`read_table`.
    name : str
        The column.

    Returns
    -------
    RecognisedColumn
        Its kind, and what was seen.

    See Also
    --------
    inspect_table : What to do with each column.

    Examples
    --------
    >>> from relspan.tables import parse_table, recognise_column
    >>> table = parse_table(b"when,y\\n2024-03-01,0\\n2024-03-02,1\\n", "two.csv")
    >>> recognise_column(table, "when").kind
    'date'
    """
    having("table", table, "other_types", "a Table, as read_table gives it")
    column = table.column(name)
    gaps = absent(column)
    different = list(dict.fromkeys(spelled(value) for value in column[~gaps]))
    kind, more = _kind(table, name, column[~gaps], different)
    return RecognisedColumn(name, kind, int(gaps.sum()), len(different), tuple(different[:EXAMPLES]), **more)


def _kind(table: Table, name: str, present: Column, different: list[str]) -> tuple[str, dict[str, Any]]:
    """The kind of a column with these values, and what else is known of it."""
    if name in table.other_types:
        is_time = table.other_types[name].startswith(("timestamp", "date", "time", "duration"))
        return "date" if is_time else "other type", {"detail": table.other_types[name]}
    if len(different) < 2:
        return "constant" if different else "empty", {}
    if numeric(present):
        return ("identifier" if _numbers_the_rows(name, present) else "number"), {}
    words = boolean_levels(different)
    if words is not None:
        return "boolean", {"levels": words}
    if holds_dates(present):
        return "date", {}
    if mostly_numbers(table, name):
        return _numbers_with_words(table, name)
    if another_in_every_row(present):
        return "identifier", {}
    if len(different) > most_levels(len(present)):
        return "text", {}
    order = known_order(different)
    return (
        ("category", {"levels": tuple(sorted(different))}) if order is None else ("ordered category", {"levels": order})
    )


def most_levels(rows: int) -> int:
    """The most different words with which a column is a category: every level has several rows, or few are needed."""
    return max(min(MOST_LEVELS, rows // 2), min(LARGEST_CATEGORY, rows // ROWS_PER_LEVEL))


def _numbers_with_words(table: Table, name: str) -> tuple[str, dict[str, Any]]:
    """Numbers among which some words stand: marks of missing values if they are few, else slips."""
    _, words = values_and_words(table, name)
    different = tuple(dict.fromkeys(word for _, word in words))
    line, word = words[0]
    if len(different) <= MOST_MARKS:
        return "number", {"marks": different, "detail": f"{word!r} in line {line}"}
    return "numbers with slips", {"detail": f"{len(different)} different words, such as {word!r} in line {line}"}


def _numbers_the_rows(name: str, values: Column) -> bool:
    """Whether whole numbers count the rows from 0 or 1, or have the name of an identifier and no value twice."""
    if len(values) < FEWEST_NUMBERED_ROWS or (values != np.rint(values)).any():
        return False
    counts = values[0] in (0, 1) and bool((np.diff(values) == 1).all())
    named = _IDENTIFIER.fullmatch(name) is not None or name.endswith(("ID", "Id"))
    return counts or (named and len(np.unique(values)) == len(values))
