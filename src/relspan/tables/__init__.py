"""From a file to a matrix and a target, with nothing dropped, guessed or repaired unless it was asked for."""

from relspan.tables.complete import Completed, complete
from relspan.tables.delimited import MISSING, write_delimited
from relspan.tables.prepare import Preparation, PreparedTable, prepare_table
from relspan.tables.read import parse_table, read_table
from relspan.tables.table import (
    EncodingError,
    MissingValueError,
    NamedMatrix,
    Table,
    TextColumnError,
    UnknownColumnError,
)

__all__ = [
    "MISSING",
    "Completed",
    "EncodingError",
    "MissingValueError",
    "NamedMatrix",
    "Preparation",
    "PreparedTable",
    "Table",
    "TextColumnError",
    "UnknownColumnError",
    "complete",
    "parse_table",
    "prepare_table",
    "read_table",
    "write_delimited",
]
