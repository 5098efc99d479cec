"""From a table to numbers: choose the target, leave columns out, fill or drop missing values, encode text.

A text column with two values becomes one column of zeros and ones, named after the value that is sorted last: a column
for the other value would be its exact substitute, and neither could ever be strongly relevant. A column with more
values becomes one column for each of them, since none is special.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.errors import DataError, ParameterError
from relspan.tables.delimited import as_number
from relspan.tables.missing_values import drop_rows, fill, finite, refuse_missing
from relspan.tables.table import Column, NamedMatrix, Table, TextColumnError, check_names, listed, numeric

Impute = Literal["mean", "median", "drop"]


@dataclass(frozen=True)
class Preparation:
    """What was done to a table on its way to numbers.

    Attributes
    ----------
    target : str
        Name of the target column.
    dropped_columns : tuple of str
        Columns left out as asked.
    dropped_lines : tuple of int
        Lines of the file left out because of missing values.
    imputed : dict of str to (int, float)
        For each filled column, how many values were filled and with what.
    encoded : dict of str to tuple of str
        For each encoded column, the columns that stand for it now: they belong together.
    source, sha256, format : str
        As in the table.
    without_column : dict of str to str
        For each encoded column of two values, the value that no column stands for.
    """

    target: str
    dropped_columns: tuple[str, ...]
    dropped_lines: tuple[int, ...]
    imputed: Mapping[str, tuple[int, float]]
    encoded: Mapping[str, tuple[str, ...]]
    source: str
    sha256: str
    format: str
    without_column: Mapping[str, str] = field(default_factory=dict)

    def notes(self) -> tuple[str, ...]:
        """Say the same in sentences, only those that apply."""
        sentences = []
        if self.dropped_columns:
            sentences.append(f"left out: {listed(map(repr, self.dropped_columns))}")
        if self.dropped_lines:
            rows = "1 row" if len(self.dropped_lines) == 1 else f"{len(self.dropped_lines)} rows"
            sentences.append(f"left out {rows} with missing values")
        for name, (number, value) in self.imputed.items():
            values = "1 missing value" if number == 1 else f"{number} missing values"
            sentences.append(f"filled {values} of {name!r} with {value:g}")
        for name, columns in self.encoded.items():
            sentences.append(f"encoded {name!r} as {listed(map(repr, columns))}")
        return tuple(sentences)

    def facts(self) -> dict[str, Any]:
        """Say the same as JSON has it; a result's `data` remembers it."""
        return {
            "target": self.target,
            "file": self.source,
            "sha256": self.sha256,
            "format": self.format,
            "dropped_columns": list(self.dropped_columns),
            "dropped_lines": list(self.dropped_lines),
            "imputed": {name: {"count": count, "value": value} for name, (count, value) in self.imputed.items()},
            "encoded": {name: list(columns) for name, columns in self.encoded.items()},
            "without_column": dict(self.without_column),
        }


class PreparedTable(NamedTuple):
    """Numbers ready for an estimator, and how they came about."""

    X: Floats
    y: NDArray[Any]
    names: tuple[str, ...]
    report: Preparation

    @property
    def named(self) -> NamedMatrix:
        """The features with their names, for `fit`."""
        return NamedMatrix(self.X, self.names)


def prepare_table(
    table: Table,
    target: str,
    *,
    categorical: Collection[str] | Literal["all"] | None = None,
    impute: Impute | None = None,
    drop: Collection[str] = (),
) -> PreparedTable:
    """Turn a table into a matrix of features and a target.

    Parameters
    ----------
    table : Table
        From :func:`read_table`.
    target : str
        Name of the column to explain. Whole numbers become integers, text stays text.
    categorical : collection of str, "all" or None
        Columns to encode as zeros and ones, one column a value (one for both if there are two); "all" means every text
        column. Any other text column is refused.
    impute : {"mean", "median", "drop"} or None
        Fill missing numbers with the column's mean or median, or drop rows with missing values. None refuses them.
        A missing target or category cannot be filled.
    drop : collection of str
        Columns to leave out.

    Returns
    -------
    PreparedTable
        The tuple ``(X, y, names, report)``.

    Raises
    ------
    DataError
        Naming the column, the count or the line, and what would work.
    """
    names, dropped = taking_part(table, target, impute, drop)
    chosen = _categories(categorical, names, table, target)
    columns = {name: table.column(name) for name in [*names, target]}
    columns, kept = drop_rows(columns, table) if impute == "drop" else (columns, np.ones(len(table), dtype=bool))
    lines = table.lines[kept]
    refuse_missing(columns, target, chosen, impute)
    y = whole(finite(target, columns.pop(target), lines))

    blocks: dict[str, dict[str, Floats]] = {}
    imputed: dict[str, tuple[int, float]] = {}
    for name, column in columns.items():
        if name in chosen:
            blocks[name] = _one_hot(name, column)
            continue
        filled, count, value = fill(finite(name, column, lines), impute)
        blocks[name] = {name: filled}
        if count:
            imputed[name] = (count, value)
    seen = {name: set(map(_spelled, columns[name])) for name in columns if name in chosen}
    named = [level for block in blocks.values() for level in block]
    check_names(named)
    report = Preparation(
        target=target,
        dropped_columns=dropped,
        dropped_lines=tuple(table.lines[~kept].tolist()),
        imputed=imputed,
        encoded={name: tuple(block) for name, block in blocks.items() if name in chosen},
        source=table.source,
        sha256=table.sha256,
        format=table.format,
        without_column={name: min(levels) for name, levels in seen.items() if len(levels) == 2},
    )
    X = np.column_stack([values for block in blocks.values() for values in block.values()])
    return PreparedTable(X, y, tuple(named), report)


def taking_part(
    table: Table, target: str, impute: str | None, drop: Collection[str]
) -> tuple[list[str], tuple[str, ...]]:
    """The features' names and those left out, in the table's order; what cannot be asked for is refused."""
    if impute not in (None, "mean", "median", "drop"):
        raise ParameterError(f"impute must be 'mean', 'median', 'drop' or None, not {impute!r}")
    table.column(target)
    left_out = _known("drop", drop, table, target)
    names = [name for name in table.names if name != target and name not in left_out]
    if not names:
        raise DataError(f"no column is left beside the target {target!r}")
    return names, tuple(name for name in table.names if name in left_out)


def _known(parameter: str, columns: Collection[str], table: Table, target: str) -> frozenset[str]:
    """Names of columns; one that the table does not have, and the target, are refused."""
    if isinstance(columns, str):
        raise ParameterError(f"{parameter} must be a list of column names, not the text {columns!r}")
    for name in columns:
        table.column(name)
    if target in columns:
        raise ParameterError(f"{parameter} holds the target {target!r}")
    return frozenset(columns)


def _categories(
    categorical: Collection[str] | Literal["all"] | None, names: Sequence[str], table: Table, target: str
) -> frozenset[str]:
    """Columns to encode; text columns that are not among them are refused."""
    text = [name for name in names if not table.is_numeric(name)]
    if categorical == "all":
        return frozenset(text)
    chosen = _known("categorical", categorical or (), table, target)
    rest = tuple(name for name in text if name not in chosen)
    if rest:
        described = f"column {rest[0]!r} is text: {_why_text(table, rest[0])}"
        if len(rest) > 1:
            described = f"{len(rest)} columns are text: {listed(f'{x!r} ({_why_text(table, x)})' for x in rest)}"
        labels = tuple(name for name in rest if _another_in_every_row(table.column(name)) and not _slips(table, name))
        raise TextColumnError(f"{described}; encode text with categorical, or leave it out with drop", rest, labels)
    return chosen


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
    """Whether a column names its rows, as an identifier does, so that encoding it would say nothing."""
    return len(set(map(_spelled, column))) == len(column) > 2


def _one_hot(name: str, column: Column) -> dict[str, Floats]:
    values = [_spelled(value) for value in column]
    levels = sorted(Counter(values))
    if _another_in_every_row(column):
        raise DataError(
            f"column {name!r} has another value in every row, so it cannot be encoded; leave it out with drop"
        )
    if len(levels) == 2:
        levels = levels[1:]
    return {f"{name}={level}": np.array([value == level for value in values], dtype=np.float64) for level in levels}


def _spelled(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def whole(column: Column) -> NDArray[Any]:
    """Integers if all the numbers are, text as text."""
    if not numeric(column):
        return np.array(column.tolist(), dtype=str)
    if (column == np.rint(column)).all() and np.abs(column).max() < 2**53:
        return column.astype(np.int64)
    return column
