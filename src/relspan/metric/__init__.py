"""Metric learners, and the relevance intervals of any learned linear map."""

from relspan.metric.gmlvq import GMLVQ
from relspan.metric.lmnn import LMNN
from relspan.metric.metric_relevance import MetricRelevance

__all__ = ["GMLVQ", "LMNN", "MetricRelevance"]
