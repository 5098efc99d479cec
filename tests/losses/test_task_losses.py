"""Every task's rows say what its formula says, and its null loss is the best of the offsets alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from relspan.analysis.baseline import null_loss
from relspan.losses import (
    EpsilonInsensitive,
    Hinge,
    Logistic,
    MulticlassHinge,
    OrdinalHinge,
    PairHinge,
    Pinball,
    RejectHinge,
)

rng = np.random.default_rng(0)
X = rng.standard_normal((40, 3))
NUMBERS = 3 * rng.standard_normal(40) + 1
RANKS = np.arange(40) % 4 * 1.0
COSTS = rng.uniform(0.1, 2, 40)


def test_regression_rows_are_the_absolute_deviations_beyond_epsilon() -> None:
    w, b = np.array([0.5, -1, 0.2]), np.array([0.7])
    by_hand = COSTS @ np.maximum(0, np.abs(NUMBERS - X @ w - 0.7) - 0.3)
    assert EpsilonInsensitive(0.3).rows(X, NUMBERS, COSTS).loss(w, b) == pytest.approx(by_hand)


def test_ordinal_rows_are_the_distances_to_both_thresholds() -> None:
    w, b = np.array([0.5, -1, 0.2]), np.array([-1.0, 0.1, 0.4])
    by_hand = 0.0
    for x, rank, cost in zip(X, RANKS.astype(int), COSTS, strict=True):
        if rank < 3:
            by_hand += cost * max(0, 1 - (b[rank] - x @ w))
        if rank > 0:
            by_hand += cost * max(0, 1 - (x @ w - b[rank - 1]))
    assert OrdinalHinge(4).rows(X, RANKS, COSTS).loss(w, b) == pytest.approx(by_hand)


def test_two_ordered_classes_are_the_hinge_with_the_offset_turned_round() -> None:
    y = RANKS % 2
    w, b = np.array([0.5, -1, 0.2]), np.array([0.3])
    assert OrdinalHinge(2).rows(X, y).loss(w, b) == pytest.approx(Hinge().rows(X, 2 * y - 1).loss(w, -b))
    assert OrdinalHinge(2).smallest_C(X, y) == pytest.approx(Hinge().smallest_C(X, 2 * y - 1))


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.5, 2.0]))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_the_null_loss_of_one_offset_is_the_least_of_a_broken_line(seed: int, epsilon: float) -> None:
    draw = np.random.default_rng(seed)
    y, costs = draw.standard_normal(15).round(1), draw.integers(0, 3, 15) * 1.0
    costs[0] = 1.0
    rows = EpsilonInsensitive(epsilon).rows(np.zeros((15, 1)), y, costs)
    grid = min(rows.loss(np.zeros(1), np.array([b])) for b in np.concatenate([y - epsilon, y + epsilon]))
    assert null_loss(rows) == pytest.approx(grid, abs=1e-12)


def test_the_null_loss_of_two_classes_counts_the_rarer_one_twice() -> None:
    y = np.where(RANKS == 0, 1.0, -1.0)
    assert null_loss(Hinge().rows(X, y, COSTS)) == pytest.approx(2 * min(COSTS[y > 0].sum(), COSTS[y < 0].sum()))


@pytest.mark.parametrize("counts", [(5, 9, 2, 4), (1, 1, 8, 3), (9, 1, 1, 9), (3, 3)])
def test_the_null_loss_of_ordered_classes_counts_all_but_the_largest_twice(counts: tuple[int, ...]) -> None:
    """At w = 0 the ordered thresholds are -1, ..., -1, 1, ..., 1, and every class but the one between them pays 2."""
    y = np.repeat(np.arange(len(counts)), counts).astype(float)
    loss = OrdinalHinge(len(counts))
    Z = np.zeros((len(y), 2))
    assert null_loss(loss.rows(Z, y), loss.constraints(Z, y)) == pytest.approx(2 * (len(y) - max(counts)))


def test_regression_enters_its_first_feature_near_the_smallest_C() -> None:
    t = X @ np.array([2.0, 0.5, 0.0]) + 0.1 * NUMBERS
    loss = EpsilonInsensitive(0.0)
    c = loss.smallest_C(X, t)

    def objective(weight: float, C: float) -> float:
        rows = loss.rows(X[:, :1], t - weight * X[:, 0])
        return abs(weight) + C * null_loss(rows.with_features(np.zeros((80, 1))))

    def best(C: float) -> float:
        return float(minimize_scalar(lambda weight: objective(weight, C), bounds=(-3, 3), method="bounded").x)

    assert abs(best(3 * c)) > 1e-3 > abs(best(c / 3))


def test_rows_of_one_class_alone_have_the_rows_of_the_other_classes_only() -> None:
    """A fold may hold out a single class: no row compares it with itself."""
    rows = MulticlassHinge(3).rows(np.ones((4, 2)), np.full(4, 1.0))
    assert rows.features.shape == (8, 6)


SAME_ROWS_IN_EVERY_CLASS = {
    "hinge": (Hinge(), np.array([-1.0, 1.0])),
    "logistic": (Logistic(), np.array([-1.0, 1.0])),
    "reject": (RejectHinge(0.2, 0.5), np.array([-1.0, 1.0])),
    "three classes": (MulticlassHinge(3), np.arange(3.0)),
    "ordinal": (OrdinalHinge(3), np.arange(3.0)),
    "numbers": (EpsilonInsensitive(0.1), np.array([-1.0, 1.0])),
    "quantile": (Pinball(0.5), np.array([-1.0, 1.0])),
    "survival": (PairHinge(partners=None), np.array([1.0, 2.0])),
}


@pytest.mark.parametrize("which", SAME_ROWS_IN_EVERY_CLASS)
def test_a_pull_that_only_rounding_keeps_from_0_lets_no_feature_enter(which: str) -> None:
    """The same rows in every class, in some order: no feature is correlated with the target."""
    loss, targets = SAME_ROWS_IN_EVERY_CLASS[which]
    for seed in range(10):
        draw = np.random.default_rng(seed)
        rows = draw.integers(-4, 5, (12, 3)) / 10
        order = draw.permutation(12 * len(targets))
        table, y = np.tile(rows, (len(targets), 1))[order], np.repeat(targets, 12, axis=0)[order]
        assert loss.smallest_C(table - table.mean(axis=0), y) == np.inf
        table[int(np.argmin(y)), 0] += 1e-6
        assert loss.smallest_C(table - table.mean(axis=0), y) < 1e8


def test_pulls_of_a_middle_class_that_cancel_let_no_feature_enter() -> None:
    """It is pulled up past one threshold and down below the other, by as much."""
    y = np.repeat([0.0, 1.0, 2.0], 7)
    table = np.zeros((21, 1))
    table[9] = 1.0
    for seed in range(100):
        half = np.random.default_rng(seed).random(7)
        assert OrdinalHinge(3).smallest_C(table, y, np.tile(half, 3)) == np.inf
