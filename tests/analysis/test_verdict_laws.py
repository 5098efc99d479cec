"""Laws of the verdicts: what may not change a class, and what may change it in one direction only."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from relspan import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
SEEDS = range(4)


def table(seed: int, n: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Two strong columns, three substitutes, noise, and every tenth label wrong."""
    data = simulate(n, strong=2, weak=3, irrelevant=5, flips=0.1, random_state=seed)
    return data.X, data.y


def classes(X: np.ndarray, y: np.ndarray, **options: object) -> np.ndarray:
    return np.asarray(RelevanceClassifier(random_state=0, **options).fit(X, y).relevance_)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_larger_budget_never_makes_a_feature_strong(seed: int) -> None:
    X, y = table(seed)
    for name, values in {"delta_loss": (0.001, 0.0199, 0.02, 0.1), "delta_norm": (0.01, 0.1, 0.3)}.items():
        strong = [classes(X, y, C=0.3, **{name: value}) == 2 for value in values]
        for smaller, larger in pairwise(strong):
            assert not (larger & ~smaller).any()


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_units_labels_weights_and_the_order_of_columns_and_rows_change_nothing(seed: int) -> None:
    X, y = table(seed)
    rng = np.random.default_rng(seed)
    fitted = RelevanceClassifier(random_state=0).fit(X, y)
    expected = fitted.relevance_
    factors = rng.choice([-1.0, 1.0], X.shape[1]) * 10.0 ** rng.integers(-3, 4, X.shape[1])
    np.testing.assert_array_equal(classes(X * factors + rng.standard_normal(X.shape[1]), y), expected)
    np.testing.assert_array_equal(classes(X, 1 - y), expected)
    doubled = RelevanceClassifier(random_state=0).fit(X, y, sample_weight=np.full(len(y), 2.0))
    np.testing.assert_array_equal(doubled.relevance_, expected)
    order = rng.permutation(X.shape[1])
    np.testing.assert_array_equal(classes(X[:, order], y), expected[order])
    rows = rng.permutation(len(y))
    np.testing.assert_array_equal(classes(X[rows], y[rows]), expected)
    evidence = [feature.evidence for feature in fitted.result_.features]
    other = RelevanceClassifier(random_state=0).fit(X[:, order], y).result_.features
    np.testing.assert_allclose([feature.evidence for feature in other], np.array(evidence)[order], rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [RelevanceClassifier, RelevanceRegressor, OrdinalRelevanceClassifier])
def test_rounding_noise_is_never_relevant(estimator: type) -> None:
    """A column that differs from a constant by rounding alone, and the difference of two equal columns."""
    X, y = table(0)
    rng = np.random.default_rng(0)
    rounding = 1e6 + 1e-10 * rng.standard_normal(len(y))
    third = X[:, 0] / 3.0
    difference = X[:, 0] - (third + third + third)
    found = estimator(random_state=0).fit(np.column_stack([X, rounding, difference]), y)
    assert found.relevance_[-2] == 0
    assert found.relevance_[-1] == 0
    assert found.relevance_[0] > 0


@pytest.mark.slow
def test_a_need_that_only_the_norm_budget_makes_is_weak_and_flagged() -> None:
    """a = b + c, and y on b: without b, a - c does the same at twice the norm."""
    rng = np.random.default_rng(3)
    b, c, other = rng.standard_normal((3, 300))
    X = np.column_stack([b + c, b, c, other, rng.standard_normal((300, 5))])
    y = 1.5 * b - other + 0.5 * rng.standard_normal(300) > 0
    result = RelevanceClassifier(random_state=0).fit(X, y).result_
    needed = result.features[1]
    assert needed.min > result.thresholds["strong"]
    assert needed.relevance == "weak"
    assert needed.norm_made
    assert result.features[3].relevance == "strong"
    assert not result.features[3].norm_made
    assert any("norm budget" in warning and "x1" in warning for warning in result.warnings)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_two_near_copies_whose_difference_decides_are_both_strong(seed: int) -> None:
    """Neither moves with the target alone, and together they leave nothing to move with; but each is needed."""
    rng = np.random.default_rng(seed)
    before, other = rng.standard_normal((2, 300))
    after = before + 0.2 * rng.standard_normal(300)
    y = after - before + 0.05 * rng.standard_normal(300) > 0
    assert classes(np.column_stack([before, after, other]), y).tolist() == [2, 2, 0]


def test_relevant_by_the_line_that_the_result_states() -> None:
    X, y = table(1, n=300)
    result = RelevanceClassifier(random_state=0).fit(X, y).result_
    line = result.thresholds["evidence"]
    assert 0.75 <= line <= 1.0
    assert result.names("strong")
    assert result.names("weak")
    for feature in result.features:
        assert feature.evidence is not None
        assert feature.route in ("reach", "association", "need", "cluster")
        if feature.evidence > line:
            assert feature.relevance != "irrelevant"
        if feature.relevance == "weak":
            assert feature.evidence > line
    substitutes = set(result.names("weak"))
    assert all(set(result[name].cluster) == substitutes - {name} for name in substitutes)
