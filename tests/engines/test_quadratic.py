"""The L2-regularised best model: the quadratic program, with and without constraints, is that of a plain solver."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from problems import two_classes
from relspan import RelevanceClassifier
from relspan.engines.quadratic import ridge_models
from relspan.family import Constraints, HingeRows, no_constraints
from relspan.losses import Hinge, OrdinalHinge, Privileged


def least_objective(rows: HingeRows, C: float, extra: Constraints) -> float:
    """min 1/2 ||w||^2 + C c.x  s.t.  F w + O b + x >= h,  lower <= A (w, b) <= upper,  x >= 0,  by SLSQP."""
    d, k, m = rows.n_features, rows.n_offsets, rows.n_rows
    hinges = np.hstack([rows.features, rows.offsets, np.eye(m)])
    sides = np.hstack([extra.features, extra.offsets, np.zeros((extra.n_rows, m))])
    low, high = np.isfinite(extra.lower), np.isfinite(extra.upper)
    A = np.vstack([hinges, sides[low], -sides[high]])
    b = np.concatenate([rows.heights, extra.lower[low], -extra.upper[high]])
    cost = np.concatenate([np.zeros(d + k), C * rows.costs])
    found = minimize(
        lambda z: 0.5 * z[:d] @ z[:d] + cost @ z,
        np.concatenate([np.zeros(d + k), np.maximum(rows.heights, 0.0)]),
        jac=lambda z: np.concatenate([z[:d], np.zeros(k + m)]) + cost,
        bounds=[(None, None)] * (d + k) + [(0, None)] * m,
        constraints={"type": "ineq", "fun": lambda z: A @ z - b, "jac": lambda z: A},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert found.success, found.message
    return float(found.fun)


X, Y = two_classes(14, 3, seed=0, flips=0.2)
LOSSES = {
    "hinge": (Hinge(), Y),
    "privileged": (Privileged(Hinge(), (False, True, False), 0.5), Y),  # inequalities on weights
    "ordinal": (OrdinalHinge(3), np.arange(14) % 3 * 1.0),  # inequalities on offsets
}


@pytest.mark.parametrize("name", sorted(LOSSES))
@pytest.mark.parametrize("C", [0.1, 1.0])
def test_the_objective_is_the_least_and_the_constraints_hold(name: str, C: float) -> None:
    loss, y = LOSSES[name]
    rows, d = loss.rows(X, y), loss.rows(X, y).n_features
    extra = loss.constraints(X, y)
    ((model, multipliers),) = ridge_models(rows, np.array([C]), extra)
    extra = no_constraints(d, rows.n_offsets) if extra is None else extra
    value = extra.features @ model[:d] + extra.offsets @ model[d:]
    assert (value >= extra.lower - 1e-7).all()
    assert (value <= extra.upper + 1e-7).all()
    objective = 0.5 * model[:d] @ model[:d] + C * rows.loss(model[:d], model[d:])
    assert objective == pytest.approx(least_objective(rows, C, extra), rel=1e-5)
    assert (multipliers >= 0).all()


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_privileged_columns_go_with_the_l2_baseline() -> None:
    rng = np.random.default_rng(0)
    table, y = two_classes(60, 3, seed=1)
    hardness = np.abs(table[:, :1] + 0.3 * rng.standard_normal((60, 1)))
    fitted = RelevanceClassifier(C=1.0, penalty="l2", n_probes=5, random_state=0).fit(table, y, privileged=hardness)
    assert fitted.privileged_intervals_.shape == (1, 2)
    assert fitted.result_.certificates.verify() < 1e-6
