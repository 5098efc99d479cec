"""Parquet files to typed columns, with pyarrow where it is installed. Only nulls and NaN count as missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from relspan.errors import DataError
from relspan.tables.table import Column, check_names

PARQUET_MAGIC = b"PAR1"


def parse_parquet(data: bytes) -> tuple[tuple[str, ...], tuple[Column, ...]]:
    """Names and columns; true and false become text, as they are in a text file."""
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
    names = tuple(table.column_names)
    check_names(names)
    return names, tuple(_typed(name, table.column(name), pa) for name in names)


def _typed(name: str, column: Any, pa: Any) -> Column:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind):
        values = column.to_pylist()
        return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_boolean(kind):
        values = column.to_pylist()
        return np.array([None if value is None else str(value) for value in values], dtype=object)
    raise DataError(f"column {name!r} has the Parquet type {kind}; only numbers, text and booleans can be read")
