"""Generalised matrix learning vector quantisation (GMLVQ): prototypes and a metric, learned together.

The cost E of :mod:`relspan.metric.gmlvq_cost` is minimised over the map Omega and the prototypes W by L-BFGS-B, in the
span of the data (:mod:`relspan.metric.data_span`); the fit ends with trace(Omega' Omega) = 1, since E does not depend
on the size of Omega.

E has local optima. On xor data the best map has rank one, and starts of full rank do not find it; so the starts are
the principal axes first, then in turn a thin one (one row, the others small) and a full random one. The lowest E wins.
"""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.base import ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.analysis.units import SOLVER_UNITS
from relspan.arrays import Bools, Floats, Ints
from relspan.checks import MOST_REPETITIONS, float_array, number, one_of, random_generator, sample_weights, whole
from relspan.errors import DataError, ParameterError
from relspan.estimators.samples import without_weightless
from relspan.metric.data_span import span_of
from relspan.metric.gmlvq_cost import ACTIVATIONS, TINY, collapse_penalty, gmlvq_cost
from relspan.metric.linear_map import LinearMap

THIN_ROWS = 0.01  # size of the small rows of a thin start; 0 would pin them to 0, .1 is already a full start


class GMLVQ(ClassifierMixin, LinearMap):  # type: ignore[misc]
    """Classify by the nearest prototype in a learned metric.

    Parameters
    ----------
    n_prototypes : int, default=1
        Prototypes per class. They start at the class mean, or at the centres of k-means inside the class.
    rank : int or None, default=None
        Number of rows of the map Omega; None means as many as there are features.
    n_starts : int, default=5
        Number of optimisations from different starts; the lowest cost is kept.
    regularization : float, default=0.0
        Weight nu of the penalty against a collapsing map.
    activation : {"identity", "sigmoid"}, default="identity"
        The function Phi of the relative distances.
    beta : float, default=1.0
        Steepness of the sigmoid.
    max_iter : int, default=1000
        Limit on the L-BFGS-B iterations of each start.
    tol : float, default=1e-5
        Stop when no entry of the gradient exceeds this, or when an iteration gains less than a tenth of it.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means and of the random starts.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    omega_, components_ : ndarray of shape (rank, n_features)
        The map, scaled to trace(Omega' Omega) = 1.
    lambda_ : ndarray of shape (n_features, n_features)
        Omega' Omega.
    prototypes_ : ndarray of shape (n_classes * n_prototypes, n_features)
        The prototypes.
    prototype_labels_ : ndarray of shape (n_classes * n_prototypes,)
        The classes of the prototypes.
    prototype_images_ : ndarray of shape (n_classes * n_prototypes, rank)
        What samples are compared with: the images of the prototypes, taken from the mean of the data.
    mean_ : ndarray of shape (n_features,)
        The mean of the training data.
    cost_ : float
        The lowest cost, penalty included.
    costs_ : ndarray of shape (n_starts,)
        The cost every start ended with.
    n_iter_ : int
        Number of iterations of the start that was kept.

    See Also
    --------
    LMNN : Learns a metric for nearest neighbours.
    MetricRelevance : How much each feature can, and must, weigh in a learned metric.

    Notes
    -----
    The relevance profile, the diagonal of ``lambda_``, means something only where the features have one scale:
    standardise first. Even so the profile is one of many that are equally good on the data;
    :class:`relspan.metric.MetricRelevance` gives the whole range.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan.metric import GMLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GMLVQ(rank=2, random_state=0).fit(X, y)
    >>> model.transform(X).shape
    (150, 2)
    >>> model.score(X, y) > 0.95
    True
    """

    def __init__(
        self,
        *,
        n_prototypes: int = 1,
        rank: int | None = None,
        n_starts: int = 5,
        regularization: float = 0.0,
        activation: str = "identity",
        beta: float = 1.0,
        max_iter: int = 1000,
        tol: float = 1e-5,
        random_state: Any = None,
    ) -> None:
        self.n_prototypes = n_prototypes
        self.rank = rank
        self.n_starts = n_starts
        self.regularization = regularization
        self.activation = activation
        self.beta = beta
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GMLVQ:
        """Learn the map and the prototypes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the cost of each sample. A whole weight equals repeated rows, and 0 leaves a sample out.

        Returns
        -------
        GMLVQ
            The fitted estimator.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self._check_parameters(X.shape[1])
        X, y, v = without_weightless(X, y, weights=sample_weights(sample_weight, len(y)))
        self.classes_, label = np.unique(y, return_inverse=True)
        self._check_classes(label, v)
        v = SOLVER_UNITS.with_weights(v).of_weights(v)
        rng = random_generator("random_state", self.random_state)

        self.mean_ = np.average(X, axis=0, weights=v)
        span = span_of(X - self.mean_, v)
        X = span.coordinates(X - self.mean_)
        shares = None if v is None else v / v.sum()
        prototype_label = np.repeat(np.arange(len(self.classes_)), self.n_prototypes)
        same = label[:, None] == prototype_label[None, :]
        ends = [self._descend(X, same, shares, *self._start(k, X, label, v, rng)) for k in range(self.n_starts)]
        best = min(ends, key=lambda end: end[0])
        self.cost_, omega, W, self.n_iter_ = best
        self.costs_ = np.array([end[0] for end in ends])
        if self.n_iter_ >= self.max_iter:
            warnings.warn(
                f"GMLVQ stopped at max_iter={self.max_iter}; raise max_iter or tol", ConvergenceWarning, stacklevel=2
            )

        # as large as the identity it starts from, so that what is put back beside it weighs the same for every start
        omega *= np.sqrt(len(omega) / np.sum(omega**2))
        omega = span.lift(omega, self.rank or len(self.mean_))
        self.omega_ = omega / np.sqrt(np.sum(omega**2))
        self.prototypes_ = W @ span.axes[: span.size] + self.mean_
        self.prototype_labels_ = self.classes_[prototype_label]
        self.prototype_images_ = (self.prototypes_ - self.mean_) @ self.omega_.T
        return self

    def _start(
        self, k: int, X: Floats, label: Ints, v: Floats | None, rng: np.random.RandomState
    ) -> tuple[Floats, Floats]:
        """Omega and the prototypes of start k: principal axes, then thin and full random maps in turn."""
        d = X.shape[1]
        rows = d if self.rank is None else min(self.rank, d)
        if k == 0:
            omega = np.eye(rows, d)
        else:
            omega = rng.standard_normal((rows, d))
            if k % 2 == 1:
                omega[1:] *= THIN_ROWS
        members = [label == c for c in range(len(self.classes_))]
        W = [centres(X[own], self.n_prototypes, rng, None if v is None else v[own]) for own in members]
        return omega, np.vstack(W)

    def _descend(
        self, X: Floats, same: Bools, shares: Floats | None, omega: Floats, W: Floats
    ) -> tuple[float, Floats, Floats, int]:
        """Minimise the cost by L-BFGS-B from one start."""
        shape, split = omega.shape, omega.size

        def cost(theta: Floats) -> tuple[float, Floats]:
            omega, W = theta[:split].reshape(shape), theta[split:].reshape(-1, shape[1])
            E, d_omega, d_W = gmlvq_cost(omega, W, X, same, self.activation, self.beta, shares)
            if self.regularization:
                penalty, d_penalty = collapse_penalty(omega, self.regularization)
                E, d_omega = E + penalty, d_omega + d_penalty
            return E, np.concatenate([d_omega.ravel(), d_W.ravel()])

        end = minimize(
            cost,
            np.concatenate([omega.ravel(), W.ravel()]),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": self.max_iter, "gtol": self.tol, "ftol": 0.1 * self.tol},
        )
        return float(end.fun), end.x[:split].reshape(shape), end.x[split:].reshape(-1, shape[1]), int(end.nit)

    def decision_function(self, X: Any) -> Floats:
        """The relative distance (d_other - d_c) / (d_other + d_c) of each class, between -1 and 1.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            The relative distances; for two classes only that of the second.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        D = cdist((X - self.mean_) @ self.omega_.T, self.prototype_images_, "sqeuclidean")
        nearest = np.column_stack([D[:, self.prototype_labels_ == c].min(axis=1) for c in self.classes_])
        order = np.sort(nearest, axis=1)
        other = np.where(nearest == order[:, :1], order[:, 1:2], order[:, :1])
        relative = (other - nearest) / np.maximum(other + nearest, TINY)
        decision: Floats = relative[:, 1] if len(self.classes_) == 2 else relative
        return decision

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the nearest prototype.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Their classes.
        """
        relative = self.decision_function(X)
        column = (relative > 0).astype(np.intp) if relative.ndim == 1 else relative.argmax(axis=1)
        labels: NDArray[Any] = self.classes_[column]
        return labels

    def with_map(self, omega: Any, images_by: Any = None) -> GMLVQ:
        """This classifier with another map, the prototypes staying where they were in the image.

        Prototypes drift out of the span of the data. A map that agrees with the learned one on the data may send them
        anywhere; so samples go through the new map, and are compared with the *old* images of the prototypes.

        Parameters
        ----------
        omega : array-like of shape (rows, n_features)
            The new map.
        images_by : array-like of shape (rows, n_features) or None, default=None
            The map that takes the prototypes, row by row what ``omega`` stands in for; None means ``omega_``.

        Returns
        -------
        GMLVQ
            A fitted copy.
        """
        check_is_fitted(self)
        omega = float_array("omega", omega, "a matrix of numbers")
        old = self.omega_ if images_by is None else float_array("images_by", images_by, "a matrix of numbers")
        if omega.ndim != 2 or omega.shape != old.shape or omega.shape[1] != self.n_features_in_:
            raise ParameterError(
                f"the new map has shape {omega.shape}, the map of the prototypes {old.shape}; "
                f"both need the same number of rows, and {self.n_features_in_} columns"
            )
        other = copy.copy(self)
        other.omega_ = omega
        other.prototype_images_ = (self.prototypes_ - self.mean_) @ old.T
        return other

    def _check_parameters(self, d: int) -> None:
        for name in ("n_prototypes", "n_starts", "max_iter"):
            whole(name, getattr(self, name), at_least=1, at_most=MOST_REPETITIONS)
        if self.rank is not None:
            whole("rank", self.rank, at_least=1, at_most=d, hint="the table has no more features")
        one_of("activation", self.activation, ACTIVATIONS)
        number("regularization", self.regularization, at_least=0)
        for name in ("beta", "tol"):
            number(name, getattr(self, name), above=0)

    def _check_classes(self, label: Ints, sample_weight: Floats | None) -> None:
        names = self.classes_.tolist()
        if len(names) < 2:
            raise DataError(f"GMLVQ needs two classes; y has one class only, {names[0]!r}")
        counts = np.bincount(label)
        if sample_weight is not None:  # a whole weight equals repeated rows
            copies = np.minimum(np.bincount(label, weights=sample_weight), MOST_REPETITIONS)
            counts = np.maximum(counts, copies.astype(np.intp))
        for c in np.flatnonzero(counts < self.n_prototypes):
            raise DataError(
                f"class {names[c]!r} has {counts[c]} samples for n_prototypes={self.n_prototypes}; "
                f"take n_prototypes <= {counts.min()}"
            )


def centres(X: Floats, n_prototypes: int, rng: np.random.RandomState, sample_weight: Floats | None = None) -> Floats:
    """The starting prototypes of one class: its mean, or the centres of k-means inside it."""
    if n_prototypes == 1:
        mean: Floats = np.average(X, axis=0, weights=sample_weight)[None]
        return mean
    distinct = np.unique(X, axis=0)
    if len(distinct) <= n_prototypes:  # k-means has nothing to choose; repeat points where there are too few
        return distinct[np.arange(n_prototypes) % len(distinct)]
    seed = rng.randint(np.iinfo(np.int32).max)
    found = KMeans(n_prototypes, n_init=3, random_state=seed).fit(X, sample_weight=sample_weight)
    return np.asarray(found.cluster_centers_)
