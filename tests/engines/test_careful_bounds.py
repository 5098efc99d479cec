"""Bounds whose sums are not rounded: as large as the exact ones, and hardly larger, whatever the multipliers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from problems import opened
from relspan.engines import ReferenceEngine, careful_bounds
from relspan.engines.careful_bounds import careful_bound, exact_shifts
from relspan.engines.certificates import certify, draw_inside, dual_bounds, is_proven_empty, proven_bounds
from relspan.family import Family, HingeRows, build_family, norm_and_loss, unit_directions
from relspan.family.constraints import Constraints


def random_family(rng: np.random.Generator, n: int, d: int) -> Family:
    """Two offsets, shared scores and three constraints, two of them with one side."""
    rows = HingeRows(
        rng.standard_normal((n, d)),
        rng.choice([-1.0, 0.5, 1.0], (n, 2)),
        rng.standard_normal(2 * n),
        rng.uniform(0.1, 2.0, 2 * n),
        np.tile(np.arange(n), 2),
    )
    sides = Constraints(
        rng.standard_normal((3, d)),
        rng.standard_normal((3, 2)),
        np.array([-1.0, -np.inf, 0.3]),
        np.array([np.inf, 2.0, 0.3]),
    )
    return build_family(rows, norm_and_loss(3.0, 20.0), sides)


def exact_bound(family: Family, direction: np.ndarray, a: np.ndarray, g: np.ndarray) -> Fraction:
    """The inequality of `certificates` in fractions."""

    def whole(values: np.ndarray) -> list[Fraction]:
        return [Fraction(float(value)) for value in values]

    rows, extra, d = family.rows.with_scores_of_their_own(), family.constraints, family.n_features
    coefficients = np.vstack([np.hstack([rows.features, rows.offsets]), np.hstack([extra.features, extra.offsets])])
    used = whole(np.concatenate([a, g]))
    sums = [
        v + sum(x * y for x, y in zip(used, whole(column), strict=True))
        for v, column in zip(whole(direction), coefficients.T, strict=True)
    ]
    price = max(x / c for x, c in zip(whole(a), whole(rows.costs), strict=True))
    norm, loss = (Fraction(b.limit) for b in family.budgets)
    total = norm * max(map(abs, sums[:d])) + loss * price
    total -= sum(x * h for x, h in zip(whole(a), whole(rows.heights), strict=True))
    for x, low, high in zip(whole(g), extra.lower, extra.upper, strict=True):
        if x:
            total -= x * Fraction(float(low if x > 0 else high))
    return total + sum(
        abs(rest) * Fraction(float(most)) for rest, most in zip(sums[d:], family.offset_limits, strict=True)
    )


@pytest.mark.parametrize("size", [1.0, 1e6, 1e-6])
@pytest.mark.parametrize("seed", range(5))
def test_it_bounds_the_exact_one_from_above_and_hardly_exceeds_it(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    family = random_family(rng, 30, 4)
    direction = np.append(rng.standard_normal(4), [0.0, 0.0])
    a = size * np.where(rng.random(60) < 0.5, rng.random(60), 0.0)
    g = size * np.array([0.7, -0.2, rng.standard_normal()])
    exact = exact_bound(family, direction, a, g)
    careful = careful_bound(family, direction, a, g)
    assert Fraction(careful) >= exact
    assert float(Fraction(careful) - exact) <= 1e-13 * (abs(float(exact)) + size)
    rounded = dual_bounds(family, direction[None], a[None], g[None])[0]
    assert Fraction(float(rounded)) >= exact  # what is paid for rounding was enough before, too
    assert careful <= rounded + 1e-13


def test_an_end_that_rounding_alone_keeps_from_its_proof_is_evaluated_so() -> None:
    """Multipliers of 1e8 that cancel: the payment for the rounding of their sums exceeds what an end may miss."""
    rows = HingeRows(np.array([[1.0], [-1.0]]), np.zeros((2, 0)), np.array([1.0, -1.0]), np.ones(2))
    family = build_family(rows, norm_and_loss(1.0, 0.0))  # w = 1
    a, direction = np.array([[1e8, 1e8 + 1.0]]), np.array([[1.0]])
    value = np.ones(1)
    assert dual_bounds(family, direction, a, np.zeros((1, 0)))[0] - 1.0 > 1e-6
    assert proven_bounds(family, direction, a, np.zeros((1, 0)), value)[0] - 1.0 < 1e-12


def test_numbers_without_error_terms_give_no_bound() -> None:
    rows = HingeRows(np.array([[1e305]]), np.zeros((1, 0)), np.ones(1), np.ones(1))
    family = build_family(rows, norm_and_loss(1.0, 1.0))
    assert careful_bound(family, np.ones(1), np.ones(1), np.zeros(0)) == np.inf


@pytest.mark.parametrize("size", [1e308, np.inf, np.nan, 1e200])
def test_multipliers_without_error_terms_give_no_bound_beside_offsets_without_limits(size: float) -> None:
    for k in (1, 2):
        family = unlimited_family(0, k)
        direction = np.append(np.ones(4), np.zeros(k))
        assert careful_bound(family, direction, np.full(24, size), np.zeros(0)) == np.inf


def test_a_rounded_sum_of_0_is_not_orthogonal_to_an_offset_without_a_limit() -> None:
    """Multipliers of 1e4 miss the second offset by 1e-16 each; a model far out is in the family."""
    rows = HingeRows(
        np.zeros((3, 1)),
        np.array([[-1.0, -1.0 + 2.0**-53], [1.0, 1.0], [-1.0, -1.0]]),
        np.array([1.0, 0.0, 0.0]),
        np.full(3, 1e6),
    )
    family = build_family(rows, norm_and_loss(1.0, 1e-9))
    far = np.array([[0.0, -(2.0**53), 2.0**53]])
    a = np.array([[1.0, 10001.0, 10000.0]])
    assert family.violations(far)[0] == 0
    assert not (a @ rows.offsets).any()  # rounded
    assert np.isinf(dual_bounds(family, np.zeros((1, 3)), a, np.zeros((1, 0)))[0])
    assert not is_proven_empty(family, a[0], np.zeros(0))


def test_a_model_is_drawn_inside_by_hardly_more_than_it_needs() -> None:
    """The only anchor has no room in the loss, so that shares are tried: the needed one is 2e-7."""
    rows = HingeRows(np.array([[0.0, -1.0]]), np.zeros((1, 0)), np.array([2e-7 - 1.0]), np.ones(1))
    family = build_family(rows, norm_and_loss(1.0, 0.0), anchors=np.array([0.5, 0.0]))
    drawn, violations = draw_inside(family, np.array([[0.0, 1.0]]))
    assert violations[0] == 0
    assert 2e-7 <= 1.0 - drawn[0, 1] < 2.4e-7


def test_a_model_whose_rounding_is_worth_nothing_is_not_moved_at_the_cost_of_a_proof() -> None:
    """w_2 sticks out by 1e-10 of the loss budget; to mend that, w_1 would have to lose 4e-6."""
    rows = HingeRows(-np.eye(2)[::-1], np.zeros((2, 0)), np.array([2e-13 - 1.0, -1.0]), np.ones(2))
    family = build_family(rows, norm_and_loss(3.0, 0.0), anchors=np.array([0.0, 1.0 - 5e-8]))
    model, direction, a = np.ones((1, 2)), np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    drawn, inside = draw_inside(family, model)
    assert inside[0] == 0
    assert drawn[0, 0] < 1.0 - 1e-6
    found = certify(family, direction, model, a, np.zeros((1, 0)))
    assert found.values[0] == 1.0
    assert found.bounds[0] == pytest.approx(1.0, abs=1e-13)
    assert 0 < found.violations[0] <= 1e-9


def test_a_model_whose_rounding_is_worth_more_is_moved_whatever_that_costs() -> None:
    """Of a loss so dear that 1e-13 of it buys 1e-5 of w_1; the multipliers prove no more than that."""
    rows = HingeRows(np.array([[-1e-8, 0.0], [0.0, 0.0]]), np.zeros((2, 0)), np.array([-1e-8, -1.0]), np.ones(2))
    family = build_family(rows, norm_and_loss(3.0, 0.0), anchors=np.array([0.0, 1.0]))
    model, direction = np.array([[1.0 + 9e-6, 0.0]]), np.array([[1.0, 0.0]])
    a = np.array([[1e8 * (1 - 5e-6), 0.0]])
    assert 0 < family.violations(model)[0] <= 1e-9
    found = certify(family, direction, model, a, np.zeros((1, 0)))
    assert found.violations[0] == 0
    assert found.values[0] <= 1.0
    assert found.gaps[0] > 5e-6


def unlimited_family(seed: int, k: int) -> Family:
    """Rows of one class alone, or of two that every covariate separates except where it is 0: offsets may grow without
    end."""
    rng = np.random.default_rng(seed)
    n = 24
    y = np.ones(n) if k == 1 else np.repeat([1.0, -1.0], n // 2)
    covariates = y[:, None] * rng.uniform(0.5, 3.0, (n, k - 1))
    covariates[rng.random(n) < 0.6] = 0.0
    rows = HingeRows(
        y[:, None] * rng.standard_normal((n, 4)),
        y[:, None] * np.column_stack([np.ones(n), covariates]),
        np.ones(n),
        rng.uniform(0.5, 2.0, n) / n,
    )
    family = build_family(rows, norm_and_loss(2.0, 1.0))
    assert np.isinf(family.offset_limits).any()
    return family


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_weights_are_bounded_beside_offsets_that_nothing_limits(engine: str, k: int, monkeypatch: Any) -> None:
    """Ends that a solver finds there are proven, most of them after multipliers were shifted."""
    shifted = []

    def watched(*arguments: Any) -> Any:
        shifts = exact_shifts(*arguments)
        shifted.append(shifts is not None and shifts.any())
        return shifts

    monkeypatch.setattr(careful_bounds, "exact_shifts", watched)
    for seed in range(6):
        family = unlimited_family(seed, k)
        found = opened(engine, family).maxima(unit_directions(range(4), family))
        assert np.abs(found.gaps).max() <= 1e-6 * family.largest_norm
        assert found.violations.max() <= 1e-7
        expected = ReferenceEngine(family).maxima(unit_directions(range(4), family)).values
        np.testing.assert_allclose(found.values, expected, atol=1e-6 * family.largest_norm)
    if engine == "exact" and k > 1:  # a single offset asks for multipliers of 0, and linprog's are so small
        assert any(shifted)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_shifted_multipliers_are_orthogonal_to_the_last_bit(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    offsets, multipliers = rng.standard_normal((30, k)), rng.exponential(size=30)
    multipliers[:k] += 3.0
    prices = -multipliers @ offsets
    shifts = exact_shifts(multipliers, offsets, prices)
    assert shifts is not None
    moved = np.flatnonzero(shifts)
    assert len(moved) <= k
    assert shifts.max() <= 1e-13
    missing = [
        Fraction(float(-price))
        - sum(Fraction(float(a)) * Fraction(float(o)) for a, o in zip(multipliers, column, strict=True))
        for price, column in zip(prices, offsets.T, strict=True)
    ]
    assert any(missing)
    # the only change of these multipliers that makes up for it, by Cramer's rule
    matrix = [[Fraction(float(offsets[i, column])) for i in moved] for column in range(k)]
    for place, i in enumerate(moved):
        changed = [[*row[:place], value, *row[place + 1 :]] for row, value in zip(matrix, missing, strict=True)]
        exact = abs(determinant(changed) / determinant(matrix))
        assert exact <= Fraction(float(shifts[i])) <= exact * Fraction(1002, 1000)


def determinant(matrix: list[list[Fraction]]) -> Fraction:
    if not matrix:
        return Fraction(1)
    rest = [[[*row[:k], *row[k + 1 :]] for row in matrix[1:]] for k in range(len(matrix))]
    return sum(((-1) ** k * x * determinant(rest[k]) for k, x in enumerate(matrix[0])), Fraction(0))


def test_an_offset_that_no_multiplier_can_hold_back_has_no_bound() -> None:
    """Of a family whose rows press one way, an offset has no largest value; nor is there one across parallel rows."""
    family = unlimited_family(0, 2)
    of_offset = np.append(np.zeros(5), 1.0)
    assert np.isinf(careful_bound(family, of_offset, np.full(24, 0.1), np.zeros(0)))
    parallel = np.array([[1.0, 2.0], [-1.0, -2.0]])
    assert exact_shifts(np.ones(2), parallel, np.array([0.0, 1e-9])) is None
    assert exact_shifts(np.ones(2), parallel, np.array([1e-9, 2e-9])) is not None
    assert exact_shifts(np.full(2, 1e-12), parallel, np.array([1e-9, 2e-9])) is None  # signs would change
