"""Hinge rows fit the other tasks: two kinks a sample, several offsets, an order among them.

Each loss is written here as its textbook formula and as rows; the engines know rows only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from problems import largest, opened
from relspan.analysis.baseline import best_models
from relspan.family import Family, HingeRows, build_family, norm_and_loss, unit_directions
from relspan.family.constraints import Constraints

N, D = 30, 4


@dataclass
class Task:
    rows: HingeRows
    formula: Callable[[np.ndarray, np.ndarray], float]
    constraints: Constraints | None = None


def table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, D))
    X[:, 3] = X[:, 0] + 0.1 * rng.standard_normal(N)
    return X, X[:, 0] - 0.5 * X[:, 1] + 0.3 * rng.standard_normal(N)


def regression(epsilon: float = 0.1) -> Task:
    """max(0, t - s - eps) + max(0, s - t - eps)."""
    X, t = table()
    one = np.ones((N, 1))
    rows = HingeRows(
        np.vstack([X, -X]), np.vstack([one, -one]), np.concatenate([t - epsilon, -t - epsilon]), np.ones(2 * N)
    )
    return Task(rows, lambda w, b: float(np.maximum(0, np.abs(t - X @ w - b[0]) - epsilon).sum()))


def reject(cost: float = 0.25) -> Task:
    """max(0, 1 - y s) + ((1 - 2r)/r) max(0, -y s)."""
    X, t = table()
    y, slope = np.where(t > 0, 1.0, -1.0), (1 - 2 * cost) / cost
    f, o = y[:, None] * X, y[:, None]
    rows = HingeRows(
        np.vstack([f, f]),
        np.vstack([o, o]),
        np.repeat([1.0, 0.0], N),
        np.repeat([1.0, slope], N),
    )

    def formula(w: np.ndarray, b: np.ndarray) -> float:
        margin = y * (X @ w + b[0])
        return float(np.where(margin >= 1, 0, np.where(margin >= 0, 1 - margin, 1 - margin * (1 + slope))).sum())

    return Task(rows, formula)


def ordinal(n_classes: int = 4) -> Task:
    """max(0, 1 - (b_k - x.w)) for the threshold above, max(0, 1 - (x.w - b_{k-1})) for the one below, b ordered."""
    X, t = table()
    y = np.searchsorted(np.quantile(t, np.arange(1, n_classes) / n_classes), t)
    k = n_classes - 1
    above, below, unit = y < k, y > 0, np.eye(k)
    rows = HingeRows(
        np.vstack([-X[above], X[below]]),
        np.vstack([unit[y[above]], -unit[y[below] - 1]]),
        np.ones(above.sum() + below.sum()),
        np.ones(above.sum() + below.sum()),
    )
    order = unit[1:] - unit[:-1]  # b_{k+1} - b_k >= 0
    constraints = Constraints(np.zeros((k - 1, D)), order, np.zeros(k - 1), np.full(k - 1, np.inf))

    def formula(w: np.ndarray, b: np.ndarray) -> float:
        thresholds = np.concatenate([[-np.inf], b, [np.inf]])
        s = X @ w
        return float((np.maximum(0, 1 - (thresholds[y + 1] - s)) + np.maximum(0, 1 - (s - thresholds[y]))).sum())

    return Task(rows, formula, constraints)


TASKS = {"regression": regression, "reject": reject, "ordinal": ordinal}


def family_of_task(task: Task, C: float = 2.0, share: float = 0.1) -> tuple[Family, float]:
    ((model, _),) = best_models(task.rows, np.array([C]), task.constraints)
    mu, rho = float(np.abs(model[:D]).sum()), task.rows.loss(model[:D], model[D:])
    budgets = norm_and_loss((1 + share) * mu, (1 + share) * rho)
    return build_family(task.rows, budgets, task.constraints, anchors=model), mu


@pytest.mark.parametrize("name", TASKS)
def test_rows_say_what_the_formula_says(name: str) -> None:
    task, rng = TASKS[name](), np.random.default_rng(1)
    for _ in range(20):
        w, b = 2 * rng.standard_normal(D), np.sort(rng.standard_normal(task.rows.n_offsets))
        assert task.rows.loss(w, b) == pytest.approx(task.formula(w, b), rel=1e-12)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.slow
def test_ranges_of_weights_and_offsets(engine: str, name: str) -> None:
    members, mu = family_of_task(TASKS[name]())
    width = members.n_features + members.n_offsets
    directions = np.vstack([np.eye(width), -np.eye(width)])
    found = opened(engine, members).maxima(directions)
    np.testing.assert_allclose(found.values, [largest(members, v) for v in directions], atol=1e-6 * mu)
    assert found.gaps.max() <= 1e-6 * mu
    assert found.violations.max() <= 1e-9


@pytest.mark.parametrize("name", TASKS)
def test_attaining_models_are_as_good_by_the_textbook_formula(engine: str, name: str) -> None:
    task = TASKS[name]()
    members, _ = family_of_task(task)
    for model in opened(engine, members).maxima(unit_directions(range(D), members)).models:
        assert np.abs(model[:D]).sum() <= members.largest_norm * (1 + 1e-9)
        assert task.formula(model[:D], model[D:]) <= members.largest_loss * (1 + 1e-9)


def test_thresholds_keep_their_order(engine: str) -> None:
    """Squeezed together from both sides, neighbouring thresholds may meet but not pass each other."""
    task = ordinal()
    members, _ = family_of_task(task, share=2.0)
    squeeze = np.array([[0.0] * D + [1.0, -1.0, 0.0], [0.0] * D + [0.0, 1.0, -1.0]])
    found = opened(engine, members).maxima(squeeze)
    assert (found.values <= 1e-9).all()
    np.testing.assert_allclose(found.values, [largest(members, v) for v in squeeze], atol=1e-6)
    free = build_family(members.rows, members.budgets, anchors=members.anchors)
    np.testing.assert_allclose(
        opened(engine, free).maxima(squeeze).values, [largest(free, v) for v in squeeze], atol=1e-6
    )


@pytest.mark.parametrize("name", TASKS)
def test_weights_of_rows_are_rows_repeated(engine: str, name: str) -> None:
    task = TASKS[name]()
    rows = task.rows
    count = np.random.default_rng(2).integers(1, 4, rows.n_rows)
    weighted = HingeRows(rows.features, rows.offsets, rows.heights, rows.costs * count)
    repeated = HingeRows(
        *(np.repeat(part, count, axis=0) for part in (rows.features, rows.offsets, rows.heights, rows.costs))
    )
    members, mu = family_of_task(Task(weighted, task.formula, task.constraints))
    again = build_family(repeated, members.budgets, task.constraints, anchors=members.anchors)
    directions = unit_directions(range(D), members)
    values = [opened(engine, f).maxima(directions).values for f in (members, again)]
    np.testing.assert_allclose(values[0], values[1], atol=1e-6 * mu)
