"""New rows for a model: a second table, encoded and filled as the model's own table was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relspan.arrays import Bools, Floats
from relspan.errors import DataError
from relspan.tables.table import MissingValueError, Table, absent
from relspan.tables.text_columns import spelled


def prepare_new_rows(table: Table, names: Sequence[str], facts: Mapping[str, Any]) -> tuple[Floats, list[str]]:
    """The features that a model knows, from a new table.

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
    X : ndarray of shape (n_rows, n_features)
    notes : list of str
        What was done, in sentences.
    """
    notes: list[str] = []
    columns_of = facts.get("encoded", {})
    encoded = {column: (name, column[len(name) + 1 :]) for name, made in columns_of.items() for column in made}
    used = {encoded[name][0] if name in encoded else name for name in names}
    columns = [
        _category(table, *encoded[name], columns_of[encoded[name][0]], facts.get("without_column", {}))
        if name in encoded
        else _number(table, name, facts.get("imputed", {}), notes)
        for name in names
    ]
    ignored = [name for name in table.names if name not in used and name != facts.get("target")]
    if ignored:
        notes.insert(0, f"these columns are unknown to the model and are not used: {', '.join(ignored)}")
    return np.column_stack(columns), notes


def _number(table: Table, name: str, imputed: Mapping[str, Any], notes: list[str]) -> Floats:
    column = table.column(name)
    if not table.is_numeric(name):
        raise DataError(f"column {name!r} is text, but the model was fitted with numbers in it")
    gaps = np.isnan(column)
    if gaps.any():
        if name not in imputed:
            raise _missing(
                table, name, gaps, "none was missing in the model's own table, so there is no value to fill in"
            )
        value = imputed[name]["value"]
        notes.append(f"filled {gaps.sum()} missing values of {name!r} with {value:g}, as in the model's own table")
        column = np.where(gaps, value, column)
    return np.asarray(column, dtype=np.float64)


def _category(table: Table, name: str, level: str, made: Sequence[str], without_column: Mapping[str, str]) -> Floats:
    """1 where the column has this level; any value that the model was not made with is refused."""
    gaps = absent(table.column(name))
    if gaps.any():
        raise _missing(table, name, gaps, "text is never filled in")
    values = [spelled(value) for value in table.column(name)]
    known = {column[len(name) + 1 :] for column in made} | ({without_column[name]} if name in without_column else set())
    strange = sorted({value for value in values if value not in known})
    several = len(made) > 1 or name in without_column  # a column of one value can only have it, or another one
    if strange and (several or len(strange) > 1):
        raise DataError(
            f"column {name!r} holds {strange[0]!r}, which the model does not know; it knows {', '.join(sorted(known))}"
        )
    return np.array([value == level for value in values], dtype=np.float64)


def _missing(table: Table, name: str, gaps: Bools, why: str) -> MissingValueError:
    count, line = int(gaps.sum()), table.lines[gaps][0]
    values = "1 missing value" if count == 1 else f"{count} missing values"
    return MissingValueError(
        f"{name!r} has {values}, the first in line {line}; {why}: complete these rows or leave them out",
        {name: count},
        (),
    )
