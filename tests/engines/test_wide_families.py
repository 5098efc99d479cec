"""Wide families: the dual centre, the bounds that decide at a limit, and programs with few columns and rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from problems import family_around, two_classes
from relspan.analysis.baseline import best_models, null_loss
from relspan.engines import ExactEngine, RestrictedEngine
from relspan.engines.certificates import dual_bounds
from relspan.engines.interior.decision_bounds import decision_bounds
from relspan.engines.interior.dual_centre import dual_centre
from relspan.engines.interior.dual_polytope import dual_polytope
from relspan.engines.interior.restricted_engine import AttemptSizes
from relspan.engines.interior.restricted_programs import restricted_programs
from relspan.family import Constraints, Family, build_family, norm_and_loss, unit_directions
from relspan.losses import EpsilonInsensitive, Hinge, Logistic, Loss, OrdinalHinge, Pinball, RejectHinge

N, D = 20, 60
ROUNDING = 1e-9


@dataclass(frozen=True)
class Case:
    """A loss, how its target is made from a score, and sample weights."""

    loss: Loss
    target: str = "sign"
    weighted: bool = False


CASES = {
    "hinge": Case(Hinge()),
    "weighted hinge": Case(Hinge(), weighted=True),
    "logistic": Case(Logistic()),
    "reject": Case(RejectHinge(0.25, 0.25), weighted=True),
    "regression": Case(EpsilonInsensitive(0.1), "number"),
    "quantile": Case(Pinball(0.3), "number", weighted=True),
    "ordinal": Case(OrdinalHinge(4), "rank"),
}


def family_of_case(case: Case, seed: int = 0, n: int = N, d: int = D) -> tuple[Family, float]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    score = X[:, :3].sum(axis=1) + rng.standard_normal(n)
    ranks = np.searchsorted(np.quantile(score, [0.25, 0.5, 0.75]), score).astype(float)
    y = {"sign": np.where(score > 0, 1.0, -1.0), "number": score, "rank": ranks}[case.target]
    weights = rng.integers(0, 4, n).astype(float) if case.weighted else None  # some samples count nothing
    rows, constraints = case.loss.rows(X, y, weights), case.loss.constraints(X, y)
    ((model, _),) = best_models(rows, np.array([4 * case.loss.smallest_C(X, y, weights)]), constraints)
    mu, rho = float(np.abs(model[:d]).sum()), rows.loss(model[:d], model[d:])
    budgets = norm_and_loss(1.1 * mu, rho + 0.05 * (null_loss(rows, constraints) - rho))
    return build_family(rows, budgets, constraints, model), mu


def all_ends(family: Family) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(family.n_features), 2), np.tile([1.0, -1.0], family.n_features)


@pytest.mark.parametrize("name", CASES)
def test_the_centre_is_inside_and_carries_a_model(name: str) -> None:
    family, _ = family_of_case(CASES[name])
    polytope = dual_polytope(family)
    assert polytope is not None
    centre = dual_centre(polytope)
    assert centre is not None
    assert np.abs(centre.pressures).max() < 1
    assert centre.a.min() > 0
    assert (centre.a[: polytope.n_hinge] < centre.beta * polytope.c).all()
    np.testing.assert_allclose(centre.a @ polytope.O_rows, 0.0, atol=1e-9)
    model = np.concatenate([centre.weights, centre.offsets])[None]
    assert family.violations(model)[0] == 0
    assert centre.least_norm <= np.abs(centre.weights).sum()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.slow
def test_answers_are_those_of_the_exact_engine(name: str) -> None:
    family, mu = family_of_case(CASES[name])
    chosen = unit_directions(range(0, D, 6), family)
    found, truth = RestrictedEngine(family).maxima(chosen), ExactEngine(family).maxima(chosen)
    assert not found.handed_over.any()
    assert found.gaps.max() <= 1e-6 * mu
    assert found.violations.max() <= 1e-9
    np.testing.assert_allclose(found.values, truth.values, atol=1e-6 * mu)


@pytest.mark.parametrize("name", CASES)
def test_the_merged_row_loses_what_its_rows_lose(name: str) -> None:
    engine = RestrictedEngine(family_of_case(CASES[name])[0])
    programs = unit_directions(range(3), engine.family)
    whole = replace(engine._problem, v=programs[:, :D], v_b=programs[:, D:])
    at = engine._start(whole, retry=True)
    few = restricted_programs(whole, at, np.repeat(np.arange(3), 2), D, 6)
    rows, merged = np.take_along_axis(at.x, few.rows, 1), few.shares > 0
    assert merged.any(axis=1).all()
    lost = (rows * whole.c[few.rows]).sum(axis=1) + (at.x * whole.c * merged).sum(axis=1)
    np.testing.assert_allclose(few.problem.charge(few.start.x)[:, 0], lost, rtol=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_every_centre_is_centred_at_its_own_mu(name: str) -> None:
    polytope = dual_polytope(family_of_case(CASES[name])[0])
    assert polytope is not None
    known = dual_centre(polytope)
    assert known is not None
    inner = known.at(8 * known.mu)
    assert inner is not None
    slack = inner.mu / (inner.beta * polytope.c - inner.a[: polytope.n_hinge])  # the model at the centre pays R
    np.testing.assert_allclose(slack @ polytope.c, polytope.R, rtol=1e-3)
    assert inner.least_norm < known.least_norm


@pytest.mark.parametrize("name", ["hinge", "weighted hinge", "logistic", "ordinal"])
def test_appended_columns_are_those_of_the_exact_engine(name: str) -> None:
    family, mu = family_of_case(CASES[name])
    columns = np.random.default_rng(1).standard_normal((family.rows.n_scores, 3))
    found, truth = RestrictedEngine(family).appended(columns), ExactEngine(family).appended(columns)
    assert not found.handed_over.any()
    assert found.gaps.max() <= 1e-6 * mu
    np.testing.assert_allclose(found.values, truth.values, atol=1e-6 * mu)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.slow
def test_a_decision_is_never_below_what_a_model_attains(name: str) -> None:
    """Whatever the limits are, the bounds are proven, and their proofs are those that are returned."""
    family, mu = family_of_case(CASES[name])
    truth = ExactEngine(family).maxima(unit_directions(range(D), family)).values
    bounds = decision_bounds(family)
    assert bounds is not None
    for share in (0.05, 0.3):
        found = bounds.decide(*all_ends(family), np.full(2 * D, share * mu))
        assert (found.bounds >= truth - ROUNDING * mu).all()
        directions = unit_directions(range(D), family)
        again = dual_bounds(family, directions, found.hinge_multipliers, found.constraint_multipliers)
        np.testing.assert_allclose(again, found.bounds, atol=ROUNDING * mu)


def test_steps_of_their_own_decide_what_the_centre_leaves_open() -> None:
    family, mu = family_of_case(CASES["hinge"], n=40, d=150)
    truth = ExactEngine(family).maxima(unit_directions(range(60), family)).values
    bounds = decision_bounds(family)
    assert bounds is not None
    features, signs = (part[:120] for part in all_ends(family))
    nothing = bounds.decide(features, signs, np.full(120, np.inf)).bounds
    limits = 1.2 * truth + 1e-3 * mu
    found = bounds.decide(features, signs, limits).bounds
    assert (found <= nothing).all()
    assert (nothing < limits).mean() < 0.5
    assert (found < limits).mean() > 0.8


def test_constraints_on_weights_are_kept() -> None:
    family, mu = family_of_case(CASES["hinge"])
    rows = np.zeros((2, D))
    rows[0, 0], rows[1, [1, 2]] = 1.0, (1.0, -1.0)
    anchor = family.anchors[0]
    sides = Constraints(rows, np.zeros((2, 1)), np.array([-np.inf, -np.inf]), rows @ anchor[:D] + 0.05 * mu)
    within = family.restricted(sides)
    chosen = unit_directions([0, 1, 2, 10], within)
    found, truth = RestrictedEngine(within).maxima(chosen), ExactEngine(within).maxima(chosen)
    assert not found.handed_over.any()
    np.testing.assert_allclose(found.values, truth.values, atol=1e-6 * mu)
    decided = decision_bounds(within)
    assert decided is not None
    ends = np.array([0, 1, 2, 10]).repeat(2), np.tile([1.0, -1.0], 4)
    assert (decided.decide(*ends, np.full(8, 0.2 * mu)).bounds >= truth.values - ROUNDING * mu).all()


def test_too_few_columns_are_noticed_and_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer over too few columns and rows proves nothing, and another engine is asked."""
    family, mu = family_of_case(CASES["hinge"])
    monkeypatch.setattr(RestrictedEngine, "attempts", [AttemptSizes(3, 0.5, 3, 3)])
    engine, chosen = RestrictedEngine(family), unit_directions([0, 30], family)
    found = engine.maxima(chosen)
    assert found.handed_over.all()
    assert engine.handed_over == 4
    np.testing.assert_allclose(found.values, ExactEngine(family).maxima(chosen).values, atol=1e-6 * mu)
    columns = np.random.default_rng(1).standard_normal((N, 2))
    np.testing.assert_allclose(
        engine.appended(columns).values, ExactEngine(family).appended(columns).values, atol=1e-6 * mu
    )


@pytest.mark.parametrize(
    ("shape", "kind"), [((20, 60), "combined"), ((60, 6), "relative")], ids=["one budget for both", "tall"]
)
def test_other_families_are_handed_over(shape: tuple[int, int], kind: str) -> None:
    family, _ = family_around(*two_classes(*shape, 0), 0.7, 0.1, 0.1, kind)
    found = RestrictedEngine(family).maxima(unit_directions([0, 1], family))
    assert found.handed_over.all()
    assert found.gaps.max() <= 1e-6 * family.largest_norm


def test_equal_families_share_a_centre_and_others_do_not() -> None:
    family, _ = family_of_case(CASES["hinge"])
    first, again = dual_polytope(family), dual_polytope(family_of_case(CASES["hinge"])[0])
    other = dual_polytope(family_of_case(CASES["hinge"], seed=1)[0])
    assert first is not None
    assert again is not None
    assert other is not None
    assert dual_centre(first) is dual_centre(again)
    assert dual_centre(first) is not dual_centre(other)
