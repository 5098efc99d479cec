"""Hinge rows, and the hinge loss as such rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score, hinge_loss

from problems import two_classes
from relspan.analysis.baseline import null_loss
from relspan.family import empty_rows
from relspan.losses import Hinge
from relspan.losses.multiclass import MulticlassHinge


def test_the_loss_is_the_sum_of_hinges() -> None:
    X, y = two_classes(30, 4, seed=0)
    rng = np.random.default_rng(0)
    rows = Hinge().rows(X, y)
    for _ in range(10):
        w, b = rng.standard_normal(4), rng.standard_normal(1)
        assert rows.loss(w, b) == pytest.approx(30 * hinge_loss(y, X @ w + b[0]), rel=1e-12)
        np.testing.assert_allclose(rows.slack(w, b), 1 - y * (X @ w + b[0]))


def test_a_sample_weight_multiplies_the_cost() -> None:
    X, y = two_classes(30, 4, seed=1)
    rng = np.random.default_rng(1)
    v, w, b = rng.random(30), rng.standard_normal(4), rng.standard_normal(1)
    plain, weighted = Hinge().rows(X, y), Hinge().rows(X, y, v)
    np.testing.assert_array_equal(weighted.costs, v)
    assert weighted.loss(w, b) == pytest.approx(float(v @ np.maximum(0, plain.slack(w, b))), rel=1e-12)


def test_sparse_columns_give_the_same_rows() -> None:
    X, y = two_classes(30, 4, seed=2)
    dense, thin = Hinge().rows(X, y), Hinge().rows(sparse.csr_array(X), y)
    np.testing.assert_allclose(thin.features.toarray(), dense.features)
    w, b = np.arange(4.0), np.array([0.5])
    assert thin.loss(w, b) == pytest.approx(dense.loss(w, b))


@pytest.mark.parametrize("weighted", [False, True])
def test_the_null_loss_is_the_best_offset_alone(weighted: bool) -> None:
    X, y = two_classes(31, 2, seed=3, flips=0.4)
    v = np.random.default_rng(3).random(31) if weighted else None
    rows = Hinge().rows(X, y, v)
    by_hand = min(rows.loss(np.zeros(2), np.array([b])) for b in np.linspace(-2, 2, 401))
    assert null_loss(rows) == pytest.approx(by_hand, rel=1e-12)


def test_predictions_and_their_score() -> None:
    X, y = two_classes(40, 3, seed=4)
    predicted = Hinge().predict(X, np.array([1.0, -1.0, 0.0]), np.array([0.2]))
    np.testing.assert_array_equal(predicted, np.where(X[:, 0] - X[:, 1] + 0.2 > 0, 1, -1))
    v = np.random.default_rng(4).random(40)
    by_hand = sum(v[y == c].sum() / v.sum() * f1_score(y, predicted, pos_label=c, sample_weight=v) for c in (-1, 1))
    assert Hinge().score(y, predicted, v) == pytest.approx(by_hand)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_score_of_several_classes_is_that_of_scikit_learn(weighted: bool) -> None:
    """Also where a class is never predicted, and where one is predicted that no sample has."""
    rng = np.random.default_rng(6)
    y, predicted = rng.integers(0, 4, 50).astype(float), rng.integers(1, 5, 50).astype(float)
    v = rng.random(50) if weighted else None
    wanted = f1_score(y, predicted, average="weighted", sample_weight=v, zero_division=0.0)
    assert MulticlassHinge(5).score(y, predicted, v) == pytest.approx(wanted, rel=1e-12)


def test_the_smallest_C_follows_its_formula() -> None:
    X, y = two_classes(40, 3, seed=5, flips=0.3)
    v = np.random.default_rng(5).random(40)
    mean = sum(v * y) / sum(v)
    by_hand = 1 / max(abs(sum(v[i] * (y[i] - mean) * X[i, j] for i in range(40))) for j in range(3))
    assert Hinge().smallest_C(X, y, v) == pytest.approx(by_hand)
    assert Hinge().smallest_C(np.zeros((40, 2)), y) == np.inf


def test_a_whole_weight_counts_like_repeated_samples() -> None:
    X, y = two_classes(20, 3, seed=6)
    v = np.random.default_rng(6).integers(1, 4, 20)
    X_r, y_r = np.repeat(X, v, axis=0), np.repeat(y, v)
    hinge = Hinge()
    assert hinge.smallest_C(X, y, v.astype(float)) == pytest.approx(hinge.smallest_C(X_r, y_r))
    assert null_loss(hinge.rows(X, y, v.astype(float))) == pytest.approx(null_loss(hinge.rows(X_r, y_r)))


def test_no_rows_no_loss() -> None:
    nothing = empty_rows(3, 2)
    assert (nothing.n_rows, nothing.n_features, nothing.n_offsets) == (0, 3, 2)
    assert nothing.loss(np.ones(3), np.ones(2)) == 0.0


def test_rows_over_other_columns_keep_the_rest() -> None:
    X, y = two_classes(20, 3, seed=7)
    rows = Hinge().rows(X, y)
    other = rows.with_features(rows.features[:, :1])
    assert other.n_features == 1
    assert other.heights is rows.heights
