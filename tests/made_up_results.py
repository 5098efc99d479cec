"""Results whose numbers a test can name, made up without an analysis."""

from __future__ import annotations

from dataclasses import replace

from relspan.result import FeatureRelevance, GroupRelevance, PinEffect, RelevanceResult


def feature(name: str, low: float, high: float, relevance: str, **more: object) -> FeatureRelevance:
    return FeatureRelevance(name, low, high, more.pop("lo", low), more.pop("hi", high), relevance, **more)


def made_up(*features: FeatureRelevance, threshold: float | None = 0.2) -> RelevanceResult:
    """A result with these features, and ten probes below .15."""
    probes = {"kind": "append", "hi": [0.01 * j for j in range(10)], "lo": [-0.015 * j for j in range(10)]}
    return RelevanceResult(
        task="classification",
        features=features,
        baseline={"C": 1.0, "l1_norm": 2.0, "loss": 3.0, "null_loss": 9.0, "score": 0.9},
        budgets={"kind": "explained", "limits": [[1.0, 0.0, 2.2], [0.0, 1.0, 3.12]]},
        probes=probes if threshold is not None else {},
        thresholds={"relevant": threshold, "strong": 1e-4} if threshold is not None else {},
        parameters={"delta_norm": 0.1, "delta_loss": 0.02, "alpha": 0.003, "n_probes": 10},
        data={"n_samples": 50, "n_features": len(features)},
        partial=threshold is None,
    )


def made_up_by_evidence(passed: bool = True) -> RelevanceResult:
    """A result whose classes rest on evidence: two substitutes, one of them norm-made, and noise; the line is .8."""
    features = (
        feature("sure", 0.3, 0.4, "strong", evidence=2.5, route="need"),
        feature("twin", 0.0, 0.5, "weak", evidence=1.75, route="cluster", cluster=("other; twin",)),
        feature("other; twin", 0.1, 0.3, "weak", evidence=1.2, route="association", cluster=("twin",), norm_made=True),
        feature("noise", 0.0, 0.21, "irrelevant", evidence=0.55, route="reach"),
        feature("constant", 0.0, 0.0, "irrelevant"),
    )
    if not passed:
        features = tuple(replace(f, relevance="irrelevant", norm_made=False) for f in features)
    result = made_up(*features)
    return replace(result, thresholds={**result.thresholds, "evidence": 0.8}, passed=passed)


def made_up_with_totals() -> RelevanceResult:
    """Single weights with a threshold of .2, totals with one of .6, and two groups, one of which has one, of .8."""
    several = feature("size", 0.0, 0.5, "irrelevant", parts={"setosa": (-0.25, 0.2), "virginica": (-0.1, 0.25)})
    result = made_up(several)
    groups = (
        GroupRelevance("known", ("size",), 0.0, 1.0, "weak", threshold=0.8),
        GroupRelevance("unknown", ("size",), 0.0, 0.9, "weak"),
    )
    probes = {**result.probes, "totals": [0.05 * j for j in range(10)]}
    return replace(result, thresholds={**result.thresholds, "total": 0.6}, probes=probes, groups=groups)


def made_up_under_pins() -> RelevanceResult:
    """A result without "lost": its substitute is needed, a weak feature moved, and noise is needed too."""
    features = (
        feature("sure", 0.3, 0.4, "strong", under_pins=PinEffect(0.3, 0.4, "unmoved")),
        feature("lost", 0.0, 0.0, "weak", under_pins=PinEffect(0.0, 0.7, "left out", pinned=True)),
        feature("substitute", 0.25, 0.6, "weak", under_pins=PinEffect(0.0, 0.8, "needed")),
        feature("other", 0.0, 0.31, "weak", under_pins=PinEffect(0.0, 0.5, "moved")),
        feature("noise", 0.01, 0.05, "irrelevant", under_pins=PinEffect(0.0, 0.1, "needed")),
        feature("more noise", 0.0, 0.05, "irrelevant", under_pins=PinEffect(0.0, 0.05, "unmoved")),
    )
    result = made_up(*features)
    pins = [{"feature": "lost", "low": 0.0, "high": 0.0, "asked": "without"}]
    return replace(result, thresholds={}, probes={}, parameters={**result.parameters, "pins": pins})
