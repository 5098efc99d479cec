"""Regression and ordered classes, as a person uses them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from relspan import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from relspan.errors import DataError, ParameterError
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
QUICK = {"C": 0.5, "n_probes": 5, "random_state": 0}


def small(task: str, n: int = 60):
    return simulate(n, strong=2, weak=2, irrelevant=3, task=task, target_noise=0.1, random_state=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "estimator"), [("regression", RelevanceRegressor), ("ordinal", OrdinalRelevanceClassifier)]
)
def test_known_classes_are_found(task: str, estimator) -> None:
    data = simulate(150, strong=2, weak=2, irrelevant=4, task=task, random_state=0)
    found = estimator(random_state=0).fit(pd.DataFrame(data.X, columns=list(data.names)), data.y)
    assert found.relevance_.tolist() == data.truth.tolist()
    assert found.score(pd.DataFrame(data.X, columns=list(data.names)), data.y) > 0.95
    assert found.result_.task == task
    assert found.result_.largest_gap < 1e-6
    assert found.result_.certificates.verify() < 1e-6


@pytest.mark.slow
def test_two_ordered_classes_give_the_binary_answer() -> None:
    data = small("classification")
    ordinal = OrdinalRelevanceClassifier(random_state=0, n_probes=10).fit(data.X, data.y)
    binary = RelevanceClassifier(random_state=0, n_probes=10).fit(data.X, data.y)
    np.testing.assert_allclose(ordinal.intervals_, binary.intervals_, atol=1e-7)
    np.testing.assert_allclose(ordinal.signed_intervals_, binary.signed_intervals_, atol=1e-7)
    assert ordinal.result_.thresholds == pytest.approx(binary.result_.thresholds)
    np.testing.assert_array_equal(ordinal.predict(data.X), binary.predict(data.X))


@pytest.mark.slow
def test_the_names_of_ordered_classes_do_not_matter() -> None:
    data = small("ordinal")
    numbers = OrdinalRelevanceClassifier(**QUICK).fit(data.X, data.y)
    labels = np.array(["a", "ab", "b", "k", "z"])[data.y]
    with_gaps = np.array([-7, 0, 3, 100, 1000])[data.y]
    for y in (labels, with_gaps):
        other = OrdinalRelevanceClassifier(**QUICK).fit(data.X, y)
        np.testing.assert_array_equal(other.intervals_, numbers.intervals_)
        assert other.score(data.X, y) == numbers.score(data.X, data.y)
        np.testing.assert_array_equal(np.searchsorted(other.classes_, other.predict(data.X)), numbers.predict(data.X))


def test_ordinal_scores_are_told_apart() -> None:
    data = small("ordinal")
    found = OrdinalRelevanceClassifier(**QUICK).fit(data.X, data.y)
    wrong = found.predict(data.X) != data.y
    assert found.score(data.X, data.y, kind="zero_one") == pytest.approx(1 - wrong.mean())
    error = np.abs(found.predict(data.X) - data.y)
    assert found.score(data.X, data.y, kind="mae") == pytest.approx(1 - error.mean() / 4)
    macro = np.mean([error[data.y == k].mean() for k in range(5)])
    assert found.score(data.X, data.y) == pytest.approx(1 - macro / 4)
    with pytest.raises(ParameterError, match="macro_mae, mae, zero_one"):
        found.score(data.X, data.y, kind="mse")
    with pytest.raises(DataError, match="not among the classes"):
        found.score(data.X, data.y + 1)


def test_thresholds_are_ordered_and_cut_the_score() -> None:
    data = small("ordinal")
    found = OrdinalRelevanceClassifier(**QUICK).fit(data.X, data.y)
    assert (np.diff(found.thresholds_) >= 0).all()
    score = data.X @ found.coef_[0]
    np.testing.assert_array_equal(np.searchsorted(found.thresholds_, score), found.predict(data.X))


def test_the_unit_of_a_number_does_not_matter() -> None:
    data = small("regression")
    metres = RelevanceRegressor(C=0.5, epsilon=0.2, n_probes=5, random_state=0).fit(data.X, data.y)
    centimetres = RelevanceRegressor(C=0.5, epsilon=20, n_probes=5, random_state=0).fit(data.X, 100 * data.y + 7)
    np.testing.assert_allclose(centimetres.intervals_, metres.intervals_, atol=1e-7)
    np.testing.assert_allclose(centimetres.predict(data.X), 100 * metres.predict(data.X) + 7, atol=1e-5)


@pytest.mark.slow
def test_epsilon_is_chosen_with_the_cost_or_kept() -> None:
    data = small("regression")
    chosen = RelevanceRegressor(n_probes=5, random_state=0).fit(data.X, data.y)
    assert chosen.epsilon_ / data.y.std() == pytest.approx(0.0) or chosen.epsilon_ > 0
    assert chosen.result_.baseline["loss_function"] == {"name": "epsilon-insensitive", "epsilon": chosen.epsilon_}
    kept = RelevanceRegressor(C=1.0, epsilon=0.25, n_probes=5, random_state=0).fit(data.X, data.y)
    assert (kept.C_, kept.epsilon_) == (1.0, 0.25)
    only_epsilon_open = RelevanceRegressor(C=1.0, n_probes=5, random_state=0).fit(data.X, data.y)
    assert only_epsilon_open.C_ == 1.0


@pytest.mark.parametrize(
    ("parameters", "said"),
    [({"epsilon": -1.0}, "epsilon must be a number of at least 0"), ({"epsilon": 1e6}, "as wide as the target itself")],
)
def test_an_epsilon_that_means_nothing_is_refused(parameters: dict[str, float], said: str) -> None:
    data = small("regression")
    with pytest.raises(ParameterError, match=said):
        RelevanceRegressor(**parameters).fit(data.X, data.y)


def test_targets_without_content_are_refused() -> None:
    data = small("regression")
    with pytest.raises(DataError, match="the target is constant"):
        RelevanceRegressor().fit(data.X, np.ones(60))
    with pytest.raises(DataError, match="one class only"):
        OrdinalRelevanceClassifier().fit(data.X, np.ones(60))
    with pytest.raises(DataError, match="needs 3 of each class"):
        OrdinalRelevanceClassifier().fit(data.X, np.r_[np.arange(2), np.zeros(58)])
