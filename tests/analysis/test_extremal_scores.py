"""The score over all extremal models: that of each model at an end, by whatever loss, and shown with the result."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

from relspan import (
    OrdinalRelevanceClassifier,
    QuantileRelevanceRegressor,
    RejectRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from relspan.errors import RelspanWarning
from relspan.result import RelevanceResult
from relspan.show.account import by_key
from relspan.simulate import simulate

ESTIMATORS = {
    RelevanceClassifier: "classification",
    RejectRelevanceClassifier: "classification",
    OrdinalRelevanceClassifier: "ordinal",
    RelevanceRegressor: "regression",
    QuantileRelevanceRegressor: "regression",
}


def drawn(task: str, irrelevant: int = 2):
    return simulate(80, strong=1, weak=2, irrelevant=irrelevant, task=task, target_noise=0.3, random_state=0)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_task_reports_the_scores_of_its_extremal_models(estimator):
    data = drawn(ESTIMATORS[estimator])
    found = estimator(random_state=0).fit(data.X, data.y).result_.extremal_scores
    assert found["models"] == 2 * data.X.shape[1]
    assert found["least"] <= found["mean"] <= found["largest"] <= 1
    assert 0 <= found["sd"] <= found["largest"] - found["least"]


def test_several_weights_per_feature_have_two_models_each():
    data = drawn("classification", irrelevant=1)
    y = np.digitize(data.X[:, 0], [-0.5, 0.5])
    found = RelevanceClassifier(random_state=0).fit(data.X, y).result_.extremal_scores
    assert found["models"] == 2 * 3 * data.X.shape[1]


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_the_scores_are_those_of_the_certified_models(loss):
    data = drawn("classification")
    result = RelevanceClassifier(random_state=0, loss=loss).fit(data.X, data.y).result_
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    models = result.certificates.extremes.models_of(np.arange(2 * X.shape[1]))
    scores = [f1_score(data.y, X @ model[:-1] + model[-1] > 0, average="weighted") for model in models]
    found = result.extremal_scores
    assert [found[key] for key in ("mean", "sd", "least", "largest")] == pytest.approx(
        [np.mean(scores), np.std(scores), min(scores), max(scores)]
    )


def test_the_scores_are_in_json_and_in_the_account_and_not_under_pins():
    data = drawn("classification")
    fitted = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    result = fitted.result_
    assert RelevanceResult.from_json(result.to_json()).extremal_scores == result.extremal_scores
    sentence = by_key(result)["ends"].sentence
    assert f"mean weighted F1 of {result.extremal_scores['mean']:.3f}" in sentence
    pinned = fitted.explore().pin("x0", "max").result
    assert pinned.extremal_scores == {}
    assert "ends" not in by_key(pinned)


def test_where_no_feature_helps_there_are_no_extremal_models():
    data = drawn("classification")
    noise = np.random.default_rng(0).standard_normal((80, 3))
    with pytest.warns(RelspanWarning, match="No feature helps"):
        result = RelevanceClassifier(random_state=0, C=1e-3).fit(noise, data.y).result_
    assert result.is_null
    assert result.extremal_scores == {}
