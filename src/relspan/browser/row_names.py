"""What the rows of a table are called: its row labels, or a column that names them and that was left out.

A person looks for a patient by the name that the table has, not by the number of a row. Names are shown on the page and
kept in saved sessions; they are no features, and a page to share does not have them.
"""

from __future__ import annotations

import numpy as np

from relspan.tables import PreparedTable, Table, recognise_column
from relspan.tables.table import spelled

MOST_LOOKED_AT = 20  # columns that were left out


def row_names(table: Table, prepared: PreparedTable) -> tuple[str, ...]:
    """The name of every analysed row; empty where nothing names the rows."""
    report = prepared.report
    kept = ~np.isin(table.lines, report.dropped_lines)
    if table.row_labels is not None:
        return tuple(np.array(table.row_labels)[kept].tolist())
    for name in report.dropped_columns[:MOST_LOOKED_AT]:
        if recognise_column(table, name).kind == "identifier":
            return tuple("" if value is None else spelled(value) for value in table.column(name)[kept])
    return ()
