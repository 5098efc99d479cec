"""Certificates: attained and dual values meet, and the dual side is a bound whatever the multipliers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from problems import family_around, opened, two_classes
from relspan.engines import open_engine
from relspan.engines.certificates import clip_to_rows, clip_to_sides, dual_bounds
from relspan.errors import DegenerateBaseline
from relspan.family import Family, HingeRows, unit_directions
from relspan.family.constraints import Constraints


@st.composite
def problems(draw: st.DrawFn) -> tuple[Family, float]:
    """A family of up to 60 samples and 12 columns, and mu: noisy or separable, with or without copied columns."""
    d = draw(st.integers(1, 12))
    X, y = two_classes(
        n=draw(st.integers(6, 60)),
        d=d,
        seed=draw(st.integers(0, 10**6)),
        flips=draw(st.sampled_from([0.0, 0.1, 0.3])),
        copies=draw(st.integers(0, d // 2)),
    )
    kind = draw(st.sampled_from(["explained", "relative", "combined"]))
    # At C = 1000 a combined budget lets weights grow to a thousand times mu, and mu is no measure of them.
    C = draw(st.sampled_from([0.1, 1.0, 10.0] if kind == "combined" else [0.1, 1.0, 10.0, 1000.0]))
    try:
        family, baseline = family_around(
            X,
            y,
            C=C,
            delta_norm=draw(st.sampled_from([0.001, 0.02, 0.1, 0.5])),
            delta_loss=draw(st.sampled_from([0.0, 0.001, 0.02, 0.1, 0.5])),
            kind=kind,
            sample_weight=draw(st.sampled_from([None, np.linspace(0.1, 2.0, len(y))])),
        )
    except DegenerateBaseline:
        reject()  # the best model is the null model: there is no family to speak of
    return family, baseline.norm


def plainly_inside(family: Family, model: np.ndarray, tolerance: float) -> bool:
    """The definition of the family, written out once more: no code of the package but its data."""
    w, b, rows = model[: family.n_features], model[family.n_features :], family.rows
    norm = np.sum(np.abs(w))
    loss = np.sum(rows.costs * np.maximum(0, rows.heights - rows.features @ w - rows.offsets @ b))
    return all(
        k.norm_price * norm + k.loss_price * loss <= k.limit * (1 + tolerance) + tolerance for k in family.budgets
    )


@pytest.mark.slow
@given(problems())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_attained_and_dual_values_meet(engine: str, problem: tuple[Family, float]) -> None:
    family, mu = problem
    features = range(min(2, family.n_features)) if engine == "reference" else range(family.n_features)  # slow twin
    found = opened(engine, family).maxima(unit_directions(features, family))
    assert found.gaps.max() <= 1e-6 * mu
    assert found.gaps.min() >= -1e-9 * mu
    for end, (model, value) in enumerate(zip(found.models, found.values, strict=True)):
        assert plainly_inside(family, model, 1e-9)
        assert value == (model[end // 2] if end % 2 == 0 else -model[end // 2])


def a_member(family: Family) -> np.ndarray:
    """The last anchor: the stretched baseline where it is inside (as on separable data), else the baseline."""
    return family.anchors[-1]


def members(family: Family, start: np.ndarray, rng: np.random.Generator, count: int) -> np.ndarray:
    """Random models of the family: mixtures of attaining models, and steps from a member cut to fit."""
    corners = open_engine("exact", family).maxima(rng.standard_normal((6, len(start)))).models
    mixed = rng.dirichlet(np.ones(6), count) @ corners
    steps = rng.standard_normal((count, len(start)))
    for _ in range(40):
        steps[family.violations(start + steps) > 0] *= 0.5
    inside = np.vstack([mixed, start + steps, corners])
    return inside[family.violations(inside) <= 1e-12]


@pytest.mark.slow
@given(problems(), st.integers(0, 10**6))
@settings(max_examples=60)
def test_any_multipliers_give_a_bound(problem: tuple[Family, float], seed: int) -> None:
    """Weak duality: no solver, no optimality, no orthogonality is needed for the dual side to hold."""
    family, mu = problem
    rng = np.random.default_rng(seed)
    width, m = family.n_features + family.n_offsets, family.rows.n_rows
    inside = members(family, a_member(family), rng, 20)
    assert len(inside) > 0
    directions = rng.standard_normal((8, width))
    size = 10.0 ** rng.uniform(-3, 3, (8, 1))
    a = size * rng.exponential(size=(8, m)) * (rng.random((8, m)) < 0.5)
    bounds = dual_bounds(family, directions, clip_to_rows(family, a), np.zeros((8, 0)))
    values = (inside @ directions.T).max(axis=0)
    assert (bounds >= values - 1e-9 * (mu + np.abs(values))).all()

    # near the optimum, where the bound is tight, as well
    found = open_engine("exact", family).maxima(directions)
    nudged = clip_to_rows(family, found.hinge_multipliers * rng.uniform(0.9, 1.1, (8, m)))
    assert (dual_bounds(family, directions, nudged, np.zeros((8, 0))) >= found.values - 1e-9 * mu).all()


@pytest.mark.slow
@given(problems(), st.integers(0, 10**6))
@settings(max_examples=40)
def test_any_multipliers_give_a_bound_under_constraints(problem: tuple[Family, float], seed: int) -> None:
    family, mu = problem
    rng = np.random.default_rng(seed)
    d, k = family.n_features, family.n_offsets
    A = rng.standard_normal((3, d + k))
    start = a_member(family)
    below, above = np.array([-0.1, -np.inf, -0.2]), np.array([0.1, 0.05, np.inf])
    sides = Constraints(A[:, :d], A[:, d:], A @ start + below, A @ start + above)
    held = family.restricted(sides)
    inside = members(held, start, rng, 20)
    assert len(inside) > 0
    directions = rng.standard_normal((6, d + k))
    a = rng.exponential(size=(6, family.rows.n_rows))
    g = clip_to_sides(held, 3 * rng.standard_normal((6, 3)))
    assert (g[:, 1] <= 0).all()
    assert (g[:, 2] >= 0).all()
    values = (inside @ directions.T).max(axis=0)
    assert (dual_bounds(held, directions, a, g) >= values - 1e-9 * (mu + np.abs(values))).all()


def test_multipliers_that_miss_the_offset_pay_for_it() -> None:
    """Shifted by eps on one row, the bound may grow but never falls below the truth."""
    X, y = two_classes(40, 4, seed=0)
    family, baseline = family_around(X, y)
    directions = unit_directions(range(4), family)
    found = open_engine("exact", family).maxima(directions)
    for row in range(40):
        for shift in (-1e-3, 1e-3):
            a = np.array(found.hinge_multipliers)
            a[:, row] += shift
            bounds = dual_bounds(family, directions, clip_to_rows(family, a), np.zeros((8, 0)))
            assert (bounds >= found.values - 1e-12 * baseline.norm).all()


def test_an_unbounded_offset_makes_the_bound_infinite_not_wrong() -> None:
    """With one class only nothing keeps b from running off; multipliers that see b prove nothing then."""
    X, y = two_classes(20, 2, seed=1)
    family, _ = family_around(X, y)
    one_class = y > 0
    rows = family.rows
    lonely = replace(
        family, rows=HingeRows(*(part[one_class] for part in (rows.features, rows.offsets, rows.heights, rows.costs)))
    )
    assert np.isinf(lonely.offset_limits).all()
    a = np.ones((1, one_class.sum()))
    assert dual_bounds(lonely, np.array([[1.0, 0.0, 0.0]]), a, np.zeros((1, 0)))[0] == np.inf
    assert np.isfinite(dual_bounds(lonely, np.array([[1.0, 0.0, 0.0]]), 0 * a, np.zeros((1, 0)))[0])
