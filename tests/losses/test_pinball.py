"""The pinball loss: its rows, its constant, its score, and scikit-learn's quantile regression as the slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import QuantileRegressor
from sklearn.metrics import d2_pinball_score, mean_pinball_loss
from sklearn.model_selection import KFold

from problems import ENGINES_HERE
from relspan.analysis.baseline import best_models, fit_baseline, null_loss
from relspan.analysis.intervals import feature_ranges
from relspan.family.budgets import family_of
from relspan.losses import Pinball
from relspan.losses.residual_loss import weighted_quantile

QUANTILES = (0.1, 0.5, 0.9)
rng = np.random.default_rng(0)
X = rng.standard_normal((60, 4))
T = 2 * X[:, 0] - X[:, 1] + 0.5 * rng.standard_normal(60)
COSTS = rng.integers(1, 4, 60).astype(float)


@pytest.mark.parametrize("q", QUANTILES)
def test_rows_are_the_formula(q: float) -> None:
    w, b = rng.standard_normal(4), np.array([0.3])
    by_hand = 60 * mean_pinball_loss(T, X @ w + b[0], alpha=q)
    assert Pinball(q).rows(X, T).loss(w, b) == pytest.approx(by_hand)
    weighted = COSTS.sum() * mean_pinball_loss(T, X @ w + b[0], alpha=q, sample_weight=COSTS)
    assert Pinball(q).rows(X, T, COSTS).loss(w, b) == pytest.approx(weighted)


@pytest.mark.parametrize("q", QUANTILES)
def test_the_null_model_is_the_quantile(q: float) -> None:
    rows = Pinball(q).rows(X, T, COSTS)
    constant = weighted_quantile(T, COSTS, q)
    assert constant == pytest.approx(np.quantile(np.repeat(T, COSTS.astype(int)), q, method="inverted_cdf"))
    assert null_loss(rows) == pytest.approx(rows.loss(np.zeros(4), np.array([constant])))
    nearby = [rows.loss(np.zeros(4), np.array([b])) for b in np.linspace(T.min(), T.max(), 201)]
    assert null_loss(rows) <= min(nearby) + 1e-9


@pytest.mark.parametrize("q", QUANTILES)
@pytest.mark.parametrize("C", [0.25, 0.5, 5.0])
def test_the_best_model_is_that_of_scikit_learn(q: float, C: float) -> None:
    """||w||_1 + C sum of losses  is  C n  times  mean loss + ||w||_1 / (C n)."""
    best = fit_baseline(Pinball(q), X, T, None, C, KFold(3))
    twin = QuantileRegressor(quantile=q, alpha=1 / (C * 60)).fit(X, T)
    objective = np.abs(twin.coef_).sum() + C * 60 * mean_pinball_loss(T, twin.predict(X), alpha=q)
    assert best.norm + C * best.loss == pytest.approx(objective, rel=1e-6)
    np.testing.assert_allclose(best.weights, twin.coef_, atol=1e-5)


@pytest.mark.parametrize("q", QUANTILES)
def test_the_score_is_the_share_of_loss_explained(q: float) -> None:
    predicted = T + 0.3 * rng.standard_normal(60)
    by_hand = 1 - mean_pinball_loss(T, predicted, alpha=q) / mean_pinball_loss(
        T, np.full(60, weighted_quantile(T, np.ones(60), q)), alpha=q
    )
    assert Pinball(q).score(T, predicted) == pytest.approx(by_hand)
    assert Pinball(q).score(T, predicted) == pytest.approx(d2_pinball_score(T, predicted, alpha=q))
    again = np.repeat(np.arange(60), COSTS.astype(int))
    assert Pinball(q).score(T, predicted, COSTS) == pytest.approx(Pinball(q).score(T[again], predicted[again]))
    assert Pinball(q).score(T, T) == 1
    assert Pinball(q).score(np.ones(3), np.ones(3)) == 1
    assert Pinball(q).score(np.ones(3), np.zeros(3)) == 0


@pytest.mark.parametrize("q", QUANTILES)
def test_below_the_foot_of_the_grid_no_feature_is_used(q: float) -> None:
    rows, foot = Pinball(q).rows(X, T), Pinball(q).smallest_C(X, T)
    below, above = (model for model, _ in best_models(rows, foot * np.array([0.5, 2.0])))
    assert np.abs(below[:4]).max() < 1e-9
    assert np.abs(above[:4]).max() > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_engines_agree_and_certify(engine: str) -> None:
    loss = Pinball(0.8)
    best = fit_baseline(loss, X[:30], T[:30], None, 0.5, KFold(3))
    family = family_of(loss.rows(X[:30], T[:30]), best, 0.1, 0.05, "explained")
    ranges, exact = feature_ranges(family, engine), feature_ranges(family, "exact")
    np.testing.assert_allclose(ranges.lo, exact.lo, atol=2e-6 * best.norm)
    np.testing.assert_allclose(ranges.hi, exact.hi, atol=2e-6 * best.norm)
    assert ranges.gaps.max() <= 2e-6 * best.norm
