"""Equivalent maps of a fitted MetricRelevance: as transformers, and in the learner's own classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from relspan.arrays import Bools, Floats
from relspan.checks import did_you_mean_or_all, one_of, whole
from relspan.errors import ParameterError
from relspan.estimators.table_estimator import TableEstimator
from relspan.metric.fitted_map import EquivalentMap, all_columns, classifier_with
from relspan.metric.row_family import RowRelevance


class EquivalentMaps(TableEstimator):
    """The maps that do the same on the data: what a fitted :class:`relspan.metric.MetricRelevance` offers."""

    rows_: tuple[RowRelevance, ...]
    learner_: Any
    _training_samples: Floats
    _training_classes: NDArray[Any]
    _mean: Floats
    _deviation: Floats
    _unit: Floats
    _scale: float
    _varies: Bools
    _directions: Floats

    n_features_in_: int

    def average_map(self) -> EquivalentMap:
        """The mean of all extremal maps, which is equivalent and favours no feature.

        Returns
        -------
        EquivalentMap
            A transformer and classifier with this map.
        """
        check_is_fitted(self)
        return self._equivalent([row.average for row in self.rows_])

    def projected_map(self) -> EquivalentMap:
        """The learned map within the kept directions alone, Omega U U', whose errors chose the dimension.

        Returns
        -------
        EquivalentMap
            A transformer and classifier with this map.
        """
        check_is_fitted(self)
        U = self._directions
        return self._equivalent([U @ (U.T @ row.row) for row in self.rows_])

    def shortest_map(self) -> EquivalentMap:
        """An equivalent map whose rows have the least L1 norm, so that it uses few features.

        Returns
        -------
        EquivalentMap
            A transformer and classifier with this map.
        """
        check_is_fitted(self)
        return self._equivalent([row.shortest for row in self.rows_])

    def extreme_map(self, feature: str | int, end: str) -> EquivalentMap:
        """The equivalent map that gives a feature as little, or as much, weight as it can have.

        Parameters
        ----------
        feature : str or int
            Its name, or its column.
        end : {"min", "max"}
            As little, or as much.

        Returns
        -------
        EquivalentMap
            A transformer and classifier with this map.
        """
        check_is_fitted(self)
        one_of("end", end, ("min", "max"))
        names = self._column_names(self.n_features_in_)
        if isinstance(feature, str):
            if feature not in names:
                raise ParameterError(f"no feature {feature!r}{did_you_mean_or_all(feature, names)}")
            column = names.index(feature)
        else:
            column = whole("feature", feature, at_least=0, at_most=len(names) - 1)
        if not self._varies[column]:
            raise ParameterError(f"feature {names[column]!r} does not vary, so it has no weight in any map")
        j = int(np.flatnonzero(np.flatnonzero(self._varies) == column)[0])
        return self._equivalent([row.extreme(j, end) for row in self.rows_])

    def _equivalent(self, rows: list[Floats]) -> EquivalentMap:
        """Rows for standardised, varying features, as a map for what the learner reads."""

        def for_learner(weights: Floats) -> Floats:
            return np.asarray(self._scale * all_columns(weights, self._varies) / self._unit)

        omega, learned = for_learner(np.array(rows)), for_learner(np.array([row.row for row in self.rows_]))
        read = (self._training_samples - self._mean) / self._deviation
        classifier = classifier_with(self.learner_, read, self._training_classes, omega, learned)
        return EquivalentMap(omega, self._mean, self._deviation, classifier)
