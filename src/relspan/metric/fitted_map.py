"""The map of a fitted learner, and how the learner classifies when its map is replaced by another one.

Our own learners classify by themselves (``with_map``). Any other learner with ``components_`` or ``omega_``, and a
plain matrix, are read as maps for nearest neighbours.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.neighbors import KNeighborsClassifier

from relspan.arrays import Bools, Floats
from relspan.checks import float_array
from relspan.errors import ParameterError

NEIGHBORS = 3


class Predictor(Protocol):
    """Something that predicts classes."""

    def predict(self, X: Any) -> NDArray[Any]: ...


def map_of(learner: Any) -> Floats | None:
    """The map a learner has learned, or the matrix it is; None where it is not fitted yet."""
    if isinstance(learner, (np.ndarray, list, tuple)):
        return np.atleast_2d(float_array("learner", learner, "a matrix of numbers, or an estimator"))
    for name in ("omega_", "components_"):
        if hasattr(learner, name):
            return np.asarray(getattr(learner, name), dtype=np.float64)
    if not hasattr(learner, "fit"):
        raise ParameterError(
            f"learner must be a matrix, or an estimator that has omega_ or components_ once fitted, not {learner!r}"
        )
    return None


def fit_learner(learner: Any, X: Floats, y: NDArray[Any], sample_weight: Floats | None = None) -> Any:
    """A clone of the learner, fitted; weights are passed on where they are given."""
    return clone(learner).fit(X, y, **({} if sample_weight is None else {"sample_weight": sample_weight}))


def learned_map(fitted: Any) -> Floats:
    """The map of a learner that has been fitted."""
    omega = map_of(fitted)
    if omega is None:
        raise ParameterError(
            f"learner cannot be a {type(fitted).__name__}: it has neither omega_ nor components_ once it is fitted"
        )
    return omega


def classifier_with(learner: Any, X: Floats, y: NDArray[Any], omega: Floats, images_by: Floats) -> Predictor:
    """The learner's own classification with the map ``omega`` instead of ``images_by``; else 3 nearest neighbours."""
    if hasattr(learner, "with_map"):
        own: Predictor = learner.with_map(omega, images_by)
        return own
    return NeighborsInMap(omega, X, y)


def all_columns(weights: Floats, varies: Bools) -> Floats:
    """Weights of all columns, 0 for those that do not vary."""
    full = np.zeros((*weights.shape[:-1], len(varies)))
    full[..., varies] = weights
    return full


class NeighborsInMap:
    """The nearest training samples under a map, for learners that do not classify."""

    def __init__(self, omega: Floats, X: Floats, y: NDArray[Any]) -> None:
        self.omega_ = omega
        self._vote = KNeighborsClassifier(min(NEIGHBORS, len(y))).fit(X @ omega.T, y)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class most of the nearest training samples have."""
        labels: NDArray[Any] = self._vote.predict(X @ self.omega_.T)
        return labels


class EquivalentMap(ClassifierMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A map that does on the data what the learned one does: a transformer, and a classifier with this map.

    It comes fitted, from :class:`relspan.metric.MetricRelevance`; `fit` learns nothing.

    Parameters
    ----------
    omega : ndarray of shape (n_rows, n_features)
        The map, in standardised features.
    mean : ndarray of shape (n_features,)
        What is subtracted from the features first.
    scale : ndarray of shape (n_features,)
        What they are divided by then.
    classifier : object
        Predicts classes from standardised features.

    Attributes
    ----------
    omega_, components_ : ndarray of shape (n_rows, n_features)
        The map, in standardised features.

    See Also
    --------
    MetricRelevance.average_map : The mean of all extremal maps.
    MetricRelevance.extreme_map : The map at one end of a feature's interval.
    """

    def __init__(self, omega: Floats, mean: Floats, scale: Floats, classifier: Predictor) -> None:
        self.omega = omega
        self.mean = mean
        self.scale = scale
        self.classifier = classifier

    def __sklearn_is_fitted__(self) -> bool:
        return True

    @property
    def omega_(self) -> Floats:
        """The map, in standardised features."""
        return self.omega

    @property
    def components_(self) -> Floats:
        """The map, under scikit-learn's name."""
        return self.omega

    def fit(self, X: Any, y: Any = None) -> EquivalentMap:
        """Do nothing: the map is fitted already.

        Parameters
        ----------
        X : object
            Ignored.
        y : object, default=None
            Ignored.

        Returns
        -------
        EquivalentMap
            The map itself.
        """
        return self

    def transform(self, X: Any) -> Floats:
        """Map samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, in the units of the table.

        Returns
        -------
        ndarray of shape (n_samples, n_rows)
            Their images.
        """
        return np.asarray(self._standard_features(X) @ self.omega.T)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes with this map in place of the learned one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, in the units of the table.

        Returns
        -------
        ndarray of shape (n_samples,)
            Their classes.
        """
        return self.classifier.predict(self._standard_features(X))

    def _standard_features(self, X: Any) -> Floats:
        return np.asarray((np.asarray(X, dtype=np.float64) - self.mean) / self.scale)
