"""Equivalent maps of an analysed learner, handed back for use: as transformers, and in the learner's own classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from relspan.arrays import Bools, Floats
from relspan.checks import did_you_mean_or_all
from relspan.errors import ParameterError
from relspan.metric.fitted_map import EquivalentMap, classifier_with
from relspan.metric.metric_result import wide
from relspan.metric.row_family import RowRelevance


class EquivalentMaps:
    """What :class:`relspan.metric.MetricRelevance` offers once it is fitted: maps that do the same on the data."""

    rows_: tuple[RowRelevance, ...]
    learner_: Any
    _samples: Floats
    _labels: NDArray[Any]
    _mean: Floats
    _deviation: Floats
    _unit: Floats
    _scale: float
    _varies: Bools
    _directions: Floats

    def _names(self) -> list[str]:
        raise NotImplementedError

    def average_map(self) -> EquivalentMap:
        """The mean of all extremal maps: equivalent, and partial to no feature."""
        check_is_fitted(self)
        return self._equivalent([row.average for row in self.rows_])

    def projected_map(self) -> EquivalentMap:
        """The learned map within the leading directions alone, Omega U U': the dimension was chosen by its errors."""
        check_is_fitted(self)
        U = self._directions
        return self._equivalent([U @ (U.T @ row.row) for row in self.rows_])

    def shortest_map(self) -> EquivalentMap:
        """An equivalent map whose rows have the least L1 norm: few features."""
        check_is_fitted(self)
        return self._equivalent([row.shortest for row in self.rows_])

    def extreme_map(self, feature: str | int, end: str) -> EquivalentMap:
        """The equivalent map that gives a feature as little, or as much, weight as it can have.

        Parameters
        ----------
        feature : str or int
            Its name, or its column.
        end : {"min", "max"}

        Returns
        -------
        EquivalentMap
        """
        check_is_fitted(self)
        if end not in ("min", "max"):
            raise ParameterError(f"end={end!r} must be 'min' or 'max'")
        names = self._names()
        if isinstance(feature, str) and feature not in names:
            raise ParameterError(f"no feature {feature!r}{did_you_mean_or_all(feature, names)}")
        column = names.index(feature) if isinstance(feature, str) else int(feature)
        if not self._varies[column]:
            raise ParameterError(f"feature {names[column]!r} does not vary, so it has no weight in any map")
        j = int(np.flatnonzero(np.flatnonzero(self._varies) == column)[0])
        return self._equivalent([row.extreme(j, end) for row in self.rows_])

    def _equivalent(self, rows: list[Floats]) -> EquivalentMap:
        """Rows for standardised, varying features, as a map for what the learner reads."""

        def own(weights: Floats) -> Floats:
            return np.asarray(self._scale * wide(weights, self._varies) / self._unit)

        omega, learned = own(np.array(rows)), own(np.array([row.row for row in self.rows_]))
        read = (self._samples - self._mean) / self._deviation
        classifier = classifier_with(self.learner_, read, self._labels, omega, learned)
        return EquivalentMap(omega, self._mean, self._deviation, classifier)
