"""The path of best models, where rows or features come into the program as they are needed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from problems import best_by_scipy, two_classes
from relspan.analysis import baseline
from relspan.analysis.baseline import best_models
from relspan.losses import Hinge

COSTS = np.geomspace(0.02, 20.0, 6)


def objective(X: np.ndarray, y: np.ndarray, C: float, model: np.ndarray) -> float:
    d = X.shape[1]
    return float(np.abs(model[:d]).sum() + C * Hinge().rows(X, y).loss(model[:d], model[d:]))


@pytest.mark.parametrize("shape", [(300, 5), (25, 60)])
@pytest.mark.parametrize("flips", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(3))
def test_every_model_of_the_path_is_best(
    shape: tuple[int, int], flips: float, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baseline, "TALL_TABLE", (60, 0))
    X, y = two_classes(*shape, seed, flips)
    for C, (model, multipliers) in zip(COSTS, best_models(Hinge().rows(X, y), COSTS), strict=True):
        least, _ = best_by_scipy(X, y, C)
        assert objective(X, y, C, model) == pytest.approx(least, rel=1e-6)
        # the multipliers prove it: |a F| <= 1, 0 <= a <= C, a.y = 0, and a.1 is the least objective
        assert np.abs((multipliers * y) @ X).max() <= 1 + 1e-6
        assert multipliers.min() >= -1e-9
        assert multipliers.max() <= C * (1 + 1e-9)
        assert multipliers @ y == pytest.approx(0.0, abs=1e-8)
        assert multipliers.sum() == pytest.approx(least, rel=1e-5)


def test_a_sparse_table_has_the_same_path() -> None:
    X, y = two_classes(60, 40, seed=0, integers=True)
    for (one, _), (other, _), C in zip(
        best_models(Hinge().rows(X, y), COSTS),
        best_models(Hinge().rows(sparse.csr_array(X), y), COSTS),
        COSTS,
        strict=True,
    ):
        assert objective(X, y, C, one) == pytest.approx(objective(X, y, C, other), rel=1e-7)


def test_the_path_ends_where_nothing_is_lost() -> None:
    X, y = two_classes(25, 60, seed=0, flips=0.0)
    rows = Hinge().rows(X, y)
    models = [model for model, _ in best_models(rows, COSTS)]
    losses = [rows.loss(model[:60], model[60:]) for model in models]
    first = int(np.argmax(np.array(losses) < 1e-9))
    assert 0 < first < len(COSTS) - 1
    assert all((model == models[first]).all() for model in models[first:])


@pytest.mark.parametrize("weighted", [False, True])
def test_the_score_is_the_weighted_f1(weighted: bool) -> None:
    rng = np.random.default_rng(0)
    for share in (0.0, 0.2, 0.5, 1.0):
        y, said = np.where(rng.random(50) < 0.3, 1.0, -1.0), np.where(rng.random(50) < share, 1.0, -1.0)
        v = rng.uniform(0.1, 2.0, 50) if weighted else None
        expected = f1_score(y, said, average="weighted", sample_weight=v, zero_division=0.0)
        assert Hinge().score(y, said, v) == pytest.approx(expected)


def test_costs_may_come_in_any_order() -> None:
    """Beyond the C at which nothing is lost the model stays; before it, it does not."""
    X, y = two_classes(40, 4, seed=1, flips=0.0)
    costs = np.array([1000.0, 0.05, 2000.0, 0.1])
    for C, (model, _) in zip(costs, best_models(Hinge().rows(X, y), costs), strict=True):
        assert objective(X, y, C, model) == pytest.approx(best_by_scipy(X, y, C)[0], rel=1e-6)
