"""A table as it was read: names, typed columns, and where each row came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats, Ints
from relspan.checks import did_you_mean_or_all, listed, quoted
from relspan.errors import DataError
from relspan.tables.table_options import TableOptions

Column: TypeAlias = NDArray[Any]
"""Numbers with NaN where missing, or objects: text with None where missing."""


class UnknownColumnError(DataError):
    """The table has no column of that name.

    Parameters
    ----------
    name : str
        The name that was asked for.
    names : sequence of str
        The names that there are; the message suggests the nearest.
    """

    def __init__(self, name: str, names: Sequence[str]) -> None:
        super().__init__(f"no column {name!r}{did_you_mean_or_all(name, names)}")


class TextColumnError(DataError):
    """Columns hold text, and no option turns them into numbers.

    Parameters
    ----------
    message : str
        What was found, and what would work.
    columns : tuple of str
        The text columns.
    labels : tuple of str, default=()
        Those of them that have another value in every row, and so cannot be encoded.
    """

    def __init__(self, message: str, columns: tuple[str, ...], labels: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.columns, self.labels = columns, labels


class MissingValueError(DataError):
    """Values are missing, and no option treats them.

    Parameters
    ----------
    message : str
        What is missing, and what would work.
    counts : mapping of str to int
        The number of missing values of each column.
    ways : tuple of str, default=("mean", "median", "drop")
        The values of `impute` that would work.
    text_ways : tuple of str, default=()
        The values of `impute_text` that would work.
    """

    def __init__(
        self,
        message: str,
        counts: Mapping[str, int],
        ways: tuple[str, ...] = ("mean", "median", "drop"),
        text_ways: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.counts, self.ways, self.text_ways = dict(counts), ways, text_ways


class EncodingError(DataError):
    """The bytes are not text in the stated encoding."""


@dataclass(frozen=True, eq=False)
class Table:
    """Names and typed columns of a file.

    Attributes
    ----------
    names : tuple of str
        Column names, all different, none empty.
    columns : tuple of ndarray
        In the same order: float64 with NaN where missing, or object arrays of str with None where missing.
    lines : ndarray of shape (n_rows,)
        Line of the file on which each row ends (the row's number for Parquet, which has no lines).
    source : str
        Name of the file, ``-`` for standard input.
    sha256 : str
        Of the file's bytes as they are, before any decompression.
    format : str
        How the bytes were understood, in words.
    decimal : {".", ","}
        The decimal sign of its numbers.
    options : TableOptions
        The options by which it was read.
    row_labels : tuple of str or None
        The values of a first column without a name, which pandas and R write; it is not one of the columns.
    other_types : mapping of str to str
        The file's own types of columns that hold neither numbers nor text nor booleans, such as "timestamp[us]". Their
        values are text here, and they cannot be features.

    See Also
    --------
    read_table : From a file to a table.
    prepare_table : From a table to numbers.

    Examples
    --------
    >>> from relspan.tables import parse_table
    >>> table = parse_table(b"height,sex\\n1.7,f\\n1.8,m\\n", "two.csv")
    >>> len(table), table.names, table.format
    (2, ('height', 'sex'), 'comma separated')
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    lines: Ints
    source: str
    sha256: str
    format: str
    decimal: str = "."
    options: TableOptions = field(default_factory=TableOptions)
    row_labels: tuple[str, ...] | None = None
    other_types: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.lines)

    def description(self) -> str:
        """Describe how the file was understood, in one line.

        Returns
        -------
        str
            The numbers of rows and columns, the format, and whether there are row labels.
        """
        labels = "" if self.row_labels is None else "; the first column has no name and is taken as row labels"
        return f"{len(self)} rows, {len(self.names)} columns, {self.format}{labels}"

    def column(self, name: str) -> Column:
        """Look up the values of one column.

        Parameters
        ----------
        name : str
            Its name; an unknown one is refused with the nearest known one.

        Returns
        -------
        ndarray
            Numbers with NaN where missing, or objects: text with None where missing.
        """
        if not isinstance(name, str) or name not in self._by_name:
            raise UnknownColumnError(name, self.names)
        return self._by_name[name]

    def is_numeric(self, name: str) -> bool:
        """Check whether every value of a column that is present is a number.

        Parameters
        ----------
        name : str
            The column's name.

        Returns
        -------
        bool
            Whether the column holds numbers.
        """
        return numeric(self.column(name))

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return dict(zip(self.names, self.columns, strict=True))


@dataclass(frozen=True, eq=False)
class NamedMatrix:
    """Numbers whose columns have names: what an estimator of relspan takes where there is no data frame library.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_columns)
        The numbers.
    columns : tuple of str
        The names of the columns.
    categories : mapping of str to tuple of str
        The columns that stand for each category, by its name: a result shows them as one feature.

    See Also
    --------
    prepare_table : From a table to numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.tables import NamedMatrix
    >>> NamedMatrix(np.eye(2), ("height", "weight")).columns
    ('height', 'weight')
    """

    values: Floats
    columns: tuple[str, ...]
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        """Give the numbers alone."""
        return np.array(self.values, dtype=dtype, copy=copy)


def numeric(column: Column) -> bool:
    """Whether a column holds numbers, not text."""
    return column.dtype != object


def spelled(value: object) -> str:
    """A value as text; a number keeps 15 digits."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def absent(column: Column) -> Bools:
    """Where a column has no value."""
    if numeric(column):
        return np.isnan(column)
    return np.array([value is None for value in column], dtype=bool)


def check_names(names: Sequence[str]) -> None:
    """Refuse columns without a name, and names given twice."""
    if not names:
        raise DataError("the table has no columns")
    nameless = [str(number) for number, name in enumerate(names, start=1) if not name]
    if nameless:
        which = "column" if len(nameless) == 1 else "columns"
        raise DataError(f"{which} {listed(nameless)} of {len(names)} without a name; every column needs one")
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"duplicate column names: {quoted(twice)}; every column needs its own")
