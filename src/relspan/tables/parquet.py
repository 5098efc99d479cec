"""Parquet files to typed columns, with pyarrow where it is installed. Only nulls and NaN count as missing.

A column of another type than numbers, text and booleans, such as a timestamp, is read as text, and its type is kept:
it can be left out, but it cannot become a feature.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from relspan.errors import DataError
from relspan.tables.table import Column, check_names

PARQUET_MAGIC = b"PAR1"
PANDAS_INDEX = "__index_level_0__"  # how pandas writes an index without a name


class ParquetColumns(NamedTuple):
    """What a Parquet file holds: names, columns, row labels, and the types of columns that are read as text only."""

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    row_labels: tuple[str, ...] | None
    other_types: dict[str, str]


def parse_parquet(data: bytes) -> ParquetColumns:
    """Read the columns; true and false become text, as they are in a text file."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise DataError(
            "reading Parquet needs pyarrow; pip install 'relspan[parquet]', or save the table as CSV"
        ) from error
    try:
        table = pa.parquet.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"not a readable Parquet file: {str(error).splitlines()[0]}") from error
    check_names(table.column_names)
    labels = None
    if PANDAS_INDEX in table.column_names and table.num_columns > 1:
        labels = tuple(map(str, table.column(PANDAS_INDEX).to_pylist()))
        table = table.drop_columns([PANDAS_INDEX])
    names = tuple(table.column_names)
    typed = [_typed(table.column(name), pa) for name in names]
    others = {name: kind for name, (_, kind) in zip(names, typed, strict=True) if kind is not None}
    return ParquetColumns(names, tuple(column for column, _ in typed), labels, others)


def _typed(column: Any, pa: Any) -> tuple[Column, str | None]:
    """The values of a column, and its type where it holds neither numbers nor text nor booleans."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind, values = column.type, column.to_pylist()
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind):
        return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64), None
    text = np.array([None if value is None else str(value) for value in values], dtype=object)
    words = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_boolean(kind)
    return text, None if words or str(kind) == "string_view" else str(kind)
