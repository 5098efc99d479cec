"""What an analysis found, frozen and in the reader's units."""

from relspan.result.result import (
    Certificates,
    FeatureRelevance,
    GroupRelevance,
    RelevanceResult,
    current_versions,
    interval_bar,
)

__all__ = [
    "Certificates",
    "FeatureRelevance",
    "GroupRelevance",
    "RelevanceResult",
    "current_versions",
    "interval_bar",
]
