"""From a file to a matrix and a target, with nothing dropped, guessed or repaired unless it was asked for."""

from relspan.tables.delimited import write_delimited
from relspan.tables.inspection import ColumnPlan, TableInspection, inspect_table
from relspan.tables.prepare import Preparation, PreparedTable, prepare_table
from relspan.tables.read import parse_table, read_table
from relspan.tables.recognition import COLUMN_KINDS, RecognisedColumn, recognise_column
from relspan.tables.table import (
    EncodingError,
    MissingValueError,
    NamedMatrix,
    Table,
    TextColumnError,
    UnknownColumnError,
)
from relspan.tables.table_options import MISSING, TableOptions

__all__ = [
    "COLUMN_KINDS",
    "MISSING",
    "ColumnPlan",
    "EncodingError",
    "MissingValueError",
    "NamedMatrix",
    "Preparation",
    "PreparedTable",
    "RecognisedColumn",
    "Table",
    "TableInspection",
    "TableOptions",
    "TextColumnError",
    "UnknownColumnError",
    "inspect_table",
    "parse_table",
    "prepare_table",
    "read_table",
    "recognise_column",
    "write_delimited",
]
