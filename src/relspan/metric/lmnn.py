"""Large margin nearest neighbours (LMNN): a map under which a sample's neighbours share its class.

The cost of :mod:`relspan.metric.lmnn_cost` is minimised by L-BFGS-B, in the span of the data
(:mod:`relspan.metric.data_span`), over a working set of impostor pairs, which is renewed as the map moves:

    repeat   descend for some steps on the pairs that are impostors of L, or nearly;
             if the whole cost E has fallen, go there, else take the impostors that came up into the set
    until    the descent converged, and no impostor of the new L is missing from the set.

Hinges that are left out are 0 at the end, so the map is a stationary point of E. The cost of a set is a lower bound of
E, and a descent may lean on pairs that the set lacks: that E falls in every round is what makes them end. Where the
impostors are too many to be kept, they are found anew, block by block, for every step; memory is never n x n.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.arrays import Floats, Ints
from relspan.checks import MOST_REPETITIONS, float_array, number, one_of, random_generator, whole
from relspan.errors import DataError, ParameterError
from relspan.metric.data_span import span_of
from relspan.metric.impostors import Pairs, find_impostors, from_keys, impostor_blocks
from relspan.metric.linear_map import LinearMap
from relspan.metric.lmnn_cost import HINGES, lmnn_cost, target_distances
from relspan.tolerances import HINGE_SUM_ROUNDING

Cost = Callable[[Floats], tuple[float, Floats]]

STEPS_OF_FIRST_ROUND = 5  # descent steps before the impostors are looked for again; doubles with every round
NEAR_IMPOSTOR = 0.3  # pairs this far from being impostors enter the working set too; the margin is 1


class LMNN(ClassifierMixin, LinearMap):  # type: ignore[misc]
    """Classify by the k nearest neighbours in a metric learned for them.

    Parameters
    ----------
    n_neighbors : int, default=3
        Number of target neighbours of each sample while learning, and of neighbours that vote.
    rank : int or None, default=None
        Number of rows of the map; None means as many as there are features.
    push : float, default=0.5
        Weight of the impostors against the targets, between 0 and 1.
    hinge : {"squared", "linear"}, default="squared"
        The loss of an impostor. The squared one is smooth, which L-BFGS-B likes.
    regularization : float, default=0.01
        Weight rho of the penalty (rho/2) trace(L'L), which lets go of directions that no impostor asks for.
    n_starts : int, default=1
        Number of optimisations. The first start is the identity (or the leading principal axes), the others are random;
        the lowest cost is kept. With full rank and the identity there is rarely a reason for more.
    max_impostors : int, default=200
        Number of impostors per sample in the working set, on average. It bounds the memory at n_samples times this
        many pairs; more are found anew for every step, which takes longer and gives the same.
    max_iter : int, default=1000
        Limit on the L-BFGS-B iterations of each start.
    tol : float, default=1e-5
        Stop when no entry of the gradient exceeds this, or when an iteration gains less than a tenth of it,
        relative to the cost.
    random_state : int, RandomState instance or None, default=None
        Seed of the random starts.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    omega_, components_ : ndarray of shape (rank, n_features)
        The map L. Its size matters to the cost (the margin is 1), not to the neighbours.
    lambda_ : ndarray of shape (n_features, n_features)
        L' L.
    targets_ : ndarray of shape (n_samples, n_neighbors)
        The target neighbours of each training sample.
    cost_ : float
        The whole cost of the map, per target pair, penalty included.
    costs_ : ndarray of shape (n_starts,)
        The cost every start ended with.
    n_impostors_ : int
        Number of impostor pairs of the learned map.
    n_iter_ : int
        Number of iterations of the start that was kept.

    See Also
    --------
    GMLVQ : Learns a metric for nearest prototypes.
    MetricRelevance : How much each feature can, and must, weigh in a learned metric.

    Notes
    -----
    Targets are the nearest samples in the space as given, so the scale of the features matters: standardise first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan.metric import LMNN
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LMNN(rank=2).fit(X, y)
    >>> model.transform(X).shape
    (150, 2)
    >>> model.score(X, y) > 0.95
    True
    """

    def __init__(
        self,
        *,
        n_neighbors: int = 3,
        rank: int | None = None,
        push: float = 0.5,
        hinge: str = "squared",
        regularization: float = 0.01,
        n_starts: int = 1,
        max_impostors: int = 200,
        max_iter: int = 1000,
        tol: float = 1e-5,
        random_state: Any = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.rank = rank
        self.push = push
        self.hinge = hinge
        self.regularization = regularization
        self.n_starts = n_starts
        self.max_impostors = max_impostors
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> LMNN:
        """Learn the map and keep the images of the samples as neighbours.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        LMNN
            The fitted estimator.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self._check_parameters(X.shape[1])
        self.classes_, label = np.unique(y, return_inverse=True)
        self._check_classes(label, X.shape)
        rng = random_generator("random_state", self.random_state)

        span = span_of(X - X.mean(axis=0))
        inside = span.coordinates(X - X.mean(axis=0))
        self.targets_ = nearest_of_same_class(X, label, self.n_neighbors)
        ends = [self._learn(inside, label, self._start(k, span.size, rng)) for k in range(self.n_starts)]
        self.cost_, L, self.n_impostors_, self.n_iter_ = min(ends, key=lambda end: end[0])
        self.omega_ = span.lift(L, self.rank or X.shape[1])
        self.costs_ = np.array([end[0] for end in ends])
        self._samples, self._labels = X, y
        self._vote = KNeighborsClassifier(self.n_neighbors).fit(X @ self.omega_.T, y)
        self._warn()
        return self

    def _start(self, k: int, d: int, rng: np.random.RandomState) -> Floats:
        """The map of start k, over the d coordinates of the span."""
        rows = d if self.rank is None else min(self.rank, d)
        start: Floats = np.eye(rows, d) if k == 0 else rng.standard_normal((rows, d)) / np.sqrt(d)
        return start

    def _learn(self, X: Floats, label: Ints, L: Floats) -> tuple[float, Floats, int, int]:
        """Alternate between descending on the working set and looking for impostors it lacks."""
        n, done, patience = X.shape[0], 0, STEPS_OF_FIRST_ROUND

        def all_impostors(L: Floats) -> Iterator[Pairs]:
            return impostor_blocks(X @ L.T, label, self._reach(X, L))

        def near_impostors(L: Floats) -> Pairs:
            return find_impostors(X @ L.T, label, self._reach(X, L) + NEAR_IMPOSTOR, self.max_impostors)

        def whole_cost(pairs: Pairs) -> Cost:
            return self._cost_over(X, partial(same_pairs, pairs) if pairs.complete else all_impostors)

        pairs = near_impostors(L)
        E, cost = whole_cost(pairs)(L)[0], self._cost_over(X, partial(same_pairs, pairs))
        while True:
            allowed = min(patience, self.max_iter - done)
            least, moved, steps = descend(cost, L, allowed, self.tol)
            found = near_impostors(moved)
            reached = whole_cost(found)(moved)[0]
            lacking = reached > least + HINGE_SUM_ROUNDING * abs(least)  # impostors that the set lacks
            better = reached < E
            if better:
                E, L, pairs = reached, moved, found
            done += steps
            if (steps < allowed and not lacking) or done >= self.max_iter:
                return E, L, sum(some.size for some in all_impostors(L)), done
            if not better:
                pairs, known = from_keys([pairs.keys(n), found.keys(n)], n), pairs.size
            fits = better or known < pairs.size <= n * self.max_impostors
            cost = self._cost_over(X, partial(same_pairs, pairs) if fits else all_impostors)
            patience *= 2

    def _reach(self, X: Floats, L: Floats) -> Floats:
        """The squared distance of each sample under which others are its impostors."""
        reach: Floats = 1.0 + target_distances(X @ L.T, self.targets_).max(axis=1)
        return reach

    def _cost_over(self, X: Floats, impostors: Callable[[Floats], Iterable[Pairs]]) -> Cost:
        """The cost of a map and its gradient, over the pairs that are given for it."""
        return lambda L: lmnn_cost(L, X, self.targets_, impostors(L), self.push, self.hinge, self.regularization)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class most of the k nearest training samples have.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Their classes.
        """
        images = self.transform(X)
        labels: NDArray[Any] = self._vote.predict(images)
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """The share of each class among the k nearest training samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The shares, which sum to 1 in each row.
        """
        images = self.transform(X)
        shares: Floats = self._vote.predict_proba(images)
        return shares

    def with_map(self, omega: Any, images_by: Any = None) -> LMNN:
        """This classifier with another map; the training samples go through it too, for they span the data.

        Parameters
        ----------
        omega : array-like of shape (rows, n_features)
            The new map.
        images_by : object, default=None
            Ignored: there are no prototypes whose images could be kept; see :meth:`relspan.metric.GMLVQ.with_map`.

        Returns
        -------
        LMNN
            A fitted copy.
        """
        check_is_fitted(self)
        omega = float_array("omega", omega, "a matrix of numbers")
        if omega.ndim != 2 or omega.shape[1] != self.n_features_in_:
            raise ParameterError(f"the new map has shape {omega.shape}; it needs {self.n_features_in_} columns")
        other = copy.copy(self)
        other.omega_ = omega
        other._vote = KNeighborsClassifier(self.n_neighbors).fit(self._samples @ omega.T, self._labels)
        return other

    def _check_parameters(self, d: int) -> None:
        for name in ("n_neighbors", "n_starts", "max_impostors", "max_iter"):
            whole(name, getattr(self, name), at_least=1, at_most=MOST_REPETITIONS)
        if self.rank is not None:
            whole("rank", self.rank, at_least=1, at_most=d, hint="the table has no more features")
        one_of("hinge", self.hinge, HINGES)
        number("push", self.push, above=0, below=1)
        number("regularization", self.regularization, at_least=0)
        number("tol", self.tol, above=0)

    def _check_classes(self, label: Ints, shape: tuple[int, int]) -> None:
        names = self.classes_.tolist()
        if len(names) < 2:
            raise DataError(f"LMNN needs two classes; y has one class only, {names[0]!r}")
        counts = np.bincount(label)
        for c in np.flatnonzero(counts <= self.n_neighbors):
            raise DataError(
                f"class {names[c]!r} has {counts[c]} samples, but n_neighbors={self.n_neighbors} needs "
                f"{self.n_neighbors + 1}; take n_neighbors <= {counts.min() - 1} or leave the class out "
                f"(data of n_samples={shape[0]}, n_features={shape[1]})"
            )

    def _warn(self) -> None:
        if self.n_iter_ >= self.max_iter:
            warnings.warn(
                f"LMNN stopped at max_iter={self.max_iter}; raise max_iter or tol", ConvergenceWarning, stacklevel=3
            )


def same_pairs(pairs: Pairs, _: Floats) -> list[Pairs]:
    """These pairs, whatever the map."""
    return [pairs]


def descend(cost: Cost, L: Floats, max_iter: int, tol: float) -> tuple[float, Floats, int]:
    """The least cost that some steps of L-BFGS-B from L reach, where, and the steps."""

    def flat(theta: Floats) -> tuple[float, Floats]:
        E, gradient = cost(theta.reshape(L.shape))
        return E, gradient.ravel()

    options = {"maxiter": max_iter, "gtol": tol, "ftol": 0.1 * tol}
    end = minimize(flat, L.ravel(), jac=True, method="L-BFGS-B", options=options)
    return float(end.fun), end.x.reshape(L.shape), int(end.nit)


def nearest_of_same_class(X: Floats, label: Ints, k: int) -> Ints:
    """T(i): the k nearest samples of the same class, the sample itself left out."""
    targets = np.empty((X.shape[0], k), dtype=np.intp)
    for c in range(int(label.max()) + 1):
        members = np.flatnonzero(label == c)
        found = NearestNeighbors(n_neighbors=k).fit(X[members]).kneighbors(return_distance=False)
        targets[members] = members[found]
    return targets
