"""How many directions of the data a metric can be trusted in: the effective dimension I.

Let U_I hold the I leading eigenvectors of the covariance of the centred data. A map Omega and its projection

    Omega_I = Omega U_I U_I'

do the same on data that live in these directions. What Omega does elsewhere was learned from noise; so the error of
the classifier with Omega_I, as a function of I, falls while I adds signal and stays or rises once I adds noise. I is
the smallest dimension of least error, by cross-validation (the paper looks at the test set).

With I too large, up to the exact null space, substitutes are pinned to their learned weights and look strongly
relevant; with I too small the map is another one.

Leading directions are those of largest variance, and a column that carries nothing may have one of them. A learner
that starts from the identity and stops once its classes are apart leaves weight there, and equivalent maps that agree
in such a direction give it to its columns. Which of the I leading directions are *needed*? Principal coordinates are
uncorrelated, so leaving out all but those in S moves the images of the samples by

    E || Omega x - Omega_S x ||^2  =  sum_{k not in S} lambda_k || Omega u_k ||^2.

Of all S of one size, the one whose images vary most therefore moves them least. In this order the number of directions
is chosen as I is, the smallest of least error. The paper keeps all I.

References
----------
A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI 2015
(Figures 1, 5, 10); the projection: M. Strickert, B. Hammer, T. Villmann, M. Biehl, "Regularization and improved
interpretation of linear data mappings and adaptive distance measures", IEEE CIDM 2013; that a large variance is no
sign of use: I. T. Jolliffe, "A note on the use of principal components in regression", Applied Statistics 31, 1982.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import BaseCrossValidator

from relspan.arrays import Floats, Ints
from relspan.errors import ParameterError
from relspan.metric.fitted_map import classifier_with, learned_map
from relspan.tolerances import NEARLY_EQUAL_EIGENVALUES, NUMERICAL_RANK, UNSCALED_COLUMNS


@dataclass(frozen=True, eq=False)
class PrincipalAxes:
    """Eigenvalues and eigenvectors (columns) of the covariance: the largest first unless they were put in order."""

    eigenvalues: Floats
    vectors: Floats

    @property
    def count(self) -> int:
        """Directions the data have: at most n - 1 and d."""
        return len(self.eigenvalues)

    def leading(self, dimension: int) -> Floats:
        """U_I, d x I."""
        return self.vectors[:, :dimension]

    def by_images(self, omega: Floats, dimension: int) -> PrincipalAxes:
        """The leading axes, in the order of what the map makes of them: lambda_k ||Omega u_k||^2."""
        eigenvalues, U = self.eigenvalues[:dimension], self.leading(dimension)
        order = np.argsort(-eigenvalues * np.sum((omega @ U) ** 2, axis=0), kind="stable")
        return PrincipalAxes(eigenvalues[order], U[:, order])

    def project(self, omega: Floats, dimension: int) -> Floats:
        """Omega U_I U_I'."""
        U = self.leading(dimension)
        return np.asarray((omega @ U) @ U.T)


def principal_axes(X: Floats) -> PrincipalAxes:
    """The axes of the centred data, from its singular values (no d x d matrix where n < d)."""
    _, singular, V = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    eigenvalues = singular**2 / X.shape[0]
    real = eigenvalues > NUMERICAL_RANK * eigenvalues[0]
    real[X.shape[0] - 1 :] = False  # centring takes one direction
    return PrincipalAxes(eigenvalues[real], V[real].T)


@dataclass(frozen=True, eq=False)
class DimensionCurve:
    """Cross-validated error against the effective dimension.

    Attributes
    ----------
    dimensions : ndarray of shape (n_dimensions,)
    errors : ndarray of shape (n_folds, n_dimensions)
        Error on the held-out samples with Omega_I.
    raw : ndarray of shape (n_folds,)
        Error with the map as learned.
    repeats : int
        Passes over the samples that the folds make.
    """

    dimensions: Ints
    errors: Floats
    raw: Floats
    repeats: int = 1

    @property
    def mean(self) -> Floats:
        """Mean error of each dimension."""
        return np.asarray(self.errors.mean(axis=0))

    @property
    def standard_error(self) -> Floats:
        """Of each mean; further passes judge the same samples and do not make it smaller."""
        return np.asarray(self.errors.std(axis=0) / np.sqrt(len(self.errors) / self.repeats))

    @property
    def best(self) -> int:
        """The smallest dimension of least mean error."""
        return int(self.dimensions[self.mean.argmin()])


@dataclass(frozen=True, eq=False)
class Fold:
    """A learner fitted to one training part, and the samples that were held out."""

    fitted: Any
    Z: Floats
    y: NDArray[Any]
    held_out: Floats
    y_held_out: NDArray[Any]

    @property
    def omega(self) -> Floats:
        """The map that was learned."""
        return learned_map(self.fitted)

    def error(self, omega: Floats, images_by: Floats) -> float:
        """Error on the held-out samples with the map ``omega`` instead of ``images_by``."""
        classifier = classifier_with(self.fitted, self.Z, self.y, omega, images_by)
        return float(np.mean(classifier.predict(self.held_out) != self.y_held_out))


def fold_fits(
    learner: Any, X: Floats, y: NDArray[Any], splitter: BaseCrossValidator, standardize: bool
) -> Iterator[Fold]:
    """The learner fitted to each training part; a matrix stays what it is."""
    for train, test in splitter.split(X, y):
        mean, scale = X[train].mean(axis=0), X[train].std(axis=0)
        if not standardize:
            scale = np.ones_like(scale)
        scale = np.where(scale > 0, scale, 1.0)
        Z, held_out = (X[train] - mean) / scale, (X[test] - mean) / scale
        fitted = learner if not hasattr(learner, "fit") else clone(learner).fit(Z, y[train])
        yield Fold(fitted, Z, y[train], held_out, y[test])


def dimension_curve(
    learner: Any,
    X: Floats,
    y: NDArray[Any],
    splitter: BaseCrossValidator,
    standardize: bool = True,
    within: int | None = None,
) -> DimensionCurve:
    """The error of the learner's classifier with Omega_I, for every I, by cross-validation.

    Parameters
    ----------
    learner : estimator or matrix
        Cloned and fitted on each training part. A matrix stays what it is (and has seen the held-out samples).
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
    splitter : cross-validation splitter
    standardize : bool, default=True
        Scale the features by mean and deviation of each training part. A matrix is not scaled here: give it the data
        it maps.
    within : int or None, default=None
        Count directions among this many leading ones, in the order of what each fold's map makes of them.

    Returns
    -------
    DimensionCurve
    """
    errors, raw, judged = [], [], 0
    for fold in fold_fits(learner, X, y, splitter, standardize):
        axes, omega = principal_axes(fold.Z), fold.omega
        if within is not None:
            axes = axes.by_images(omega, within)
        raw.append(fold.error(omega, omega))
        errors.append([fold.error(axes.project(omega, i), omega) for i in range(1, axes.count + 1)])
        judged += len(fold.y_held_out)
    common = min(len(e) for e in errors)
    return DimensionCurve(
        np.arange(1, common + 1), np.array([e[:common] for e in errors]), np.array(raw), round(judged / len(y))
    )


def fixed_dimension(asked: Any, axes: PrincipalAxes) -> int:
    """An effective dimension given as a number: of directions, or least eigenvalue as a share of the largest."""
    if isinstance(asked, Integral) and not isinstance(asked, bool):
        if not 1 <= int(asked) <= axes.count:
            raise ParameterError(
                f"effective_dimension={asked} must lie between 1 and {axes.count}, the directions the data have"
            )
        return int(asked)
    if isinstance(asked, Real) and 0 < float(asked) < 1:
        return int(np.sum(axes.eigenvalues >= float(asked) * axes.eigenvalues[0]))
    raise ParameterError(
        f"effective_dimension={asked!r} must be 'auto', a whole number of directions, or an eigenvalue ratio in (0, 1)"
    )


def dimension_remarks(X: Floats, axes: PrincipalAxes, kept: Floats) -> list[str]:
    """What a reader should know about this data and the directions that are kept, by their eigenvalues."""
    n, d = X.shape
    remarks = []
    if n <= d:
        remarks.append(
            f"{n} samples for {d} features: the data have {axes.count} directions only, the others are free; "
            "the effective dimension cannot exceed that"
        )
    deviations = X.std(axis=0)
    deviations = deviations[deviations > 0]
    if len(deviations) and deviations.max() > UNSCALED_COLUMNS * deviations.min():
        remarks.append(
            f"the features have different scales (standard deviations {deviations.min():.3g} to "
            f"{deviations.max():.3g}): intervals compare weights, so standardise first"
        )
    stays = np.isin(axes.eigenvalues, kept)
    above, below = axes.eigenvalues[:-1], axes.eigenvalues[1:]
    for k in np.flatnonzero((stays[:-1] != stays[1:]) & (above - below < NEARLY_EQUAL_EIGENVALUES * above))[
        -1:
    ].tolist():
        remarks.append(
            f"eigenvalues {k + 1} and {k + 2} of the data are nearly equal ({above[k]:.3g}, {below[k]:.3g}): "
            "which direction counts is left to noise; try another effective dimension"
        )
    return remarks
