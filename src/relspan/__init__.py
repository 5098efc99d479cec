"""Feature relevance intervals over all equally good linear models.

Names are loaded when they are first used, so that ``import relspan`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from relspan.estimators import RejectOptionSVC
    from relspan.explore import Explorer
    from relspan.metric import GMLVQ, LMNN, MetricRelevance
    from relspan.model_audit import audit
    from relspan.omics import annotate_var, from_anndata
    from relspan.result import RelevanceResult
    from relspan.selectors import (
        HITON,
        HITONPC,
        AssociationFilter,
        BranchAndBound,
        ExhaustiveSearch,
        GeneticSearch,
        GreedyWrapper,
        HalvingRFE,
    )
    from relspan.tasks import (
        OrdinalRelevanceClassifier,
        QuantileRelevanceRegressor,
        RejectRelevanceClassifier,
        RelevanceClassifier,
        RelevanceRegressor,
        RelevanceSurvival,
        estimator_for,
        guess_task,
    )

__version__ = "0.1.0.dev0"

_HOMES = {
    "relspan.estimators": ("RejectOptionSVC",),
    "relspan.explore": ("Explorer",),
    "relspan.metric": ("GMLVQ", "LMNN", "MetricRelevance"),
    "relspan.model_audit": ("audit",),
    "relspan.omics": ("annotate_var", "from_anndata"),
    "relspan.result": ("RelevanceResult",),
    "relspan.tasks": (
        "OrdinalRelevanceClassifier",
        "QuantileRelevanceRegressor",
        "RejectRelevanceClassifier",
        "RelevanceClassifier",
        "RelevanceRegressor",
        "RelevanceSurvival",
        "estimator_for",
        "guess_task",
    ),
    "relspan.selectors": (
        "HITON",
        "HITONPC",
        "AssociationFilter",
        "BranchAndBound",
        "ExhaustiveSearch",
        "GeneticSearch",
        "GreedyWrapper",
        "HalvingRFE",
    ),
}

__all__ = [
    "GMLVQ",
    "HITON",
    "HITONPC",
    "LMNN",
    "AssociationFilter",
    "BranchAndBound",
    "ExhaustiveSearch",
    "Explorer",
    "GeneticSearch",
    "GreedyWrapper",
    "HalvingRFE",
    "MetricRelevance",
    "OrdinalRelevanceClassifier",
    "QuantileRelevanceRegressor",
    "RejectOptionSVC",
    "RejectRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceRegressor",
    "RelevanceResult",
    "RelevanceSurvival",
    "annotate_var",
    "audit",
    "estimator_for",
    "from_anndata",
    "guess_task",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'relspan' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
