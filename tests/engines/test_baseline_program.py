"""The dual program of the best models: both sides meet, whatever it starts with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from problems import best_by_scipy, two_classes
from relspan.engines.simplex import baseline_program
from relspan.engines.simplex.baseline_program import BaselineProgram
from relspan.errors import InfeasibleFamily
from relspan.family import Constraints, HingeRows, empty_rows, no_constraints
from relspan.losses import Hinge

COSTS = (0.05, 0.5, 20.0)


def sides(rows: HingeRows, C: float, model: np.ndarray, a: np.ndarray) -> tuple[float, float]:
    """What a model costs, and what multipliers prove; the multipliers must be feasible."""
    d = rows.n_features
    assert (a >= 0).all()
    assert (a <= C * rows.costs).all()
    assert np.abs(a @ rows.features).max() <= 1 + 1e-7
    assert np.abs(a @ rows.offsets).max() <= 1e-7 * (1 + C)
    return float(np.abs(model[:d]).sum() + C * rows.loss(model[:d], model[d:])), float(a @ rows.heights)


@pytest.mark.parametrize("shape", [(80, 6), (20, 50)])
@pytest.mark.parametrize("flips", [0.0, 0.1])
@pytest.mark.parametrize("lazy", [False, True])
def test_what_a_model_costs_is_what_its_multipliers_prove(
    shape: tuple[int, int], flips: float, lazy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baseline_program, "ALL_FEATURES_UP_TO", 0 if lazy else 200)
    monkeypatch.setattr(baseline_program, "FEATURES_AT_ONCE", 3)
    X, y = two_classes(*shape, seed=0, flips=flips)
    rows = Hinge().rows(X, y)
    program = BaselineProgram(rows, no_constraints(X.shape[1], 1))
    for C in (*COSTS, 0.1):  # a smaller C after a larger one is one of many
        cost, proven = sides(rows, C, *program.solve(C))
        assert cost == pytest.approx(proven, rel=1e-7)
        assert cost == pytest.approx(best_by_scipy(X, y, C)[0], rel=1e-7)


@pytest.mark.parametrize("C", [1e-6, 0.5, 500.0])
def test_fine_units_change_what_the_solver_sees_and_nothing_else(C: float, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = two_classes(40, 6, seed=3, flips=0.1)
    rows = Hinge().rows(X, y)
    usual, _ = sides(rows, C, *BaselineProgram(rows, no_constraints(6, 1)).solve(C))
    fine = [attempt for attempt in baseline_program.RETRIES if attempt[-1]]
    monkeypatch.setattr(baseline_program, "RETRIES", tuple(fine))
    program = BaselineProgram(rows, no_constraints(6, 1))
    for cost in (C, 0.1, C):
        found, proven = sides(rows, cost, *program.solve(cost))
        assert found == pytest.approx(proven, rel=1e-7, abs=1e-12)
    assert found == pytest.approx(usual, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("near", [0, 1, 10])
def test_a_guide_that_leads_astray_costs_time_alone(seed: int, near: int) -> None:
    X, y = two_classes(90, 5, seed=seed, flips=0.1)
    rows, rng = Hinge().rows(X, y), np.random.default_rng(seed)
    for C in COSTS:
        guide = 3 * rng.normal(size=6)
        cost, proven = sides(rows, C, *BaselineProgram(rows, no_constraints(5, 1), guide, near).solve(C))
        assert cost == pytest.approx(proven, rel=1e-7)


def test_a_good_guide_leaves_most_rows_outside() -> None:
    X, y = two_classes(2000, 4, seed=1, flips=0.1)
    rows = Hinge().rows(X, y)
    guide, _ = BaselineProgram(rows, no_constraints(4, 1)).solve(0.01)
    program = BaselineProgram(rows, no_constraints(4, 1), guide, 60)
    model, a = program.solve(0.011)
    cost, proven = sides(rows, 0.011, model, a)
    assert cost == pytest.approx(proven, rel=1e-7)
    assert len(program._inside) < 500


def test_a_sparse_table_gives_the_same() -> None:
    X, y = two_classes(40, 60, seed=2)
    X = np.where(np.abs(X) > 1, X, 0.0)
    rows = [Hinge().rows(table, y) for table in (X, sparse.csr_array(X), sparse.csc_array(X))]
    costs = []
    for these in rows:
        model, _ = BaselineProgram(these, no_constraints(60, 1)).solve(1.0)
        costs.append(np.abs(model[:60]).sum() + rows[0].loss(model[:60], model[60:]))
    assert costs == pytest.approx([costs[0]] * 3, rel=1e-9)


@pytest.mark.parametrize(("lower", "upper"), [(0.3, np.inf), (-np.inf, -0.2), (-0.1, 0.1), (0.25, 0.25)])
@pytest.mark.parametrize("narrow", [0, 200])
def test_constraints_are_met_and_priced(
    lower: float, upper: float, narrow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lower <= w_0 + b <= upper: the best model is the best of a grid of pinned ones, and satisfies it."""
    monkeypatch.setattr(baseline_program, "ALL_FEATURES_UP_TO", narrow)
    X, y = two_classes(60, 4, seed=3, flips=0.05)
    rows = Hinge().rows(X, y)
    extra = Constraints(np.eye(1, 4), np.ones((1, 1)), np.array([lower]), np.array([upper]))
    model, _ = BaselineProgram(rows, extra).solve(0.5)
    value = model[0] + model[4]
    assert lower - 1e-7 <= value <= upper + 1e-7

    def cost(extra: Constraints) -> float:
        found, _ = BaselineProgram(rows, extra).solve(0.5)
        return float(np.abs(found[:4]).sum() + 0.5 * rows.loss(found[:4], found[4:]))

    pinned = [replace(extra, lower=np.array([v]), upper=np.array([v])) for v in np.linspace(-1, 1, 41)]
    allowed = [cost(p) for p in pinned if lower - 1e-9 <= p.lower[0] <= upper + 1e-9]
    assert cost(extra) <= min(allowed) + 1e-7
    assert cost(replace(extra, lower=np.array([value]), upper=np.array([value]))) == pytest.approx(
        cost(extra), rel=1e-6
    )


@pytest.mark.parametrize("narrow", [0, 200])
def test_constraints_that_contradict_each_other_are_reported(narrow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline_program, "ALL_FEATURES_UP_TO", narrow)
    X, y = two_classes(30, 3, seed=4)
    both = Constraints(np.eye(1, 3)[[0, 0]], np.zeros((2, 1)), np.array([1.0, -np.inf]), np.array([np.inf, 0.5]))
    with pytest.raises(InfeasibleFamily, match="constraints"):
        BaselineProgram(Hinge().rows(X, y), both).solve(1.0)


@pytest.mark.parametrize("C", [1e4, 1e6])
@pytest.mark.parametrize("seed", range(3))
def test_where_nothing_is_lost_a_large_cost_is_no_trouble(C: float, seed: int) -> None:
    """Support rows are at their kink but for rounding, which C must not blow up into a gap."""
    X, y = two_classes(300, 40, seed=seed, flips=0.0)
    rows = Hinge().rows(X, y)
    model, a = BaselineProgram(rows, no_constraints(40, 1)).solve(C)
    assert np.abs(model[:40]).sum() == pytest.approx(a.sum(), rel=1e-7)
    assert rows.slack(model[:40], model[40:]).max() <= 1e-8


def test_an_optimum_of_zero_is_one() -> None:
    X, y = two_classes(20, 3, seed=0)
    rows = replace(Hinge().rows(X, y), heights=np.zeros(20))
    model, _ = BaselineProgram(rows, no_constraints(3, 1)).solve(1.0)
    assert np.abs(model[:3]).sum() == 0
    assert rows.loss(model[:3], model[3:]) <= 1e-12


def test_multipliers_stay_feasible_when_the_cost_changes() -> None:
    """Repeated rows with whole heights make degenerate programs, in which a solver's row values may drift."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        X = rng.integers(-2, 3, (12, 4)).astype(float)
        rows = Hinge().rows(np.repeat(X, 2, axis=0), np.repeat(np.where(rng.random(12) < 0.5, 1.0, -1.0), 2))
        rows = replace(rows, heights=rng.integers(-1, 3, 24).astype(float), costs=rng.integers(0, 3, 24).astype(float))
        program = BaselineProgram(rows, no_constraints(4, 1))
        for C in (1.0, 100.0, 0.01, 3.0):
            cost, proven = sides(rows, C, *program.solve(C))
            assert cost == pytest.approx(proven, rel=1e-7, abs=1e-9 * (1 + C))


def test_no_rows_no_model() -> None:
    model, a = BaselineProgram(empty_rows(3, 1), no_constraints(3, 1)).solve(1.0)
    assert not model.any()
    assert not len(a)
