"""Rows that share a score: every engine gives the ranges of the rows written out, and proves them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from problems import largest, opened, two_classes
from relspan.analysis.baseline import best_models, null_loss, path_models
from relspan.engines.certificates import certify
from relspan.engines.interior.best_models import central_models
from relspan.engines.simplex.baseline_program import BaselineProgram
from relspan.family import Family, build_family, no_constraints, norm_and_loss, unit_directions
from relspan.losses import Logistic, Loss, RejectHinge

LOSSES: dict[str, Loss] = {"logistic": Logistic(), "reject": RejectHinge(0.2, 0.2)}
SHAPES = {"tall": (60, 4), "wide": (12, 20)}


def family_of_loss(
    loss: Loss, n: int, d: int, seed: int = 0, weights: np.ndarray | None = None
) -> tuple[Family, float]:
    X, y = two_classes(n, d, seed)
    rows = loss.rows(X, y, weights)
    ((model, _),) = best_models(rows, np.array([10 * loss.smallest_C(X, y, weights)]))
    mu, rho = float(np.abs(model[:d]).sum()), rows.loss(model[:d], model[d:])
    budgets = norm_and_loss(1.1 * mu, rho + 0.1 * (null_loss(rows) - rho))
    return build_family(rows, budgets, anchors=model), mu


def written_out(family: Family) -> Family:
    return replace(family, rows=family.rows.with_scores_of_their_own())


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.slow
def test_ranges_are_those_of_the_rows_written_out(engine: str, name: str, shape: str) -> None:
    family, mu = family_of_loss(LOSSES[name], *SHAPES[shape])
    directions = np.vstack([unit_directions(range(4), family), np.eye(family.n_features + 1)[-1:]])
    found = opened(engine, family).maxima(directions)
    plain = written_out(family)
    np.testing.assert_allclose(found.values, [largest(plain, v) for v in directions], atol=1e-6 * mu)
    assert found.gaps.max() <= 1e-6 * mu
    assert found.violations.max() <= 1e-9
    # the proofs hold for the rows written out, too
    again = certify(plain, directions, found.models, found.hinge_multipliers, found.constraint_multipliers)
    np.testing.assert_allclose(again.bounds, found.bounds, atol=1e-9 * mu)
    np.testing.assert_allclose(again.values, found.values, atol=1e-9 * mu)
    assert again.violations.max() <= 1e-9


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.slow
def test_probes_are_columns_of_the_scores(engine: str, shape: str) -> None:
    n, d = SHAPES[shape]
    family, mu = family_of_loss(LOSSES["logistic"], n, d)
    columns = np.random.default_rng(1).standard_normal((n, 2))
    found = opened(engine, family).appended(columns)
    for probe in range(2):
        wider = written_out(family.with_columns(columns[:, [probe]]))
        ends = [largest(wider, v) for v in unit_directions([d], wider)]
        np.testing.assert_allclose(found.values[2 * probe : 2 * probe + 2], ends, atol=1e-6 * mu)


def test_rows_that_cost_nothing_take_no_part(engine: str) -> None:
    weights = np.ones(60)
    weights[::3] = 0.0
    family, mu = family_of_loss(LOSSES["logistic"], 60, 4, weights=weights)
    counted, _ = family_of_loss(LOSSES["logistic"], 60, 4, weights=weights)
    counted = replace(counted, rows=counted.rows.of_scores(np.flatnonzero(weights)))
    directions = unit_directions(range(2), family)
    np.testing.assert_allclose(
        opened(engine, family).maxima(directions).values, [largest(written_out(counted), v) for v in directions],
        atol=1e-6 * mu,
    )  # fmt: skip


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize("guided", [False, True])
def test_the_best_model_is_that_of_the_rows_written_out(name: str, thin: bool, guided: bool) -> None:
    X, y = two_classes(80, 6, seed=2)
    rows = LOSSES[name].rows(sparse.csr_array(X) if thin else X, y)
    plain, free = LOSSES[name].rows(X, y).with_scores_of_their_own(), no_constraints(6, 1)
    guide = np.concatenate([np.full(6, 0.1), [0.0]]) if guided else None
    for C in LOSSES[name].smallest_C(X, y) * np.array([2.0, 20.0, 200.0]):
        model, a = BaselineProgram(rows, free, guide, near=60).solve(C)
        other, _ = BaselineProgram(plain, free).solve(C)
        cost, least = (np.abs(z[:6]).sum() + C * plain.loss(z[:6], z[6:]) for z in (model, other))
        assert cost == pytest.approx(least, rel=1e-9)
        assert a @ rows.heights == pytest.approx(least, rel=1e-7)  # which the multipliers prove
        assert np.abs(rows.pressures(a)).max() <= 1 + 1e-7


@pytest.mark.parametrize("shape", [(90, 6), (40, 60)])
@pytest.mark.parametrize("flips", [0.0, 0.2])
def test_the_models_of_a_path_cost_what_the_best_ones_cost(shape: tuple[int, int], flips: float) -> None:
    X, y = two_classes(*shape, seed=3, flips=flips)
    d, loss = shape[1], Logistic()
    rows, costs = loss.rows(X, y), loss.smallest_C(X, y) * np.geomspace(1.5, 1000, 6)
    models = central_models(rows, costs)
    assert models is not None
    for C, model, (best, _) in zip(costs, models, best_models(rows, costs), strict=True):
        cost, least = (np.abs(z[:d]).sum() + C * rows.loss(z[:d], z[d:]) for z in (model, best))
        assert cost <= least * (1 + 2e-6)


def test_a_path_that_the_interior_point_method_cannot_follow_is_left_to_the_simplex_method() -> None:
    X, y = two_classes(60, 4, seed=4)
    loss = Logistic()
    costs = loss.smallest_C(X, y) * np.geomspace(1.5, 100, 4)
    thin = loss.rows(sparse.csr_array(X), y)
    assert central_models(thin, costs) is None
    dense, by_simplex = path_models(loss.rows(X, y), costs), path_models(thin, costs)
    np.testing.assert_allclose(np.array(list(dense)), np.array(list(by_simplex)), atol=1e-4)
