"""A program that holds few of the columns says what the program with all of them says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems import all_ranges, family_around, two_classes
from relspan.engines import ExactEngine, open_engine
from relspan.engines.simplex import exact_engine
from relspan.engines.simplex.exact_engine import LeastLossModel, WorkingSet
from relspan.engines.simplex.visiting_order import nearest_neighbour_chain
from relspan.errors import InfeasibleFamily
from relspan.family import Family, unit_directions
from relspan.family.constraints import Constraints


@pytest.fixture
def lazy(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Columns are left out of every program, and let go after every second one."""
    monkeypatch.setattr(exact_engine, "ALL_COLUMNS_UP_TO", 0)
    monkeypatch.setattr(exact_engine, "PROGRAMS_BETWEEN_PRUNINGS", 2)
    return monkeypatch


def full(family: Family) -> ExactEngine:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_engine, "ALL_COLUMNS_UP_TO", family.n_features)
        return ExactEngine(family)


def wide(seed: int, kind: str = "relative", delta: float = 0.1, flips: float = 0.1, C: float = 0.5) -> Family:
    X, y = two_classes(14, 30, seed, flips, copies=2)
    return family_around(X, y, C, delta, delta, kind)[0]


@pytest.mark.slow
@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["relative", "explained", "combined"]),
    delta=st.sampled_from([0.0, 0.001, 0.1]),
    C=st.sampled_from([0.3, 1.0, 10.0]),
)
def test_few_columns_say_what_all_say(seed: int, kind: str, delta: float, C: float) -> None:
    family = wide(seed, kind, delta, C=C)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_engine, "ALL_COLUMNS_UP_TO", 0)
        patch.setattr(exact_engine, "PROGRAMS_BETWEEN_PRUNINGS", 2)
        few = all_ranges("exact", family)
    everything, reference = full(family).maxima(unit_directions(range(30), family)), all_ranges("reference", family)
    M = family.largest_norm
    assert few.gaps.max() <= 1e-6 * M
    assert np.abs(few.extremes.values - everything.values).max() <= 1e-6 * M
    assert np.abs(few.extremes.values - reference.extremes.values).max() <= 1e-6 * M


def test_columns_are_left_out(lazy: pytest.MonkeyPatch) -> None:
    family = wide(0)
    work = WorkingSet(family)
    held = work.program._is_weight.sum()
    for direction in unit_directions(range(30), family):
        work.solve(direction)
    assert held < 30
    assert work.program._is_weight.sum() < 60


@pytest.mark.parametrize("seed", range(4))
def test_appended_probes(lazy: pytest.MonkeyPatch, seed: int) -> None:
    family = wide(seed)
    columns = np.random.default_rng(seed).permuted(family.rows.features[:, :6], axis=0)
    few, all_ = ExactEngine(family).appended(columns), full(family).appended(columns)
    assert np.allclose(few.values, all_.values, atol=1e-6 * family.largest_norm)
    assert few.gaps.max() <= 1e-6 * family.largest_norm


@pytest.mark.parametrize("seed", range(4))
def test_least_losses(lazy: pytest.MonkeyPatch, seed: int) -> None:
    family = wide(seed, "explained", 0.02)
    few = LeastLossModel(family, 14.0)
    lazy.setattr(exact_engine, "ALL_COLUMNS_UP_TO", 30)
    all_ = LeastLossModel(family, 14.0)
    for j in range(30):
        assert few.without(np.array([j])) == pytest.approx(all_.without(np.array([j])), abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_constraints_on_weights(lazy: pytest.MonkeyPatch, seed: int) -> None:
    """A constraint presses on columns that are left out too."""
    family = wide(seed)
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((2, 30))
    at = A @ family.anchors[0, :30]
    extra = Constraints(A, np.zeros((2, 1)), np.array([at[0], -np.inf]), np.array([at[0], at[1] + 0.01]))
    smaller = replace(family.restricted(extra), anchors=family.anchors[:1])
    few, reference = all_ranges("exact", smaller), all_ranges("reference", smaller)
    assert np.allclose(few.extremes.values, reference.extremes.values, atol=1e-6 * family.largest_norm)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_weights_held_within_bounds(lazy: pytest.MonkeyPatch, seed: int) -> None:
    """Pins may ask for a feature that no program held yet, or forbid all that it did."""
    family = wide(seed)
    hi = all_ranges("reference", family).hi
    unused = int(np.argmax(np.where(family.anchors[0, :30] == 0, hi, -1.0)))
    used = int(np.argmax(np.abs(family.anchors[0, :30])))
    directions = unit_directions(range(30), family)
    for bounds in ({unused: (0.7 * hi[unused], np.inf)}, {used: (0.0, 0.0)}):
        boxed = family.boxed(bounds)
        try:
            reference = open_engine("reference", boxed).maxima(directions)
        except InfeasibleFamily:
            with pytest.raises(InfeasibleFamily):
                ExactEngine(family).maxima_within(boxed, bounds, directions)
            continue
        few = ExactEngine(family).maxima_within(boxed, bounds, directions)
        assert np.allclose(few.values, reference.values, atol=1e-6 * family.largest_norm)
        assert few.gaps.max() <= 1e-6 * family.largest_norm


@pytest.mark.parametrize("either_sign", [True, False])
def test_the_chain_goes_to_the_nearest_column_left(either_sign: bool) -> None:
    columns = np.random.default_rng(0).standard_normal((7, 40))
    order = nearest_neighbour_chain(columns, either_sign)
    assert sorted(order) == list(range(40))
    assert order[0] == 0
    unit = columns / np.linalg.norm(columns, axis=0)
    similar = unit.T @ unit
    similar = np.abs(similar) if either_sign else similar
    for here, there, left in zip(order, order[1:], (order[i:] for i in range(1, 40)), strict=False):
        assert similar[here, there] >= similar[here, left].max() - 1e-6
