"""Text columns: refused with the reason they are text, encoded as zeros and ones, or numbered by their levels.

A text column with two values becomes one column of zeros and ones, named after the value that is sorted last: a column
for the other value would be its exact substitute, and neither could ever be strongly relevant. A column with more
values becomes one column for each of them, since none is special.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from relspan.arrays import Floats
from relspan.checks import listed
from relspan.errors import DataError
from relspan.tables.delimited import as_number
from relspan.tables.table import Column, Table, TextColumnError


def refuse_text(table: Table, names: Sequence[str], encoded: Collection[str]) -> None:
    """Refuse the text columns among `names` that are not to be encoded."""
    rest = tuple(name for name in names if not table.is_numeric(name) and name not in encoded)
    if not rest:
        return
    described = f"column {rest[0]!r} is text: {_why_text(table, rest[0])}"
    if len(rest) > 1:
        described = f"{len(rest)} columns are text: {listed([f'{x!r} ({_why_text(table, x)})' for x in rest])}"
    labels = tuple(name for name in rest if _another_in_every_row(table.column(name)) and not _slips(table, name))
    raise TextColumnError(f"{described}; encode text with categorical, or leave it out with drop", rest, labels)


def one_hot(name: str, column: Column) -> dict[str, Floats]:
    """Columns of zeros and ones by name, one per value, or one for both values where there are two."""
    if _another_in_every_row(column):
        raise DataError(
            f"column {name!r} has a different value in every row, so it cannot be encoded; leave it out with drop"
        )
    values, levels = [spelled(value) for value in column], levels_of(column)
    if len(levels) == 2:
        levels = levels[1:]
    return {f"{name}={level}": np.array([value == level for value in values], dtype=np.float64) for level in levels}


def codes(column: Column) -> Floats:
    """The place of each value among the column's levels."""
    place = {level: code for code, level in enumerate(levels_of(column))}
    return np.array([place[spelled(value)] for value in column], dtype=np.float64)


def levels_of(column: Column) -> tuple[str, ...]:
    """The different values of a column, sorted as text."""
    return tuple(sorted({spelled(value) for value in column}))


def spelled(value: object) -> str:
    """A value as text; a number keeps 15 digits."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _why_text(table: Table, name: str) -> str:
    """The first value that is no number; if most others are, it may be a slip."""
    values, words = _values_and_words(table, name)
    line, word = words[0] if words else values[0]
    slip = f", while {len(values) - len(words)} of its {len(values)} values are numbers" if _slips(table, name) else ""
    return f"{word!r} in line {line}{slip}"


def _slips(table: Table, name: str) -> bool:
    """Whether most values of a text column are numbers, so that the others may be slips."""
    values, words = _values_and_words(table, name)
    return 2 * len(words) < len(values)


def _values_and_words(table: Table, name: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Lines and values that are there, and those of them that are no numbers."""
    values = [(line, value) for line, value in zip(table.lines, table.column(name), strict=True) if value is not None]
    return values, [(line, value) for line, value in values if as_number(value, table.decimal) is None]


def _another_in_every_row(column: Column) -> bool:
    """Whether a column names its rows, as an identifier does, so that encoding it would be of no use."""
    return len(set(map(spelled, column))) == len(column) > 2
