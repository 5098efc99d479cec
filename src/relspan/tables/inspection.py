"""What would be done with each column of a table, by which option, and what stands in the way.

The plan is made of the options that `read_table` and `prepare_table` take; nothing is done that they do not say. A
person reads it, changes what is wrong, and runs the command that it is written as.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from shlex import quote
from typing import Any

import numpy as np

from relspan.checks import having, listed
from relspan.tables.recognition import RecognisedColumn, recognise_column
from relspan.tables.table import Table, absent
from relspan.tables.table_options import TableOptions, joined_order, split_names, split_order

MOSTLY_MISSING = 0.5  # share of missing values beyond which a column is left out
FEW_INCOMPLETE_ROWS = 0.05  # share of rows with gaps up to which they are left out, not filled
LEFT_OUT = {
    "date": "Dates are not features; turn them into numbers, such as an age or a month, if they matter.",
    "identifier": "It names the rows.",
    "constant": "It has one value only.",
    "empty": "It has no value.",
    "other type": "Values of this type are not features.",
}
NO_TARGET = {
    "date": "holds dates",
    "constant": "has one value only",
    "empty": "has no value",
    "text": "has too many different words to be classes",
    "numbers with slips": "mixes numbers and words",
    "other type": "holds values that are neither numbers nor words",
}


@dataclass(frozen=True)
class ColumnPlan:
    """A column, the part it would play, and why.

    Attributes
    ----------
    column : RecognisedColumn
        What the column is.
    part : {"target", "feature", "groups", "event", "left out", "obstacle"}
        What it would be used as; "obstacle" where no option deals with it.
    action : str
        What would be done with it, as a sentence.

    See Also
    --------
    inspect_table : Plans all columns.

    Examples
    --------
    >>> from relspan.tables import inspect_table, parse_table
    >>> table = parse_table(b"sex,y\\nf,0\\nm,1\\nf,1\\nm,0\\n", "four.csv")
    >>> inspect_table(table, "y").columns[0].action
    'Encoded as one feature with 2 levels.'
    """

    column: RecognisedColumn
    part: str
    action: str


@dataclass(frozen=True)
class TableInspection:
    """The plan for a table.

    Attributes
    ----------
    columns : tuple of ColumnPlan
        One plan per column, in the order of the table.
    options : TableOptions
        The options that carry the plan out.
    obstacles : tuple of str
        What stands in the way and no option deals with, in sentences; then the plan cannot be carried out.
    incomplete_rows : int
        How many rows have a missing value in the target or a feature.

    See Also
    --------
    inspect_table : Makes one.

    Examples
    --------
    >>> from relspan.tables import inspect_table, parse_table
    >>> table = parse_table(b"sex,y\\nf,0\\nm,1\\nf,1\\nm,0\\n", "four.csv")
    >>> inspect_table(table, "y").options.record()
    {'categorical': ['sex']}
    """

    columns: tuple[ColumnPlan, ...]
    options: TableOptions
    obstacles: tuple[str, ...]
    incomplete_rows: int

    def records(self) -> list[dict[str, Any]]:
        """Give the plans as plain dictionaries.

        Returns
        -------
        list of dict
            One per column: its name, its kind, what was seen, its part, and what would be done.
        """
        return [{**asdict(plan.column), "part": plan.part, "action": plan.action} for plan in self.columns]


def inspect_table(table: Table, target: str | None = None, options: TableOptions | None = None) -> TableInspection:
    """Plan what to do with each column of a table.

    Parameters
    ----------
    table : Table
        From :func:`read_table`.
    target : str, default=None
        The column to explain; without one there is no plan for missing values.
    options : TableOptions, default=None
        Options that were decided already, such as columns to leave out; the plan keeps them.

    Returns
    -------
    TableInspection
        The plan.

    See Also
    --------
    recognise_column : What a column is.
    prepare_table : Carries the options out.

    Examples
    --------
    >>> from relspan.tables import inspect_table, parse_table
    >>> rows = "".join(f"{i},{'abc'[i % 3]},{i % 2}\\n" for i in range(12))
    >>> table = parse_table(("id,kind,y\\n" + rows).encode(), "twelve.csv")
    >>> inspect_table(table, "y").options.record()
    {'categorical': ['kind'], 'drop': ['id']}
    """
    having("table", table, "other_types", "a Table, as read_table gives it")
    given = TableOptions() if options is None else having("options", options, "record", "TableOptions")
    if target is not None:
        table.column(target)
    decided = _Decided(given, table.names, target)
    plans = tuple(_plan(recognise_column(table, name), decided, len(table)) for name in table.names)
    obstacles = [f"Column {p.column.name!r}: {p.action}" for p in plans if p.part == "obstacle"]
    features = [p for p in plans if p.part == "feature"]
    if target is not None and not features:
        obstacles.append(f"No column is left beside the target {target!r}.")
    used = [p.column for p in plans if p.part in ("target", "feature")]
    gaps, left_out = _gaps(table, used), [p.column.name for p in plans if p.part == "left out"]
    chosen = replace(
        given,
        categorical=decided.joined(
            [*decided.categorical, *(p.column.name for p in features if _new_category(p, decided))]
        ),
        ordered=(*given.ordered, *(_order(p.column) for p in features if _new_order(p, decided))),
        drop=decided.joined(list(dict.fromkeys([*decided.drop, *left_out]))),
        missing=(*given.missing, *sorted({mark for column in used for mark in column.marks})),
    )
    if target is not None and given.impute is None and given.impute_text is None:
        chosen = replace(chosen, **_imputation(used, target, gaps))
    return TableInspection(plans, chosen, tuple(obstacles), int(gaps.sum()))


class _Decided:
    """What the options given say of single columns."""

    def __init__(self, given: TableOptions, names: Sequence[str], target: str | None) -> None:
        self.target, self.groups, self.event = target, given.groups, given.event
        self.every_text = tuple(given.categorical) == ("all",)
        self.categorical = list(given.categorical) if self.every_text else split_names(given.categorical, names)
        self.drop = split_names(given.drop, names)
        self.ordered = dict(split_order(word, names) for word in given.ordered)
        self._plain_names = all("," not in name and name == name.strip() for name in names)

    def joined(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names as one word with commas between them, where no name has a comma of its own."""
        return (",".join(names),) if len(names) > 1 and self._plain_names else tuple(names)


def _plan(column: RecognisedColumn, decided: _Decided, rows: int) -> ColumnPlan:
    """The part of one column."""
    name, kind = column.name, column.kind
    if name == decided.target:
        if kind in NO_TARGET or (kind == "identifier" and not _numeric_examples(column)):
            what = NO_TARGET.get(kind, "has a different value in every row")
            return ColumnPlan(column, "obstacle", f"The target {what}; choose another one, or prepare it first.")
        return ColumnPlan(column, "target", "The column to explain.")
    if name == decided.groups:
        return ColumnPlan(column, "groups", "Rows with the same value stay together.")
    if name == decided.event:
        return ColumnPlan(column, "event", "Whether the event was seen at the time that the target states.")
    if name in decided.drop:
        return ColumnPlan(column, "left out", "Left out as asked.")
    if name in decided.ordered:
        return ColumnPlan(column, "feature", f"Encoded as steps from {decided.ordered[name][0]!r} up, as asked.")
    if name in decided.categorical:
        return ColumnPlan(column, "feature", f"Encoded as one feature with {column.distinct} levels, as asked.")
    if kind in LEFT_OUT:
        return ColumnPlan(column, "left out", f"Left out. {LEFT_OUT[kind]}")
    if kind == "text":
        return ColumnPlan(
            column,
            "left out",
            f"Left out: {column.distinct} different words are too many levels. If they name whom rows belong to, use "
            f"--groups {quote(name)}.",
        )
    if kind == "numbers with slips":
        return ColumnPlan(
            column, "obstacle", f"Numbers and {column.detail}; correct the file, or leave the column out."
        )
    if column.missing > MOSTLY_MISSING * rows:
        return ColumnPlan(column, "left out", f"Left out: {column.missing} of {rows} values are missing.")
    return ColumnPlan(column, "feature", _action(column))


def _action(column: RecognisedColumn) -> str:
    """What is done with a feature."""
    if column.kind == "boolean":
        return f"Zeros and ones: {column.levels[1]!r} is 1."
    if column.kind == "category":
        return f"Encoded as one feature with {column.distinct} levels."
    if column.kind == "ordered category":
        return f"Encoded as one feature with steps: {' < '.join(column.levels)}."
    if column.marks:
        return f"Used as a number; {listed(map(repr, column.marks))} stands for a missing value."
    return "Used as a number."


def _numeric_examples(column: RecognisedColumn) -> bool:
    try:
        return bool([float(word) for word in column.examples])
    except ValueError:
        return False


def _new_category(plan: ColumnPlan, decided: _Decided) -> bool:
    name = plan.column.name
    known = decided.every_text or name in decided.categorical or name in decided.ordered
    return plan.column.kind == "category" and not known


def _new_order(plan: ColumnPlan, decided: _Decided) -> bool:
    name = plan.column.name
    known = name in decided.categorical or name in decided.ordered
    return plan.column.kind == "ordered category" and not known


def _order(column: RecognisedColumn) -> str:
    return joined_order(column.name, column.levels)


def _gaps(table: Table, used: Sequence[RecognisedColumn]) -> np.ndarray:
    """Which rows have a missing value in one of these columns; a mark of one counts."""
    gaps = np.zeros(len(table), dtype=bool)
    for column in used:
        values = table.column(column.name)
        gaps |= absent(values)
        if column.marks:
            gaps |= np.isin(values.astype(str), column.marks)
    return gaps


def _imputation(used: Sequence[RecognisedColumn], target: str, gaps: np.ndarray) -> dict[str, Any]:
    """What to do about missing values: leave few rows out, else fill numbers and give words a level of their own."""
    incomplete = [c for c in used if (c.missing or c.marks) and c.name != target]
    if not gaps.any():
        return {}
    if not incomplete or gaps.mean() <= FEW_INCOMPLETE_ROWS:
        return {"impute": "drop"}
    numbers = any(c.kind in ("number", "identifier") for c in incomplete)
    words = any(c.kind not in ("number", "identifier") for c in incomplete)
    return {**({"impute": "median"} if numbers else {}), **({"impute_text": "missing"} if words else {})}
