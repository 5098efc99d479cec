"""From an analysis, in columns and weights, to a result, in names and shares of the best model's norm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

import numpy as np

from relspan.analysis.baseline import Baseline
from relspan.analysis.one_standard_error import resolved
from relspan.analysis.pipeline import Analysis, PartialAnalysis
from relspan.analysis.probes import Probes
from relspan.analysis.scaled_table import ScaledTable
from relspan.analysis.sequential_probes import threshold_range
from relspan.analysis.settings import Settings
from relspan.analysis.verdicts.classes import CLASS_NAMES
from relspan.family import Budget
from relspan.result import Certificates, FeatureRelevance, GroupRelevance, RelevanceResult, current_versions
from relspan.result.record import plain


def facts_of(
    task: str,
    settings: Settings,
    parameters: Mapping[str, Any],
    data: Mapping[str, Any],
    best: Baseline,
    budgets: Sequence[Budget] | None,
) -> dict[str, Any]:
    """What every result reports, whole or partial: everything but the features and what belongs to them."""
    units, loss = best.units, best.loss_function.with_target_unit(best.units.target)
    return {
        "task": task,
        "baseline": {
            "C": units.price(best.C) if np.isfinite(best.C) else None,
            "loss_function": {"name": loss.name, **plain(asdict(cast(Any, loss)))},
            "l1_norm": units.norm(best.norm),
            "loss": units.loss(best.loss),
            "null_loss": units.loss(best.null_loss),
            "score": best.score,
            "scores": {f"{units.price(C):.6g}": np.asarray(scores).tolist() for C, scores in best.scores.items()},
            **(_held_out(best) if settings.criterion == "loss" else {}),
        },
        "budgets": {
            "kind": settings.loss_budget,
            **({} if budgets is None else {"limits": [units.budget(b) for b in budgets]}),
            **_one_standard_error(settings, best),
        },
        "parameters": {**settings.as_dict(), **parameters},
        "data": dict(data),
        "versions": current_versions(),
    }


def _one_standard_error(settings: Settings, best: Baseline) -> dict[str, float]:
    """The loss budget that the rows suggested, and the standard error behind it; nothing where a share was given."""
    if best.standard_error is None:
        return {}
    share = resolved(settings, best).loss_share
    return {"delta_loss": share, "standard_error": best.units.loss(best.standard_error)}


def _held_out(best: Baseline) -> dict[str, Any]:
    """What rows left out say about C, and how firm its choice is; nothing where C was given."""
    if best.held_out is None:
        return {}
    return {
        "C_range": [best.units.price(C) for C in best.held_out.equally_good],
        "C_by_repeat": [best.units.price(C) for C in best.held_out.by_repeat],
        "held_out_losses": {
            f"{best.units.price(C):.6g}": best.units.norm(loss)  # per unit of weight
            for C, loss in zip(best.held_out.costs, best.held_out.means.tolist(), strict=True)
        },
        "null_held_out_loss": best.units.norm(float(best.held_out.null.mean())),
    }


def result_of(
    found: Analysis,
    table: ScaledTable,
    facts: Mapping[str, Any],
    parts: Sequence[str],
    groups: Mapping[str, Sequence[int]],
    remarks: tuple[str, ...],
    categories: Mapping[str, Sequence[int]],
) -> RelevanceResult:
    """The result of an analysis. `parts` names the weights of a feature that has several.

    The analysis was asked for the groups first, and then for the columns of each category together.
    """
    mu = found.baseline.norm
    features = features_of(found, table, parts)
    names = table.varying_names
    depends = {names[j]: share for j, share in found.budget_shares.items()}
    return RelevanceResult(
        **{**facts, "budgets": {**facts["budgets"], "drop_costs": depends}},
        features=features[: table.n_public],
        privileged=features[table.n_public :],
        groups=groups_of(found, table, groups, categories),
        probes={
            "kind": found.probes.kind,
            "sources": [table.varying_names[i] for i in found.probes.sources],
            "lo": (found.probes.lo / mu).tolist(),
            "hi": (found.probes.hi / mu).tolist(),
            **({"totals": (found.probes.totals / mu).tolist()} if len(found.probes.totals) else {}),
            "lost": found.probes.lost,
            **_drawn(found.probes, found.upper_threshold / mu),
        },
        thresholds={
            "relevant": found.upper_threshold / mu,
            **({} if found.total_threshold is None else {"total": found.total_threshold / mu}),
            "strong": found.floor / mu,
            **({} if found.verdicts.evidence is None else {"evidence": found.verdicts.evidence.line}),
        },
        extremal_scores={} if found.extremal_scores is None else asdict(found.extremal_scores),
        warnings=remarks,
        passed=None if found.verdicts.evidence is None else found.verdicts.passed,
        engine={
            "name": found.engine.name,
            "reason": found.engine.reason,
            "handed_over": int(found.ranges.extremes.handed_over.sum()) + found.probes.handed_over,
        },
        seconds=found.seconds,
        proofs=found.proofs,
        certificates=Certificates(
            found.family,
            found.ranges.extremes,
            column_titles(found, table, parts),
            tuple(found.ranges.solved.tolist()),
        ),
    )


def _drawn(probes: Probes, threshold: float) -> dict[str, Any]:
    """How many probes were drawn, and where drawing stopped early how many were planned and what they would give."""
    drawn = probes.count + probes.lost
    if probes.planned is None:
        return {"drawn": drawn}
    return {
        "drawn": drawn,
        "planned": probes.planned,
        "threshold_range": list(threshold_range(threshold, drawn, probes.planned)),
    }


def partial_result(found: PartialAnalysis, table: ScaledTable, facts: Mapping[str, Any]) -> RelevanceResult:
    """The result of an interrupted analysis: the intervals that were proven before.

    Constant columns have their interval at once. A feature with several weights has none, because its total size is
    computed last.
    """
    mu, features = found.baseline.norm, _undecided(table)
    blocks = found.baseline.loss_function.blocks(len(table.varying_columns))
    proven = found.proven.ranges if blocks.single else None
    known = {int(j) for j in np.flatnonzero(~table.varies)}
    if proven is not None:
        ends = np.column_stack([proven.relevances, proven.lo, proven.hi, proven.gaps]) / mu
        for column, (least, most, lo, hi, gap_lo, gap_hi) in zip(found.proven.features, ends.tolist(), strict=True):
            j = int(table.varying_columns[column])
            features[j] = FeatureRelevance(table.names[j], least, most, lo, hi, "undecided", gap_lo, gap_hi)
            known.add(j)
    public = range(table.n_public)
    return RelevanceResult(
        **facts,
        partial=True,
        features=tuple(features[j] for j in public if j in known),
        unfinished=tuple(table.names[j] for j in public if j not in known),
        probes={},
        thresholds={},
        seconds=found.seconds,
    )


def _undecided(table: ScaledTable) -> dict[int, FeatureRelevance]:
    return {j: FeatureRelevance(name, 0.0, 0.0, 0.0, 0.0, "undecided") for j, name in enumerate(table.names)}


def features_of(found: Analysis, table: ScaledTable, parts: Sequence[str]) -> tuple[FeatureRelevance, ...]:
    """All features of the table; constant ones are irrelevant."""
    mu, blocks = found.baseline.norm, found.problem.blocks
    lo, hi = found.ranges.lo / mu, found.ranges.hi / mu
    features = {j: FeatureRelevance(name, 0.0, 0.0, 0.0, 0.0, CLASS_NAMES[0]) for j, name in enumerate(table.names)}
    for feature, j in enumerate(table.varying_columns):
        least, most = (found.intervals[feature] / mu).tolist()
        gap_lo, gap_hi = (found.gaps[feature] / mu).tolist()
        own = blocks.columns(feature)
        low, high = (float(lo[own[0]]), float(hi[own[0]])) if len(own) == 1 else (least, most)
        signed = {part: (float(lo[c]), float(hi[c])) for part, c in zip(parts, own, strict=False)}
        features[int(j)] = FeatureRelevance(
            name=table.names[j],
            min=least,
            max=most,
            lo=low,
            hi=high,
            relevance=CLASS_NAMES[found.classes[feature]],
            gap_lo=gap_lo,
            gap_hi=gap_hi,
            solved=bool(found.ranges.solved[own].all()),
            parts=signed if len(own) > 1 else None,
            **_grounds(found, table, feature),
        )
    return tuple(features.values())


def _grounds(found: Analysis, table: ScaledTable, feature: int) -> dict[str, Any]:
    """What the verdict on a feature rests on; nothing where the papers' own rule decided."""
    verdicts, evidence = found.verdicts, found.verdicts.evidence
    if evidence is None or verdicts.norm_made is None:
        return {}
    return {
        "evidence": float(evidence.size[feature]),
        "route": evidence.routes[feature],
        "cluster": tuple(table.varying_names[j] for j in evidence.substitutes(feature)),
        "norm_made": bool(verdicts.norm_made[feature]),
    }


def groups_of(
    found: Analysis, table: ScaledTable, groups: Mapping[str, Sequence[int]], categories: Mapping[str, Sequence[int]]
) -> tuple[GroupRelevance, ...]:
    """The groups in the order in which they were given, then the categories; members that are constant add nothing."""
    mu = found.baseline.norm
    asked = [(*group, False) for group in groups.items()] + [(*category, True) for category in categories.items()]
    return tuple(
        GroupRelevance(
            name,
            tuple(table.names[j] for j in members),
            total.least / mu,
            total.most / mu,
            CLASS_NAMES[relevance],
            gap_lo=(total.least - total.least_bound) / mu,
            gap_hi=(total.most_bound - total.most) / mu,
            threshold=None if chance is None else chance / mu,
            category=category,
        )
        for (name, members, category), total, relevance, chance in zip(
            asked, found.group_intervals, found.group_classes, found.group_thresholds, strict=True
        )
    )


def column_titles(found: Analysis, table: ScaledTable, parts: Sequence[str]) -> tuple[str, ...]:
    """The name of every weight: the feature's, and the part's where the feature has several."""
    titles = []
    for feature, name in enumerate(table.varying_names):
        own = found.problem.blocks.columns(feature)
        titles += [name] if len(own) == 1 else [f"{name} [{part}]" for part, _ in zip(parts, own, strict=False)]
    return tuple(titles)
