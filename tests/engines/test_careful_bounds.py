"""Bounds whose sums are not rounded: as large as the exact ones, and hardly larger, whatever the multipliers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from relspan.engines.careful_bounds import careful_bound
from relspan.engines.certificates import draw_inside, dual_bounds, proven_bounds
from relspan.family import Family, HingeRows, build_family, norm_and_loss
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


def test_a_model_is_drawn_inside_by_hardly_more_than_it_needs() -> None:
    """The only anchor has no room in the loss, so that shares are tried: the needed one is 2e-7."""
    rows = HingeRows(np.array([[0.0, -1.0]]), np.zeros((1, 0)), np.array([2e-7 - 1.0]), np.ones(1))
    family = build_family(rows, norm_and_loss(1.0, 0.0), anchors=np.array([0.5, 0.0]))
    drawn, violations = draw_inside(family, np.array([[0.0, 1.0]]))
    assert violations[0] == 0
    assert 2e-7 <= 1.0 - drawn[0, 1] < 2.4e-7
