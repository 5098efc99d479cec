"""The logistic loss in straight pieces: how near it is, and that its rows are the formula."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize_scalar

from problems import two_classes
from relspan.analysis.baseline import best_models, null_loss
from relspan.losses import Hinge, Logistic
from relspan.losses.logistic import COSTS, KINKS, TOUCHING, tangents_meet

MARGINS = np.linspace(-40.0, 40.0, 400_001)


def pieces(margins: np.ndarray, kinks: np.ndarray = KINKS, costs: np.ndarray = COSTS) -> np.ndarray:
    return (costs[:, None] * np.maximum(0.0, kinks[:, None] - margins)).sum(axis=0)


def test_the_largest_error_is_the_one_that_is_stated() -> None:
    """0 <= log(1 + exp(-m)) - L(m) <= .0305, so the error is at most .0153 up to a constant."""
    error = np.logaddexp(0.0, -MARGINS) - pieces(MARGINS)
    assert error.min() >= -1e-12
    assert 0.0304 < error.max() <= 0.0305


def test_no_other_tangents_come_nearer() -> None:
    """The error is the same at all kinks: moving a tangent makes it larger at one of them."""
    at_kinks = np.logaddexp(0.0, -KINKS) - pieces(KINKS)
    np.testing.assert_allclose(at_kinks, at_kinks[0], rtol=1e-3)
    for moved in ((2.3, *TOUCHING[1:]), (2.6, *TOUCHING[1:]), (TOUCHING[0], 0.95, 0.0), (TOUCHING[0], 1.1, 0.0)):
        error = np.logaddexp(0.0, -MARGINS) - pieces(MARGINS, *tangents_meet(moved))
        assert error.max() > at_kinks.max()


def test_the_loss_falls_with_a_slope_between_one_and_nothing() -> None:
    assert len(KINKS) == len(COSTS) == 6
    assert (np.diff(KINKS) > 0).all()
    assert (COSTS > 0).all()
    assert COSTS.sum() == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(KINKS, -KINKS[::-1])
    np.testing.assert_allclose(pieces(MARGINS) - pieces(-MARGINS), -MARGINS, atol=1e-12)  # as the logistic loss has it


@pytest.mark.parametrize("thin", [False, True])
def test_rows_are_the_formula(thin: bool) -> None:
    X, y = two_classes(30, 4, seed=0)
    rng = np.random.default_rng(0)
    v = rng.random(30)
    rows = Logistic().rows(sparse.csr_array(X) if thin else X, y, v)
    assert (rows.n_scores, rows.n_rows) == (30, 180)
    for _ in range(10):
        w, b = 2 * rng.standard_normal(4), rng.standard_normal(1)
        assert rows.loss(w, b) == pytest.approx(float(v @ pieces(y * (X @ w + b[0]))), rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_null_loss_is_the_best_offset_alone(weighted: bool) -> None:
    X, y = two_classes(31, 2, seed=3, flips=0.4)
    v = np.random.default_rng(3).random(31) if weighted else np.ones(31)
    rows = Logistic().rows(X, y, v)
    by_hand = minimize_scalar(lambda b: rows.loss(np.zeros(2), np.array([b])), bounds=(-4, 4), method="bounded").fun
    assert null_loss(rows) <= by_hand * (1 + 1e-9)
    share = v[y > 0].sum() / v.sum()
    entropy = -v.sum() * (share * np.log(share) + (1 - share) * np.log(1 - share))
    assert entropy - 0.0305 * v.sum() <= null_loss(rows) <= entropy


@pytest.mark.parametrize("flips", [0.1, 0.3])
def test_the_first_feature_enters_near_the_smallest_C(flips: float) -> None:
    """Somewhat above: all samples of one class may sit at one kink, where their multipliers can give way."""
    X, y = two_classes(80, 5, seed=1, flips=flips)
    loss = Logistic()
    before, after = (model for model, _ in best_models(loss.rows(X, y), loss.smallest_C(X, y) * np.array([0.7, 4.0])))
    assert not before[:5].any()
    assert after[:5].any()


def test_predictions_and_their_score_are_those_of_the_hinge() -> None:
    X, y = two_classes(40, 3, seed=4)
    w, b = np.array([1.0, -1.0, 0.0]), np.array([0.2])
    predicted = Logistic().predict(X, w, b)
    np.testing.assert_array_equal(predicted, Hinge().predict(X, w, b))
    assert Logistic().score(y, predicted) == Hinge().score(y, predicted)
