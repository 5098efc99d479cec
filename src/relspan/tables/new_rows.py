"""New rows for a model: a second table, encoded and filled as the model's own table was.

A row that lacks a value, or has one that the model does not know, cannot be predicted. It is marked with the reason,
and the others are prepared as if it were not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from relspan.arrays import Bools, Floats
from relspan.errors import DataError
from relspan.tables.categories import BOOLEAN_VALUES, MISSING_LEVEL, Category, recorded_category
from relspan.tables.table import Column, Table, absent, spelled


class NewRows(NamedTuple):
    """The features that a model knows, from a new table.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The features; a row that cannot be predicted has NaN.
    obstacles : tuple of str
        For each row why it cannot be predicted; empty where it can.
    notes : tuple of str
        What was done, in sentences.
    unused : tuple of str
        The columns of the table that the model does not know; its target does not count.
    """

    X: Floats
    obstacles: tuple[str, ...]
    notes: tuple[str, ...]
    unused: tuple[str, ...]

    @property
    def complete(self) -> Bools:
        """Which rows can be predicted."""
        return np.array([not obstacle for obstacle in self.obstacles], dtype=bool)


def prepare_new_rows(table: Table, names: Sequence[str], facts: Mapping[str, Any]) -> NewRows:
    """Prepare new rows as a model's own table was prepared.

    Parameters
    ----------
    table : Table
        The new rows; its columns may be in any order, and others are ignored.
    names : sequence of str
        The model's features.
    facts : mapping
        What `Preparation.facts` recorded of the model's own table.

    Returns
    -------
    NewRows
        The features, and the rows that cannot be predicted.

    Raises
    ------
    DataError
        If no row can be predicted, or a column is missing.
    """
    reader = _Reader(table, facts)
    found: dict[str, Floats] = {}
    owner = {column: name for name, made in facts.get("encoded", {}).items() for column in made}
    for name in names:
        if name in found:
            continue
        if name in owner:
            category = recorded_category(owner[name], facts)
            found |= dict(zip(category.columns, reader.levels(category).T, strict=True))
        elif name in facts.get("booleans", {}):
            found[name] = reader.booleans(name)
        else:
            found[name] = reader.numbers(name)
    used = {owner.get(name, name) for name in names}
    known_outcome = (facts.get("target"), facts.get("event"))
    unused = tuple(name for name in table.names if name not in used and name not in known_outcome)
    rows = NewRows(np.column_stack([found[name] for name in names]), reader.obstacles(), tuple(reader.notes), unused)
    if not rows.complete.any():
        raise DataError(f"no row can be predicted: in line {table.lines[0]}, {rows.obstacles[0]}")
    return rows


class _Reader:
    """Reads one column after the other, and collects what keeps rows from being predicted."""

    def __init__(self, table: Table, facts: Mapping[str, Any]) -> None:
        self.table, self.imputed = table, facts.get("imputed", {})
        self.notes: list[str] = []
        self.reasons: list[list[str]] = [[] for _ in range(len(table))]

    def obstacles(self) -> tuple[str, ...]:
        """The reasons of each row, as one text."""
        return tuple("; ".join(reasons) for reasons in self.reasons)

    def numbers(self, name: str) -> Floats:
        column = self.table.column(name)
        values = column if self.table.is_numeric(name) else self._numbers_among_words(name, column)
        gaps = absent(column)
        if not gaps.any():
            return np.asarray(values, dtype=np.float64)
        filled = self._fill(name, gaps)
        return np.where(gaps, np.nan if filled is None else float(filled), values).astype(np.float64)

    def booleans(self, name: str) -> Floats:
        found = np.full(len(self.table), np.nan)
        for row, word in enumerate(self._words(name)):
            if word is not None and word.casefold() in BOOLEAN_VALUES:
                found[row] = BOOLEAN_VALUES[word.casefold()]
            elif word is not None:
                self.reasons[row].append(f"{name!r} is {word!r}, which is neither true nor false")
        return found

    def levels(self, category: Category) -> Floats:
        """The columns of a category; NaN where the level is missing, or unknown to the model."""
        known = {*category.levels, *([MISSING_LEVEL] if category.has_missing else [])}
        words = self._words(category.name)
        for row, word in enumerate(words):
            if word is not None and word not in known:
                self.reasons[row].append(
                    f"{category.name!r} is {word!r}, which the model does not know; it knows {', '.join(sorted(known))}"
                )
        encoded = category.encode([word if word in known else category.levels[0] for word in words])
        encoded[[word not in known for word in words]] = np.nan
        return encoded

    def _numbers_among_words(self, name: str, column: Column) -> Floats:
        """The numbers of a column in which some cells are not numbers."""
        values = np.full(len(column), np.nan)
        for row, cell in enumerate(column):
            if cell is not None:
                try:
                    values[row] = float(str(cell).replace(self.table.decimal, "."))
                except ValueError:
                    self.reasons[row].append(f"{name!r} is {cell!r}, which is not a number")
        if np.isnan(values).all():
            raise DataError(f"column {name!r} is text, but the model was fitted with numbers in it")
        return values

    def _words(self, name: str) -> list[str | None]:
        """The values of a column as text; None where one is missing and was not filled in the model's own table."""
        column = self.table.column(name)
        gaps = absent(column)
        filled = self._fill(name, gaps) if gaps.any() else None
        return [filled if gap else spelled(one) for one, gap in zip(column, gaps, strict=True)]

    def _fill(self, name: str, gaps: Bools) -> str | None:
        """What to fill gaps with, as in the model's own table; None, with a mark on their rows, where none were."""
        if name in self.imputed:
            value = spelled(self.imputed[name]["value"])
            shown = value if self.table.is_numeric(name) else repr(value)
            count = "1 missing value" if gaps.sum() == 1 else f"{gaps.sum()} missing values"
            self.notes.append(f"filled {count} of {name!r} with {shown}, as in the model's own table")
            return value
        for row in np.flatnonzero(gaps).tolist():
            self.reasons[row].append(f"{name!r} is missing, and was not filled in the model's own table")
        return None
