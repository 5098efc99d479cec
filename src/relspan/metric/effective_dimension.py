"""How many directions of the data a metric can be trusted in: the effective dimension I.

Let U_I hold the I leading eigenvectors of the covariance of the centred data. A map Omega and its projection

    Omega_I = Omega U_I U_I'

do the same on data that live in these directions. What Omega does elsewhere was learned from noise; so the error of
the classifier with Omega_I, as a function of I, falls while I adds signal and stays or rises once I adds noise. I is
the smallest dimension of least error, by cross-validation (the paper looks at the test set). The paper averages the
errors of the extremal maps of the intervals instead, see :mod:`relspan.metric.judged_maps`.

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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator

from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.analysis.scaled_table import scaling
from relspan.arrays import Floats, Ints
from relspan.metric.fitted_map import classifier_with, fit_learner, learned_map
from relspan.metric.judged_maps import JudgedMaps, ProjectedMap
from relspan.metric.map_settings import check_dimension
from relspan.tolerances import NEARLY_EQUAL_EIGENVALUES, NUMERICAL_RANK, UNSCALED_COLUMNS

Run: TypeAlias = Callable[..., Any]
"""`run_blocks`, with or without its workers, progress and checkpoint given."""


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


def principal_axes(X: Floats, sample_weight: Floats | None = None) -> PrincipalAxes:
    """The axes of the centred data, from its singular values (no d x d matrix where n < d)."""
    centred = X - np.average(X, axis=0, weights=sample_weight)
    total = len(X) if sample_weight is None else float(sample_weight.sum())
    rows = centred if sample_weight is None else np.sqrt(sample_weight)[:, None] * centred
    _, singular, V = np.linalg.svd(rows, full_matrices=False)
    eigenvalues = singular**2 / total
    real = eigenvalues > NUMERICAL_RANK * eigenvalues[0]
    real[X.shape[0] - 1 :] = False  # centring takes one direction
    return PrincipalAxes(eigenvalues[real], V[real].T)


@dataclass(frozen=True, eq=False)
class DimensionCurve:
    """Cross-validated error against the effective dimension.

    Attributes
    ----------
    dimensions : ndarray of shape (n_dimensions,)
        1, 2, ...
    errors : ndarray of shape (n_folds, n_dimensions)
        Error on the held-out samples with the map or maps of a dimension.
    raw : ndarray of shape (n_folds,)
        Error with the map as learned.
    repeats : int
        How often the folds pass over the samples.
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
        """The standard error of each mean; further passes use the same samples and do not make it smaller."""
        return np.asarray(self.errors.std(axis=0) / np.sqrt(len(self.errors) / self.repeats))

    @property
    def best(self) -> int:
        """The smallest dimension of least mean error."""
        return int(self.dimensions[self.mean.argmin()])


@dataclass(frozen=True, eq=False)
class FoldErrors:
    """Errors of some folds: of every dimension, of the map as learned, and the number of samples held out."""

    errors: Floats
    raw: Floats
    held_out: Ints


@dataclass(frozen=True, eq=False)
class FoldBlock:
    """Fits the learner to the training part of a fold and judges its map at every dimension by the rest.

    A matrix is not fitted. `within` counts directions among that many leading ones, in the order of what the fold's
    own map makes of them. `maps` gives the maps of a dimension, whose errors are averaged.
    """

    learner: Any
    X: Floats
    y: NDArray[Any]
    sample_weight: Floats | None
    folds: Sequence[tuple[Ints, Ints]]
    standardize: bool
    within: int | None
    maps: JudgedMaps

    def __call__(self, block: range) -> FoldErrors:
        (number,) = block
        train, test = self.folds[number]
        X, y = self.X[train], self.y[train]
        v, v_test = (None if self.sample_weight is None else self.sample_weight[part] for part in (train, test))
        mean, scale = scaling(X, v) if self.standardize else (np.zeros(X.shape[1]), np.ones(X.shape[1]))
        Z, held_out = (X - mean) / scale, (self.X[test] - mean) / scale
        fitted = fit_learner(self.learner, Z, y, v) if hasattr(self.learner, "fit") else self.learner
        omega, axes = learned_map(fitted), principal_axes(Z, v)
        if self.within is not None:
            axes = axes.by_images(omega, self.within)

        def error(other: Floats, images_by: Floats) -> float:
            wrong = classifier_with(fitted, Z, y, other, images_by).predict(held_out) != self.y[test]
            return float(np.average(wrong, weights=v_test))

        leading = [axes.leading(i) for i in range(1, axes.count + 1)]
        errors = [np.mean([error(*pair) for pair in self.maps(omega, U)]) for U in leading]
        return FoldErrors(np.array(errors), np.array([error(omega, omega)]), np.array([len(test)]))

    def meaning(self, block: range) -> bytes:
        """The number of leading directions, which an earlier stage has chosen."""
        return f"{self.within}".encode()


def dimension_curve(
    learner: Any,
    X: Floats,
    y: NDArray[Any],
    splitter: BaseCrossValidator,
    standardize: bool = True,
    within: int | None = None,
    sample_weight: Floats | None = None,
    run: Run = run_blocks,
    maps: JudgedMaps = ProjectedMap(),  # noqa: B008 (it is frozen and holds nothing)
) -> DimensionCurve:
    """The error of the learner's classifier at every effective dimension, by cross-validation.

    Parameters
    ----------
    learner : estimator or ndarray
        An estimator is cloned and fitted on each training part. A matrix stays what it is (and has seen the held-out
        samples).
    X : ndarray of shape (n, d)
        The samples.
    y : ndarray of shape (n,)
        Their classes.
    splitter : cross-validation splitter
        The folds.
    standardize : bool, default=True
        Scale the features by mean and deviation of each training part. A matrix is not scaled here: give it the data
        it maps.
    within : int or None, default=None
        Count directions among this many leading ones, in the order of what each fold's map makes of them.
    sample_weight : ndarray of shape (n,), default=None
        Weights of the samples in the fits, the covariance and the errors.
    run : callable, default=run_blocks
        Runs the folds, with its own workers, progress and checkpoint.
    maps : callable, default=ProjectedMap()
        Gives the maps of a dimension, whose errors are averaged.

    Returns
    -------
    DimensionCurve
        The errors per fold and dimension.
    """
    folds = list(splitter.split(X, y))
    solve = FoldBlock(learner, X, y, sample_weight, folds, standardize, within, maps)
    stage = "dimension" if within is None else "directions"
    found = run(stage, solve, blocks_of(len(folds), 1), FoldErrors, meaning=solve.meaning)
    common = min(len(fold.errors) for fold in found)
    return DimensionCurve(
        np.arange(1, common + 1),
        np.array([fold.errors[:common] for fold in found]),
        np.concatenate([fold.raw for fold in found]),
        round(sum(int(fold.held_out[0]) for fold in found) / len(y)),
    )


def fixed_dimension(asked: Any, axes: PrincipalAxes) -> int:
    """An effective dimension given as a number: of directions, or least eigenvalue as a share of the largest."""
    check_dimension(asked, axes.count)
    if isinstance(asked, Integral):
        return int(asked)
    return int(np.sum(axes.eigenvalues >= float(asked) * axes.eigenvalues[0]))


def dimension_remarks(X: Floats, axes: PrincipalAxes, kept: Floats) -> list[str]:
    """What a reader should know about this data and the directions that are kept, by their eigenvalues."""
    n, d = X.shape
    remarks = []
    if n <= d:
        remarks.append(
            f"The table has {n} samples for {d} features, so they vary in {axes.count} directions only. The "
            "effective dimension cannot exceed that, and a map may do anything in the other directions."
        )
    deviations = X.std(axis=0)
    deviations = deviations[deviations > 0]
    if len(deviations) and deviations.max() > UNSCALED_COLUMNS * deviations.min():
        remarks.append(
            f"The features have different scales (standard deviations {deviations.min():.3g} to "
            f"{deviations.max():.3g}), so their weights cannot be compared. Use standardize=True."
        )
    stays = np.isin(axes.eigenvalues, kept)
    above, below = axes.eigenvalues[:-1], axes.eigenvalues[1:]
    close = (stays[:-1] != stays[1:]) & (above - below < NEARLY_EQUAL_EIGENVALUES * above)
    for k in np.flatnonzero(close)[-1:].tolist():
        remarks.append(
            f"Directions {k + 1} and {k + 2} of the data have nearly equal variance ({above[k]:.3g} and "
            f"{below[k]:.3g}), and only one of them is kept; noise decides which. Try another effective dimension."
        )
    return remarks
