"""The samples that a metric is learned from: which of them count, their weights, their scale, and their folds."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator, RepeatedStratifiedKFold, check_cv
from sklearn.utils.validation import has_fit_parameter

from relspan.analysis.scaled_table import ScaledTable, scaled
from relspan.arrays import Floats, Ints
from relspan.errors import DataError, ParameterError
from relspan.metric.effective_dimension import DimensionCurve, Run, dimension_curve
from relspan.metric.judged_maps import JudgedMaps

HELD_OUT_SAMPLES = 200  # in all folds, so that the dimension of a small table is not chosen in steps of 2.5 %
MOST_REPEATS = 5


@dataclass(frozen=True, eq=False)
class LearningSamples:
    """Samples with their classes, weights (None: equal ones), scaled table, and folds (their number, or a list)."""

    X: Floats
    y: NDArray[Any]
    weights: Floats | None
    table: ScaledTable
    folds: int | list[tuple[Ints, Ints]]
    seed: int

    @property
    def standard(self) -> Floats:
        """All columns as a learner reads them, the constant ones included."""
        return np.asarray(scaled(self.X, self.table.mean, self.table.scale))

    @property
    def splitter(self) -> BaseCrossValidator:
        """The folds as they were given, or stratified ones, drawn repeatedly where samples are few."""
        if not isinstance(self.folds, int):
            return check_cv(self.folds)
        smallest_class = int(np.unique(self.y, return_counts=True)[1].min())
        if smallest_class < 2:
            raise DataError(
                "a class has one sample only: give effective_dimension as a number and directions='leading', or leave "
                "the class out"
            )
        repeats = min(MOST_REPEATS, -(-HELD_OUT_SAMPLES // len(self.y)))
        return RepeatedStratifiedKFold(
            n_splits=min(self.folds, smallest_class), n_repeats=repeats, random_state=self.seed
        )

    def curve(self, learner: Any, standardize: bool, maps: JudgedMaps, within: int | None, run: Run) -> DimensionCurve:
        """The errors by which the number of directions is chosen; a matrix is a map for the standard columns."""
        if not hasattr(learner, "fit"):
            return dimension_curve(learner, self.standard, self.y, self.splitter, False, within, None, run, maps)
        return dimension_curve(learner, self.X, self.y, self.splitter, standardize, within, self.weights, run, maps)


def read_folds(cv: Any, X: Floats, y: NDArray[Any], weights: Floats | None) -> int | list[tuple[Ints, Ints]]:
    """The number of folds, or the rows of every given fold, counted among the samples that have weight."""
    if isinstance(cv, Integral):
        return int(cv)
    counts = np.ones(len(y), dtype=bool) if weights is None else weights > 0
    place = np.cumsum(counts) - 1
    return [
        (place[train][counts[train]], place[test][counts[test]])
        for train, test in ((np.asarray(part) for part in fold) for fold in check_cv(cv, y).split(X, y))
    ]


def usable_weights(weights: Floats | None, learner: Any, fixed: bool) -> Floats | None:
    """Sample weights that the learner can use; equal ones are none."""
    if weights is None or np.ptp(weights) == 0:
        return None
    if fixed:
        raise ParameterError(
            "sample_weight cannot be used with a map that was learned elsewhere, because nothing is fitted"
        )
    if not has_fit_parameter(learner, "sample_weight"):
        raise ParameterError(
            f"sample_weight cannot be used with {type(learner).__name__}, whose fit takes none; GMLVQ takes weights"
        )
    return weights
