"""What the estimators of all tasks share, and the plain learners that are not about relevance."""

from relspan.estimators.base import RelevanceEstimator
from relspan.estimators.reject_svc import RejectOptionSVC

__all__ = ["RejectOptionSVC", "RelevanceEstimator"]
