"""What a table needs before a metric is analysed: named columns, finite values, two classes, a column that varies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats
from relspan.checks import listed
from relspan.errors import DataError


def column_names(given: Any, count: int) -> list[str]:
    """The columns' names, x0, x1 ... where the table has none; duplicates are refused."""
    names = [f"x{j}" for j in range(count)] if given is None else [str(name) for name in given]
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"several columns are called {listed(twice)}: rename them, results are told by name")
    return names


def refuse_non_finite(X: Floats, names: Sequence[str]) -> None:
    """NaN and infinities are errors that count them by column."""
    for kind, wrong in (("NaN", np.isnan(X)), ("infinity", np.isinf(X))):
        where = [f"{name} ({count})" for name, count in zip(names, wrong.sum(axis=0), strict=True) if count]
        if where:
            raise DataError(f"Input X contains {kind}, by column: {listed(where)}. Impute or drop these values first")


def varying_columns(X: Floats) -> Bools:
    """The columns that hold more than one value; there must be one."""
    varies = np.asarray(X.max(axis=0) > X.min(axis=0))
    if not varies.any():
        raise DataError("every column is constant: there is nothing to learn from")
    return varies


def class_counts(y: NDArray[Any]) -> dict[str, int]:
    """How many samples each class has; there must be two classes."""
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) < 2:
        raise DataError(f"a metric needs two classes; y has one class only, {classes.tolist()[0]!r}")
    return {str(name): int(count) for name, count in zip(classes.tolist(), counts, strict=True)}
