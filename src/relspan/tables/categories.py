"""Categories as columns of zeros and ones: one indicator per level, or the steps of a thermometer.

A category without an order becomes one indicator per level, since none is special. One with two levels becomes a single
column, named after the second level: a column for the other one would be its exact substitute, and neither could ever
be strongly relevant. A category with an order becomes steps, as on a thermometer: "size>=medium", "size>=large". Each
step is 1 for all levels from its own on, so that its weight is what this step up changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.checks import quoted
from relspan.errors import DataError

MISSING_LEVEL = "missing"  # the level that stands for missing values, where they are to be one
BOOLEAN_WORDS = (("false", "true"), ("f", "t"), ("no", "yes"), ("n", "y"))
BOOLEAN_VALUES = {word: number for pair in BOOLEAN_WORDS for number, word in enumerate(pair)}


@dataclass(frozen=True)
class Category:
    """The levels of a category, and the columns that stand for them.

    Attributes
    ----------
    name : str
        The name of the column.
    levels : tuple of str
        Its levels; those of an ordered category from low to high.
    ordered : bool, default=False
        Whether the levels have an order.
    has_missing : bool, default=False
        Whether a further column of an ordered category marks missing values, which have no place in its order.
    declared : tuple of str, default=()
        All levels that the type of the column knows. One that no row has gets no column: it is 0 in all of them, or has
        the steps of the nearest lower level where there is an order.

    Examples
    --------
    >>> Category("island", ("Biscoe", "Dream", "Torgersen")).columns
    ('island=Biscoe', 'island=Dream', 'island=Torgersen')
    >>> Category("sex", ("female", "male")).columns
    ('sex=male',)
    >>> Category("size", ("small", "medium", "large"), ordered=True).columns
    ('size>=medium', 'size>=large')
    """

    name: str
    levels: tuple[str, ...]
    ordered: bool = False
    has_missing: bool = False
    declared: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that stand for the category."""
        if self.ordered:
            extra = (f"{self.name}={MISSING_LEVEL}",) if self.has_missing else ()
            return (*(f"{self.name}>={level}" for level in self.levels[1:]), *extra)
        shown = self.levels[1:] if len(self.levels) == 2 else self.levels
        return tuple(f"{self.name}={level}" for level in shown)

    def encode(self, values: Sequence[str]) -> Floats:
        """Write the values as zeros and ones.

        Parameters
        ----------
        values : sequence of str
            One level per row; any other value is refused.

        Returns
        -------
        ndarray of shape (n_rows, n_columns)
            One column for each of `columns`.
        """
        known = {level: place for place, level in enumerate(self.levels)}
        lower = -1
        for level in self.declared:
            lower = known.setdefault(level, lower if self.ordered else -1)
        if self.ordered and self.has_missing:
            known[MISSING_LEVEL] = -1
        strange = sorted({value for value in values if value not in known})
        if strange:
            raise DataError(
                f"column {self.name!r} holds {strange[0]!r}, which is not one of its levels: {quoted(known)}"
            )
        places = np.array([known[value] for value in values], dtype=np.intp)[:, None]
        if not self.ordered:
            shown = range(1, 2) if len(self.levels) == 2 else range(len(self.levels))
            return np.asarray(places == np.array(shown), dtype=np.float64)
        steps = (places >= np.arange(1, len(self.levels))).astype(np.float64)
        marks = np.array([[value == MISSING_LEVEL] for value in values], dtype=np.float64)
        return np.hstack([steps, marks]) if self.has_missing else steps


def recorded_category(name: str, facts: Mapping[str, Any]) -> Category:
    """The category of a table that was encoded before, from what was recorded of it."""
    made, order = facts["encoded"][name], facts.get("ordered", {}).get(name)
    if order is not None:
        return Category(name, tuple(order), ordered=True, has_missing=len(made) == len(order))
    levels = tuple(column[len(name) + 1 :] for column in made)
    other = facts.get("without_column", {}).get(name)
    return Category(name, levels if other is None else (other, *levels))


def boolean_levels(values: Collection[str]) -> tuple[str, str] | None:
    """The words for false and true, in lower case, if the values are two such words; else None."""
    words = {value.casefold() for value in values}
    return next((pair for pair in BOOLEAN_WORDS if words == set(pair)), None)


def as_booleans(name: str, values: Sequence[str]) -> Floats:
    """1 where a value is a word for true, 0 where it is one for false; any other word is refused."""
    strange = next((value for value in values if value.casefold() not in BOOLEAN_VALUES), None)
    if strange is not None:
        raise DataError(f"column {name!r} holds {strange!r}, which is neither true nor false")
    return np.array([BOOLEAN_VALUES[value.casefold()] for value in values], dtype=np.float64)
