"""The result of a metric's analysis in the form all surfaces of the package read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relspan.analysis.classes import NAMES
from relspan.arrays import Bools, Floats
from relspan.metric.effective_dimension import DimensionCurve
from relspan.metric.map_analysis import MapAnalysis
from relspan.result import FeatureRelevance, RelevanceResult, current_versions


def metric_result(
    found: MapAnalysis,
    names: Sequence[str],
    varies: Bools,
    learner: str,
    parameters: Mapping[str, Any],
    data: Mapping[str, Any],
    remarks: Sequence[str],
    seconds: Mapping[str, float],
) -> RelevanceResult:
    """A RelevanceResult of task "metric"; ``baseline`` holds the rows, the dimension and its curve.

    Relevances are shares of the length of the shortest equivalent map, (sum_r mu_r^2)^(1/2). A sum of squares over
    rows has no sign, so the signed ends are those of either sign; the rows have the signed intervals.
    """
    d = len(names)
    intervals, classes = np.zeros((d, 2)), np.zeros(d, dtype=int)
    intervals[varies], classes[varies] = found.intervals, found.classes
    gap = float(np.sqrt(sum(row.gap**2 for row in found.rows))) / found.length
    features = tuple(
        FeatureRelevance(name, least, most, -most, most, NAMES[c], gap, gap)
        for name, (least, most), c in zip(names, intervals.tolist(), classes, strict=True)
    )
    return RelevanceResult(
        task="metric",
        features=features,
        baseline={
            "learner": learner,
            "l1_norm": found.length,
            "effective_dimension": found.dimension,
            "curve": told_curve(found.curve, "dimensions"),
            "directions": found.directions.shape[1],
            "need_curve": told_curve(found.need_curve, "directions"),
            "rows": [
                {
                    "eigenvalue": eigenvalue,
                    "l1_norm": row.norm,
                    "shortest_l1_norm": row.mu,
                    "vanishes": row.vanishes,
                    "weights": wide(row.row, varies),
                    "lo": wide(row.lo, varies),
                    "hi": wide(row.hi, varies),
                    "gap": row.gap,
                }
                for eigenvalue, row in zip(found.form.eigenvalues, found.rows, strict=True)
            ],
        },
        budgets={"kind": "equivalent rows", "delta_norm": parameters["epsilon"]},
        probes={"kind": parameters["probes"], "values": found.probe_values},
        thresholds={"relevant": found.threshold, "strong": found.floor},
        parameters=parameters,
        data=data,
        warnings=tuple(remarks),
        seconds=seconds,
        versions=current_versions(),
    )


def told_curve(curve: DimensionCurve | None, axis: str) -> dict[str, Any] | None:
    """A curve of errors as plain values."""
    if curve is None:
        return None
    return {axis: curve.dimensions, "errors": curve.mean, "raw_error": float(curve.raw.mean())}


def wide(weights: Floats, varies: Bools) -> Floats:
    """Weights of all columns, 0 for those that do not vary."""
    full = np.zeros((*weights.shape[:-1], len(varies)))
    full[..., varies] = weights
    return full
