"""The quantile task: classes, coverage and proofs at .1, .5 and .9, on simulated data whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import d2_pinball_score

from relspan import QuantileRelevanceRegressor, estimator_for
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.result import RelevanceResult
from relspan.simulate import simulate

QUANTILES = (0.1, 0.5, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize("q", QUANTILES)
@pytest.mark.parametrize("noise", [0.1, 0.5])
def test_known_classes_are_found_and_predictions_cover_the_quantile(q: float, noise: float) -> None:
    data = simulate(200, strong=2, weak=4, irrelevant=10, task="regression", target_noise=noise, random_state=0)
    found = QuantileRelevanceRegressor(quantile=q, random_state=0).fit(data.X, data.y)
    assert found.relevance_.tolist() == data.truth.tolist()
    assert found.result_.task == "quantile"
    predicted = found.predict(data.X)
    # between the first and the last sample that the best model hits exactly lies the quantile itself
    hit = np.isclose(data.y, predicted, atol=1e-7)
    below = data.y < predicted
    assert (below & ~hit).mean() - 1e-9 <= q <= (below | hit).mean() + 1e-9
    assert abs((data.y <= predicted).mean() - q) < 0.05
    assert found.score(data.X, data.y) == pytest.approx(d2_pinball_score(data.y, predicted, alpha=q), abs=1e-3)
    assert found.result_.certificates.verify() < 2e-6
    assert found.result_.largest_gap < 1e-6


@pytest.mark.slow
def test_new_samples_are_covered_too() -> None:
    rng = np.random.default_rng(1)
    X = rng.standard_normal((2400, 3))
    y = X[:, 0] + rng.standard_normal(2400)
    for q in QUANTILES:
        found = QuantileRelevanceRegressor(quantile=q, C=1.0, n_probes=5, random_state=0).fit(X[:400], y[:400])
        assert abs((y[400:] <= found.predict(X[400:])).mean() - q) < 0.03


@pytest.mark.slow
def test_a_feature_can_matter_for_large_values_alone() -> None:
    """y = x0 + e below its middle and x0 + (2 + x1) e above: the quantile .9 depends on x1, .1 does not."""
    rng = np.random.default_rng(0)
    X = np.clip(rng.standard_normal((600, 4)), -2, 2)
    e = rng.standard_normal(600)
    y = X[:, 0] + np.where(e > 0, (2 + X[:, 1]) * e, e)
    high, low = (
        QuantileRelevanceRegressor(quantile=q, random_state=0).fit(X, y).relevance_.tolist() for q in (0.9, 0.1)
    )
    assert high[:2] == [2, 2]
    assert low[:2] == [2, 0]


@pytest.mark.slow
def test_the_median_is_regression_without_a_dead_zone() -> None:
    data = simulate(100, strong=2, weak=2, irrelevant=3, task="regression", target_noise=0.2, random_state=0)
    same = {"n_probes": 10, "random_state": 0, "delta_loss": 0.01, "engine": "exact"}
    median = estimator_for("quantile", C=1.0, **same).fit(data.X, data.y)
    absolute = estimator_for("regression", C=0.5, epsilon=0.0, **same).fit(data.X, data.y)  # twice the loss
    np.testing.assert_allclose(median.intervals_, absolute.intervals_, atol=1e-7)
    np.testing.assert_array_equal(median.relevance_, absolute.relevance_)


def test_a_session_is_explored_saved_and_loaded(tmp_path) -> None:
    data = simulate(80, strong=1, weak=2, irrelevant=2, task="regression", target_noise=0.2, random_state=0)
    found = QuantileRelevanceRegressor(quantile=0.8, n_probes=10, random_state=0).fit(data.X, data.y)
    explorer = found.explore()
    explorer.pin("x1", (0, 0.0))
    assert explorer.result["x2"].under_pins.words == "needed"
    explorer.save(tmp_path / "session.json")
    again = Explorer.load(tmp_path / "session.json")
    assert again.result["x2"].min == pytest.approx(explorer.result["x2"].min)
    assert RelevanceResult.from_json(found.result_.to_json()).baseline["loss_function"]["quantile"] == 0.8


@pytest.mark.parametrize("wrong", [0, 1, -0.1, 1.5, np.nan, "0.5", None, True])
def test_a_quantile_that_means_nothing_is_refused(wrong: object) -> None:
    with pytest.raises(ParameterError, match="quantile must be a number above 0 and below 1"):
        QuantileRelevanceRegressor(quantile=wrong).fit(np.eye(8), np.arange(8.0))
