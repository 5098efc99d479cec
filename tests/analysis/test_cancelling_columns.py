"""Weights that others cancel: the slope of a score on a feature, the thresholds drawn from it, and their effect."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.analysis import cancelling_columns
from relspan.analysis.cancelling_columns import slope_ranges, slopes
from relspan.engines.simplex.exact_engine import least_norm
from relspan.explore.explorer import history_of
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


def crowd(n: int, d: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 1)) + 0.5 * rng.standard_normal((n, d))


def test_it_is_the_slope_of_the_score_on_the_feature(monkeypatch) -> None:
    monkeypatch.setattr(cancelling_columns, "CHANCE_CORRELATION", 0.0)
    X, w = crowd(40, 5, 0), np.random.default_rng(1).standard_normal(5)
    weight = np.random.default_rng(2).uniform(0.5, 2, 40)
    for sample_weight in (None, weight):
        found = slopes(X, np.arange(5), sample_weight) @ w
        expected = [
            np.polyfit(X[:, j], X @ w, 1, w=None if sample_weight is None else np.sqrt(weight))[0] for j in range(5)
        ]
        np.testing.assert_allclose(found, expected)


def test_without_correlation_it_is_the_weight() -> None:
    X = np.random.default_rng(0).standard_normal((200, 6))
    np.testing.assert_array_equal(slopes(X, np.arange(6)), np.eye(6))


def test_sparse_tables_have_the_same() -> None:
    X = crowd(60, 5, 0) * (np.random.default_rng(1).random((60, 5)) < 0.5)
    np.testing.assert_allclose(slopes(sparse.csr_array(X), np.array([1, 3])), slopes(X, np.array([1, 3])))


def test_scale_and_place_of_the_columns_carry_over() -> None:
    X, c = crowd(60, 4, 3), np.array([1.0, 10.0, 0.1, 3.0])
    np.testing.assert_allclose(slopes(X * c + 5, np.arange(4)), slopes(X, np.arange(4)) * c / c[:, None], atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("correlation", [0.5, 0.8, 0.95])
def test_irrelevant_columns_that_correlate_are_irrelevant(correlation: float, seed: int) -> None:
    data = simulate(300, 4, 4, 20, correlated_irrelevant=correlation, random_state=seed)
    model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    assert (np.asarray(model.relevance_)[data.truth > 0] > 0).all()
    assert (np.asarray(model.relevance_)[data.truth == 0] == 0).all()


@pytest.mark.slow
def test_what_was_cancelled_is_said_and_proven() -> None:
    data = simulate(300, 4, 4, 20, correlated_irrelevant=0.9, random_state=0)
    with pytest.warns(UserWarning, match="correlated columns can cancel their weights"):
        model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    analysis = history_of(model.explore()).problem.analysis
    family, tau = analysis.family, analysis.upper_threshold
    raised = np.flatnonzero(analysis.feature_thresholds > tau)
    assert len(raised)
    np.testing.assert_allclose(
        analysis.feature_thresholds[raised], tau + (family.largest_norm - least_norm(family)) / 2, rtol=1e-6
    )
    slope = slopes(analysis.problem.X, raised)
    models = analysis.ranges.extremes.models_of(slice(None))[:, : family.n_features]
    assert np.abs(models @ slope.T).max() <= tau * (1 + 1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_small_columns_are_cancelled_by_large_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    real, z = rng.standard_normal((200, 3)), rng.standard_normal((200, 5))
    X = np.column_stack([real, z, 10 * (z + 0.03 * rng.standard_normal((200, 5)))])
    y = real.sum(axis=1) + 0.5 * rng.standard_normal(200)
    found = RelevanceRegressor(random_state=0, standardize=False).fit(X, y)
    assert list(found.relevance_[:3]) == [2, 2, 2]
    assert not found.relevance_[3:].any()


@pytest.mark.slow
def test_a_budget_shared_by_norm_and_loss_is_no_norm_of_a_model() -> None:
    data = simulate(200, 2, 4, 15, correlated_irrelevant=0.9, random_state=0)
    found = RelevanceClassifier(random_state=0, loss_budget="combined").fit(data.X, data.y)
    analysis = history_of(found.explore()).problem.analysis
    norms = np.abs(analysis.ranges.extremes.models_of(slice(None))[:, : data.X.shape[1]]).sum(axis=1)
    assert norms.max() < analysis.family.largest_norm
    room = norms.max() - least_norm(analysis.family)
    assert (analysis.feature_thresholds <= analysis.upper_threshold + room / 2 * (1 + 1e-9)).all()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_difference_of_columns_that_correlate_stays_relevant(seed: int) -> None:
    rng = np.random.default_rng(seed)
    common = rng.standard_normal(400)
    a, b = (common + 0.2 * rng.standard_normal(400) for _ in range(2))
    copy = b + 0.01 * rng.standard_normal(400)
    X = np.column_stack([a, b, copy, rng.standard_normal((400, 5))])
    model = RelevanceClassifier(random_state=0).fit(X, a > b)
    assert list(model.relevance_) == [2, 1, 1, 0, 0, 0, 0, 0]


@pytest.mark.slow
def test_a_regression_on_a_crowd() -> None:
    rng = np.random.default_rng(0)
    X = np.hstack([rng.standard_normal((200, 2)), crowd(200, 10, 1)])
    model = RelevanceRegressor(random_state=0).fit(X, X[:, 0] + X[:, 1] + 0.3 * rng.standard_normal(200))
    assert list(model.relevance_) == [2, 2] + [0] * 10


@pytest.mark.slow
def test_nobody_is_asked_where_no_feature_is_beyond_the_threshold() -> None:
    data = simulate(200, 2, 2, 6, random_state=0)
    analysis = history_of(RelevanceClassifier(random_state=0).fit(data.X, data.y).explore()).problem.analysis
    found = slope_ranges(analysis.family, analysis.problem, analysis.ranges, 1e6)
    np.testing.assert_array_equal(found.thresholds(1e6, np.inf), np.full(10, 1e6))
