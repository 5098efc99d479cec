"""Smooth losses, their families, and ranges over them: against plain formulas, closed forms and another optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from relspan.family import Budget, combined, norm_and_loss
from relspan.model_audit.barrier_engine import BarrierEngine
from relspan.model_audit.smooth_family import SmoothFamily
from relspan.model_audit.smooth_losses import (
    class_rows,
    one_sided_square,
    residual_rows_of,
    softplus,
    two_sided_square,
)

CURVES = {
    "softplus": softplus(),
    "square": one_sided_square(),
    "modified Huber": one_sided_square(2.0),
    "squares": two_sided_square(),
    "Huber": two_sided_square(0.7),
}
PENALTIES = {"L1": (1.0, 0.0), "L2": (0.0, 1.0), "elastic net": (0.5, 0.5), "none": (0.0, 0.0)}


@pytest.mark.parametrize("name", CURVES)
def test_slopes_and_curvatures_are_derivatives(name: str) -> None:
    curve, a, h = CURVES[name], np.linspace(-3.03, 3.04, 41), 1e-5
    assert curve.slope(a) == pytest.approx((curve.value(a + h) - curve.value(a - h)) / (2 * h), abs=1e-6)
    assert curve.curvature(a) == pytest.approx((curve.slope(a + h) - curve.slope(a - h)) / (2 * h), abs=1e-6)


def problem(loss: str, penalty: str, budget: str = "separate", seed: int = 0) -> SmoothFamily:
    """A small table, a model of it that is not the best one, and the family around it."""
    rng = np.random.default_rng(seed)
    X, noise = rng.standard_normal((40, 3)), rng.standard_normal(40)
    X[:, 1] = X[:, 0] + 0.4 * X[:, 1]
    score = X @ [1.0, 0.5, 0.0] + noise
    y, costs = np.where(score > 0.3, 1.0, -1.0), rng.uniform(0.5, 2.0, 40)
    if loss == "logistic":
        rows = class_rows(softplus(), X, y, costs, 0.0, True)
    elif loss == "squared hinge":
        rows = class_rows(one_sided_square(), X, y, costs, 1.0, True)
    else:
        epsilon = 0.3 if loss == "epsilon" else 0.0
        rows = residual_rows_of(one_sided_square() if epsilon else two_sided_square(), X, score, costs, epsilon, True)
    l1, l2 = (price * np.array([1.0, 2.0, 0.5]) for price in PENALTIES[penalty])
    start = np.array([0.7, 0.4, 0.1, -0.2])
    rho = float(rows.value(start[None])[0])
    P = float(np.abs(start[:3]) @ l1 + 0.5 * start[:3] ** 2 @ l2)
    P_more = float(np.abs(1.1 * start[:3]) @ l1 + 0.5 * (1.1 * start[:3]) ** 2 @ l2)
    budgets: tuple[Budget, ...] = norm_and_loss(P_more, 1.05 * rho)
    if budget == "combined":
        budgets = combined(0.8, P + 0.8 * 1.05 * rho)
    elif penalty == "none":
        budgets = (Budget(0.0, 1.0, 1.05 * rho),)
    return SmoothFamily(rows, budgets, l1, l2, start, 50.0)


CASES = [("logistic", p, b) for p in PENALTIES for b in ("separate", "combined") if (p, b) != ("none", "combined")]
CASES += [("squared hinge", "L1", "separate"), ("epsilon", "L2", "separate"), ("squares", "elastic net", "combined")]


@pytest.mark.parametrize(("loss", "penalty", "budget"), CASES)
def test_ranges_are_those_of_another_optimiser(loss: str, penalty: str, budget: str) -> None:
    family = problem(loss, penalty, budget)
    rng = np.random.default_rng(1)
    directions = np.vstack([np.eye(4), -np.eye(4), rng.standard_normal((2, 4))])
    found = BarrierEngine(family).maxima(directions)
    assert family.contains(found.models).all()
    assert found.values == pytest.approx(np.einsum("ij,ij->i", directions, found.models))
    assert (found.gaps >= 0).all()
    assert found.gaps.max() < 1e-4

    # w = p - q with p, q >= 0, so that |w| is smooth
    def model(x: np.ndarray) -> np.ndarray:
        return np.append(x[:3] - x[3:6], x[6])

    def rooms(x: np.ndarray) -> np.ndarray:
        z = model(x)
        P = (x[:3] + x[3:6]) @ family.l1 + 0.5 * z[:3] ** 2 @ family.l2
        loss = family.loss.value(z[None])[0]
        return np.array([b.limit - b.norm_price * P - b.loss_price * loss for b in family.budgets])

    begin = np.concatenate([family.centre[:3], np.zeros(3), family.centre[3:]])
    for v, value, bound in zip(directions, found.values, found.bounds, strict=True):
        other = minimize(
            lambda x, v=v: -v @ model(x),
            begin,
            method="SLSQP",
            bounds=[(0, None)] * 6 + [(None, None)],
            constraints={"type": "ineq", "fun": rooms},
            options={"ftol": 1e-10, "maxiter": 500},
        )
        assert -other.fun == pytest.approx(value, abs=2e-4)
        assert -other.fun <= bound + 1e-6  # SLSQP may leave the family by its own tolerance


@pytest.mark.parametrize("penalty", PENALTIES)
def test_every_point_and_price_gives_a_bound(penalty: str) -> None:
    """The certificate needs no solver: whatever it is made from, no model of the family exceeds it."""
    family, rng = problem("logistic", penalty), np.random.default_rng(2)
    points = family.centre + 0.4 * rng.standard_normal((4000, 4))
    members = points[family.contains(points)]
    assert len(members) > 20
    directions = rng.standard_normal((30, 4))
    bounds = family.bounds(
        directions, family.centre + rng.standard_normal((30, 4)), rng.exponential(size=(30, len(family.budgets)))
    )
    assert ((members @ directions.T).max(axis=0) <= bounds).all()


def test_work_ends_as_soon_as_the_caller_has_seen_enough() -> None:
    engine = BarrierEngine(problem("logistic", "L2"))
    directions = np.vstack([np.eye(4), -np.eye(4)])
    rough = engine.maxima(directions, enough=lambda values, bounds: np.isfinite(bounds))
    whole = engine.maxima(directions)
    assert (rough.gaps > whole.gaps).all()
    assert (rough.values <= whole.bounds).all()
    assert (rough.bounds >= whole.values).all()
