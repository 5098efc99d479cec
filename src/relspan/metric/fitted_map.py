"""What a learner has to show: its map, and how it classifies when the map is another one.

Our own learners classify by themselves (``with_map``). Any other learner with ``components_`` or ``omega_``, and a
plain matrix, are read as maps for nearest neighbours.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.neighbors import KNeighborsClassifier

from relspan.arrays import Floats
from relspan.errors import ParameterError

NEIGHBORS = 3


class Predictor(Protocol):
    """Something that names classes."""

    def predict(self, X: Any) -> NDArray[Any]: ...


def map_of(learner: Any) -> Floats | None:
    """The map a learner has learned, or the matrix it is; None where it is not fitted yet."""
    if isinstance(learner, (np.ndarray, list, tuple)):
        return np.atleast_2d(np.asarray(learner, dtype=np.float64))
    for name in ("omega_", "components_"):
        if hasattr(learner, name):
            return np.asarray(getattr(learner, name), dtype=np.float64)
    if not hasattr(learner, "fit"):
        raise ParameterError(f"learner={learner!r} is neither a matrix nor has it omega_, components_ or fit")
    return None


def learned_map(fitted: Any) -> Floats:
    """The map of a learner that has been fitted."""
    omega = map_of(fitted)
    if omega is None:
        raise ParameterError(f"{type(fitted).__name__} has neither omega_ nor components_ once it is fitted")
    return omega


def classifier_with(learner: Any, X: Floats, y: NDArray[Any], omega: Floats, images_by: Floats) -> Predictor:
    """The learner's own classification with the map ``omega`` instead of ``images_by``; else 3 nearest neighbours."""
    if hasattr(learner, "with_map"):
        own: Predictor = learner.with_map(omega, images_by)
        return own
    return NeighborsInMap(omega, X, y)


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
    """A map that does on the data what the learned one does, ready for use: as transformer and in the classifier.

    It comes fitted, from :class:`relspan.metric.MetricRelevance`; ``fit`` learns nothing.

    Attributes
    ----------
    omega_, components_ : ndarray of shape (n_rows, n_features)
        The map, in standardised features.
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
        """Nothing is left to learn."""
        return self

    def transform(self, X: Any) -> Floats:
        """The images of the samples."""
        return np.asarray(self._standardised(X) @ self.omega.T)

    def predict(self, X: Any) -> NDArray[Any]:
        """What the original classifier says with this map."""
        return self.classifier.predict(self._standardised(X))

    def _standardised(self, X: Any) -> Floats:
        return np.asarray((np.asarray(X, dtype=np.float64) - self.mean) / self.scale)
