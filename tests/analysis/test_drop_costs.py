"""Drop costs near the loss budget, against a program for every feature."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from problems import all_ranges, family_around, two_classes
from relspan.analysis.drop_costs import borderline_features, drop_loss_floors, mixed_loss
from relspan.engines.simplex.exact_engine import LeastLossModel


def least_loss_without(X: np.ndarray, y: np.ndarray, j: int, M: float) -> float:
    """min sum_i x_i  s.t.  w_j = 0, ||w||_1 <= M, over (p, q, b, x) without column j."""
    n = len(y)
    rest = np.delete(X, j, axis=1)
    d = rest.shape[1]
    cost = np.concatenate([np.zeros(2 * d + 1), np.ones(n)])
    A = np.vstack(
        [
            np.hstack([-y[:, None] * rest, y[:, None] * rest, -y[:, None], -np.eye(n)]),
            np.concatenate([np.ones(2 * d), [0.0], np.zeros(n)]),
        ]
    )
    bounds = [(0, None)] * (2 * d) + [(None, None)] + [(0, None)] * n
    return float(linprog(cost, A_ub=A, b_ub=np.append(-np.ones(n), M), bounds=bounds).fun)


@pytest.mark.parametrize("kind", ["explained", "relative"])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_close_calls_are_those_of_brute_force(kind: str, share: float, seed: int) -> None:
    X, y = two_classes(60, 6, seed=seed, flips=0.05, copies=1)
    family, baseline = family_around(X, y, delta_norm=0.1, delta_loss=share, kind=kind)
    relevant = np.array([True, True, True, False, True, True])
    found = borderline_features(family, baseline, all_ranges("exact", family), relevant, factor=2.0)

    room = family.largest_loss - baseline.loss
    explained = baseline.null_loss - baseline.loss
    expected = {}
    for j in np.flatnonzero(relevant):
        cost = least_loss_without(X, y, j, family.largest_norm) - baseline.loss
        if room / 2 <= cost <= 2 * room:
            expected[j] = cost / explained
    assert found == pytest.approx(expected, rel=1e-6)
    if (kind, share, seed) == ("explained", 0.1, 0):
        assert 0 < len(found) < relevant.sum()  # some calls are close, some are not


def test_the_free_bound_never_exceeds_the_least_loss() -> None:
    for seed in range(6):
        X, y = two_classes(50, 5, seed=seed, flips=0.05)
        family, baseline = family_around(X, y, kind="explained", delta_loss=0.02)
        floors = drop_loss_floors(family, all_ranges("exact", family))
        for j in range(5):
            assert floors[j] <= least_loss_without(X, y, j, family.largest_norm) + 1e-6 * baseline.null_loss
        assert floors.max() > 0


@pytest.mark.slow
def test_nor_is_a_mixed_model_better_than_the_least_loss() -> None:
    settled = 0
    for seed in range(6):
        X, y = two_classes(50, 5, seed=seed, flips=0.05, copies=1)
        family, baseline = family_around(X, y, kind="explained", delta_loss=0.05)
        least, ranges = LeastLossModel(family, baseline.null_loss), all_ranges("exact", family)
        for j in range(5):
            mixed = mixed_loss(least, ranges, j)
            assert mixed >= least_loss_without(X, y, j, family.largest_norm) - 1e-7 * baseline.null_loss
            assert np.isfinite(mixed) == (ranges.relevances[j, 0] == 0 or least.model[j] == 0)
            settled += mixed < baseline.loss
    assert settled > 0


def test_least_losses_by_one_warm_program() -> None:
    X, y = two_classes(50, 5, seed=1)
    family, baseline = family_around(X, y)
    least = LeastLossModel(family, baseline.null_loss)
    for j in (3, 0, 1):
        expected = least_loss_without(X, y, j, family.largest_norm)
        assert least.without(np.array([j])) == pytest.approx(expected, rel=1e-7)


def test_strong_is_a_drop_cost_beyond_the_budget() -> None:
    """min relevance > 0 exactly when the best loss without the feature exceeds R."""
    for seed in range(4):
        X, y = two_classes(50, 5, seed=seed, flips=0.05)
        family, _ = family_around(X, y, kind="explained", delta_loss=0.05)
        needed = all_ranges("exact", family).relevances[:, 0] > 1e-7
        beyond = [least_loss_without(X, y, j, family.largest_norm) > family.largest_loss for j in range(5)]
        np.testing.assert_array_equal(needed, beyond)


def test_a_combined_budget_leaves_no_room_to_the_loss_alone() -> None:
    X, y = two_classes(50, 5, seed=2)
    family, baseline = family_around(X, y, kind="combined")
    assert borderline_features(family, baseline, all_ranges("exact", family), np.ones(5, dtype=bool)) == {}


def test_no_room_no_close_call() -> None:
    X, y = two_classes(50, 5, seed=3)
    family, baseline = family_around(X, y, delta_loss=0.0)
    assert borderline_features(family, baseline, all_ranges("exact", family), np.ones(5, dtype=bool)) == {}
