"""Covariates: what is left of the features beyond them.

A score x.w + c.g with free coefficients g does not change if every feature is replaced by its residual of a regression
on the covariates: g takes up the difference, and the weights w of all models stay as they are. So the analysis sees

    x~_j = x_j - u.E_j,      u = (c - origin) B,

where the columns of u are covariates that express all others, in units of their own, and E are the coefficients of the
regressions. These units are powers of 2 and the origins are values of the columns, so that whole numbers stay whole:
samples on a line stay on it, and rounding makes no direction of its own beside it. Features are scaled by what is left
of them: a proxy of a covariate is then as good as noise, and a permuted residual is what a feature would be that knows
nothing beyond the covariates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from relspan.arrays import Floats, Ints, largest_values
from relspan.checks import did_you_mean_or_all, listed
from relspan.errors import DataError, ParameterError
from relspan.tolerances import EQUAL_SHARES, LEAST_PART


@dataclass(frozen=True, eq=False)
class Adjustment:
    """The covariates of a table, by their columns and names, and what they express of its other columns."""

    names: tuple[str, ...]
    columns: Ints
    features: Ints
    centre: Floats
    basis: Floats
    expressed: Floats

    @property
    def n_directions(self) -> int:
        """How many independent columns the covariates come to."""
        return int(self.basis.shape[1])

    def directions(self, X: Floats) -> Floats:
        """u of every sample of a whole table."""
        return _row_by_row(X[:, self.columns] - self.centre, self.basis)

    def residuals(self, X: Floats) -> Floats:
        """What is left of the features of a whole table."""
        return np.asarray(X[:, self.features] - _row_by_row(self.directions(X), self.expressed))

    def whole(self, values: NDArray[Any], covariates: Any) -> NDArray[Any]:
        """Values of the features, with those of the covariates put in at their places."""
        found = np.empty((len(self.features) + len(self.columns), *values.shape[1:]), dtype=values.dtype)
        found[self.features], found[self.columns] = values, covariates
        return found

    def table_weights(self, weights: Floats, coefficients: Floats, mean: Floats) -> tuple[Floats, float]:
        """Weights for the whole table, and the shift of its scores.

        `weights` are those of the residuals, of which `mean` was subtracted, and `coefficients` those of u.
        """
        own = self.basis @ (coefficients - self.expressed @ weights)
        return self.whole(weights, own), float(mean @ weights + self.centre @ own)


def _row_by_row(rows: Floats, matrix: Floats) -> Floats:
    """rows @ matrix, whose equal rows have equal products: a product of matrices may round each of them otherwise.

    A difference of two samples with the same covariates is then 0, and not an effect that grows for ever.
    """
    found = np.zeros((len(rows), matrix.shape[1]))
    for column, factors in zip(rows.T, matrix, strict=True):
        found += column[:, None] * factors
    return found


def read_covariates(given: Any, names: Sequence[str], categories: Mapping[str, Sequence[str]]) -> list[int]:
    """The columns of the covariates, which are given by name or by column number.

    A category, of which several columns stand for the levels, is given by its own name.
    """
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, (Sequence, np.ndarray)):
        raise ParameterError(f"covariates must list columns by name or number, not {given!r}")
    found: list[int] = []
    for one in list(given):
        whole = isinstance(one, (int, np.integer)) and not isinstance(one, bool)
        if isinstance(one, str) and one not in (*names, *categories):
            known = [*names, *categories]
            raise ParameterError(f"covariates name {one!r}, which is not a column{did_you_mean_or_all(one, known)}")
        if not (isinstance(one, str) or (whole and 0 <= one < len(names))):
            raise ParameterError(f"covariates list {one!r}; the table has columns 0 to {len(names) - 1}")
        found += [names.index(each) for each in categories.get(one, (one,))] if isinstance(one, str) else [int(one)]
    if len(set(found)) < len(found):
        twice = next(j for j in found if found.count(j) > 1)
        raise ParameterError(f"covariates name {names[twice]!r} twice")
    if found and len(found) == len(names):
        raise DataError("every column is a covariate: no feature is left to judge")
    return found


def adjustment_for(X: Floats, covariates: Sequence[int], names: Sequence[str], weights: Floats | None) -> Adjustment:
    """What these columns of a table express of the others."""
    columns = np.sort(np.array(covariates, dtype=np.intp))
    features = np.setdiff1d(np.arange(X.shape[1]), columns)
    share = np.ones(len(X)) if weights is None else weights / weights.max()
    root = np.sqrt(share / share.sum())[:, None]
    # in units of their own, since squares of values such as 1e200 or 1e-200 would not be numbers any more
    covariate_unit, feature_unit = (
        np.exp2(np.floor(np.log2(largest_values(X[:, some])))) for some in (columns, features)
    )
    values = X[:, columns] / covariate_unit
    mean = np.average(values, axis=0, weights=share)
    centre = values[np.argmin(np.abs(values - mean), axis=0), np.arange(len(columns))]
    spread = np.sqrt(((root * (values - mean)) ** 2).sum(axis=0))
    varies = spread > EQUAL_SHARES  # of the largest value; less is rounding
    spread = np.exp2(np.round(np.log2(np.where(varies, spread, 1.0))))
    chosen = _independent(root * (values - mean) / spread)
    basis = np.zeros((len(columns), len(chosen)))
    basis[chosen, np.arange(len(chosen))] = 1.0 / spread[chosen]
    u = (values - mean) @ basis
    away = X[:, features] / feature_unit
    away = away - np.average(away, axis=0, weights=share)
    expressed = np.linalg.lstsq(root * u, root * away, rcond=None)[0]
    known = tuple(names[j] for j in columns)
    before, after = (np.sqrt(((root * part) ** 2).sum(axis=0)) for part in (away, away - u @ expressed))
    copies = [
        names[j] for j, whole, left in zip(features, before, after, strict=True) if 0 < whole * LEAST_PART >= left
    ]
    if copies:
        raise DataError(
            f"{listed(map(repr, copies))} can be computed from the covariates {listed(map(repr, known))}, so nothing "
            "is left to judge: a column is either a covariate or a feature; leave the feature out"
        )
    centre = centre * covariate_unit
    return Adjustment(known, columns, features, centre, basis / covariate_unit[:, None], expressed * feature_unit)


def _independent(columns: Floats) -> Ints:
    """The first columns of a pivoted decomposition that are not expressed by those before them."""
    size, order = qr(columns, mode="r", pivoting=True)
    left = np.abs(np.diag(size))
    return np.sort(order[: len(left)][left > LEAST_PART * max(1.0, float(left.max(initial=0.0)))])
