"""Missing values: refused by name, filled, or left out with their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from relspan.arrays import Bools, Floats, Ints
from relspan.checks import listed
from relspan.errors import DataError
from relspan.tables.categories import MISSING_LEVEL
from relspan.tables.table import Column, MissingValueError, Table, absent, numeric, spelled


def drop_rows(columns: Mapping[str, Column], table: Table) -> tuple[dict[str, Column], Bools]:
    """The columns without the rows that have missing values, and which rows are kept."""
    gaps = {name: absent(column) for name, column in columns.items()}
    kept = ~np.logical_or.reduce(list(gaps.values()))
    if not kept.any():
        most = max(gaps, key=lambda name: int(gaps[name].sum()))
        raise MissingValueError(
            f"every row has a missing value, so impute='drop' leaves none; {most!r} has "
            f"{gaps[most].sum()} missing values in {len(table)} rows",
            {name: int(gap.sum()) for name, gap in gaps.items()},
            (),
        )
    return {name: column[kept] for name, column in columns.items()}, kept


def drop_targetless(columns: Mapping[str, Column], outcome: Sequence[str]) -> tuple[dict[str, Column], Bools]:
    """The columns without the rows that have no target, and which rows are kept.

    `outcome` names the target, and the column of events beside it where there is one.
    """
    kept = ~np.logical_or.reduce([absent(columns[name]) for name in outcome])
    if not kept.any():
        which = f"the target {outcome[0]!r} has no value at all"
        if len(outcome) > 1:
            which = f"no row has both a value of the target {outcome[0]!r} and one of {outcome[1]!r}"
        raise MissingValueError(which, {outcome[0]: len(kept)}, ())
    return {name: column[kept] for name, column in columns.items()}, kept


def refuse_missing(
    columns: Mapping[str, Column], target: str, text: Collection[str], impute: str | None, impute_text: str | None
) -> None:
    """Refuse what is missing and will not be filled; a missing value of the columns `text` has no mean."""
    gaps = {name: int(absent(column).sum()) for name, column in columns.items()}
    counts = {name: count for name, count in gaps.items() if count}
    if counts.get(target):
        raise MissingValueError(
            f"{counts[target]} of the {len(columns[target])} values of the target {target!r} are missing, and a target "
            "is never filled in; any value of impute leaves these rows out",
            counts,
        )
    numbers = {name: count for name, count in counts.items() if name not in text}
    words = {name: count for name, count in counts.items() if name in text}
    if numbers and impute is None:
        which = listed([f"{name!r} {count}" for name, count in numbers.items()])
        raise MissingValueError(f"missing values: {which}; set impute to 'mean', 'median' or 'drop'", counts)
    if words and impute_text is None:
        which = listed([f"{name!r} {count}" for name, count in words.items()])
        raise MissingValueError(
            f"missing values of text columns: {which}; set impute_text to 'frequent' or 'missing', or impute to 'drop'",
            counts,
            ("drop",),
            ("frequent", "missing"),
        )
    for name in counts:
        if counts[name] == len(columns[name]):
            raise MissingValueError(f"{name!r} has no value at all; leave it out with drop", counts, ())


def refuse_nameless(name: str, column: Column, lines: Ints) -> Column:
    """The column that names the groups of rows; a missing name is refused with its line."""
    gaps = absent(column)
    if gaps.any():
        raise MissingValueError(
            f"the column {name!r} names no group in line {lines[gaps][0]} ({gaps.sum()} missing in all), and a group "
            "is never filled in; impute='drop' leaves these rows out",
            {name: int(gaps.sum())},
            ("drop",),
        )
    return column


def refuse_infinite(name: str, column: Column, lines: Ints) -> Column:
    """The column itself; an infinite value is refused with its line."""
    if numeric(column) and np.isinf(column).any():
        raise DataError(f"column {name!r} is infinite in line {lines[np.isinf(column)][0]}; correct it or leave it out")
    return column


def fill_text(column: Column, impute_text: str | None) -> tuple[list[str], int, str]:
    """The values of a category as text without gaps, the number of gaps, and what filled them."""
    gaps = absent(column)
    present = [spelled(value) for value in column[~gaps]]
    if not gaps.any():
        return present, 0, ""
    often = Counter(present)
    value = MISSING_LEVEL if impute_text == "missing" else min(often, key=lambda level: (-often[level], level))
    rest = iter(present)
    return [value if gap else next(rest) for gap in gaps], int(gaps.sum()), value


def fill(column: Column, impute: str | None) -> tuple[Floats, int, float]:
    """The column without gaps, their number, and what filled them."""
    gaps = absent(column)
    if not gaps.any():
        return column, 0, np.nan
    value = float(np.mean(column[~gaps]) if impute == "mean" else np.median(column[~gaps]))
    return np.where(gaps, value, column), int(gaps.sum()), value
