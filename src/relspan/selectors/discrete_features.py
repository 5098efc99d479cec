"""Which columns of a prepared table are discrete, for methods that count levels."""

from __future__ import annotations

import numpy as np

from relspan.arrays import Bools
from relspan.markov.independence_choice import discrete_columns
from relspan.tables import MissingValueError, PreparedTable


def discrete_features(table: PreparedTable) -> Bools:
    """Columns that were text, and columns of few whole numbers."""
    return discrete_columns(table.X) | np.isin(table.names, list(table.report.levels))


def refuse_new_levels(table: PreparedTable) -> None:
    """A mean of levels is a level that nobody has: 1.4 among 1, 2 and 3 would be one of its own."""
    for name, (count, value) in table.report.imputed.items():
        if isinstance(value, str):  # a level that the column has, or a level of its own
            continue
        column = table.X[:, table.names.index(name)]
        present = column[column != value]
        if discrete_columns(present[:, None])[0] and len(column) - len(present) == count:
            ways = ("median", "drop") if np.median(present) in present else ("drop",)
            how = table.report.options.impute
            raise MissingValueError(
                f"the values of {name!r} are categories, and its {how} {value:g} is none of them", {name: count}, ways
            )
