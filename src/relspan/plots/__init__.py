"""Charts of results, as display objects that keep their numbers, axes and figure; they need matplotlib.

Each is made by `from_estimator`, `from_result` or `from_explorer`, which draw at once; `plot(ax)` draws again. None of
them shows a figure. All share one palette, in which no two things differ by colour alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from relspan.plots.accuracy_reject import AccuracyRejectDisplay
    from relspan.plots.blanket import BlanketDisplay
    from relspan.plots.effective_dimension import EffectiveDimensionDisplay
    from relspan.plots.exchange import ExchangeGraphDisplay
    from relspan.plots.extremal_models import ExtremalModelsDisplay
    from relspan.plots.intervals import IntervalDisplay
    from relspan.plots.metric_profile import MetricProfileDisplay
    from relspan.plots.paths import PathDisplay
    from relspan.plots.probes import ProbeDisplay
    from relspan.plots.ranking_order import RankingDisplay
    from relspan.plots.stability import StabilityDisplay
    from relspan.plots.substitution import SubstitutionDisplay

_HOMES = {
    "AccuracyRejectDisplay": "accuracy_reject",
    "BlanketDisplay": "blanket",
    "EffectiveDimensionDisplay": "effective_dimension",
    "ExchangeGraphDisplay": "exchange",
    "ExtremalModelsDisplay": "extremal_models",
    "IntervalDisplay": "intervals",
    "MetricProfileDisplay": "metric_profile",
    "PathDisplay": "paths",
    "ProbeDisplay": "probes",
    "RankingDisplay": "ranking_order",
    "StabilityDisplay": "stability",
    "SubstitutionDisplay": "substitution",
}

__all__ = [
    "AccuracyRejectDisplay",
    "BlanketDisplay",
    "EffectiveDimensionDisplay",
    "ExchangeGraphDisplay",
    "ExtremalModelsDisplay",
    "IntervalDisplay",
    "MetricProfileDisplay",
    "PathDisplay",
    "ProbeDisplay",
    "RankingDisplay",
    "StabilityDisplay",
    "SubstitutionDisplay",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"relspan.plots.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'relspan.plots' has no attribute {name!r}")
