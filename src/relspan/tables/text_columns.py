"""Text columns: refused with the reason they are text, recognised as dates or row names, or numbered by level."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np

from relspan.arrays import Floats
from relspan.checks import listed
from relspan.tables.delimited import as_number
from relspan.tables.table import Column, Table, TextColumnError, absent, spelled

_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = "|".join(
    (
        r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}",
        r"[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{4}|[0-9]{2})",
        rf"[0-9]{{1,2}}[ -]{_MONTH}[ -](?:[0-9]{{4}}|[0-9]{{2}})",
        rf"{_MONTH} [0-9]{{1,2}},? [0-9]{{4}}",
        rf"{_MONTH} [0-9]{{4}}",
    )
)
_DATE = re.compile(rf"(?:{_DAY})(?:[T ]+{_CLOCK} ?(?:z|[ap]m|[+-][0-9]{{2}}:?[0-9]{{2}})?)?|{_CLOCK}", re.IGNORECASE)


def refuse_unreadable(table: Table, names: Sequence[str]) -> None:
    """Refuse the columns among `names` whose type in the file is neither number nor text nor boolean."""
    odd = [name for name in names if name in table.other_types]
    if odd:
        which = listed([f"{name!r} ({table.other_types[name]})" for name in odd])
        raise TextColumnError(
            f"{which}: only numbers, text and booleans can be features; leave such columns out with drop, or save "
            "numbers instead, such as an age in days",
            tuple(odd),
            tuple(odd),
        )


def refuse_as_categories(table: Table, names: Sequence[str]) -> None:
    """Refuse the columns among `names` that are text but no categories: dates, and names of rows."""
    for name in names:
        column = table.column(name)
        if another_in_every_row(column) or holds_dates(column):
            what = "has a different value in every row" if another_in_every_row(column) else "holds dates or times"
            raise TextColumnError(
                f"column {name!r} {what}, so it cannot be encoded; leave it out with drop", (name,), (name,)
            )


def refuse_text(table: Table, names: Sequence[str], encoded: Collection[str]) -> None:
    """Refuse the text columns among `names` that are not to be encoded."""
    rest = tuple(name for name in names if not table.is_numeric(name) and name not in encoded)
    if not rest:
        return
    described = f"column {rest[0]!r} is text: {_why_text(table, rest[0])}"
    if len(rest) > 1:
        described = f"{len(rest)} columns are text: {listed([f'{x!r} ({_why_text(table, x)})' for x in rest])}"
    labels = tuple(
        name
        for name in rest
        if holds_dates(table.column(name))
        or (another_in_every_row(table.column(name)) and not mostly_numbers(table, name))
    )
    raise TextColumnError(f"{described}; encode text with categorical, or leave it out with drop", rest, labels)


def codes(words: Sequence[str]) -> Floats:
    """The place of each word among all levels."""
    place = {level: code for code, level in enumerate(levels_of(words))}
    return np.array([place[word] for word in words], dtype=np.float64)


def levels_of(words: Collection[str]) -> tuple[str, ...]:
    """The different words, sorted."""
    return tuple(sorted(set(words)))


def holds_dates(column: Column) -> bool:
    """Whether every value that is there is a date or a time of day, in one of the usual spellings."""
    present = column[~absent(column)]
    return len(present) > 0 and all(isinstance(value, str) and _DATE.fullmatch(value) for value in present)


def _why_text(table: Table, name: str) -> str:
    """The first value that is no number; if most others are, it may be a slip."""
    values, words = values_and_words(table, name)
    line, word = words[0] if words else values[0]
    slip = (
        f", while {len(values) - len(words)} of its {len(values)} values are numbers"
        if mostly_numbers(table, name)
        else ""
    )
    return f"{word!r} in line {line}{slip}"


def mostly_numbers(table: Table, name: str) -> bool:
    """Whether most values of a text column are numbers, so that the others may be slips."""
    values, words = values_and_words(table, name)
    return 2 * len(words) < len(values)


def values_and_words(table: Table, name: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Lines and values that are there, and those of them that are no numbers."""
    values = [(line, value) for line, value in zip(table.lines, table.column(name), strict=True) if value is not None]
    return values, [(line, value) for line, value in values if as_number(value, table.decimal) is None]


def another_in_every_row(column: Column) -> bool:
    """Whether a column names its rows, as an identifier does, so that encoding it would be of no use."""
    present = column[~absent(column)]
    return len(set(map(spelled, present))) == len(present) > 2
