"""Columns of a table as numbers: words become levels, missing values are refused by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from relspan.arrays import Bools, Floats
from relspan.errors import DataError
from relspan.markov.independence_choice import discrete_columns


@dataclass(frozen=True)
class Encoded:
    """A numeric matrix, and which of its columns are discrete or were words."""

    matrix: Floats
    discrete: Bools
    words: Bools


def encode(names: Sequence[str], X: Any) -> Encoded:
    """Encode features.

    Parameters
    ----------
    names : sequence of str
    X : array of shape (n_samples, n_features), or one sequence a feature
        Columns of words are numbered by their sorted levels.
    """
    columns = list(X.T) if isinstance(X, np.ndarray) and X.ndim == 2 else [np.asarray(c) for c in X]
    if len(columns) != len(names):
        raise DataError(f"{len(names)} names for {len(columns)} columns")
    numbers, words = [], []
    for name, column in zip(names, columns, strict=True):
        _refuse_missing(name, column)
        is_words = column.dtype.kind not in "biuf"
        words.append(is_words)
        numbers.append(np.unique(column.astype(str), return_inverse=True)[1] if is_words else column)
    matrix = np.column_stack(numbers).astype(float)
    told = np.array(words)
    return Encoded(matrix, discrete_columns(matrix) | told, told)


def checked_target(target: str, y: npt.ArrayLike) -> npt.NDArray[Any]:
    """The target as an array; missing values are refused."""
    values = np.asarray(y)
    _refuse_missing(target, values)
    return values.astype(str) if values.dtype.kind not in "biuf" else values


def _refuse_missing(name: str, column: npt.NDArray[Any]) -> None:
    if column.dtype.kind in "biu":
        return
    if column.dtype.kind == "f":
        missing = int((~np.isfinite(column)).sum())
    else:
        missing = sum(v is None or v != v or str(v).strip() == "" for v in column.tolist())
    if missing:
        raise DataError(f"column {name!r} has {missing} missing or infinite values: fill them in or drop those rows")
