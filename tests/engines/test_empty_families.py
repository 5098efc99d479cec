"""Families without a model: that there is none is proven, like everything else, and no solver is trusted with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import highspy
import numpy as np
import pytest

from problems import family_around, two_classes
from relspan.analysis import probes
from relspan.analysis.probes import with_member
from relspan.engines import BlocksInTurn, ExactEngine, ReferenceEngine, reference
from relspan.engines.certificates import is_proven_empty
from relspan.engines.simplex import range_program
from relspan.engines.simplex.exact_engine import nearest_member
from relspan.engines.simplex.range_program import RangeProgram
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Bounds, Family, HingeRows, build_family, norm_and_loss, unit_directions
from relspan.family.constraints import Constraints


def family(seed: int = 0, kind: str = "explained") -> Family:
    return family_around(*two_classes(40, 5, seed=seed, flips=0.1), kind=kind)[0]


def with_limit(whole: Family, share: float) -> Family:
    """The family with its last budget at a share of what it was, and no model that is known."""
    last = whole.budgets[-1]
    return replace(
        whole, budgets=(*whole.budgets[:-1], replace(last, limit=share * last.limit)), anchors=whole.anchors[:0]
    )


def null_model(whole: Family) -> np.ndarray:
    return np.zeros(whole.n_features + whole.n_offsets)


# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["explained", "relative", "combined"])
def test_no_multipliers_prove_that_a_family_with_a_model_is_empty(kind: str) -> None:
    for seed in range(20):
        whole, rng = family(seed, kind), np.random.default_rng(seed)
        ends = ExactEngine(whole).maxima(unit_directions(range(5), whole))
        drawn = 10.0 ** rng.uniform(-9, 9, (50, whole.rows.n_rows)) * (rng.random((50, whole.rows.n_rows)) < 0.3)
        for a in [*ends.hinge_multipliers, *(1e9 * ends.hinge_multipliers), *drawn, *-drawn]:
            assert not is_proven_empty(whole, a, np.zeros(0))


@pytest.mark.parametrize("seed", range(20))
def test_nor_do_they_beside_constraints_bounds_and_offsets_without_limits(seed: int) -> None:
    """Of any size, down to the smallest double and up to the largest."""
    rng = np.random.default_rng(seed)
    rows = HingeRows(
        rng.standard_normal((15, 3)),
        rng.choice([0.0, 1.0], (15, 2)),
        rng.random(30),
        np.ones(30),
        np.tile(range(15), 2),
    )
    model = rng.standard_normal(5) / 3
    sides = np.array([[1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, -1.0]])
    values = sides @ model
    extra = Constraints(sides[:, :3], sides[:, 3:], values, np.array([values[0], np.inf]))
    limits = norm_and_loss(float(np.abs(model[:3]).sum()), rows.loss(model[:3], model[3:]) * (1 + 1e-15))
    whole = build_family(rows, limits, extra).boxed({2: (float(model[2]), np.inf)})
    assert whole.violations(model[None])[0] <= 1e-15
    for size in 10.0 ** np.array([-323.0, -300, -200, -20, -3, 0, 3, 20, 200, 300]):
        for _ in range(20):
            a = size * rng.random(30) * (rng.random(30) < 0.5)
            assert not is_proven_empty(whole, a, size * rng.standard_normal(3))
    one = build_family(
        HingeRows(np.array([[0.4]]), np.zeros((1, 0)), np.array([0.6]), np.full(1, 3.0)), norm_and_loss(5, 5)
    )
    assert not is_proven_empty(one, np.full(1, 5e-324), np.zeros(0))


@pytest.mark.parametrize("kind", ["explained", "relative", "combined"])
def test_the_model_that_needs_least_proves_which_limits_leave_none(kind: str) -> None:
    """The limit from which on there are models is found to within 1e-9 of itself."""
    for seed in range(5):
        whole = family(seed, kind)
        nearest, last = nearest_member(whole, null_model(whole)), whole.budgets[-1]
        w = nearest.model[:5]
        needed = last.norm_price * np.abs(w).sum() + last.loss_price * whole.rows.loss(w, nearest.model[5:])
        for share, is_empty in ((1 - 1e-3, True), (1 - 1e-9, True), (1 + 1e-9, False), (1 + 1e-3, False)):
            narrow = with_limit(whole, share * needed / last.limit)
            proof = nearest_member(narrow, null_model(whole))
            assert is_proven_empty(narrow, proof.hinge_multipliers, proof.constraint_multipliers) == is_empty
            if is_empty:
                with pytest.raises(InfeasibleFamily):
                    ExactEngine(narrow).maxima(unit_directions([0], narrow))


@pytest.mark.parametrize(
    "bounds", [{0: (0.9, 2.0), 1: (0.9, 2.0)}, {0: (-np.inf, -0.5)}, {0: (0.0, 0.0), 1: (0.0, 0.0), 2: (0.0, 0.0)}]
)
def test_bounds_that_leave_no_model(bounds: Bounds) -> None:
    """Shares of the norm budget; the program that is bounded and the family written out have the same answer."""
    whole = family()
    wide = {j: (low * whole.largest_norm, high * whole.largest_norm) for j, (low, high) in bounds.items()}
    program, engine = RangeProgram(whole, whole.anchors[0]), ReferenceEngine(whole.boxed(wide))
    for j, (low, high) in wide.items():
        program.bound(j, low, high)
    direction = unit_directions([4], whole)[0]
    with pytest.raises(InfeasibleFamily):
        program.solve(direction)
    with pytest.raises(InfeasibleFamily):
        engine.maxima(direction[None])
    for j in wide:
        program.open(j)
    value = direction @ program.solve(direction).model
    assert value == pytest.approx(direction @ RangeProgram(whole, whole.anchors[0]).solve(direction).model, abs=1e-9)


# -- solvers that err --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["kInfeasible", "kUnknown", "kUnboundedOrInfeasible"])
@pytest.mark.parametrize("times", [1, 2, 3, 1000])
def test_a_solver_that_finds_no_model_is_not_believed(monkeypatch: Any, status: str, times: int) -> None:
    whole = family()
    direction = unit_directions([0], whole)[0]
    expected = direction @ RangeProgram(whole, whole.anchors[0]).solve(direction).model
    program, solved, asked = RangeProgram(whole, whole.anchors[0]), range_program.run_bounded, []

    def erring(*arguments: Any) -> Any:
        asked.append(1)
        found = solved(*arguments)
        return (getattr(highspy.HighsModelStatus, status), found[1]) if len(asked) <= times else found

    monkeypatch.setattr(range_program, "run_bounded", erring)
    if times < 1000:
        assert direction @ program.solve(direction).model == pytest.approx(expected, abs=1e-9)
    else:
        with pytest.raises(SolverError, match="nor a proof that there is none"):
            program.solve(direction)


@pytest.mark.parametrize("methods", [1, 2, 1000])
def test_linprog_that_finds_no_model_is_not_believed(monkeypatch: Any, methods: int) -> None:
    """Its other methods are asked, and where all of them find none it is refused."""
    whole, solved, asked = family(), reference.linprog, []
    direction = unit_directions([0], whole)
    expected = ReferenceEngine(whole).maxima(direction).values

    def erring(*arguments: Any, **options: Any) -> Any:
        found = solved(*arguments, **options)
        asked.append(1)
        if len(asked) <= 2 * methods:
            found.status, found.message = 2, "the problem is infeasible"
        return found

    monkeypatch.setattr(reference, "linprog", erring)
    if methods < 1000:
        np.testing.assert_allclose(ReferenceEngine(whole).maxima(direction).values, expected, atol=1e-8)
    else:
        with pytest.raises(SolverError, match="infeasible"):
            ReferenceEngine(whole).maxima(direction)


def test_a_block_of_weights_is_closed_again_after_an_error(monkeypatch: Any) -> None:
    """The next block's answers are about its own weights alone."""
    whole = family()
    programs = BlocksInTurn(whole, 3)
    first, second = programs.with_block(np.array([3])), programs.with_block(np.array([4]))
    direction = unit_directions([3], second.family)
    expected = BlocksInTurn(whole, 3).with_block(np.array([4])).maxima(direction).values
    with monkeypatch.context() as patched:
        patched.setattr(RangeProgram, "_run", refused)
        with pytest.raises(SolverError):
            first.maxima(direction)
    np.testing.assert_allclose(second.maxima(direction).values, expected, atol=1e-9)


def refused(*_: Any) -> None:
    raise SolverError("no answer")


def test_a_replaced_probe_is_lost_only_where_that_is_proven(monkeypatch: Any) -> None:
    whole = family()
    bare, solved = replace(whole, anchors=whole.anchors[:0]), nearest_member

    def erring(asked: Family, null: np.ndarray) -> Any:
        return replace(solved(asked, null), model=null)

    monkeypatch.setattr(probes, "nearest_member", erring)
    assert not len(with_member(bare).anchors)  # an engine is asked, which proves what it says
