"""A fit in which no feature helps: the best model is the null model, which uses none, and every feature is irrelevant.

Without a norm mu > 0 there are no shares of it, no family and no probes. The result has empty intervals [0, 0], the
null model predicts, and nothing can be explored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relspan.analysis.baseline import C_GRID, Baseline, null_offsets
from relspan.analysis.scaled_table import ScaledTable
from relspan.analysis.verdicts.classes import CLASS_NAMES
from relspan.arrays import Floats, Matrix
from relspan.losses import Loss
from relspan.result import FeatureRelevance, GroupRelevance, RelevanceResult

ON_NULL = ("irrelevant", "raise")


def null_baseline(loss: Loss, X: Matrix, y: Floats, sample_weight: Floats | None, C: float | None) -> Baseline:
    """The null model: no weights, the best offsets, and the given C or the largest one that was tried."""
    rows = loss.rows(X, y, sample_weight)
    weights, offsets = np.zeros(rows.n_features), null_offsets(rows, loss.constraints(X, y))
    rho = rows.loss(weights, offsets)
    largest = loss.smallest_C(X, y, sample_weight) * C_GRID[1] if C is None else float(C)
    return Baseline(loss, largest, weights, offsets, 0.0, rho, rho, np.zeros(rows.n_rows), null_preferred=True)


def null_result(
    facts: Mapping[str, Any],
    table: ScaledTable,
    groups: Mapping[str, Sequence[int]],
    remarks: Sequence[str],
    seconds: float,
) -> RelevanceResult:
    """The result with every feature and every group irrelevant."""
    features = tuple(FeatureRelevance(name, 0.0, 0.0, 0.0, 0.0, CLASS_NAMES[0]) for name in table.names)
    return RelevanceResult(
        **facts,
        features=features[: table.n_public],
        privileged=features[table.n_public :],
        groups=tuple(
            GroupRelevance(name, tuple(table.names[j] for j in members), 0.0, 0.0, CLASS_NAMES[0])
            for name, members in groups.items()
        ),
        probes={},
        thresholds={},
        warnings=tuple(remarks),
        seconds={"baseline": seconds, "total": seconds},
    )


def null_remark(loss: Loss, reason: Exception) -> str:
    """What the reader of such a result should know: what was seen, and the way out."""
    text = f"No feature helps, so every feature is irrelevant: with the {loss.name} loss, {reason}."
    return f"{text} {loss.way_out}".rstrip()
