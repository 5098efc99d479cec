"""From the analysis of a map to a result, in the form that all surfaces of the package read.

Relevances are shares of the length of the shortest equivalent map, whose rows are combined as the weights are, by
default (sum_r mu_r^2)^(1/2). What is combined over rows has no sign, so the ends of features and probes are those of
either sign; the rows have signed intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from relspan.analysis.scaled_table import ScaledTable
from relspan.analysis.verdicts.classes import CLASS_NAMES
from relspan.arrays import Floats
from relspan.metric.effective_dimension import DimensionCurve
from relspan.metric.fitted_map import all_columns
from relspan.metric.map_analysis import MapAnalysis, MapIntervals
from relspan.result import FeatureRelevance, RelevanceResult, current_versions


def map_facts(
    found: MapIntervals, table: ScaledTable, learner: str, parameters: Mapping[str, Any], data: Mapping[str, Any]
) -> dict[str, Any]:
    """What any result records, whole or partial; `baseline` holds the rows, the dimension and its curve."""
    return {
        "task": "metric",
        "baseline": {
            "learner": learner,
            "l1_norm": found.length,
            "effective_dimension": found.kept.dimension,
            "curve": curve_record(found.kept.curve, "dimensions"),
            "directions": found.kept.U.shape[1],
            "need_curve": curve_record(found.kept.need_curve, "directions"),
            "rows": row_records(found, table),
        },
        "budgets": {"kind": "equivalent rows", "delta_norm": parameters["delta_norm"]},
        "parameters": dict(parameters),
        "data": dict(data),
        "versions": current_versions(),
    }


def map_result(
    analysis: MapAnalysis,
    table: ScaledTable,
    facts: Mapping[str, Any],
    remarks: Sequence[str],
    seconds: Mapping[str, float],
) -> RelevanceResult:
    """The result of an analysis; constant columns are irrelevant."""
    found, values = analysis.found, analysis.probes.values
    classes = [CLASS_NAMES[c] for c in analysis.classes]
    return RelevanceResult(
        **facts,
        features=feature_records(table, found.intervals, classes, found.gap, CLASS_NAMES[0]),
        probes={
            "kind": facts["parameters"]["probes"],
            "sources": [table.varying_names[j] for j in analysis.probes.sources],
            "lo": (-values).tolist(),
            "hi": values.tolist(),
            "lost": 0,
        },
        thresholds={"relevant": analysis.threshold, "strong": analysis.floor},
        warnings=tuple(remarks),
        seconds=dict(seconds),
    )


def partial_map_result(found: MapIntervals, table: ScaledTable, facts: Mapping[str, Any]) -> RelevanceResult:
    """The intervals that were proven before an interruption: all of them, or those of constant columns alone."""
    intervals = found.intervals
    features = feature_records(table, intervals, ["undecided"] * len(intervals), found.gap, "undecided")
    unfinished: tuple[str, ...] = ()
    if not found.complete:
        features = tuple(f for f, varies in zip(features, table.varies, strict=True) if not varies)
        unfinished = tuple(table.varying_names)
    return RelevanceResult(
        **facts,
        partial=True,
        features=features,
        unfinished=unfinished,
        probes={},
        thresholds={},
        seconds=found.seconds,
    )


def feature_records(
    table: ScaledTable, intervals: Floats, classes: Sequence[str], gap: float, of_constants: str
) -> tuple[FeatureRelevance, ...]:
    """One record per column of the table, from those of the varying columns."""
    records = [FeatureRelevance(name, 0.0, 0.0, 0.0, 0.0, of_constants) for name in table.names]
    for j, (least, most), relevance in zip(table.varying_columns, intervals.tolist(), classes, strict=True):
        records[j] = FeatureRelevance(table.names[j], least, most, -most, most, relevance, gap, gap)
    return tuple(records)


def row_records(found: MapIntervals, table: ScaledTable) -> list[dict[str, Any]]:
    """The rows with their signed intervals, over all columns of the table."""
    return [
        {
            "eigenvalue": float(eigenvalue),
            "l1_norm": row.norm,
            "shortest_l1_norm": row.mu,
            "vanishes": row.vanishes,
            "weights": all_columns(row.row, table.varies).tolist(),
            "lo": all_columns(row.lo, table.varies).tolist(),
            "hi": all_columns(row.hi, table.varies).tolist(),
            "gap": row.gap,
        }
        for eigenvalue, row in zip(found.form.eigenvalues, found.rows, strict=False)
    ]


def curve_record(curve: DimensionCurve | None, axis: str) -> dict[str, Any] | None:
    """A curve of errors as plain values."""
    if curve is None:
        return None
    return {axis: curve.dimensions.tolist(), "errors": curve.mean.tolist(), "raw_error": float(curve.raw.mean())}
