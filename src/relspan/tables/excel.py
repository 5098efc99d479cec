"""Excel workbooks to the cells of delimited text, with openpyxl where it is installed.

The values of a sheet are written as text and then read by the same rules as a CSV file, so that both give the same
table. The first row must hold the names.
"""

from __future__ import annotations

import csv
import datetime
import io
import zipfile
from typing import Any

from relspan.checks import did_you_mean_or_all, quoted
from relspan.errors import DataError, ParameterError

ZIP_MAGIC = b"PK\x03\x04"


def excel_sheet(data: bytes, source: str, sheet: str | None) -> tuple[str, str]:
    """The name of a sheet and its values as comma separated text; without a name the only sheet that has values."""
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError as error:
        raise DataError(
            f"{source!r} is a zip archive, perhaps an Excel workbook; reading one needs openpyxl: "
            "pip install 'relspan[excel]', or save the table as CSV"
        ) from error
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise DataError(f"{source!r} is a zip archive, but not a readable Excel workbook ({error})") from error
    try:
        sheets = {str(each.title): _rows(each) for each in book.worksheets}
    finally:
        book.close()
    filled = [title for title, rows in sheets.items() if rows]
    if sheet is None:
        if len(filled) != 1:
            found = f"has values in the sheets {quoted(filled)}; state which with sheet" if filled else "has no values"
            raise DataError(f"{source!r} {found}")
        sheet = filled[0]
    if sheet not in sheets:
        raise ParameterError(f"{source!r} has no sheet {sheet!r}{did_you_mean_or_all(sheet, sheets)}")
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(sheets[sheet])
    return sheet, text.getvalue()


def _rows(sheet: Any) -> list[list[str]]:
    """The rows of a sheet that have values, without the empty columns to their right."""
    rows = [[_spelled(value) for value in row] for row in sheet.iter_rows(values_only=True)]
    rows = [row for row in rows if any(row)]
    width = max((1 + max(place for place, cell in enumerate(row) if cell) for row in rows), default=0)
    return [row[:width] + [""] * (width - len(row)) for row in rows]


def _spelled(value: Any) -> str:
    """A cell as text: whole numbers without a fraction, dates without a time of midnight."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else str(value)
