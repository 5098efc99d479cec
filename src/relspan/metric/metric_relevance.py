"""MetricRelevance: how much can, and how much must, each feature weigh in a learned metric?

A learned map is one of many that do the same on the data. The analysis itself is in :mod:`relspan.metric.map_analysis`;
here the learner is fitted or taken as it is, and equivalent maps are handed back for use.

References
----------
A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI 2015.
"""

from __future__ import annotations

import warnings
from numbers import Integral
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.analysis.scaled_table import column_names, refuse_non_finite
from relspan.arrays import Bools, Floats
from relspan.checks import listed
from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.metric.checked_table import class_counts, varying_columns
from relspan.metric.effective_dimension import DimensionCurve, dimension_curve
from relspan.metric.eigenform import SMALLEST
from relspan.metric.equivalent_maps import EquivalentMaps
from relspan.metric.fitted_map import classifier_with, learned_map, map_of
from relspan.metric.gmlvq import GMLVQ
from relspan.metric.map_analysis import MapAnalysis, MapSettings, analyse_map, fragile_remark
from relspan.metric.metric_result import metric_result, wide
from relspan.metric.row_probes import append, refit
from relspan.tables import NamedMatrix

PROBES = ("refit", "append")
JUDGED = 200  # held-out samples on which a choice of dimension rests: a single pass over 40 moves in steps of 2.5 %
MOST_REPEATS = 5


class MetricRelevance(EquivalentMaps, SelectorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Relevance intervals of a learned linear map.

    Parameters
    ----------
    learner : estimator, matrix or None, default=None
        A metric learner: :class:`GMLVQ` (None), :class:`LMNN`, scikit-learn's NeighborhoodComponentsAnalysis, or any
        estimator that has ``omega_`` or ``components_`` once fitted. It is cloned and fitted on the standardised
        data. One that is fitted already is taken as it is, for the data as they are given; so is a matrix.
    effective_dimension : "auto", int or float, default="auto"
        Directions of the data in which equivalent maps agree: by cross-validation, a number of leading
        eigenvectors, or those with at least this share of the largest eigenvalue. For a map that was learned before,
        cross-validation is by 3 nearest neighbours, and of samples the map may have seen.
    epsilon : float, default=0.01
        How much longer than the shortest an equivalent row may be, as a share.
    standardize : bool, default=True
        Weigh the features in units of their standard deviation.
    smallest_eigenvalue : float, default=1e-3
        Rows of the eigen-form below this share of the largest eigenvalue are left out.
    directions : {"leading", "needed"}, default="leading"
        Equivalent maps agree in all leading directions, as in the paper, or in those of them that the classification
        needs, by cross-validation. Learners that start from the identity leave weight in directions of large variance
        that they never touched; "needed" leaves these open.
    n_probes : int, default=30
        Permuted columns whose weights set the threshold of relevance.
    probes : {"refit", "append"}, default="refit"
        Fit the learner again with each probe, or append probes with weight 0 to the learned map. A map that was
        learned before is always treated by the second.
    alpha : float, default=0.01
        Level of the threshold, for all features together.
    cv : int, default=5
        Folds of the cross-validation for "auto"; fewer where a class is smaller. With fewer than 200 samples it is
        repeated until as many have been judged, five times at most.
    engine : str, default="auto"
        Solver of the linear programs.
    n_jobs : int or None, default=None
        Workers for probes and programs.
    random_state : int, RandomState instance or None, default=None
        Seed of folds, probes, and of the learner unless it has its own.

    Attributes
    ----------
    intervals_ : ndarray of shape (n_features, 2)
        Least and largest relevance of each feature, as a share of the length of the shortest equivalent map.
    relevance_ : ndarray of shape (n_features,)
        2 strong, 1 weak, 0 irrelevant.
    rows_ : tuple of RowRelevance
        The intervals of every row of the eigen-form, in units in which the learned Lambda has trace 1. Columns that
        do not vary are not in them.
    eigenvalues_ : ndarray of shape (n_rows,)
    effective_dimension_ : int
    dimension_curve_ : DimensionCurve or None
        Error against effective dimension, where it was chosen.
    need_curve_ : DimensionCurve or None
        Error against the number of leading directions kept, where it was chosen.
    learner_ : estimator or matrix
        The fitted learner.
    result_ : RelevanceResult
    classes_ : ndarray of shape (n_classes,)
    """

    def __init__(
        self,
        learner: Any = None,
        *,
        effective_dimension: Any = "auto",
        epsilon: float = 0.01,
        standardize: bool = True,
        smallest_eigenvalue: float = SMALLEST,
        directions: str = "leading",
        n_probes: int = 30,
        probes: str = "refit",
        alpha: float = 0.01,
        cv: int = 5,
        engine: str = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.learner = learner
        self.effective_dimension = effective_dimension
        self.epsilon = epsilon
        self.standardize = standardize
        self.smallest_eigenvalue = smallest_eigenvalue
        self.directions = directions
        self.n_probes = n_probes
        self.probes = probes
        self.alpha = alpha
        self.cv = cv
        self.engine = engine
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> MetricRelevance:
        """Learn the map, choose the effective dimension, and bound every weight.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        MetricRelevance
            The fitted estimator.
        """
        settings = self._settings()
        X, y, names = self._read(X, y)
        counts, varies = class_counts(y), varying_columns(X)
        self.classes_ = np.unique(y)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        start = perf_counter()
        Z, omega = self._learn(X, y, seed)
        learned = perf_counter() - start
        fixed = self.learner_ is self.learner
        learn = append(omega[:, varies]) if fixed or self.probes == "append" else refit(self.learner_, y)
        found = analyse_map(
            omega[:, varies],
            Z[:, varies],
            learn,
            lambda within: self._curve(X, Z, y, omega, seed, within),
            settings,
            seed,
        )
        self._store(found, varies)
        self._samples, self._labels = X, y
        varying = [name for name, keep in zip(names, varies, strict=True) if keep]
        remarks = [*found.remarks, *fragile_remark(found.fragile, varying, settings.epsilon)]
        if not varies.all():
            constant = [name for name, keep in zip(names, varies, strict=True) if not keep]
            remarks.insert(0, f"constant columns are irrelevant, with the interval [0, 0]: {listed(constant)}")
        self.result_ = metric_result(
            found,
            names,
            varies,
            type(self.learner_).__name__ if hasattr(self.learner_, "fit") else "matrix",
            {**self._told(), "probes": "append" if fixed else self.probes},
            {"n_samples": len(y), "n_features": len(names), "classes": counts},
            remarks,
            {"learner": learned, **found.seconds, "total": perf_counter() - start},
        )
        for remark in remarks:
            warnings.warn(remark, RelspanWarning, stacklevel=2)
        return self

    def _read(self, X: Any, y: Any) -> tuple[Floats, NDArray[Any], list[str]]:
        """The table as finite numbers, and the names of its columns."""
        given = np.array(X.columns, dtype=object) if isinstance(X, NamedMatrix) else None
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2, ensure_all_finite=False)
        if given is not None:  # scikit-learn asks only data frames for names
            self.feature_names_in_ = given
        check_classification_targets(y)
        names = self._names()
        refuse_non_finite(X, names)
        return X, y, names

    def _learn(self, X: Floats, y: NDArray[Any], seed: int) -> tuple[Floats, Floats]:
        """The standardised samples, and the map for them.

        A learner fitted here reads the standardised samples; what was fitted before reads them as given, so its
        weights are multiplied by the deviations. ``_mean``, ``_deviation`` turn samples into what the learner reads,
        ``_unit`` turns weights of standardised features into those of its map.
        """
        mean, deviation = X.mean(axis=0), X.std(axis=0)
        deviation = np.where((deviation > 0) & bool(self.standardize), deviation, 1.0)
        Z = (X - mean) / deviation
        learner = GMLVQ() if self.learner is None else self.learner
        omega = map_of(learner)
        if omega is None:
            learner = clone(learner)
            if "random_state" in learner.get_params() and learner.get_params()["random_state"] is None:
                learner.set_params(random_state=seed)
            self.learner_ = learner.fit(Z, y)
            self._mean, self._deviation, self._unit = mean, deviation, np.ones_like(deviation)
            return Z, learned_map(self.learner_)
        if omega.shape[1] != X.shape[1]:
            raise DataError(f"the map has {omega.shape[1]} columns, X has {X.shape[1]} features")
        self.learner_ = learner
        self._mean, self._deviation, self._unit = np.zeros_like(mean), np.ones_like(deviation), deviation
        return Z, omega * deviation

    def _curve(
        self, X: Floats, Z: Floats, y: NDArray[Any], omega: Floats, seed: int, within: int | None
    ) -> DimensionCurve:
        smallest_class = int(np.unique(y, return_counts=True)[1].min())
        if smallest_class < 2:
            raise DataError(
                "a class has one sample only: give effective_dimension as a number and directions='leading', or leave "
                "the class out"
            )
        repeats = min(MOST_REPEATS, -(-JUDGED // len(y)))
        splitter = RepeatedStratifiedKFold(n_splits=min(self.cv, smallest_class), n_repeats=repeats, random_state=seed)
        if self.learner_ is self.learner:
            return dimension_curve(omega, Z, y, splitter, standardize=False, within=within)
        return dimension_curve(self.learner_, X, y, splitter, standardize=bool(self.standardize), within=within)

    def _store(self, found: MapAnalysis, varies: Bools) -> None:
        self.rows_, self.eigenvalues_ = found.rows, found.form.eigenvalues
        self.effective_dimension_ = found.dimension
        self.dimension_curve_, self.need_curve_ = found.curve, found.need_curve
        self.intervals_ = wide(found.intervals.T, varies).T
        self.relevance_ = np.zeros(len(varies), dtype=np.int64)
        self.relevance_[varies] = found.classes
        self._scale, self._varies, self._directions = found.form.scale, varies, found.directions

    def predict(self, X: Any) -> NDArray[Any]:
        """What the learner's own classifier says, with the map as learned.

        A learner that does not classify is read as a map for 3 nearest neighbours.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        omega = learned_map(self.learner_)
        read = (self._samples - self._mean) / self._deviation
        classifier = classifier_with(self.learner_, read, self._labels, omega, omega)
        return classifier.predict((X - self._mean) / self._deviation)

    def _names(self) -> list[str]:
        return column_names(getattr(self, "feature_names_in_", None), self.n_features_in_)

    def _get_support_mask(self) -> Bools:
        check_is_fitted(self)
        return np.asarray(self.relevance_ > 0)

    def _settings(self) -> MapSettings:
        if self.probes not in PROBES:
            raise ParameterError(f"probes={self.probes!r} is none of {', '.join(PROBES)}")
        if int(self.cv) != self.cv or self.cv < 2:
            raise ParameterError(f"cv={self.cv!r} must be a whole number of at least 2")
        return MapSettings(**{name: getattr(self, name) for name in MapSettings.__dataclass_fields__})

    def _told(self) -> dict[str, Any]:
        """The parameters as plain values."""
        told = {name: value for name, value in self.get_params(deep=False).items() if name != "learner"}
        if not isinstance(self.random_state, (Integral, type(None))):
            told["random_state"] = "a generator"
        if hasattr(self.learner_, "get_params"):
            told["learner"] = {
                name: value
                for name, value in self.learner_.get_params(deep=False).items()
                if isinstance(value, (int, float, str, type(None)))
            }
        return told
