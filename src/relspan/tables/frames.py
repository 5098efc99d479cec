"""Data frames with categories, words and booleans as numbers: what an estimator of relspan reads from one.

pandas and polars are not imported: a frame is anything with named columns, and a column anything with a dtype and
`to_list()`. Categorical and text columns become categories, those with an order become steps; dates and other objects
are refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.checks import listed, quoted
from relspan.errors import DataError
from relspan.tables.categories import Category, recorded_category
from relspan.tables.delimited import as_number
from relspan.tables.table import NamedMatrix, spelled
from relspan.tables.text_columns import levels_of

CATEGORICAL = ("auto", "error")
_CATEGORIES = ("category", "categorical", "enum")
_WORDS = ("object", "str", "string", "large_string", "utf8")
_TIMES = ("date", "time", "duration", "timedelta", "period", "interval")


@dataclass(frozen=True, eq=False)
class FrameEncoding:
    """How the columns of a data frame become numbers.

    Attributes
    ----------
    names : tuple of str
        The columns of the frame, in their order.
    categories : mapping of str to Category
        The columns that are categories.
    """

    names: tuple[str, ...]
    categories: Mapping[str, Category] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of numbers."""
        return tuple(
            column
            for name in self.names
            for column in (self.categories[name].columns if name in self.categories else [name])
        )

    @property
    def owners(self) -> list[int]:
        """For each column of numbers, the place of the frame's column that it comes from."""
        sizes = [len(self.categories[name].columns) if name in self.categories else 1 for name in self.names]
        return [place for place, size in enumerate(sizes) for _ in range(size)]

    def encode(self, frame: Any) -> NamedMatrix:
        """The numbers of a frame with these columns.

        Parameters
        ----------
        frame : data frame
            It has the columns of the frame that was learned from, in any order.

        Returns
        -------
        NamedMatrix
            The numbers, with the columns of each category.
        """
        labels = _labels(frame)
        missing = [name for name in self.names if name not in labels]
        if missing:
            raise DataError(f"the table lacks the columns {quoted(missing)}, which the model was fitted with")
        blocks = []
        for name in self.names:
            column = frame[labels[name]]
            category = self.categories.get(name)
            blocks.append(
                _numbers(name, column)[:, None] if category is None else category.encode(_words(name, column))
            )
        made = {name: category.columns for name, category in self.categories.items()}
        return NamedMatrix(np.hstack(blocks), self.columns, made)

    def facts(self) -> dict[str, Any]:
        """Describe the categories as JSON has them; a result's `data` records it.

        Returns
        -------
        dict
            The columns of each category, the levels of ordered ones, and levels without a column.
        """
        made = self.categories
        two = {name: c.levels[0] for name, c in made.items() if len(c.levels) == 2 and not c.ordered}
        ordered = {name: list(c.levels) for name, c in made.items() if c.ordered}
        return {
            "encoded": {name: list(category.columns) for name, category in made.items()},
            **({"without_column": two} if two else {}),
            **({"ordered": ordered} if ordered else {}),
        }


def recorded_encoding(columns: Sequence[str], facts: Mapping[str, Any]) -> FrameEncoding:
    """The encoding that gave these columns of numbers, from what was recorded of it.

    Parameters
    ----------
    columns : sequence of str
        The columns of numbers.
    facts : mapping
        What `FrameEncoding.facts` or `Preparation.facts` recorded.

    Returns
    -------
    FrameEncoding
        The encoding of a frame with the original columns.
    """
    owner = {column: name for name, made in facts.get("encoded", {}).items() for column in made}
    names = tuple(dict.fromkeys(owner.get(column, column) for column in columns))
    return FrameEncoding(names, {name: recorded_category(name, facts) for name in names if name in owner.values()})


def learn_encoding(frame: Any, categorical: str) -> FrameEncoding | None:
    """How a data frame becomes numbers; None for one whose columns are all numbers, and for what is no frame.

    Parameters
    ----------
    frame : object
        What was given as a table.
    categorical : {"auto", "error"}
        Whether categories and words are encoded, or refused by name.

    Returns
    -------
    FrameEncoding or None
        The encoding.
    """
    labels = _labels(frame)
    types = list(frame.dtypes) if labels and hasattr(frame, "dtypes") else []
    kinds = {name: _kind(frame, label, dtype) for (name, label), dtype in zip(labels.items(), types, strict=False)}
    times = [name for name, kind in kinds.items() if kind == "time"]
    if times:
        raise DataError(
            f"{_named(times)} dates or times; leave them out, or turn them into numbers, such as an age in days"
        )
    words = [name for name, kind in kinds.items() if kind in ("category", "words")]
    if not words:
        return None
    if categorical == "error":
        raise DataError(
            f"{_named(words)} categories or text; encode them first, or set categorical='auto', which makes each of "
            "them one feature"
        )
    made = {name: _category(name, frame[labels[name]], kinds[name] == "category") for name in words}
    return FrameEncoding(tuple(labels), made)


def _named(names: Sequence[str]) -> str:
    return f"column {names[0]!r} holds" if len(names) == 1 else f"the columns {quoted(names)} hold"


def _labels(frame: Any) -> dict[str, Any]:
    """The columns of a frame by name; nothing for what is no frame."""
    if isinstance(frame, NamedMatrix) or not hasattr(frame, "columns") or not hasattr(frame, "__getitem__"):
        return {}
    return {str(label): label for label in frame.columns}


def _kind(frame: Any, label: Any, dtype: Any) -> str:
    """What a column holds: "number", "category", "words" or "time"."""
    word = str(dtype).lower().partition("(")[0].partition("[")[0]
    if word in _CATEGORIES:
        return "category"
    if word.startswith(_TIMES):
        return "time"
    if word not in _WORDS:
        return "number"
    present = [value for value in frame[label].to_list() if not _is_missing(value)]
    if any(hasattr(value, "isoformat") for value in present):
        return "time"
    return "words" if any(isinstance(value, str) for value in present) else "number"  # booleans are numbers, too


def _category(name: str, column: Any, declared: bool) -> Category:
    """The category that a column holds; text that is mostly numbers, or another in every row, is none."""
    values = _words(name, column)
    found = levels_of(values)
    if declared:
        known, ordered = _declared_levels(column)
        levels = tuple(level for level in known if level in found) if ordered else found
        if len(levels) > 1:
            return Category(name, levels, ordered, declared=known)
        return Category(name, found, declared=known)
    numbers = [value for value in values if as_number(value) is not None]
    if 2 * len(numbers) > len(values):
        wrong = next(value for value in values if as_number(value) is None) if len(numbers) < len(values) else None
        what = "numbers as text" if wrong is None else f"text such as {wrong!r} among numbers"
        raise DataError(f"column {name!r} holds {what}; convert it to numbers first")
    if len(found) == len(values) > 2:
        raise DataError(f"column {name!r} has a different value in every row, so it is no category; leave it out")
    return Category(name, found)


def integer_labels(frame: Any) -> list[str] | None:
    """The labels of a frame's columns as names, where they are not text; None for any other table."""
    labels = list(_labels(frame).values())
    return [str(label) for label in labels] if any(not isinstance(label, str) for label in labels) else None


def plain_target(y: Any) -> Any:
    """The target as it is; booleans that may be missing become plain ones, so that classes are False and True."""
    if str(getattr(y, "dtype", "")) != "boolean":
        return y
    values = y.to_list()
    gaps = sum(map(_is_missing, values))
    if gaps:
        raise DataError(f"{gaps} of the {len(values)} values of the target are missing; drop these rows first")
    return np.array(values, dtype=bool)


def _declared_levels(column: Any) -> tuple[tuple[str, ...], bool]:
    """All levels that the type of a categorical column knows, and whether they have an order."""
    levels = getattr(column.dtype, "categories", None)
    if levels is None or not hasattr(levels, "to_list"):  # a Categorical of polars declares none
        return (), False
    ordered = getattr(column.dtype, "ordered", True)  # pandas says so, and an Enum of polars has an order
    return tuple(map(spelled, levels.to_list())), bool(ordered)


def _words(name: str, column: Any) -> list[str]:
    values = column.to_list()
    gaps = sum(map(_is_missing, values))
    if gaps:
        count = "1 value is" if gaps == 1 else f"{gaps} values are"
        raise DataError(
            f"column {name!r}: {count} missing; fill them, for example with a level 'missing', or drop the rows"
        )
    return [spelled(value) for value in values]


def _numbers(name: str, column: Any) -> Floats:
    values = column.to_list()
    try:
        return np.array([np.nan if _is_missing(value) else float(value) for value in values], dtype=np.float64)
    except (TypeError, ValueError) as error:
        wrong = next(value for value in values if not isinstance(value, Real) and not _is_missing(value))
        raise DataError(
            f"column {name!r} holds {listed([repr(wrong)])}, and the model expects numbers there"
        ) from error


def _is_missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, NaT, or the NA of a data frame library."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value
