"""The support of the budgets: the most that p ||w||_1 + q loss can become over the polygon they cut out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from relspan.errors import ParameterError
from relspan.family import Budget, Family, build_family, combined, empty_rows, norm_and_loss

prices = st.floats(0, 10).map(lambda v: 0.0 if v < 1e-3 else v)
limits = st.one_of(st.just(0.0), st.floats(1e-3, 1e3))


@st.composite
def polygons(draw: st.DrawFn) -> Family:
    """A norm budget, and up to three more in any direction."""
    budgets = [Budget(draw(st.floats(1e-2, 10)), draw(prices), draw(limits))]
    for _ in range(draw(st.integers(0, 3))):
        norm_price, loss_price = draw(prices), draw(prices)
        if norm_price + loss_price > 0:
            budgets.append(Budget(norm_price, loss_price, draw(limits)))
    return build_family(empty_rows(1), tuple(budgets))


def by_brute_force(polygon: Family, p: float, q: float) -> float:
    """A linear program in the plane."""
    found = linprog(
        [-p, -q],
        A_ub=[[b.norm_price, b.loss_price] for b in polygon.budgets],
        b_ub=[b.limit for b in polygon.budgets],
        bounds=[(0, None), (0, None)],
    )
    return float("inf") if found.status == 3 else float(-found.fun)


@pytest.mark.slow
@given(polygons(), st.floats(0, 10), prices)
def test_support_is_the_optimum_in_the_plane(polygon: Family, p: float, q: float) -> None:
    expected = by_brute_force(polygon, p, q)
    found = float(polygon.support(np.array(p), np.array(q)))
    if np.isinf(expected):
        assert np.isinf(found)
    else:
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-7)


@given(polygons(), st.integers(0, 1000))
def test_no_point_within_the_budgets_exceeds_the_support(polygon: Family, seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = np.abs(rng.standard_cauchy((200, 2)))
    for b in polygon.budgets:
        used = points @ [b.norm_price, b.loss_price]
        points[used > b.limit] *= (b.limit / used[used > b.limit])[:, None]
    for p, q in rng.random((5, 2)):
        support = float(polygon.support(np.array(p), np.array(q)))
        assert (points @ [p, q] <= support * (1 + 1e-9) + 1e-9).all()


def test_many_prices_at_once() -> None:
    square = build_family(empty_rows(1), norm_and_loss(2.0, 3.0))
    np.testing.assert_allclose(square.support(np.array([1.0, 0, 1]), np.array([0.0, 1, 1])), [2, 3, 5])
    triangle = build_family(empty_rows(1), combined(0.5, 4.0))
    np.testing.assert_allclose(triangle.support(np.array([1.0, 0, 1]), np.array([0.0, 1, 1])), [4, 8, 8])


def test_a_loss_without_limit_has_no_price() -> None:
    norm_only = build_family(empty_rows(1), (Budget(1.0, 0.0, 2.0),))
    assert norm_only.support(np.array(1.0), np.array(0.0)) == 2.0
    assert norm_only.support(np.array(1.0), np.array(1e-9)) == np.inf
    assert norm_only.largest_loss == np.inf


def test_the_tightest_budget_decides() -> None:
    polygon = build_family(empty_rows(1), (Budget(1.0, 0.0, 5.0), Budget(2.0, 1.0, 4.0), Budget(0.0, 1.0, 9.0)))
    assert polygon.largest_norm == 2.0
    assert polygon.largest_loss == 4.0


@pytest.mark.parametrize(
    "wrong", [(-1.0, 0.0, 1.0), (0.0, 0.0, 1.0), (1.0, 0.0, -1.0), (np.nan, 1.0, 1.0), (1.0, 0.0, np.inf)]
)
def test_budgets_that_mean_nothing_are_refused(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ParameterError, match="a budget needs"):
        Budget(*wrong)


def test_a_family_needs_a_budget_on_the_norm() -> None:
    with pytest.raises(ParameterError, match="budget on the norm"):
        build_family(empty_rows(1), (Budget(0.0, 1.0, 1.0),))
