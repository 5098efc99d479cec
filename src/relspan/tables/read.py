"""Read a table from a file or standard input."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Collection
from pathlib import Path

import numpy as np

from relspan import checks
from relspan.errors import DataError, ParameterError
from relspan.tables.delimited import parse_delimited
from relspan.tables.excel import ZIP_MAGIC, excel_sheet
from relspan.tables.parquet import PARQUET_MAGIC, parse_parquet
from relspan.tables.table import EncodingError, Table
from relspan.tables.table_options import MISSING, TableOptions
from relspan.unpacking import unpacked_gzip

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
DEFAULT_ENCODING = "utf-8"


def read_table(
    path: str | os.PathLike[str],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str = DEFAULT_ENCODING,
    missing: Collection[str] = MISSING,
    sheet: str | None = None,
) -> Table:
    """Read a CSV, TSV, Parquet or Excel file, plain or compressed with gzip.

    Parameters
    ----------
    path : str or path-like
        The file, or ``"-"`` for standard input.
    separator : str, default=None
        The character between the columns of delimited text, or "tab". None guesses among comma, semicolon and tab, and
        refuses what could be two of them; ``Table.format`` describes the guess.
    decimal : {".", ","}, default=None
        The decimal sign. None is the point, or the comma where the separator is another character and fractions are
        written with a comma.
    encoding : str, default="utf-8"
        The encoding of delimited text; a byte order mark is passed over. Text that begins with the byte order mark of
        UTF-16 is read as such where no other encoding is named.
    missing : collection of str, default=MISSING
        Cells that stand for a missing value. The default :data:`MISSING` is the empty cell and ``NA``, ``N/A``,
        ``n/a``, ``#N/A``, ``<NA>``, ``NaN``, ``nan``, ``NAN``, ``null``, ``NULL``, ``?``. In Parquet only nulls and NaN
        are missing.
    sheet : str, default=None
        The sheet of an Excel workbook; None is the only one that has values.

    Returns
    -------
    Table
        Its names, its typed columns, and where each row came from.

    Raises
    ------
    DataError
        If the file cannot be read: empty or duplicate names (named), rows of another length (with their line), bytes
        in another encoding, a separator or decimal sign that is not clear.

    See Also
    --------
    parse_table : The same from bytes.
    prepare_table : From a table to numbers.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from relspan.tables import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "two.csv")
    ...     _ = file.write_text("height;y\\n1,7;0\\n1,8;1\\n")
    ...     table = read_table(file)
    >>> table.format, table.column("height").tolist()
    ('semicolon separated, decimal comma', [1.7, 1.8])
    """
    source = os.fspath(path) if isinstance(path, str) else str(checks.file_path("path", path))
    checks.file_path("path", source)
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {source!r}: {error.strerror or error}") from error
    return parse_table(
        data, source, separator=separator, decimal=decimal, encoding=encoding, missing=missing, sheet=sheet
    )


def parse_table(
    data: bytes,
    source: str,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str = DEFAULT_ENCODING,
    missing: Collection[str] = MISSING,
    sheet: str | None = None,
) -> Table:
    """Read a table from the bytes of a file.

    Parameters
    ----------
    data : bytes
        What the file holds.
    source : str
        The name of the file, for messages and reports.
    separator : str, default=None
        As in `read_table`.
    decimal : {".", ","}, default=None
        As in `read_table`.
    encoding : str, default="utf-8"
        As in `read_table`.
    missing : collection of str, default=MISSING
        As in `read_table`.
    sheet : str, default=None
        As in `read_table`.

    Returns
    -------
    Table
        Its names, its typed columns, and where each row came from.

    See Also
    --------
    read_table : The same from a file.

    Examples
    --------
    >>> from relspan.tables import parse_table
    >>> parse_table(b"height,sex\\n1.7,f\\n1.8,m\\n", "two.csv").names
    ('height', 'sex')
    """
    added = tuple(
        sorted({checks.text("missing", mark) for mark in checks.collection("missing", missing, "marks")} - MISSING)
    )
    options = TableOptions(separator=separator, decimal=decimal, encoding=encoding, missing=added, sheet=sheet)
    if not isinstance(data, bytes):
        raise ParameterError(f"data must be the bytes of a file, not {type(data).__name__}")
    checks.text("source", source)
    sha256 = hashlib.sha256(data).hexdigest()
    data = unpacked_gzip(data, source)
    if not data.strip():
        raise DataError(f"{source!r} is empty")
    table = _parsed(data, source, sha256, options, missing)
    if not len(table):
        raise DataError(f"{source!r} has column names but no rows")
    return table


def _parsed(data: bytes, source: str, sha256: str, options: TableOptions, missing: Collection[str]) -> Table:
    """The table in the format that its first bytes announce."""
    if options.sheet is not None and not data.startswith(ZIP_MAGIC):
        raise ParameterError(f"sheet applies to Excel workbooks, and {source!r} is none")
    if data.startswith(PARQUET_MAGIC):
        found = parse_parquet(data)
        lines = np.arange(1, len(found.columns[0]) + 1)
        return Table(
            found.names,
            found.columns,
            lines,
            source,
            sha256,
            "Parquet",
            options=options,
            row_labels=found.row_labels,
            other_types=found.other_types,
        )
    if data.startswith(ZIP_MAGIC):
        sheet, text = excel_sheet(data, source, options.sheet)
        read = parse_delimited(text, ",", ".", missing)
        form = f"Excel, sheet {sheet!r}"
    else:
        mark = "\t" if options.separator == "tab" else options.separator
        text, encoding = _decode(data, source, options.encoding)
        read = parse_delimited(text, mark, options.decimal, missing)
        form = read.format + ("" if encoding == options.encoding else f", {encoding.upper()}")
    return Table(
        read.names, read.columns, read.lines, source, sha256, form, read.decimal, options, row_labels=read.row_labels
    )


def _decode(data: bytes, source: str, encoding: str) -> tuple[str, str]:
    """The text, and its encoding: UTF-16 announces itself where no encoding was named."""
    if encoding == DEFAULT_ENCODING and data.startswith(UTF16_MARKS):
        encoding = "utf-16"
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeError as error:
        place = f" (line {data[: error.start].count(10) + 1})" if isinstance(error, UnicodeDecodeError) else ""
        raise EncodingError(
            f"{source!r} is not text in {encoding}{place}; name its encoding, perhaps 'latin-1'"
        ) from error
    except (LookupError, ValueError) as error:
        raise ParameterError(f"encoding {encoding!r} is not known; try 'utf-8', 'latin-1' or 'cp1252'") from error
    if "\0" in text:
        raise EncodingError(
            f"{source!r} is not delimited text (it contains zero bytes); is it another format or encoding?"
        )
    return text, encoding
