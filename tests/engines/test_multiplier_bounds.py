"""Multipliers found for one feature bound all the others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems import all_ranges, family_around, two_classes
from relspan.engines.certificates import dual_bounds
from relspan.engines.multiplier_bounds import MultiplierBounds
from relspan.family import Family, unit_directions


def none(count: int) -> np.ndarray:
    return np.zeros((count, 0))


def directions(family: Family) -> np.ndarray:
    return unit_directions(range(family.n_features), family)


@pytest.mark.slow
@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    shape=st.sampled_from([(30, 5), (12, 20)]),
    kind=st.sampled_from(["relative", "explained", "combined"]),
    delta=st.sampled_from([0.001, 0.1]),
)
def test_bounds_are_never_below_the_truth(seed: int, shape: tuple[int, int], kind: str, delta: float) -> None:
    X, y = two_classes(*shape, seed)
    family, baseline = family_around(X, y, 0.7, delta, delta, kind)
    truth = all_ranges("exact", family).extremes
    bank = MultiplierBounds(family)
    assert (bank.bounds >= truth.values - 1e-9).all()
    bank.add(baseline.multipliers[None], none(1))
    first = bank.bounds.copy()
    assert (first >= truth.values - 1e-9 * family.largest_norm).all()
    bank.add(truth.hinge_multipliers[::3], none(len(truth.values[::3])))
    assert (bank.bounds <= first).all()
    assert (bank.bounds >= truth.values - 1e-9 * family.largest_norm).all()
    a, g = bank.proofs(np.arange(2 * family.n_features))
    assert np.allclose(dual_bounds(family, directions(family), a, g), bank.bounds, atol=1e-9 * family.largest_norm)


@pytest.mark.parametrize("seed", [13, 15, 25, 36, 37, 39])
@pytest.mark.parametrize("shape", [(30, 5), (37, 7), (41, 13)])
def test_bounds_of_tied_copies_are_never_below_the_truth(seed: int, shape: tuple[int, int]) -> None:
    """Without room, copies whose pressures differ by a rounding error give multipliers of 1e15."""
    X, y = two_classes(*shape, seed)
    family, baseline = family_around(np.hstack([X, X[:, ::-1], X]), y, 0.7, 0.0, 0.0)
    truth = all_ranges("exact", family).extremes
    bank = MultiplierBounds(family)
    bank.add(baseline.multipliers[None], none(1))
    bank.add(truth.hinge_multipliers, none(len(truth.values)))
    assert (bank.bounds >= truth.values - 1e-9 * family.largest_norm).all()
    a, g = bank.proofs(np.arange(2 * family.n_features))
    assert (dual_bounds(family, directions(family), a, g) >= truth.values - 1e-9 * family.largest_norm).all()


@pytest.mark.parametrize("delta", [0.001, 0.1])
def test_the_closed_form_of_the_baselines_multipliers(delta: float) -> None:
    """hi_j <= G / (1 - g_j) and -lo_j <= G / (1 + g_j) with G the slack of the budgets."""
    X, y = two_classes(20, 30, seed=4)
    family, baseline = family_around(X, y, 0.5, delta, delta)
    M, R = (b.limit for b in family.budgets)
    g = family.rows.features.T @ baseline.multipliers
    slack = M + baseline.C * R - baseline.norm - baseline.C * baseline.loss
    with np.errstate(divide="ignore"):
        closed = np.column_stack([slack / np.maximum(1 - g, 0.0), slack / np.maximum(1 + g, 0.0)]).ravel()
    bank = MultiplierBounds(family)
    bank.add(baseline.multipliers[None], none(1))
    # C is taken a hair smaller than it says
    assert (bank.bounds <= closed + 1e-5 * M).all()
    inside = np.abs(np.repeat(g, 2)) < 0.9
    assert inside.any()
    assert np.allclose(bank.bounds[inside], np.minimum(closed, M)[inside], atol=1e-5 * M)


def test_a_programs_own_multipliers_prove_its_end() -> None:
    X, y = two_classes(20, 30, seed=5)
    family, _ = family_around(X, y, 0.5)
    truth = all_ranges("exact", family).extremes
    bank = MultiplierBounds(family)
    bank.add(truth.hinge_multipliers, none(60))
    assert np.allclose(bank.bounds, truth.values, atol=1e-6 * family.largest_norm)
