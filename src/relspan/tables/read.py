"""Read a table from a file or standard input."""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
import zlib
from collections.abc import Collection
from pathlib import Path

import numpy as np

from relspan.errors import DataError, ParameterError
from relspan.tables.delimited import parse_delimited
from relspan.tables.parquet import PARQUET_MAGIC, parse_parquet
from relspan.tables.table import EncodingError, Table
from relspan.tables.table_options import MISSING, TableOptions

GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"


def read_table(
    path: str | os.PathLike[str],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str = "utf-8",
    missing: Collection[str] = MISSING,
) -> Table:
    """Read a CSV, TSV or Parquet file, plain or compressed with gzip.

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
        The encoding of delimited text; a byte order mark is passed over.
    missing : collection of str, default=MISSING
        Cells that stand for a missing value. The default :data:`MISSING` is the empty cell and ``NA``, ``N/A``,
        ``n/a``, ``#N/A``, ``<NA>``, ``NaN``, ``nan``, ``NAN``, ``null``, ``NULL``, ``?``. In Parquet only nulls and NaN
        are missing.

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
    source = os.fspath(path)
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {source!r}: {error.strerror or error}") from error
    return parse_table(data, source, separator=separator, decimal=decimal, encoding=encoding, missing=missing)


def parse_table(
    data: bytes,
    source: str,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str = "utf-8",
    missing: Collection[str] = MISSING,
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
    added = tuple(sorted(set(missing) - MISSING))
    options = TableOptions(separator=separator, decimal=decimal, encoding=encoding, missing=added)
    sha256 = hashlib.sha256(data).hexdigest()
    if data.startswith(GZIP_MAGIC):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"{source!r} is a damaged gzip file: {error}") from error
    if not data.strip():
        raise DataError(f"{source!r} is empty")
    if data.startswith(PARQUET_MAGIC):
        names, columns = parse_parquet(data)
        table = Table(names, columns, np.arange(1, len(columns[0]) + 1), source, sha256, "Parquet", options=options)
    else:
        mark = "\t" if options.separator == "tab" else options.separator
        read = parse_delimited(_decode(data, source, encoding), mark, decimal, missing)
        table = Table(read.names, read.columns, read.lines, source, sha256, read.format, read.decimal, options)
    if not len(table):
        raise DataError(f"{source!r} has column names but no rows")
    return table


def _decode(data: bytes, source: str, encoding: str) -> str:
    if data.startswith(ZIP_MAGIC):
        raise DataError(f"{source!r} is a zip archive, perhaps an Excel workbook; save the table as CSV")
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except LookupError as error:
        raise ParameterError(f"encoding {encoding!r} is not known; try 'utf-8', 'latin-1' or 'cp1252'") from error
    except UnicodeError as error:
        place = f" (line {data[: error.start].count(10) + 1})" if isinstance(error, UnicodeDecodeError) else ""
        likely = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "latin-1"
        raise EncodingError(
            f"{source!r} is not text in {encoding}{place}; name its encoding, perhaps {likely!r}"
        ) from error
    if "\0" in text:
        raise EncodingError(
            f"{source!r} is not delimited text (it contains zero bytes); is it another format or encoding?"
        )
    return text
