"""The scikit-learn skin: each estimator is a predictor (the baseline) and a selector (the relevant features)."""

from relspan.estimators.classifier import RelevanceClassifier
from relspan.estimators.ordinal import OrdinalRelevanceClassifier
from relspan.estimators.regressor import RelevanceRegressor

__all__ = ["OrdinalRelevanceClassifier", "RelevanceClassifier", "RelevanceRegressor"]
