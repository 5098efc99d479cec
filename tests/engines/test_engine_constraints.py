"""Extra linear constraints on weights and offsets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from problems import family_around, largest, opened, two_classes
from relspan.errors import InfeasibleFamily
from relspan.family import Family, norm_and_loss, unit_directions
from relspan.family.constraints import Constraints

D = 5


@pytest.fixture(scope="module")
def whole() -> Family:
    X, y = two_classes(40, D, seed=0)
    return family_around(X, y)[0]


def constraint(features: list[float], offset: float, lower: float, upper: float) -> Constraints:
    return Constraints(np.array([features]), np.array([[offset]]), np.array([lower]), np.array([upper]))


def hold(j: int, lower: float, upper: float) -> Constraints:
    return constraint(np.eye(D)[j].tolist(), 0.0, lower, upper)


def agrees_with_the_program_written_out(engine: str, family: Family) -> None:
    directions = np.vstack([unit_directions(range(D), family), np.eye(D + 1)[D], -np.eye(D + 1)[D]])
    found = opened(engine, family).maxima(directions)
    size = family.largest_norm
    np.testing.assert_allclose(found.values, [largest(family, v) for v in directions], atol=1e-6 * size)
    assert found.gaps.max() <= 1e-6 * size
    assert found.violations.max() <= 1e-7


def test_an_equality_holds_a_weight(engine: str, whole: Family) -> None:
    value = 0.97 * whole.anchors[0, 0]
    held = whole.restricted(hold(0, value, value))
    agrees_with_the_program_written_out(engine, held)
    ends = opened(engine, held).maxima(unit_directions([0], held)).values
    np.testing.assert_allclose(ends, [value, -value], atol=1e-7)


@pytest.mark.parametrize("side", ["lower", "upper", "both"])
def test_sides_of_a_weight(engine: str, whole: Family, side: str) -> None:
    w = whole.anchors[0, 1]
    lower = w - 0.01 if side != "upper" else -np.inf
    upper = w + 0.01 if side != "lower" else np.inf
    agrees_with_the_program_written_out(engine, whole.restricted(hold(1, lower, upper)))


@pytest.mark.parametrize("side", ["equal", "lower", "upper", "both"])
@pytest.mark.slow
def test_sides_of_the_offset(engine: str, whole: Family, side: str) -> None:
    b = whole.anchors[0, D]
    lower, upper = {"equal": (b, b), "lower": (b, np.inf), "upper": (-np.inf, b), "both": (b - 0.01, b + 0.02)}[side]
    agrees_with_the_program_written_out(engine, whole.restricted(constraint([0.0] * D, 1.0, lower, upper)))


def test_one_constraint_on_weights_and_offset_together(engine: str, whole: Family) -> None:
    """The score of one point is held: x.w + b = what the baseline gives it, less a little."""
    x = np.array([0.3, -1.0, 0.2, 0.5, 0.0])
    score = float(whole.anchors[0] @ [*x, 1.0])
    agrees_with_the_program_written_out(engine, whole.restricted(constraint(x.tolist(), 1.0, score, score + 0.05)))


def test_several_constraints_one_after_the_other(engine: str, whole: Family) -> None:
    w = whole.anchors[0]
    smaller = whole.restricted(hold(0, w[0], np.inf)).restricted(hold(1, -np.inf, w[1] + 0.01))
    assert smaller.constraints.n_rows == 2
    agrees_with_the_program_written_out(engine, smaller)


def test_a_constraint_never_widens_an_interval(engine: str, whole: Family) -> None:
    directions = unit_directions(range(D), whole)
    before = opened(engine, whole).maxima(directions).values
    held = whole.restricted(hold(0, -np.inf, whole.anchors[0, 0]))
    after = opened(engine, held).maxima(directions).values
    assert (after <= before + 1e-6 * whole.largest_norm).all()


def test_a_constraint_that_says_nothing_changes_nothing(engine: str, whole: Family) -> None:
    directions = unit_directions(range(D), whole)
    empty = whole.restricted(constraint([1.0] * D, 1.0, -np.inf, np.inf))
    before, after = (opened(engine, f).maxima(directions).values for f in (whole, empty))
    np.testing.assert_allclose(after, before, atol=1e-6 * whole.largest_norm)


IMPOSSIBLE = {
    "a weight beyond the norm budget": ([1.0, 0, 0, 0, 0], 0.0, 1e3, np.inf),
    "nothing that is something": ([0.0, 0, 0, 0, 0], 0.0, 1.0, 1.0),
    "an offset far away": ([0.0] * D, 1.0, 1e4, np.inf),
    "an offset far below": ([0.0] * D, 1.0, -np.inf, -1e4),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_no_model_left_is_an_error(engine: str, whole: Family, name: str) -> None:
    empty = whole.restricted(constraint(*IMPOSSIBLE[name]))
    with pytest.raises(InfeasibleFamily, match="no model"):
        opened(engine, empty).maxima(unit_directions([0], empty))


def test_sides_that_cross_are_an_error(engine: str, whole: Family) -> None:
    crossed = whole.restricted(hold(0, 1.0, np.inf)).restricted(hold(0, -np.inf, -1.0))
    with pytest.raises(InfeasibleFamily, match="no model"):
        opened(engine, crossed).maxima(unit_directions([0], crossed))


def test_budgets_too_small_for_any_model_are_an_error(engine: str) -> None:
    X, y = two_classes(40, D, seed=0)
    small, _ = family_around(X, y)
    small = replace(small, budgets=norm_and_loss(0.5 * small.largest_norm, 0.5 * small.largest_loss))
    with pytest.raises(InfeasibleFamily, match="no model"):
        opened(engine, small).maxima(unit_directions([0], small))


def test_a_restricted_family_keeps_the_anchors_that_satisfy_it(whole: Family) -> None:
    w = whole.anchors[0, 0]
    assert len(whole.restricted(hold(0, w, w)).anchors) == 1  # the baseline, not the stretched one
    assert len(whole.restricted(hold(0, 5 * w, 5 * w)).anchors) == 0
