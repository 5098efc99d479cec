"""How many rows of a map its classification needs: the effective rank R.

A learner that starts from the identity and stops once its classes are apart leaves rows behind that it never touched.
Where the data see them they have weight, and their features look relevant. Let the rows of the eigen-form be ordered by
what the data see of them, ||U' omega_r||, with U the leading directions. The error of the classifier with the first R
rows, as a function of R, falls while R adds what separates the classes. R is the smallest number of least error, by
cross-validation: the scheme of the effective dimension (:mod:`relspan.metric.effective_dimension`), with rows in place
of directions. The paper takes all rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator

from relspan.losses import Floats
from relspan.metric.effective_dimension import DimensionCurve, fold_fits, principal_axes
from relspan.metric.eigenform import EigenForm, eigenform


def by_what_the_data_see(form: EigenForm, U: Floats) -> NDArray[np.intp]:
    """The rows, those with the longest image of the leading directions first."""
    return np.argsort(-np.linalg.norm(form.rows @ U, axis=1), kind="stable")


def most_seen(form: EigenForm, U: Floats, count: int | None) -> EigenForm:
    """The eigen-form with its ``count`` rows that the data see most; None means all."""
    if count is None or count >= len(form.rows):
        return form
    kept = np.sort(by_what_the_data_see(form, U)[:count])
    dropped = form.dropped + float(np.delete(form.eigenvalues, kept).sum())
    return replace(form, rows=form.rows[kept], eigenvalues=form.eigenvalues[kept], dropped=dropped)


def row_curve(
    learner: Any,
    X: Floats,
    y: NDArray[Any],
    splitter: BaseCrossValidator,
    dimension: int,
    smallest: float,
    standardize: bool = True,
) -> DimensionCurve:
    """The error of the learner's classifier with the R rows that the data see most, for every R, by cross-validation.

    Parameters
    ----------
    learner, X, y, splitter, standardize
        As for :func:`relspan.metric.effective_dimension.dimension_curve`.
    dimension : int
        The effective dimension: the leading directions by which rows are seen.
    smallest : float
        Rows below this share of the largest eigenvalue are left out beforehand.

    Returns
    -------
    DimensionCurve
        Its dimensions are numbers of rows.
    """
    errors, raw, judged = [], [], 0
    for fold in fold_fits(learner, X, y, splitter, standardize):
        axes = principal_axes(fold.Z)
        form, U = eigenform(fold.omega, smallest), axes.leading(min(dimension, axes.count))
        rows = form.rows[by_what_the_data_see(form, U)]
        errors.append([fold.error(rows[:count], rows[:count]) for count in range(1, len(rows) + 1)])
        raw.append(fold.error(fold.omega, fold.omega))
        judged += len(fold.y_held_out)
    most = max(len(e) for e in errors)  # a map of fewer rows has no more to add
    filled = np.array([e + e[-1:] * (most - len(e)) for e in errors])
    return DimensionCurve(np.arange(1, most + 1), filled, np.array(raw), round(judged / len(y)))
