"""MetricRelevance: how much can, and how much must, each feature weigh in a learned metric?

A learned map is one of many that do the same on the data. The analysis itself is in :mod:`relspan.metric.map_analysis`;
here the learner is fitted or taken as it is, and equivalent maps are handed back for use.

References
----------
A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI 2015.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from relspan.analysis.scaled_table import refuse_non_finite, scale_table
from relspan.analysis.units import SOLVER_UNITS
from relspan.arrays import Floats
from relspan.checks import listed, sample_weights
from relspan.errors import DataError, RelspanWarning
from relspan.estimators.common_parameters import documented
from relspan.estimators.samples import without_weightless
from relspan.estimators.targets import class_counts, read_classes
from relspan.metric.equivalent_maps import EquivalentMaps
from relspan.metric.fitted_map import all_columns, classifier_with, fit_learner, learned_map, map_of
from relspan.metric.gmlvq import GMLVQ
from relspan.metric.judged_maps import judged_maps
from relspan.metric.learning_samples import LearningSamples, read_folds, usable_weights
from relspan.metric.map_analysis import MapAnalysis, MapIntervals, analyse_map, fragile_remark
from relspan.metric.map_result import map_facts, map_result, partial_map_result
from relspan.metric.map_settings import MapSettings
from relspan.metric.row_probes import FixedMap, Refit
from relspan.progress import Interrupted, ProgressChoice, reporter


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class MetricRelevance(ClassifierMixin, EquivalentMaps):  # type: ignore[misc]
    """Relevance intervals of a learned metric.

    A metric learner finds a linear map after which samples of one class lie close together. Many maps do the same on
    the data; in all of them that are hardly longer than the shortest, the weight of a feature fills an interval.

    Parameters
    ----------
    learner : estimator, matrix or None, default=None
        A metric learner: :class:`GMLVQ` (None), :class:`LMNN`, scikit-learn's NeighborhoodComponentsAnalysis, or any
        estimator that has ``omega_`` or ``components_`` once fitted. It is cloned and fitted on the standardised
        data. One that is fitted already is taken as it is, for the data as they are given; so is a matrix.
    effective_dimension : "auto", int or float, default="auto"
        Directions of the data in which equivalent maps agree: by cross-validation, a number of leading eigenvectors,
        or those with at least this share of the largest eigenvalue. For a map that was learned before,
        cross-validation is by 3 nearest neighbours, and on samples that the map may have seen.
    dimension_by : {"projected", "extremal"}, default="projected"
        The error by which "auto" chooses: that of the learned map within the kept directions, or, as in the paper, the
        mean error of the maps at the ends of all intervals. The second one needs two programs per feature for every
        row, fold and dimension.
    directions : {"leading", "needed"}, default="leading"
        Equivalent maps agree in all leading directions, as in the paper, or in those of them that the classification
        needs, by cross-validation. Learners that start from the identity leave weight in directions of large variance
        that they never changed; "needed" leaves these open.
    delta_norm : float, default=0.01
        How much longer than the shortest an equivalent row may be, as a share.
    smallest_eigenvalue : float, default=0.001
        Rows of the map whose eigenvalue is below this share of the largest one are left out.
    combine : {"squares", "sum"}, default="squares"
        What makes one relevance of a feature's weights in several rows: the root of their summed squares, or, as in the
        paper, the sum of their sizes.
    probes : {"refit", "fixed"}, default="refit"
        Learn the map again with each probe, or keep it fixed and append the probe with weight 0. A map that was learned
        before stays fixed.
    cv : int, splitter or iterable, default=5
        Folds of the cross-validation. A number means stratified folds, fewer where a class is smaller; with fewer than
        200 samples they are drawn repeatedly until as many have been held out, five times at most.
    standardize : bool, default=True
        Whether to weigh the features in units of their standard deviation.
    random_state : int, RandomState instance or None, default=None
        The seed of the folds and the probes, and of the learner unless it has its own.
    checkpoint : str or path, default=None
        A file that keeps finished folds and probes. A fit of the same data with the same parameters and version
        continues from it; a fit of anything else is refused. It needs a whole number as `random_state`.

    Attributes
    ----------
    intervals_ : ndarray of shape (n_features, 2)
        The least and the largest relevance of each feature, as shares of the length of the shortest equivalent map.
    rows_ : tuple of RowRelevance
        The intervals of every row of the map, in units in which the learned Lambda has trace 1. Columns that do not
        vary are not in them.
    eigenvalues_ : ndarray of shape (n_rows,)
        The eigenvalues of the rows.
    effective_dimension_ : int
        The effective dimension in use.
    dimension_curve_ : DimensionCurve or None
        The error against the effective dimension, where it was chosen.
    need_curve_ : DimensionCurve or None
        The error against the number of leading directions kept, where it was chosen.
    learner_ : estimator or ndarray
        The fitted learner.
    classes_ : ndarray of shape (n_classes,)
        The classes.

    See Also
    --------
    GMLVQ : Learns a metric for nearest prototypes.
    LMNN : Learns a metric for nearest neighbours.
    RelevanceClassifier : Intervals of a linear classifier, whose ends are certified together.

    Notes
    -----
    Sample weights are passed on to a learner whose `fit` takes them, such as GMLVQ. They are refused where neighbours
    decide, because a neighbour does not count several times.

    A KeyboardInterrupt (Ctrl-C) while intervals and probes are computed is raised again as its subclass
    `relspan.progress.Interrupted`, whose `partial` holds the intervals that were proven by then.

    References
    ----------
    .. [1] A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI
       2015.

    Examples
    --------
    >>> from relspan.metric import GMLVQ, MetricRelevance
    >>> from relspan.simulate import make_xor
    >>> X, y = make_xor(400, random_state=0)
    >>> learner = GMLVQ(n_prototypes=2, rank=1, n_starts=3)
    >>> model = MetricRelevance(learner, effective_dimension=3, delta_norm=0.02, n_probes=10, random_state=0)
    >>> model.fit(X, y).relevance_
    array([1, 1, 1, 2, 0, 0])
    """

    learner: Any = field(default=None, kw_only=False)
    effective_dimension: Any = "auto"
    dimension_by: str = "projected"
    directions: str = "leading"
    delta_norm: float = 0.01
    smallest_eigenvalue: float = 1e-3
    combine: str = "squares"
    n_probes: int = 50
    probes: str = "refit"
    alpha: float = 0.003
    control: str = "familywise"
    cv: Any = 5
    standardize: bool = True
    engine: str = "auto"
    select: str = "relevant"
    n_jobs: int | None = None
    random_state: Any = None
    progress: ProgressChoice = None
    checkpoint: str | os.PathLike[str] | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MetricRelevance:
        """Learn the map, choose the effective dimension, and bound every weight.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The classes.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the cost of each sample, for learners whose `fit` takes one. 0 leaves a sample out.

        Returns
        -------
        MetricRelevance
            The fitted estimator.
        """
        start = perf_counter()
        settings = self._settings()
        learner = GMLVQ() if self.learner is None else self.learner
        given = map_of(learner)
        samples = self._samples(X, y, sample_weight, learner, given)
        table = samples.table
        try:
            omega = self._learn(samples, learner, given)
            learned = perf_counter() - start
            found = self._analyse(samples, omega, given, settings)
        except Interrupted as stop:
            part = stop.partial
            if not isinstance(part, MapIntervals) or not part.rows:  # no row yet, so there is nothing to report
                raise KeyboardInterrupt from stop
            raise Interrupted(partial_map_result(part, table, self._facts(part, samples, given))) from stop
        remarks = [*found.remarks, *fragile_remark(found.fragile, table.varying_names, settings.delta_norm)]
        if not table.varies.all():
            constant = [name for name, varies in zip(table.names, table.varies, strict=True) if not varies]
            remarks.insert(0, f"constant columns are irrelevant, with the interval [0, 0]: {listed(constant)}")
        self._store(found, samples)
        seconds = {"learner": learned, **found.seconds, "total": perf_counter() - start}
        self.result_ = map_result(found, table, self._facts(found.found, samples, given), remarks, seconds)
        for remark in remarks:
            warnings.warn(remark, RelspanWarning, stacklevel=2)
        return self

    def _settings(self) -> MapSettings:
        self._check_common()
        return MapSettings(**{name: getattr(self, name) for name in MapSettings.__dataclass_fields__})

    def _samples(self, X: Any, y: Any, sample_weight: Any, learner: Any, given: Floats | None) -> LearningSamples:
        """The samples that count, scaled."""
        X, y = self._read(X, y, reset=True, accept_sparse=False)
        weights = sample_weights(sample_weight, len(y))
        folds = read_folds(self.cv, X, y, weights)
        X, y, weights = without_weightless(X, y, weights=weights)
        SOLVER_UNITS.with_weights(weights)  # refuses weights whose sums no computer can hold
        weights = usable_weights(weights, learner, fixed=given is not None)
        self.classes_, _ = read_classes(y, C=1.0)
        names = self._column_names(X.shape[1])
        table = scale_table(X, names, len(names), self.standardize, weights)
        return LearningSamples(X, y, weights, table, folds, self._entropy())

    def _facts(self, found: MapIntervals, samples: LearningSamples, given: Floats | None) -> dict[str, Any]:
        """What every result reports, whole or partial: everything but the features and what belongs to them."""
        counts = class_counts(*read_classes(samples.y, C=1.0))
        return map_facts(
            found,
            table=samples.table,
            learner=type(self.learner_).__name__ if hasattr(self.learner_, "fit") else "matrix",
            parameters=self._parameters_in_use(given is not None),
            data={"n_samples": len(samples.y), "n_features": len(samples.table.names), "classes": counts},
        )

    def _learn(self, samples: LearningSamples, learner: Any, given: Floats | None) -> Floats:
        """The map for standardised samples.

        A learner fitted here reads the standardised samples; what was fitted before reads them as given, so its
        weights are multiplied by the deviations. ``_mean``, ``_deviation`` turn samples into what the learner reads,
        ``_unit`` turns weights of standardised features into those of its map.
        """
        report, mean, scale = reporter(self.progress), samples.table.mean, samples.table.scale
        report("learner", 0.0, "")
        if given is None:
            learner = clone(learner)
            if "random_state" in learner.get_params() and learner.get_params()["random_state"] is None:
                learner.set_params(random_state=samples.seed)
            self.learner_ = fit_learner(learner, samples.standard, samples.y, samples.weights)
            self._mean, self._deviation, self._unit = mean, scale, np.ones_like(scale)
            omega = learned_map(self.learner_)
        else:
            if given.shape[1] != len(scale):
                raise DataError(f"the map has {given.shape[1]} columns, X has {len(scale)} features")
            self.learner_ = learner
            self._mean, self._deviation, self._unit = np.zeros_like(mean), np.ones_like(scale), scale
            omega = given * scale
        report("learner", 1.0, "")
        return omega

    def _analyse(
        self, samples: LearningSamples, omega: Floats, given: Floats | None, settings: MapSettings
    ) -> MapAnalysis:
        """The analysis of the learned map, or of one that was learned before."""
        table, y, weights = samples.table, samples.y, samples.weights
        fixed = given is not None or self.probes == "fixed"
        judged = judged_maps(settings.dimension_by, settings.delta_norm, settings.smallest_eigenvalue, settings.engine)
        with self._open_checkpoint(samples.X, y, weights, given) as checkpoint:
            return analyse_map(
                omega[:, table.varies],
                table.Z,
                FixedMap(omega[:, table.varies]) if fixed else Refit(self.learner_, y, weights),
                partial(samples.curve, self.learner_ if given is None else omega, self.standardize, judged),
                settings,
                samples.seed,
                weights,
                reporter(self.progress),
                checkpoint,
            )

    def _parameters_in_use(self, fixed: bool) -> dict[str, Any]:
        """The parameters as a result records them; the learner by those of its own that are plain values."""
        given = self._recorded_parameters()
        given["cv"] = self.cv if isinstance(self.cv, Integral) else repr(self.cv)
        if hasattr(self.learner_, "get_params"):
            own = self.learner_.get_params(deep=False)
            given["learner"] = {k: v for k, v in own.items() if isinstance(v, (int, float, str, type(None)))}
        else:
            given["learner"] = None
        return {**given, "probes": "fixed"} if fixed else given

    def _store(self, analysis: MapAnalysis, samples: LearningSamples) -> None:
        found, varies = analysis.found, samples.table.varies
        self.rows_, self.eigenvalues_ = found.rows, found.form.eigenvalues
        self.effective_dimension_ = found.kept.dimension
        self.dimension_curve_, self.need_curve_ = found.kept.curve, found.kept.need_curve
        self.intervals_ = all_columns(found.intervals.T, varies).T
        self.relevance_ = np.zeros(len(varies), dtype=np.int64)
        self.relevance_[varies] = analysis.classes
        self.support_ = self._selected(self.relevance_)
        self._scale, self._varies, self._directions = found.form.scale, varies, found.kept.U
        self._training_samples, self._training_classes = samples.X, samples.y

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes by the learner's own classifier, with the map as learned.

        A learner that does not classify is read as a map for 3 nearest neighbours.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Their classes.
        """
        check_is_fitted(self)
        X = self._read(X, accept_sparse=False)
        refuse_non_finite(X, self._column_names(X.shape[1]))
        omega = learned_map(self.learner_)
        read = (self._training_samples - self._mean) / self._deviation
        classifier = classifier_with(self.learner_, read, self._training_classes, omega, omega)
        return classifier.predict((X - self._mean) / self._deviation)
