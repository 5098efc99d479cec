"""Who is inside: violations by the plain formulas, and how far the offsets of members reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from problems import family_around, two_classes
from relspan.errors import DegenerateBaseline
from relspan.family import Family, HingeRows, WeightBlocks, build_family, norm_and_loss, unit_directions
from relspan.family.constraints import Constraints
from relspan.simulate import simulate


def random_family(seed: int) -> tuple[Family, np.ndarray]:
    """Rows and constraints of no particular task, around a random member."""
    rng = np.random.default_rng(seed)
    m, d, k, e = rng.integers(1, 12), rng.integers(1, 5), rng.integers(1, 4), rng.integers(0, 3)
    offsets = np.eye(k)[rng.integers(0, k, m)] * rng.choice([-2.0, -1.0, 1.0], (m, 1))
    rows = HingeRows(rng.standard_normal((m, d)), offsets, rng.standard_normal(m), rng.choice([0.0, 0.5, 2.0], m))
    member = rng.standard_normal(d + k)
    A = rng.standard_normal((e, d + k)) * (rng.random((e, d + k)) < 0.5)
    sides = Constraints(A[:, :d], A[:, d:], A @ member - rng.random(e), A @ member + rng.random(e))
    norm, loss = np.abs(member[:d]).sum(), rows.loss(member[:d], member[d:])
    return build_family(rows, norm_and_loss(1.2 * norm, 1.2 * loss + 0.1), sides, anchors=member), member


@pytest.mark.slow
@given(st.integers(0, 10**6))
def test_offset_limits_hold_for_every_member(seed: int) -> None:
    somewhere, member = random_family(seed)
    rng = np.random.default_rng(seed + 1)
    d = somewhere.n_features
    steps = rng.standard_normal((200, len(member))) * 10.0 ** rng.uniform(-1, 2, (200, 1))
    for _ in range(30):
        steps[somewhere.violations(member + steps) > 0] *= 0.7
    inside = member + steps
    inside = inside[somewhere.violations(inside) <= 0]
    assert len(inside) > 0
    assert (np.abs(inside[:, d:]).max(axis=0) <= somewhere.offset_limits + 1e-9).all()


@given(st.integers(0, 10**6))
def test_violations_by_hand(seed: int) -> None:
    somewhere, member = random_family(seed)
    rng, d = np.random.default_rng(seed), somewhere.n_features
    models = member + rng.standard_normal((5, len(member)))
    for model, violation in zip(models, somewhere.violations(models), strict=True):
        w, b, extra = model[:d], model[d:], somewhere.constraints
        value = extra.features @ w + extra.offsets @ b
        inside = (
            np.abs(w).sum() <= somewhere.largest_norm
            and somewhere.rows.loss(w, b) <= somewhere.largest_loss
            and (extra.lower <= value).all()
            and (value <= extra.upper).all()
        )
        assert (violation <= 0) == inside
    assert somewhere.violations(member[None])[0] == 0


def test_violations_are_shares_of_the_limits() -> None:
    X, y = two_classes(30, 3, seed=0)
    equally_good, baseline = family_around(X, y, delta_norm=0.0, delta_loss=5.0)
    stretched = equally_good.violations(1.25 * baseline.model[None])[0]
    assert stretched == pytest.approx(0.25)


def test_a_loss_limit_of_rounding_size_is_no_measure() -> None:
    """On separable data rho is 0 or 1e-15, and a model over it by 1e-14 is as good as inside."""
    X, y = two_classes(30, 3, seed=0, flips=0.0)
    separating, baseline = family_around(X, y, C=100.0, kind="relative")
    exact_zero, noise = (replace(separating, budgets=norm_and_loss(2 * baseline.norm, R)) for R in (0.0, 1e-15))
    shorter = (1 - 1e-9) * baseline.model[None]  # falls short of the margin by 1e-9
    over = baseline.loss + 1e-9
    for thin in (exact_zero, noise):
        assert 0 < thin.violations(shorter)[0] < 1e3 * over


@pytest.mark.parametrize(("lower", "upper"), [(-np.inf, 100.0), (-1.0, 100.0), (-100.0, 1.0), (-100.0, np.inf)])
def test_each_side_of_a_constraint_has_its_own_measure(lower: float, upper: float) -> None:
    """Sticking out by 1 is 1 / (1 + |side|) of that side, whatever the other side is."""
    rows = HingeRows(np.zeros((0, 1)), np.zeros((0, 0)), np.zeros(0), np.zeros(0))
    sides = Constraints(np.ones((1, 1)), np.zeros((1, 0)), np.array([lower]), np.array([upper]))
    line = build_family(rows, (norm_and_loss(1e6, 1.0)), sides)
    for side, outward in ((lower, -1.0), (upper, 1.0)):
        if np.isfinite(side):
            assert line.violations(np.array([[side + outward]]))[0] == pytest.approx(1 / (1 + abs(side)))


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from(["explained", "relative", "combined"]))
def test_the_baseline_is_inside_whatever_the_budgets(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    X, y = two_classes(int(rng.integers(8, 40)), int(rng.integers(1, 8)), seed, flips=float(rng.choice([0, 0.2])))
    try:
        equally_good, baseline = family_around(X, y, 10.0 ** rng.uniform(-1, 3), 0.01, 0.01, kind)
    except DegenerateBaseline:
        assume(False)
    assert equally_good.violations(baseline.model[None])[0] <= 1e-12
    if kind == "explained":
        # the baseline shrunk by delta_loss towards the null model is inside: what the budget is made of
        null = np.zeros(len(baseline.model))
        null[-1] = 1.0 if (y > 0).sum() >= (y < 0).sum() else -1.0
        shrunk = 0.99 * baseline.model + 0.01 * null
        assert equally_good.violations(shrunk[None])[0] <= 1e-12


def test_columns_appended_and_replaced() -> None:
    X, y = two_classes(30, 3, seed=1)
    equally_good, _ = family_around(X, y)
    wider = equally_good.with_columns(np.ones((30, 2)))
    assert (wider.n_features, wider.n_offsets) == (5, 1)
    assert (wider.violations(wider.anchors) == equally_good.violations(equally_good.anchors)).all()
    np.testing.assert_array_equal(wider.anchors[:, 3:5], 0)
    before = np.array(equally_good.rows.features)
    other = equally_good.with_replaced_column(1, np.ones(30))
    np.testing.assert_array_equal(equally_good.rows.features, before)  # the original is not touched
    np.testing.assert_array_equal(other.rows.features[:, 1], 1)
    used = equally_good.anchors[:, 1] != 0
    np.testing.assert_array_equal(other.anchors, equally_good.anchors[~used])  # what does not use it stays inside
    assert used.any()


def test_unit_directions_come_in_pairs() -> None:
    X, y = two_classes(30, 3, seed=2)
    directions = unit_directions([2, 0], family_around(X, y)[0])
    np.testing.assert_array_equal(directions, [[0, 0, 1, 0], [0, 0, -1, 0], [1, 0, 0, 0], [-1, 0, 0, 0]])


def test_anchors_that_are_not_inside_are_left_out() -> None:
    """The baseline stretched by half of the norm budget may lose more than the loss budget allows."""
    data = simulate(120, 3, 0, 3, flips=0.2, random_state=0)
    family, baseline = family_around(data.X, 2.0 * data.y - 1, C=0.3, delta_norm=1.0, delta_loss=0.02)
    stretched = 1.5 * baseline.model
    assert family.violations(stretched[None]).max() > 0
    np.testing.assert_array_equal(family.anchors, baseline.model[None])


def test_the_stretched_baseline_is_an_anchor_where_it_is_inside() -> None:
    X, y = two_classes(60, 4, seed=3, flips=0.0)
    family, baseline = family_around(X, y, C=10.0, delta_norm=0.2, kind="explained", delta_loss=0.05)
    np.testing.assert_array_equal(family.anchors, [baseline.model, 1.1 * baseline.model])
    assert family.violations(family.anchors).max() == 0


@pytest.mark.parametrize("owner", [[0, 1, 2], [0, 0, 1, 1, 1, 2], [0], []])
def test_the_weights_of_a_feature_are_those_it_owns(owner: list[int]) -> None:
    owners = np.array(owner, dtype=np.intp)
    blocks = WeightBlocks(owners, np.ones(len(owner), dtype=bool))
    for feature in range(blocks.n_features):
        np.testing.assert_array_equal(blocks.columns(feature), np.flatnonzero(owners == feature))
