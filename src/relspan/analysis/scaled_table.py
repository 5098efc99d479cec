"""A table made ready for the analysis: names, varying columns, scaling, privileged columns, groups of features.

Intervals compare weights, so columns must be comparable: each is divided by its standard deviation, and centred where
the table is dense. Of a sparse table only columns without a zero are centred; the others would no longer be sparse.
Nothing is lost by that: the offset takes up any shift of the columns, and the family stays the same. (A column that
deviates little from a large mean has no zeros. Left as it is, it would be lost in the solver's tolerances. Therefore
such a column is shifted even where columns are not to be scaled.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from relspan.arrays import Bools, Floats, Ints, Matrix, dense, largest_values
from relspan.checks import did_you_mean_or_all, listed, quoted
from relspan.errors import DataError, ParameterError
from relspan.tolerances import FAR_COLUMN


@dataclass(frozen=True, eq=False)
class ScaledTable:
    """The columns of a table, the privileged ones last. Z holds the varying ones, scaled."""

    names: tuple[str, ...]
    n_public: int
    varies: Bools
    mean: Floats
    scale: Floats
    Z: Matrix

    @cached_property
    def varying_columns(self) -> Ints:
        """The column of the table behind each column of Z."""
        return np.flatnonzero(self.varies)

    @cached_property
    def varying_names(self) -> list[str]:
        """The names of the columns of Z."""
        return [self.names[j] for j in self.varying_columns]

    @property
    def privileged(self) -> tuple[bool, ...]:
        """Which of the columns of Z are privileged."""
        return tuple(bool(j >= self.n_public) for j in self.varying_columns)


def scale_table(
    X: Matrix, names: Sequence[str], n_public: int, standardize: bool, sample_weight: Floats | None
) -> ScaledTable:
    """Scale the columns of a table and leave out the constant ones."""
    refuse_non_finite(X, names)
    mean, scale = scaling(X, sample_weight) if standardize else (far_values(X), np.ones(X.shape[1]))
    varies = varying(X)
    if not varies[:n_public].any():
        which = listed(names[:n_public])
        raise DataError(f"every column is constant ({which}): there is nothing to learn from")
    Z = scaled(X, mean, scale)[:, varies]
    Z = Z if sparse.issparse(Z) else np.ascontiguousarray(Z)
    return ScaledTable(tuple(names), n_public, varies, mean, scale, Z)


# -- scaling -----------------------------------------------------------------------------------------------------------


def varying(X: Matrix) -> Bools:
    """Which columns are not constant."""
    return dense(X.max(axis=0)).ravel() > dense(X.min(axis=0)).ravel()


def scaling(X: Matrix, sample_weight: Floats | None) -> tuple[Floats, Floats]:
    """What is subtracted from each column, and what it is divided by then: 1 where the column is constant.

    Means and deviations are weighted as the samples are.
    """
    v = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    v = np.ldexp(v, -np.frexp(v.max())[1])  # small weights times small squares would lose their digits
    unit = largest_values(X)  # squares of values such as 1e200 or 1e-200 would not be numbers any more
    mean, deviation = _sparse_moments(X, v, unit) if sparse.issparse(X) else _moments(X, v, unit)
    return mean, np.where(varying(X) & (deviation > 0), deviation, 1.0)


def far_values(X: Matrix) -> Floats:
    """What is subtracted from columns that are not scaled: a value of each that lies far from 0 beside its range.

    The offset takes it up, and whole numbers stay whole. Columns with a zero have no such value.
    """
    high, low = dense(X.max(axis=0)).ravel(), dense(X.min(axis=0)).ravel()
    nearest = np.where(np.abs(low) < np.abs(high), low, high)
    return np.where(np.abs(nearest) > FAR_COLUMN * (high - low), nearest, 0.0)


def _moments(X: Floats, v: Floats, unit: Floats) -> tuple[Floats, Floats]:
    mean = np.average(X / unit, axis=0, weights=v) * unit
    return mean, np.sqrt(np.average(((X - mean) / unit) ** 2, axis=0, weights=v)) * unit


def _sparse_moments(X: Matrix, v: Floats, unit: Floats) -> tuple[Floats, Floats]:
    """A shift where no entry is 0, and the deviation from the stored entries and from the zeros that are not stored."""
    stored = sparse.csc_array(X)
    column = np.repeat(np.arange(X.shape[1]), np.diff(stored.indptr))
    x, weight = stored.data / unit[column], v[stored.indices]

    def total(values: Floats) -> Floats:
        return np.bincount(column, weights=values, minlength=X.shape[1]).astype(np.float64)

    mean = total(weight * x) / v.sum()
    not_stored = np.where(np.diff(stored.indptr) < X.shape[0], v.sum() - total(weight), 0.0)  # 0 without rounding
    squares = total(weight * (x - mean[column]) ** 2) + not_stored * mean**2
    full = np.bincount(column[stored.data != 0], minlength=X.shape[1]) == X.shape[0]
    return np.where(full, mean * unit, 0.0), np.sqrt(np.maximum(squares, 0.0) / v.sum()) * unit


def scaled(X: Matrix, mean: Floats, scale: Floats) -> Matrix:
    """The columns as the solver sees them."""
    if sparse.issparse(X):
        rows = sparse.csr_array(X, copy=True)
        rows.data -= mean[rows.indices]  # of columns that store every entry
        return sparse.csr_array(rows @ sparse.diags_array(1 / scale))
    return (X - mean) / scale


def standardised(X: Matrix, sample_weight: Floats | None) -> Matrix:
    """The columns that vary, as the solver sees them by default."""
    return scaled(X, *scaling(X, sample_weight))[:, varying(X)]


# -- checks ------------------------------------------------------------------------------------------------------------


def column_names(given: Sequence[Any] | None, count: int) -> list[str]:
    """The names of the columns as they were given, x0, x1, ... where the table has none; no name may occur twice."""
    names = [f"x{j}" for j in range(count)] if given is None else [str(name) for name in given]
    refuse_duplicates(names)
    return names


def refuse_duplicates(names: Sequence[str]) -> None:
    """Two columns of one name are an error: results name features."""
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        raise DataError(f"several columns are called {quoted(twice)}; rename them, because results name features")


def refuse_non_finite(X: Matrix, names: Sequence[str]) -> None:
    """NaN and infinities are errors that count them per column."""
    stored, columns = (X.data, X.tocoo().coords[1]) if sparse.issparse(X) else (X, None)
    for kind, test in (("NaN", np.isnan), ("infinity", np.isinf)):
        wrong = test(stored)
        if wrong.any():
            counts = wrong.sum(axis=0) if columns is None else np.bincount(columns[wrong], minlength=len(names))
            where = [f"{name} ({count})" for name, count in zip(names, counts, strict=True) if count]
            raise DataError(f"Input X contains {kind}, by column: {listed(where)}. Impute or drop these values first")


def read_groups(given: Any, names: Sequence[str]) -> dict[str, list[int]]:
    """Groups of features by name: the columns of their members, which are given by name or by column number."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(f"feature_groups must map a group's name to its features, not {type(given).__name__}")
    groups: dict[str, list[int]] = {}
    for group, members in given.items():
        if isinstance(members, str) or not isinstance(members, (Sequence, np.ndarray)) or len(members) == 0:
            raise ParameterError(f"group {group!r} must list one feature or more, not {members!r}")
        groups[str(group)] = [_column(str(group), member, names) for member in members]
        if len(set(groups[str(group)])) < len(members):
            raise ParameterError(f"group {group!r} lists a feature twice")
    return groups


def _column(group: str, member: Any, names: Sequence[str]) -> int:
    if isinstance(member, str):
        if member not in names:
            raise ParameterError(
                f"group {group!r} lists {member!r}, which is not a column{did_you_mean_or_all(member, names)}"
            )
        return names.index(member)
    if isinstance(member, (int, np.integer)) and not isinstance(member, bool) and 0 <= member < len(names):
        return int(member)
    raise ParameterError(f"group {group!r} lists {member!r}; the table has columns 0 to {len(names) - 1}")
