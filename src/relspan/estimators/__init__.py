"""The scikit-learn skin: each estimator is a predictor (the baseline) and a selector (the relevant features)."""

from relspan.estimators.classifier import RelevanceClassifier
from relspan.estimators.multiclass import MulticlassRelevanceClassifier
from relspan.estimators.ordinal import OrdinalRelevanceClassifier
from relspan.estimators.regressor import RelevanceRegressor
from relspan.estimators.reject import RejectRelevanceClassifier
from relspan.estimators.reject_svc import RejectOptionSVC

__all__ = [
    "MulticlassRelevanceClassifier",
    "OrdinalRelevanceClassifier",
    "RejectOptionSVC",
    "RejectRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceRegressor",
]
