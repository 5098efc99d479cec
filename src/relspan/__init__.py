"""Feature relevance intervals over all equally good linear models."""

from relspan.estimators import RelevanceClassifier
from relspan.result import RelevanceResult

__version__ = "0.1.0.dev0"

__all__ = ["RelevanceClassifier", "RelevanceResult"]
