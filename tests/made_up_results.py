"""Results whose numbers a test can name, made up without an analysis."""

from __future__ import annotations

from relspan.result import FeatureRelevance, RelevanceResult


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
