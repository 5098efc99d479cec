"""An order of rows and columns that depends on their contents alone.

Folds, permutations and probes are drawn by position. Drawn in this order, they are the same ones for a table whose rows
or columns come in another order, whose columns have other units or signs, or whose two classes have changed names.
"""

from __future__ import annotations

import numpy as np

from relspan.arrays import Floats, Ints, Matrix, product
from relspan.tolerances import LEAST_VARIANCE

DIGITS = 9  # of sums over standardised values: further digits depend on the order in which they are added


def row_order(X: Matrix, y: Floats, target_first: bool = False) -> Ints:
    """The rows by a sum of all their squared values with arbitrary weights, then by a sum of the values, then by y.

    Values are those of standardised columns. The target comes first if asked for. Only equal rows may change places.
    """
    squares = product(X, X)
    mean, variance = _moments(X, squares)
    weights = np.empty(X.shape[1])
    weights[_by_kurtosis(X, squares, mean, variance)] = np.random.default_rng(0).standard_normal(X.shape[1])
    weights = np.where(variance > LEAST_VARIANCE, weights, 0.0)
    sizes = squares @ (weights / variance) - X @ (2 * mean * weights / variance)
    values = X @ (weights / np.sqrt(variance))
    y = target_itself(y)
    keys = [np.round(key - key.mean(), DIGITS) for key in (np.asarray(values).ravel(), np.asarray(sizes).ravel())]
    return np.lexsort([*keys, y] if target_first else [y, *keys])


def target_itself(y: Floats) -> Floats:
    """The target without the covariates that it may carry."""
    return y if y.ndim == 1 else y[:, 0]


def columns_by_shape(X: Matrix) -> Ints:
    """The columns by their kurtosis; equal columns in any order."""
    squares = product(X, X)
    return _by_kurtosis(X, squares, *_moments(X, squares))


def _by_kurtosis(X: Matrix, squares: Matrix, mean: Floats, variance: Floats) -> Ints:
    third, fourth = (np.asarray(product(squares, by).mean(axis=0)).ravel() for by in (X, squares))
    central = fourth - 4 * mean * third + 6 * mean**2 * (variance + mean**2) - 3 * mean**4
    varies = variance > LEAST_VARIANCE
    kurtosis = np.divide(central, variance**2, out=np.zeros(len(varies)), where=varies)
    return np.argsort(np.round(kurtosis, DIGITS), kind="stable")


def _moments(X: Matrix, squares: Matrix) -> tuple[Floats, Floats]:
    """Mean and variance of every column."""
    mean, mean_square = (np.asarray(values.mean(axis=0)).ravel() for values in (X, squares))
    return mean, np.maximum(mean_square - mean**2, LEAST_VARIANCE)
