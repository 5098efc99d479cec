"""The scikit-learn skin: each estimator is a predictor (the baseline) and a selector (the relevant features)."""

from relspan.estimators.classifier import RelevanceClassifier

__all__ = ["RelevanceClassifier"]
