"""What an analysis found, frozen and in the reader's units.

result          RelevanceResult: every feature's interval and class, and what led to them
verification    Certificates: the proofs behind the intervals
answer_table    AnswerTable: the data frame, the line and the notebook table of every answer
record          the one JSON form, and its schema version
result_changes  ResultChanges: what differs between two results, and why
pin_effect      PinEffect: what pins do to one feature
category_features  the columns of a category as one feature
from_analysis   from an analysis, in columns and weights, to a result, in names and shares
"""

from relspan.result.answer_table import AnswerTable
from relspan.result.feature_relevance import CLASSES, FeatureRelevance, GroupRelevance
from relspan.result.pin_effect import PIN_OUTCOMES, PinEffect
from relspan.result.record import SCHEMA_VERSION, current_versions
from relspan.result.result import RelevanceResult
from relspan.result.result_changes import FeatureChange, ResultChanges
from relspan.result.verification import Certificates

__all__ = [
    "CLASSES",
    "PIN_OUTCOMES",
    "SCHEMA_VERSION",
    "AnswerTable",
    "Certificates",
    "FeatureChange",
    "FeatureRelevance",
    "GroupRelevance",
    "PinEffect",
    "RelevanceResult",
    "ResultChanges",
    "current_versions",
]
