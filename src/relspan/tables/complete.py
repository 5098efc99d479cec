"""From a table to columns with nothing missing, words still words: for methods that count levels."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relspan.tables.missing_values import drop_rows, fill, finite, refuse_missing
from relspan.tables.prepare import Impute, Preparation, taking_part, whole
from relspan.tables.table import Column, Table


class Completed(NamedTuple):
    """Features by name, the target, and how they came about."""

    features: dict[str, Column]
    y: NDArray[Any]
    report: Preparation


def complete(table: Table, target: str, *, impute: Impute | None = None, drop: Collection[str] = ()) -> Completed:
    """Choose the target, leave columns out, fill missing numbers or drop their rows; nothing is encoded.

    Parameters
    ----------
    table : Table
    target : str
    impute : {"mean", "median", "drop"} or None
        Fill missing numbers with the column's mean or median, or drop rows with missing values. None refuses them.
        A missing target or word cannot be filled.
    drop : collection of str
        Columns to leave out.
    """
    names, dropped = taking_part(table, target, impute, drop)
    columns = {name: table.column(name) for name in [*names, target]}
    columns, kept = drop_rows(columns, table) if impute == "drop" else (columns, np.ones(len(table), dtype=bool))
    refuse_missing(columns, target, {name for name in names if not table.is_numeric(name)}, impute)
    lines = table.lines[kept]
    y = whole(finite(target, columns.pop(target), lines))
    imputed: dict[str, tuple[int, float]] = {}
    for name in names:
        columns[name] = finite(name, columns[name], lines)
        if table.is_numeric(name):
            columns[name], count, value = fill(columns[name], impute)
            imputed |= {name: (count, value)} if count else {}
    report = Preparation(
        target=target,
        dropped_columns=dropped,
        dropped_lines=tuple(table.lines[~kept].tolist()),
        imputed=imputed,
        encoded={},
        source=table.source,
        sha256=table.sha256,
        format=table.format,
    )
    return Completed(columns, y, report)
