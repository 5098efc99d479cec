"""An order of rows and columns that depends on their contents alone.

Folds, permutations and probes are drawn by position. Drawn in this order, they are the same ones for a table whose rows
or columns come in another order, whose columns have other units or signs, or whose two classes have changed names.
"""

from __future__ import annotations

import numpy as np

from relspan.arrays import Floats, Ints, Matrix
from relspan.tolerances import LEAST_VARIANCE

DIGITS = 9  # of sums over standardised values: further digits depend on the order in which they are added


def row_order(X: Matrix, y: Floats, target_first: bool = False) -> Ints:
    """The rows by a sum of all their squared values with arbitrary weights, then by a sum of the values, then by y.

    The target comes first if asked for. Only equal rows may change places.
    """
    squares, columns = _squares(X), columns_by_shape(X)
    spread = np.sqrt(np.maximum(np.asarray(squares.mean(axis=0)).ravel(), LEAST_VARIANCE))
    weights = np.empty(X.shape[1])
    weights[columns] = np.random.default_rng(0).standard_normal(X.shape[1])
    sizes, values = np.asarray(squares @ (weights / spread**2)).ravel(), np.asarray(X @ (weights / spread)).ravel()
    keys = [np.round(key - key.mean(), DIGITS) for key in (values, sizes)]
    return np.lexsort([*keys, y] if target_first else [y, *keys])


def columns_by_shape(X: Matrix) -> Ints:
    """The columns by their sums of |x|^3 in units of their spread; equal columns in any order."""
    squares, sizes = _squares(X), abs(X)
    cubes = squares * sizes if isinstance(squares, np.ndarray) else squares.multiply(sizes)
    spread, size = (np.asarray(values.sum(axis=0)).ravel() for values in (squares, cubes))
    return np.argsort(np.round(size / np.maximum(spread, LEAST_VARIANCE) ** 1.5, DIGITS), kind="stable")


def _squares(X: Matrix) -> Matrix:
    return X * X if isinstance(X, np.ndarray) else X.multiply(X)
