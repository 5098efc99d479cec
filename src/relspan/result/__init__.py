"""What an analysis found, frozen and in the reader's units.

result         RelevanceResult: every feature's interval and class, and what led to them
verification   Certificates: the proofs behind the intervals
answer_table   AnswerTable: the data frame, the line and the notebook table of every answer
record         the one JSON form, and its schema version
pin_effect     PinEffect: what pins do to one feature
from_analysis  from an analysis, in columns and weights, to a result, in names and shares
"""

from relspan.result.answer_table import AnswerTable
from relspan.result.feature_relevance import CLASSES, FeatureRelevance, GroupRelevance
from relspan.result.pin_effect import PIN_OUTCOMES, PinEffect
from relspan.result.record import SCHEMA_VERSION, current_versions
from relspan.result.result import RelevanceResult
from relspan.result.verification import Certificates

__all__ = [
    "CLASSES",
    "PIN_OUTCOMES",
    "SCHEMA_VERSION",
    "AnswerTable",
    "Certificates",
    "FeatureRelevance",
    "GroupRelevance",
    "PinEffect",
    "RelevanceResult",
    "current_versions",
]
