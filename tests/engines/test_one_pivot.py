"""Ends one pivot away from the leanest model: what is proven is the engine's answer, what is not is said."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.engines import ExactEngine, ReferenceEngine
from relspan.engines.simplex.one_pivot import is_lean, one_pivot_away
from relspan.engines.simplex.range_program import RangeProgram
from relspan.family import Budget, Family, build_family, empty_rows, norm_and_loss, unit_directions
from relspan.family.constraints import Constraints

TOLERANCE = 1e-6


def lean_family(equalities: int, d: int, seed: int, epsilon: float) -> tuple[Family, np.ndarray]:
    """Random equalities, the norm at most 1 + epsilon times the least, and the leanest model."""
    rng = np.random.default_rng(seed)
    A, w0 = rng.standard_normal((equalities, d)), rng.standard_normal(d)
    agree = Constraints(A, np.zeros((equalities, 0)), A @ w0, A @ w0)
    rows = empty_rows(d)
    leanest = (
        RangeProgram(build_family(rows, (Budget(1.0, 0.0, 2 * np.abs(w0).sum()),), agree))
        .solve(None, norm_price=1.0)
        .model
    )
    limit = (1 + epsilon) * np.abs(leanest).sum()
    return build_family(rows, (Budget(1.0, 0.0, limit),), agree), leanest


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("equalities", "d"), [(1, 4), (3, 8), (8, 40)])
@pytest.mark.parametrize("epsilon", [0.001, 0.05, 0.5])
def test_what_is_proven_is_what_the_exact_engine_finds(seed: int, equalities: int, d: int, epsilon: float) -> None:
    F, leanest = lean_family(equalities, d, seed, epsilon)
    directions = unit_directions(range(d), F)
    near = one_pivot_away(F, leanest, directions, TOLERANCE)
    assert near is not None
    found, proven = near
    exact = ExactEngine(F).maxima(directions)
    np.testing.assert_allclose(found.values[proven], exact.values[proven], atol=1e-9)
    assert found.violations[proven].max(initial=0.0) < 1e-12
    assert (found.bounds >= exact.values - 1e-9).all(), "an unproven answer still has a true bound"


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("epsilon", [0.0, 1e-14, 1e-6])
def test_tied_copies_are_proven_only_where_the_end_is_right(seed: int, epsilon: float) -> None:
    """A copy of a used feature may enter at the price of a rounding error: its multipliers prove nothing."""
    F, leanest = lean_family(3, 4, seed, epsilon)
    extra = F.constraints
    A = np.hstack([extra.features, extra.features, extra.features * (1 - 1e-16)])
    twice = build_family(empty_rows(12), F.budgets, Constraints(A, extra.offsets, extra.lower, extra.upper))
    directions = unit_directions(range(12), twice)
    near = one_pivot_away(twice, np.concatenate([leanest, np.zeros(8)]), directions, TOLERANCE)
    assert near is not None
    found, proven = near
    exact = ExactEngine(twice).maxima(directions)
    np.testing.assert_allclose(found.values[proven], exact.values[proven], atol=2 * TOLERANCE)
    assert (found.bounds >= exact.values - 1e-9).all(), "an unproven answer still has a true bound"
    assert not proven.all()


def test_little_room_is_one_pivot_for_all() -> None:
    F, leanest = lean_family(5, 20, 0, 1e-4)
    near = one_pivot_away(F, leanest, unit_directions(range(20), F), TOLERANCE)
    assert near is not None
    assert near[1].all()


def test_much_room_leaves_directions_to_an_engine() -> None:
    F, leanest = lean_family(5, 20, 0, 1.0)
    near = one_pivot_away(F, leanest, unit_directions(range(20), F), TOLERANCE)
    assert near is not None
    assert not near[1].all()


def test_any_direction_may_be_asked() -> None:
    F, leanest = lean_family(3, 9, 1, 0.01)
    directions = np.random.default_rng(2).standard_normal((6, 9))
    near = one_pivot_away(F, leanest, directions, TOLERANCE)
    assert near is not None
    found, proven = near
    assert proven.any()
    np.testing.assert_allclose(found.values[proven], ReferenceEngine(F).maxima(directions).values[proven], atol=1e-7)


def test_as_many_equalities_as_features_pin_everything() -> None:
    F, leanest = lean_family(4, 4, 0, 0.1)
    near = one_pivot_away(F, leanest, unit_directions(range(4), F), TOLERANCE)
    assert near is not None
    found, proven = near
    assert proven.all()
    np.testing.assert_allclose(found.values[::2], leanest, atol=1e-12)


def test_a_leanest_model_of_fewer_weights_is_no_corner_to_start_from() -> None:
    A = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    w = np.array([0.0, 0.0, 1.0])
    F = build_family(empty_rows(3), (Budget(1.0, 0.0, 1.1),), Constraints(A, np.zeros((2, 0)), A @ w, A @ w))
    assert one_pivot_away(F, w, unit_directions(range(3), F), TOLERANCE) is None


def test_families_with_a_loss_or_with_room_in_a_constraint_are_not_meant() -> None:
    F, _ = lean_family(2, 4, 0, 0.1)
    extra = F.constraints
    assert is_lean(F)
    assert not is_lean(build_family(F.rows, norm_and_loss(1.0, 1.0), extra))
    wider = Constraints(extra.features, extra.offsets, extra.lower - 1, extra.upper)
    assert not is_lean(build_family(F.rows, F.budgets, wider))
