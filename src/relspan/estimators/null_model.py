"""A fit in which no feature helps: the best model is the null model, which uses none, and every feature is irrelevant.

Without a norm mu > 0 there are no shares of it, no family and no probes. The result has empty intervals [0, 0], the
null model predicts, and nothing can be explored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relspan.analysis.baseline import C_GRID, Baseline, C_grid, best_models, null_offsets, uses_no_feature
from relspan.analysis.scaled_table import ScaledTable
from relspan.analysis.sign_demands import signs_in_words
from relspan.analysis.units import Units
from relspan.analysis.verdicts.classes import CLASS_NAMES
from relspan.arrays import Floats, Matrix
from relspan.checks import listed
from relspan.errors import DegenerateBaseline
from relspan.losses import Loss
from relspan.result import FeatureRelevance, GroupRelevance, RelevanceResult

ON_NULL = ("irrelevant", "raise")
RARE = 0.8  # of an equal share of the rows: a class with fewer is rare


def null_baseline(
    loss: Loss, X: Matrix, y: Floats, sample_weight: Floats | None, C: float | None, units: Units
) -> Baseline:
    """The null model: no weights, the best offsets, and the given C or the largest one that was tried."""
    rows = loss.rows(X, y, sample_weight)
    weights, offsets = np.zeros(rows.n_features), null_offsets(rows, loss.constraints(X, y))
    rho = rows.loss(weights, offsets)
    largest = loss.smallest_C(X, y, sample_weight) * C_GRID[1] if C is None else float(C)
    return Baseline(
        *(loss, largest, weights, offsets, 0.0, rho, rho, np.zeros(rows.n_rows)), null_preferred=True, units=units
    )


def null_result(
    facts: Mapping[str, Any],
    table: ScaledTable,
    groups: Mapping[str, Sequence[int]],
    remarks: Sequence[str],
    seconds: float,
    categories: Mapping[str, Sequence[int]],
) -> RelevanceResult:
    """The result with every feature, every group and every category irrelevant."""
    features = tuple(FeatureRelevance(name, 0.0, 0.0, 0.0, 0.0, CLASS_NAMES[0]) for name in table.names)
    return RelevanceResult(
        **facts,
        features=features[: table.n_public],
        privileged=features[table.n_public :],
        groups=tuple(
            GroupRelevance(name, tuple(table.names[j] for j in members), 0.0, 0.0, CLASS_NAMES[0], category=category)
            for asked, category in ((groups, False), (categories, True))
            for name, members in asked.items()
        ),
        probes={},
        thresholds={},
        warnings=tuple(remarks),
        seconds={"baseline": seconds, "total": seconds},
    )


def null_remark(best: Baseline, reason: DegenerateBaseline, classes: Sequence[Any] | None, ways_out: str) -> str:
    """What the reader of such a result should know: what was seen, what it means, and the way out.

    `classes` are those of the target, in the order of the loss's codes; None where it holds numbers.
    """
    answer = null_answer(best, classes)
    if reason.larger_C is not None:
        return (
            f"No feature helps at C = {best.units.price(best.C):.6g}, so every feature is irrelevant: there the best "
            f"model uses none and {answer} every row. Raise C, to {reason.larger_C:.3g} for instance, or leave its "
            "choice to cross-validation."
        )
    text = (
        "No feature helps, so every feature is irrelevant: no linear model has a lower "
        f"{best.loss_function.name} loss than one that uses no feature and {answer} every row."
    )
    return f"{text} {ways_out}".rstrip()


def null_answer(best: Baseline, classes: Sequence[Any] | None) -> str:
    """What the null model does with every row, as a verb and its object."""
    loss = best.loss_function
    row = np.zeros((1, len(best.weights) // len(loss.blocks(1).owner)))  # any row has the same answer
    code = float(loss.predict(row, best.weights, best.offsets)[0])
    if classes is None:
        return f"answers {best.units.scores(np.array(code)):.4g} for"
    label = loss.labels_by_code(classes)[code]
    return "rejects" if label is None else f"answers {label!r} for"


def sign_hint(loss: Loss, X: Matrix, y: Floats, sample_weight: Floats | None, signs: Mapping[str, int]) -> str:
    """That the demanded signs are the reason, where a model of other signs would help; else empty."""
    rows, costs = loss.rows(X, y, sample_weight), C_grid(loss, X, y, sample_weight)
    if not signs or not np.isfinite(costs).all():
        return ""
    ((model, _),) = best_models(rows, costs[-1:], loss.constraints(X, y))
    if uses_no_feature(rows, model[: rows.n_features]):
        return ""
    return (
        f"The demanded signs are the reason ({listed(signs_in_words(signs))}): a model whose weights have other signs "
        "does better. Drop a sign, or check how the target is coded."
    )


def balance_hint(counts: Mapping[str, int], class_weight: Any) -> str:
    """That rare classes can be given more weight, where one is rare and has none; else empty."""
    total, rarest = sum(counts.values()), min(counts, key=lambda label: counts[label], default=None)
    if rarest is None or class_weight is not None or counts[rarest] * len(counts) >= RARE * total:
        return ""
    return (
        f"Class {rarest!r} has {counts[rarest]} of {total} rows: with class_weight='balanced' it counts as much as the "
        "others."
    )
