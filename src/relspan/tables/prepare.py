"""From a table to numbers: choose the target, leave columns out, fill or drop missing values, encode categories."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.checks import collection, having, mapping, one_of, quoted
from relspan.errors import DataError, ParameterError
from relspan.survival_times import survival_target
from relspan.tables.categories import MISSING_LEVEL, Category, as_booleans, boolean_levels
from relspan.tables.missing_values import (
    drop_rows,
    drop_targetless,
    fill,
    fill_text,
    refuse_infinite,
    refuse_missing,
    refuse_nameless,
)
from relspan.tables.table import Column, NamedMatrix, Table, absent, check_names, numeric
from relspan.tables.table_options import TableOptions, joined_order
from relspan.tables.text_columns import codes, levels_of, refuse_as_categories, refuse_text, refuse_unreadable


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
    imputed : dict of str to (int, float or str)
        For each filled column, how many values were filled and with what.
    encoded : dict of str to tuple of str
        For each category, the columns that stand for it now: they are one feature.
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
    ordered : dict of str to tuple of str
        For each category with an order, its levels from low to high.
    booleans : dict of str to tuple of str
        For each column of words for false and true, these two words in lower case; it holds 0 and 1 now.
    dropped_targets : int
        How many of the rows left out have no value of the target.
    event : str or None
        The column that states whether the event of each row was seen, where the target is a time.

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
    imputed: Mapping[str, tuple[int, float | str]]
    encoded: Mapping[str, tuple[str, ...]]
    source: str
    sha256: str
    format: str
    without_column: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: str | None = None
    options: TableOptions = field(default_factory=TableOptions)
    ordered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    booleans: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    dropped_targets: int = 0
    event: str | None = None

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
        if self.dropped_targets:
            rows = "1 row" if self.dropped_targets == 1 else f"{self.dropped_targets} rows"
            sentences.append(f"left out {rows} without a value of the target {self.target!r}")
        incomplete = len(self.dropped_lines) - self.dropped_targets
        if incomplete:
            rows = "1 row" if incomplete == 1 else f"{incomplete} rows"
            sentences.append(f"left out {rows} with missing values")
        for name, (number, value) in self.imputed.items():
            values = "1 missing value" if number == 1 else f"{number} missing values"
            sentences.append(f"filled {values} of {name!r} with {value if isinstance(value, str) else f'{value:g}'}")
        for name, (_, true) in self.booleans.items():
            sentences.append(f"read {name!r} as a boolean: {true!r} is 1")
        for name, columns in self.encoded.items():
            kind = "an ordered category" if name in self.ordered else "a category"
            sentences.append(f"encoded {name!r} as {kind}: {quoted(columns)}")
        if self.event is not None:
            sentences.append(
                f"took {self.target!r} as the time until the event {self.event!r} or the end of observation"
            )
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
            **({"ordered": {name: list(levels) for name, levels in self.ordered.items()}} if self.ordered else {}),
            **({"booleans": {name: list(words) for name, words in self.booleans.items()}} if self.booleans else {}),
            **({"dropped_targets": self.dropped_targets} if self.dropped_targets else {}),
            **({"event": self.event} if self.event is not None else {}),
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
        The target: integers, numbers, text, or an array with the fields "time" and "event".
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
        return NamedMatrix(self.X, self.names, self.report.encoded)

    @property
    def known_names(self) -> tuple[str, ...]:
        """The names by which features can be asked for: those of the columns, and those of categories."""
        return (*self.names, *self.report.encoded)


def prepare_table(
    table: Table,
    target: str,
    *,
    categorical: Collection[str] | Literal["all"] | None = None,
    ordered: Mapping[str, Sequence[str]] | None = None,
    impute: str | None = None,
    impute_text: str | None = None,
    drop: Collection[str] = (),
    groups: str | None = None,
    event: str | None = None,
    encode: Literal["onehot", "codes"] = "onehot",
) -> PreparedTable:
    """Turn a table into a matrix of features and a target.

    A column of words for false and true (true and false, t and f, yes and no, y and n) becomes zeros and ones.

    Parameters
    ----------
    table : Table
        From :func:`read_table`.
    target : str
        Name of the column to explain. Whole numbers become integers, text stays text.
    categorical : collection of str or "all", default=None
        Columns to encode as zeros and ones, one column per value (one for both values where there are two); "all" means
        every text column. Any other text column is refused. The columns of a category are one feature of the result.
    ordered : mapping of str to sequence of str, default=None
        Categories whose levels have an order, from low to high. They become steps: a column for each level but the
        lowest, which is 1 from this level on.
    impute : {"mean", "median", "drop"}, default=None
        Fill missing numbers with the column's mean or median, or drop rows with any missing value. None refuses them.
        A row without a value of the target is dropped where `impute` or `impute_text` is given.
    impute_text : {"frequent", "missing"}, default=None
        Fill missing words with the column's most frequent one, or make them a level of their own, "missing".
    drop : collection of str, default=()
        Columns to leave out.
    groups : str, default=None
        The column that names the group of each row, such as a patient. It is taken out of the features, and may hold
        text. A missing name is refused, or its row dropped with ``impute="drop"``.
    event : str, default=None
        The column that is 1, or a word for true, where the event of a row was seen, and 0 where it was not. The target
        is the time of observation then. The column is taken out of the features, and a row without a value of it is
        treated like one without a target.
    encode : {"onehot", "codes"}, default="onehot"
        "codes" numbers the values of every text column by their sorted order, for methods that count levels; nothing is
        then refused for being text, and `categorical` and `ordered` mean nothing.

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
    having("table", table, "other_types", "a Table, as read_table gives it")
    one_of("encode", encode, ("onehot", "codes"))
    if ordered is not None:
        mapping("ordered", ordered, "columns to their levels, from the lowest to the highest")
    if categorical is not None and not isinstance(categorical, str):
        categorical = collection("categorical", categorical, "column names")
    names, dropped = _taking_part(table, target, drop, groups, event)
    refuse_unreadable(table, [*names, target, *filter(None, [event])])
    kinds = _column_kinds(table, target, names, categorical, ordered or {}, encode == "codes")
    options = replace(
        table.options,
        categorical=("all",) if isinstance(categorical, str) and categorical == "all" else tuple(categorical or ()),
        ordered=tuple(joined_order(name, levels) for name, levels in (ordered or {}).items()),
        impute=impute,
        impute_text=impute_text,
        drop=tuple(drop),
        groups=groups,
        event=event,
    )
    columns = {name: table.column(name) for name in [*names, target, *filter(None, [groups, event])]}
    outcome = [target, *filter(None, [event])]
    targetless = np.logical_or.reduce([absent(columns[name]) for name in outcome])
    kept = np.ones(len(table), dtype=bool)
    if impute == "drop":
        columns, kept = drop_rows(columns, table)
    elif impute is not None or impute_text is not None:
        columns, kept = drop_targetless(columns, outcome)
    lines = table.lines[kept]
    labels = None if groups is None else refuse_nameless(groups, columns.pop(groups), lines)
    refuse_missing(columns, target, kinds.words, impute, impute_text)
    y = _target_values(refuse_infinite(target, columns.pop(target), lines))
    if event is not None:
        y = _survival(target, y, event, columns.pop(event))

    blocks: dict[str, dict[str, Floats]] = {}
    imputed: dict[str, tuple[int, float | str]] = {}
    made: dict[str, Category] = {}
    booleans: dict[str, tuple[str, str]] = {}
    levels: dict[str, tuple[str, ...]] = {}
    for name, column in columns.items():
        if name not in kinds.words:
            values, count, value = fill(refuse_infinite(name, column, lines), impute)
            imputed |= {name: (count, value)} if count else {}
            blocks[name] = {name: values}
            continue
        words, count, filled = fill_text(column, impute_text)
        imputed |= {name: (count, filled)} if count else {}
        pair = boolean_levels(set(words)) if name in kinds.booleans else None
        if encode == "codes":
            levels[name], blocks[name] = levels_of(words), {name: codes(words)}
        elif pair is not None:
            booleans[name], blocks[name] = pair, {name: as_booleans(name, words)}
        else:
            made[name] = _category(name, words, kinds.ordered.get(name), bool(count) and filled == MISSING_LEVEL)
            blocks[name] = dict(zip(made[name].columns, made[name].encode(words).T, strict=True))
    new_names = [level for block in blocks.values() for level in block]
    check_names(new_names)
    report = Preparation(
        target=target,
        dropped_columns=dropped,
        dropped_lines=tuple(table.lines[~kept].tolist()),
        imputed=imputed,
        encoded={name: category.columns for name, category in made.items()},
        source=table.source,
        sha256=table.sha256,
        format=table.format,
        without_column={
            name: each.levels[0] for name, each in made.items() if len(each.levels) == 2 and not each.ordered
        },
        levels=levels,
        groups=groups,
        options=options,
        ordered={name: category.levels for name, category in made.items() if category.ordered},
        booleans=booleans,
        dropped_targets=int((targetless & ~kept).sum()),
        event=event,
    )
    X = np.column_stack([values for block in blocks.values() for values in block.values()])
    return PreparedTable(X, y, tuple(new_names), report, labels)


class ColumnKinds(NamedTuple):
    """Which features hold words: categories, those of them with an order, and words for false and true."""

    categories: frozenset[str]
    ordered: Mapping[str, tuple[str, ...]]
    booleans: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        """All of them."""
        return self.categories | set(self.ordered) | self.booleans


def _column_kinds(
    table: Table,
    target: str,
    names: Sequence[str],
    categorical: Collection[str] | None,
    ordered: Mapping[str, Sequence[str]],
    numbered: bool,
) -> ColumnKinds:
    """What the features with words are; text that nothing was asked for is refused."""
    text = [name for name in names if not table.is_numeric(name)]
    if numbered:
        if categorical or ordered:
            raise ParameterError("categorical and ordered do not apply with encode='codes', which numbers all text")
        return ColumnKinds(frozenset(text), {}, frozenset())
    steps = {name: _checked_order(name, levels) for name, levels in ordered.items()}
    with_order = _known("ordered", steps, table, target)
    every = isinstance(categorical, str) and categorical == "all"
    asked = frozenset() if every else _known("categorical", categorical or (), table, target)
    twice = sorted(asked & with_order)
    if twice:
        raise ParameterError(f"categorical and ordered both name {twice[0]!r}; ordered alone is enough")
    booleans = frozenset(
        name
        for name in text
        if name not in asked | with_order and boolean_levels({str(v) for v in table.column(name) if v is not None})
    )
    if every:
        rest = [name for name in text if name not in booleans | with_order]
        refuse_as_categories(table, rest)
        asked = frozenset(rest)
    refuse_text(table, names, asked | with_order | booleans)
    taken = frozenset(names)
    return ColumnKinds(asked & taken, {name: levels for name, levels in steps.items() if name in taken}, booleans)


def _checked_order(name: str, levels: Sequence[str]) -> tuple[str, ...]:
    found = tuple(map(str, levels))
    if isinstance(levels, str) or len(found) < 2 or len(set(found)) < len(found) or not all(found):
        raise ParameterError(f"ordered must list two or more different levels of {name!r}, not {levels!r}")
    return found


def _category(name: str, words: Sequence[str], order: tuple[str, ...] | None, has_missing: bool) -> Category:
    """The category that the words of a column are levels of."""
    if order is not None:
        return Category(name, order, ordered=True, has_missing=has_missing and MISSING_LEVEL not in order)
    found = levels_of(words)
    if len(found) == len(words) > 2:
        raise DataError(
            f"column {name!r} has a different value in every row, so it cannot be encoded; leave it out with drop"
        )
    return Category(name, found)


def _survival(target: str, times: NDArray[Any], event: str, seen: Column) -> NDArray[Any]:
    """Times and events as one target; a time that is text, and an event that is neither 0 nor 1, is refused."""
    if times.dtype.kind not in "iuf":
        raise DataError(f"the times {target!r} contain text such as {str(times[0])!r}; a time is a number")
    events = seen if numeric(seen) else as_booleans(event, [str(value) for value in seen])
    return survival_target(times, events, f"the times {target!r}", f"the events {event!r}")


def _taking_part(
    table: Table, target: str, drop: Collection[str], groups: str | None, event: str | None
) -> tuple[list[str], tuple[str, ...]]:
    """The features' names and those left out, in the table's order; what cannot be asked for is refused."""
    table.column(target)
    left_out = _known("drop", drop, table, target)
    if groups is not None and groups in _known("groups", [groups], table, target) & left_out:
        raise ParameterError(f"groups and drop both name {groups!r}; groups alone takes it out of the features")
    if event is not None and event in _known("event", [event], table, target) & {groups, *left_out}:
        raise ParameterError(
            f"event and {'groups' if event == groups else 'drop'} both name {event!r}; event alone is enough"
        )
    names = [name for name in table.names if name not in (target, groups, event) and name not in left_out]
    if not names:
        raise DataError(f"no column is left beside the target {target!r}")
    return names, tuple(name for name in table.names if name in left_out)


def _known(parameter: str, columns: Collection[str], table: Table, target: str) -> frozenset[str]:
    """Names of columns; one that the table does not have, and the target, are refused."""
    if isinstance(columns, str):
        raise ParameterError(f"{parameter} must be a list of column names, not the text {columns!r}")
    for name in collection(parameter, columns, "column names"):
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
