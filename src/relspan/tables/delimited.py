"""Delimited text (CSV, TSV and their relatives) to typed columns, and back.

The first line holds the names. Spaces around names and values do not count, blank lines are passed over, and values may
be quoted. A column is numeric if each of its values is missing or a number; otherwise all of it is text. A first column
without a name holds row labels: pandas and R write them under an empty name, and R also without any name at all, so
that every line has one value more than the first.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from relspan.arrays import Ints
from relspan.checks import collection, having
from relspan.errors import DataError
from relspan.tables.table import Column, check_names
from relspan.tables.table_options import MISSING

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab"}
FORMULA_STARTS = "=+-@\t\r"  # with which a spreadsheet begins a formula
_EXPONENT = r"(?:[eE][+-]?[0-9]+)?"
_NUMBER = {
    sign: re.compile(rf"[+-]?(?:(?:[0-9]+(?:{re.escape(sign)}[0-9]*)?|{re.escape(sign)}[0-9]+){_EXPONENT}|(?i:inf))")
    for sign in ".,"
}
_FRACTION = {sign: re.compile(rf"[+-]?[0-9]*{re.escape(sign)}[0-9]+{_EXPONENT}") for sign in ".,"}
_NUMERALS = b"0123456789+-eE"


class Delimited(NamedTuple):
    """What delimited text holds, and how it was understood."""

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    lines: Ints
    separator: str
    decimal: str
    row_labels: tuple[str, ...] | None = None

    @property
    def format(self) -> str:
        """The dialect in words."""
        spoken = SEPARATORS.get(self.separator, repr(self.separator))
        return f"{spoken} separated" + (", decimal comma" if self.decimal == "," else "")


def parse_delimited(
    text: str, separator: str | None = None, decimal: str | None = None, missing: Collection[str] = MISSING
) -> Delimited:
    """Read delimited text.

    A ``separator`` of None is guessed among comma, semicolon and tab; a ``decimal`` of None is guessed where the
    separator leaves a choice. What could be read in two ways is refused.
    """
    separator = separator or guess_separator(text)
    names, rows, lines = _split(text, separator)
    labels = None
    if len(names) > 1 and not names[0] and all(names[1:]):
        names, labels, rows = names[1:], tuple(row[0] for row in rows), [row[1:] for row in rows]
    check_names(names)
    if all(as_number(name) is not None for name in names):
        raise DataError(f"the first line must contain the column names, not numbers such as {names[0]!r}")
    decimal = decimal or _guess_decimal(rows, lines, separator)
    cells = zip(*rows, strict=True) if rows else [()] * len(names)
    columns = tuple(_typed(column, decimal, missing) for column in cells)
    return Delimited(names, columns, np.array(lines, dtype=np.intp), separator, decimal, labels)


def guess_separator(text: str) -> str:
    """The separator that cuts the first hundred lines into rows of one width; refuse if several do."""
    head = list(islice(io.StringIO(text, newline=""), 101))
    widths = {}
    for separator in SEPARATORS:
        try:
            rows = [row for row in csv.reader(head, delimiter=separator, skipinitialspace=True) if not _blank(row)]
        except csv.Error:
            continue
        if len(head) > 100 and len(rows) > 1:
            rows.pop()  # it may be cut in the middle of a quoted value
        if rows and len(rows[0]) > 1:
            found = {len(row) for row in rows}
            rest = {len(row) for row in rows[1:]}
            widths[separator] = rest if rest == {len(rows[0]) + 1} else found  # R's row labels have no name
    even = [separator for separator, seen in widths.items() if len(seen) == 1]
    candidates = even or list(widths)
    if len(candidates) > 1:
        kinds = " or ".join(SEPARATORS[separator] for separator in candidates)
        raise DataError(f"the columns could be separated by {kinds}; state which with separator")
    return candidates[0] if candidates else ","


def as_number(cell: str, decimal: str = ".") -> float | None:
    """The number a cell spells out, or None."""
    if not _NUMBER[decimal].fullmatch(cell):
        return None
    return float(cell.replace(",", "."))


def write_delimited(stream: IO[str], names: Sequence[str], columns: Sequence[ArrayLike]) -> None:
    """Write columns as CSV; numbers keep all their digits, and text that looks like a formula gets an apostrophe.

    Parameters
    ----------
    stream : text stream
        Where to write.
    names : sequence of str
        The names of the columns.
    columns : sequence of array-like
        Their values.

    See Also
    --------
    read_table : Reads such a file.

    Examples
    --------
    >>> import sys
    >>> from relspan.tables import write_delimited
    >>> write_delimited(sys.stdout, ["height", "y"], [[1.7, 1.8], [0, 1]])
    height,y
    1.7,0
    1.8,1
    """
    having("stream", stream, "write", "an open file")
    names, columns = collection("names", names, "the columns' names"), collection("columns", columns, "columns")
    if len(names) != len(columns) or len({len(collection("every column", one, "values")) for one in columns}) > 1:
        raise DataError("every name needs a column, and all columns the same number of values")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([_inert(name) for name in names])
    writer.writerows(zip(*(_inert_column(column) for column in columns), strict=True))


def _inert_column(column: ArrayLike) -> list[Any]:
    return [_inert(cell) if isinstance(cell, str) else cell for cell in np.asarray(column).tolist()]


def _inert(text: str) -> str:
    """Text that a spreadsheet shows and does not run: what looks like a formula begins with an apostrophe."""
    if len(text) < 2 or text[0] not in FORMULA_STARTS:
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def _split(text: str, separator: str) -> tuple[tuple[str, ...], list[list[str]], list[int]]:
    """Names, rows of stripped cells, and the line each row ends on; row labels get the empty name."""
    stream = _records(text, separator)
    _, header = next(stream, (0, []))
    if not header:
        raise DataError("the file is empty")
    records = list(stream)
    unnamed = len(header) > 1 and all(header) and {len(row) for _, row in records} == {len(header) + 1}
    names = ("", *header) if unnamed else tuple(header)
    for line, row in records:
        if len(row) != len(names):
            raise DataError(_uneven(line, len(row), len(names)))
    return names, [row for _, row in records], [line for line, _ in records]


def _uneven(line: int, values: int, columns: int) -> str:
    if columns == 1:
        return f"line {line} has {values} values, but the first line names one column; set separator if it is another"
    return f"line {line} has {values} values, but the first line names {columns} columns"


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise DataError(f"line {reader.line_num} cannot be split into values: {error}") from error
        if not _blank(row):
            yield reader.line_num, [cell.strip() for cell in row]


def _blank(row: Sequence[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())


def _guess_decimal(rows: Sequence[Sequence[str]], lines: Sequence[int], separator: str) -> str:
    """Point, or comma if the separator is another one and fractions are written with it; refuse a mixture."""
    if separator == ",":
        return "."
    seen: dict[str, str] = {}
    for line, row in zip(lines, rows, strict=True):
        for cell in row:
            for sign, fraction in _FRACTION.items():
                if sign in cell and sign not in seen and fraction.fullmatch(cell):
                    seen[sign] = f"{cell!r} in line {line}"
    if len(seen) == 2:
        raise DataError(
            f"some numbers have a decimal comma ({seen[',']}), others a decimal point ({seen['.']}); "
            "state which with decimal"
        )
    return next(iter(seen), ".")


def _typed(cells: Sequence[str], decimal: str, missing: Collection[str]) -> Column:
    """Numbers with NaN for what is missing, if every value that is present spells one; else text with None."""
    present = [cell for cell in cells if cell not in missing]
    numbers = _all_numbers(present, decimal)
    if numbers is None:
        return np.array([None if cell in missing else cell for cell in cells], dtype=object)
    if len(numbers) == len(cells):
        return np.array(numbers, dtype=np.float64)
    rest = iter(numbers)
    return np.array([np.nan if cell in missing else next(rest) for cell in cells], dtype=np.float64)


def _all_numbers(cells: Sequence[str], decimal: str) -> list[float] | None:
    """The numbers that the cells spell out, or None if one of them spells none; the same as `as_number` of each.

    Of cells with no other character than those of `_NUMERALS`, Python's own `float` reads what `as_number` reads, and
    is several times faster.
    """
    text = "".join(cells)
    if text.isascii() and not text.encode().translate(None, _NUMERALS + decimal.encode()):
        try:
            return [float(cell.replace(",", ".")) for cell in cells] if decimal == "," else list(map(float, cells))
        except ValueError:
            return None
    numbers = []
    for cell in cells:
        number = as_number(cell, decimal)
        if number is None:
            return None
        numbers.append(number)
    return numbers
