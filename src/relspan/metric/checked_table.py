"""What a table needs before a metric is analysed: two classes, and a column that varies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats
from relspan.errors import DataError


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
