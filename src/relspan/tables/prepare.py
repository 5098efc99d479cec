"""From a table to numbers: choose the target, leave columns out, fill or drop missing values, encode text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.checks import quoted
from relspan.errors import DataError, ParameterError
from relspan.tables.missing_values import drop_rows, fill, refuse_infinite, refuse_missing, refuse_nameless
from relspan.tables.table import Column, NamedMatrix, Table, check_names, numeric
from relspan.tables.table_options import TableOptions
from relspan.tables.text_columns import codes, levels_of, one_hot, refuse_text


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
    levels : dict of str to tuple of str
        For each text column that was numbered, its values in the order of their numbers.
    groups : str or None
        The column that names the group of each row.
    options : TableOptions
        The options by which the table was read and prepared.

    See Also
    --------
    prepare_table : Prepares, and reports what was done.

    Examples
    --------
    >>> from relspan.tables import parse_table, prepare_table
    >>> table = parse_table(b"height,y\\n1.7,0\\n,1\\n1.9,1\\n", "three.csv")
    >>> prepare_table(table, "y", impute="mean").report.notes()
    ("filled 1 missing value of 'height' with 1.8",)
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
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: str | None = None
    options: TableOptions = field(default_factory=TableOptions)

    def notes(self) -> tuple[str, ...]:
        """Describe what was done in sentences.

        Returns
        -------
        tuple of str
            Those that apply.
        """
        sentences = []
        if self.dropped_columns:
            sentences.append(f"left out: {quoted(self.dropped_columns)}")
        if self.dropped_lines:
            rows = "1 row" if len(self.dropped_lines) == 1 else f"{len(self.dropped_lines)} rows"
            sentences.append(f"left out {rows} with missing values")
        for name, (number, value) in self.imputed.items():
            values = "1 missing value" if number == 1 else f"{number} missing values"
            sentences.append(f"filled {values} of {name!r} with {value:g}")
        for name, columns in self.encoded.items():
            sentences.append(f"encoded {name!r} as {quoted(columns)}")
        if self.groups is not None:
            sentences.append(f"rows with the same {self.groups!r} stay together")
        return tuple(sentences)

    def facts(self) -> dict[str, Any]:
        """Describe what was done as JSON has it; a result's `data` records it.

        Returns
        -------
        dict
            The table's origin, what was left out, filled and encoded, and under "table_options" the options that are
            not the defaults.
        """
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
            "table_options": self.options.record(),
        }

    def facts_beside(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Add these facts to what a result records of its data.

        Parameters
        ----------
        data : mapping of str to object
            The `data` of a result that was computed from the prepared table.

        Returns
        -------
        dict
            Both together; the groups of rows get the name of their column.
        """
        named = {"groups": {**data["groups"], "column": self.groups}} if data.get("groups") else {}
        return {**data, **self.facts(), **named}


class PreparedTable(NamedTuple):
    """Numbers ready for an estimator, and how they came about.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        The features.
    y : ndarray of shape (n_rows,)
        The target: integers, numbers or text.
    names : tuple of str
        The names of the features.
    report : Preparation
        What was done to the table.
    groups : ndarray of shape (n_rows,), default=None
        The group of each row, text or numbers; None where every row stands alone.

    See Also
    --------
    prepare_table : From a table to numbers.

    Examples
    --------
    >>> from relspan.tables.examples import diabetes
    >>> table = diabetes()
    >>> table.X.shape, table.report.target
    ((442, 10), 'progression')
    """

    X: Floats
    y: NDArray[Any]
    names: tuple[str, ...]
    report: Preparation
    groups: NDArray[Any] | None = None

    @property
    def named(self) -> NamedMatrix:
        """The features with their names, for `fit`."""
        return NamedMatrix(self.X, self.names)


def prepare_table(
    table: Table,
    target: str,
    *,
    categorical: Collection[str] | Literal["all"] | None = None,
    impute: str | None = None,
    drop: Collection[str] = (),
    groups: str | None = None,
    encode: Literal["onehot", "codes"] = "onehot",
) -> PreparedTable:
    """Turn a table into a matrix of features and a target.

    Parameters
    ----------
    table : Table
        From :func:`read_table`.
    target : str
        Name of the column to explain. Whole numbers become integers, text stays text.
    categorical : collection of str or "all", default=None
        Columns to encode as zeros and ones, one column per value (one for both values where there are two); "all" means
        every text column. Any other text column is refused.
    impute : {"mean", "median", "drop"}, default=None
        Fill missing numbers with the column's mean or median, or drop rows with missing values. None refuses them.
        A missing target or category cannot be filled.
    drop : collection of str, default=()
        Columns to leave out.
    groups : str, default=None
        The column that names the group of each row, such as a patient. It is taken out of the features, and may hold
        text. A missing name is refused, or its row dropped with ``impute="drop"``.
    encode : {"onehot", "codes"}, default="onehot"
        "codes" numbers the values of every text column by their sorted order, for methods that count levels; nothing is
        then refused for being text, and `categorical` means nothing.

    Returns
    -------
    PreparedTable
        The tuple ``(X, y, names, report, groups)``.

    Raises
    ------
    DataError
        Naming the column, the count or the line, and what would work.

    See Also
    --------
    read_table : From a file to a table.

    Examples
    --------
    >>> from relspan.tables import parse_table, prepare_table
    >>> table = parse_table(b"height,sex,y\\n1.7,f,0\\n1.8,m,1\\n1.9,f,1\\n", "three.csv")
    >>> prepare_table(table, "y", categorical="all").names
    ('height', 'sex=m')
    """
    names, dropped = _taking_part(table, target, drop, groups)
    text = [name for name in names if not table.is_numeric(name)]
    if encode == "codes" and categorical:
        raise ParameterError("categorical does not apply with encode='codes', which numbers every text column")
    asked = (
        text if encode == "codes" or categorical == "all" else _known("categorical", categorical or (), table, target)
    )
    options = replace(
        table.options,
        categorical=("all",) if categorical == "all" else tuple(categorical or ()),
        impute=impute,
        drop=tuple(drop),
        groups=groups,
    )
    refuse_text(table, names, asked)

    columns = {name: table.column(name) for name in [*names, target, *filter(None, [groups])]}
    columns, kept = drop_rows(columns, table) if impute == "drop" else (columns, np.ones(len(table), dtype=bool))
    lines = table.lines[kept]
    labels = None if groups is None else refuse_nameless(groups, columns.pop(groups), lines)
    refuse_missing(columns, target, asked, impute)
    y = _target_values(refuse_infinite(target, columns.pop(target), lines))

    blocks: dict[str, dict[str, Floats]] = {}
    imputed: dict[str, tuple[int, float]] = {}
    for name, column in columns.items():
        if name in asked:
            blocks[name] = {name: codes(column)} if encode == "codes" else one_hot(name, column)
            continue
        filled, count, value = fill(refuse_infinite(name, column, lines), impute)
        blocks[name] = {name: filled}
        if count:
            imputed[name] = (count, value)
    levels = {name: levels_of(columns[name]) for name in names if name in asked}
    new_names = [level for block in blocks.values() for level in block]
    check_names(new_names)
    report = Preparation(
        target=target,
        dropped_columns=dropped,
        dropped_lines=tuple(table.lines[~kept].tolist()),
        imputed=imputed,
        encoded={} if encode == "codes" else {name: tuple(blocks[name]) for name in levels},
        source=table.source,
        sha256=table.sha256,
        format=table.format,
        without_column={} if encode == "codes" else {name: v[0] for name, v in levels.items() if len(v) == 2},
        levels=levels if encode == "codes" else {},
        groups=groups,
        options=options,
    )
    X = np.column_stack([values for block in blocks.values() for values in block.values()])
    return PreparedTable(X, y, tuple(new_names), report, labels)


def _taking_part(
    table: Table, target: str, drop: Collection[str], groups: str | None
) -> tuple[list[str], tuple[str, ...]]:
    """The features' names and those left out, in the table's order; what cannot be asked for is refused."""
    table.column(target)
    left_out = _known("drop", drop, table, target)
    if groups is not None and groups in _known("groups", [groups], table, target) & left_out:
        raise ParameterError(f"groups and drop both name {groups!r}; groups alone takes it out of the features")
    names = [name for name in table.names if name not in (target, groups) and name not in left_out]
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
        raise ParameterError(f"{parameter} must not include the target {target!r}")
    return frozenset(columns)


def _target_values(column: Column) -> NDArray[Any]:
    """Integers if all the numbers are whole, text as text."""
    if not numeric(column):
        return np.array(column.tolist(), dtype=str)
    if (column == np.rint(column)).all() and np.abs(column).max() < 2**53:
        return column.astype(np.int64)
    return column
