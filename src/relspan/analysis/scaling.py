"""Columns made comparable: each divided by its standard deviation, and centred where the table is dense.

Intervals compare weights, so columns must be comparable. A sparse table is not centred, or it would be sparse no more;
nothing is lost by that, for the offset takes up any shift of the columns and the family stays the same.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from relspan.arrays import Bools, Floats, Matrix, dense


def varying(X: Matrix) -> Bools:
    """Which columns are not constant."""
    return dense(X.max(axis=0)).ravel() > dense(X.min(axis=0)).ravel()


def scaling(X: Matrix, sample_weight: Floats | None) -> tuple[Floats, Floats]:
    """What is taken from each column, and what it is then divided by (weighted as the samples are; 1 if constant)."""
    v = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    unit = dense(abs(X).max(axis=0)).ravel()  # squares of values such as 1e200 or 1e-200 would not be numbers any more
    unit = np.where(unit > 0, unit, 1.0)
    mean, deviation = _sparse_moments(X, v, unit) if sparse.issparse(X) else _moments(X, v, unit)
    return mean, np.where(varying(X) & (deviation > 0), deviation, 1.0)


def _moments(X: Floats, v: Floats, unit: Floats) -> tuple[Floats, Floats]:
    mean = np.average(X / unit, axis=0, weights=v) * unit
    return mean, np.sqrt(np.average(((X - mean) / unit) ** 2, axis=0, weights=v)) * unit


def _sparse_moments(X: Matrix, v: Floats, unit: Floats) -> tuple[Floats, Floats]:
    """No shift, and the deviation from entries that are held and zeros that are not."""
    held = sparse.csc_array(X)
    column = np.repeat(np.arange(X.shape[1]), np.diff(held.indptr))
    x, weight = held.data / unit[column], v[held.indices]

    def total(values: Floats) -> Floats:
        return np.bincount(column, weights=values, minlength=X.shape[1]).astype(np.float64)

    mean = total(weight * x) / v.sum()
    squares = total(weight * (x - mean[column]) ** 2) + (v.sum() - total(weight)) * mean**2
    return np.zeros(X.shape[1]), np.sqrt(np.maximum(squares, 0.0) / v.sum()) * unit


def scaled(X: Matrix, mean: Floats, scale: Floats) -> Matrix:
    """The columns as the solver sees them."""
    if sparse.issparse(X):
        return sparse.csr_array(X @ sparse.diags_array(1 / scale))
    return (X - mean) / scale
