"""Weights: a whole sample weight equals repeated rows; class weights equal sample weights."""

from __future__ import annotations

import numpy as np
import pytest

from relspan import (
    OrdinalRelevanceClassifier,
    QuantileRelevanceRegressor,
    RelevanceClassifier,
    RelevanceRegressor,
    RelevanceSurvival,
)
from relspan.errors import ParameterError
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
TASKS = {
    "classification": RelevanceClassifier,
    "regression": RelevanceRegressor,
    "ordinal": OrdinalRelevanceClassifier,
    "quantile": QuantileRelevanceRegressor,
    "survival": RelevanceSurvival,
}


def small(task: str):
    kind = "regression" if task == "quantile" else task
    return simulate(50, strong=2, weak=2, irrelevant=2, task=kind, target_noise=0.3, random_state=3)


@pytest.mark.slow
@pytest.mark.parametrize("task", sorted(TASKS))
def test_whole_weights_equal_repeated_rows(task: str) -> None:
    data = small(task)
    times = np.random.default_rng(0).integers(0, 4, 50)
    again = np.repeat(np.arange(50), times)
    options = {"C": 0.7, "n_probes": 5, "random_state": 0}
    own = {"regression": {"epsilon": 0.3}, "quantile": {"quantile": 0.8}, "survival": {"partners": None}}
    options |= own.get(task, {})
    weighted = TASKS[task](**options).fit(data.X, data.y, sample_weight=times)
    repeated = TASKS[task](**options).fit(data.X[again], data.y[again])
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-6)
    np.testing.assert_allclose(weighted.signed_intervals_, repeated.signed_intervals_, atol=1e-6)
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-6)
    assert weighted.result_.baseline["null_loss"] == pytest.approx(repeated.result_.baseline["null_loss"])


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classification", "ordinal"])
def test_balanced_classes_are_samples_weighted_by_the_rarity_of_their_class(task: str) -> None:
    data = simulate(
        60,
        strong=2,
        weak=2,
        irrelevant=2,
        task=task,
        classes=(0.8, 0.2) if task == "classification" else (0.6, 0.3, 0.1),
        target_noise=0.3,
        random_state=3,
    )
    counts = np.bincount(data.y)
    by_hand = (60 / (len(counts) * counts))[data.y]
    options = {"C": 0.7, "n_probes": 5, "random_state": 0, "standardize": False}
    balanced = TASKS[task](class_weight="balanced", **options).fit(data.X, data.y)
    weighted = TASKS[task](**options).fit(data.X, data.y, sample_weight=by_hand)
    explicit = TASKS[task](class_weight=dict(enumerate(60 / (len(counts) * counts))), **options).fit(data.X, data.y)
    plain = TASKS[task](**options).fit(data.X, data.y)
    np.testing.assert_allclose(balanced.intervals_, weighted.intervals_, atol=1e-7)
    np.testing.assert_allclose(explicit.intervals_, weighted.intervals_, atol=1e-7)
    assert np.abs(balanced.intervals_ - plain.intervals_).max() > 1e-3


@pytest.mark.parametrize(
    ("given", "said"),
    [("even", "'balanced' or a dict"), ({7: 2.0}, "not among the classes"), ({0: -1.0}, "positive and finite")],
)
def test_class_weights_that_mean_nothing_are_refused(given: object, said: str) -> None:
    data = small("classification")
    with pytest.raises(ParameterError, match=said):
        RelevanceClassifier(class_weight=given).fit(data.X, data.y)
