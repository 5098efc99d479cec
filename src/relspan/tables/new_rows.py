"""New rows for a model: a second table, encoded and filled as the model's own table was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relspan.arrays import Bools, Floats
from relspan.errors import DataError
from relspan.tables.categories import MISSING_LEVEL, Category, as_booleans
from relspan.tables.table import MissingValueError, Table, absent, spelled


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
    imputed, booleans = facts.get("imputed", {}), facts.get("booleans", {})
    owner = {column: name for name, made in facts.get("encoded", {}).items() for column in made}
    used = {owner.get(name, name) for name in names}
    found: dict[str, Floats] = {}
    for name in names:
        if name in found:
            continue
        if name in owner:
            category = _category(owner[name], facts)
            words = _words(table, category.name, imputed, notes)
            _refuse_strange(category, words)
            found |= dict(zip(category.columns, category.encode(words).T, strict=True))
        elif name in booleans:
            found[name] = as_booleans(name, _words(table, name, imputed, notes))
        else:
            found[name] = _number(table, name, imputed, notes)
    columns = [found[name] for name in names]
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
                table, name, gaps, "none was filled in the model's own table, so there is no value to fill in"
            )
        value = imputed[name]["value"]
        notes.append(f"filled {gaps.sum()} missing values of {name!r} with {value:g}, as in the model's own table")
        column = np.where(gaps, value, column)
    return np.asarray(column, dtype=np.float64)


def _category(name: str, facts: Mapping[str, Any]) -> Category:
    """The category of the model's own table."""
    made, order = facts["encoded"][name], facts.get("ordered", {}).get(name)
    if order is not None:
        return Category(name, tuple(order), ordered=True, has_missing=len(made) == len(order))
    levels = tuple(column[len(name) + 1 :] for column in made)
    other = facts.get("without_column", {}).get(name)
    return Category(name, levels if other is None else (other, *levels))


def _refuse_strange(category: Category, words: Sequence[str]) -> None:
    """Refuse a value that the model was not made with."""
    known = {*category.levels, *([MISSING_LEVEL] if category.has_missing else [])}
    strange = sorted(set(words) - known)
    if strange:
        raise DataError(
            f"column {category.name!r} holds {strange[0]!r}, which the model does not know; it knows "
            f"{', '.join(sorted(known))}"
        )


def _words(table: Table, name: str, imputed: Mapping[str, Any], notes: list[str]) -> list[str]:
    """The values of a column as text; gaps are filled as they were in the model's own table."""
    column = table.column(name)
    gaps = absent(column)
    if not gaps.any():
        return [spelled(value) for value in column]
    if name not in imputed:
        raise _missing(table, name, gaps, "none was filled in the model's own table, so there is no value to fill in")
    value = str(imputed[name]["value"])
    notes.append(f"filled {gaps.sum()} missing values of {name!r} with {value!r}, as in the model's own table")
    return [value if gap else spelled(one) for one, gap in zip(column, gaps, strict=True)]


def _missing(table: Table, name: str, gaps: Bools, why: str) -> MissingValueError:
    count, line = int(gaps.sum()), table.lines[gaps][0]
    values = "1 missing value" if count == 1 else f"{count} missing values"
    return MissingValueError(
        f"{name!r} has {values}, the first in line {line}; {why}: complete these rows or leave them out",
        {name: count},
        (),
    )
