"""The baseline: min ||w||_1 + C loss, its ties, and when there is none."""

from __future__ import annotations

import numpy as np
import pytest

from problems import best, best_by_scipy, two_classes
from relspan.analysis.baseline import best_models
from relspan.errors import DegenerateBaseline
from relspan.losses import Hinge


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
@pytest.mark.parametrize("flips", [0.0, 0.05])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_objective_is_that_of_scipy(C: float, flips: float, weighted: bool) -> None:
    X, y = two_classes(50, 6, seed=0, flips=flips)
    v = np.random.default_rng(0).random(50) if weighted else None
    baseline = best(X, y, C, v)
    expected, _ = best_by_scipy(X, y, C, v)
    assert baseline.norm + C * baseline.loss == pytest.approx(expected, rel=1e-6)
    assert baseline.norm == pytest.approx(np.abs(baseline.weights).sum())
    costs = np.ones(50) if v is None else v
    by_hand = costs @ np.maximum(0, 1 - y * (X @ baseline.weights + baseline.offsets[0]))
    assert baseline.loss == pytest.approx(by_hand, rel=1e-12)
    assert baseline.null_loss == pytest.approx(2 * min(costs[y > 0].sum(), costs[y < 0].sum()))
    assert baseline.score is None


def test_its_multipliers_prove_it_best() -> None:
    """0 <= a_i <= C c_i, orthogonal to the offset, |sum_i a_i f_ij| <= 1, and sum a_i h_i = the objective."""
    X, y = two_classes(50, 6, seed=1)
    C = 0.7
    baseline = best(X, y, C)
    a, rows = baseline.multipliers, Hinge().rows(X, y)
    assert (a >= -1e-9).all()
    assert (a <= C + 1e-9).all()
    assert abs(a @ rows.offsets[:, 0]) <= 1e-8
    assert np.abs(a @ rows.features).max() <= 1 + 1e-8
    assert a.sum() == pytest.approx(baseline.norm + C * baseline.loss, rel=1e-6)


@pytest.mark.parametrize("backwards", [False, True])
def test_a_warm_path_equals_separate_solves(backwards: bool) -> None:
    X, y = two_classes(60, 8, seed=2)
    rows, costs = Hinge().rows(X, y), np.geomspace(0.02, 50, 12)
    costs = costs[::-1] if backwards else costs
    for C, (model, _) in zip(costs, best_models(rows, costs), strict=True):
        ((alone, _),) = best_models(rows, np.array([C]))
        objectives = [np.abs(m[:8]).sum() + C * rows.loss(m[:8], m[8:]) for m in (model, alone)]
        assert objectives[0] == pytest.approx(objectives[1], rel=1e-9)
        assert np.abs(model[:8]).sum() == pytest.approx(np.abs(alone[:8]).sum(), abs=1e-6)


def test_more_cost_more_norm_less_loss() -> None:
    X, y = two_classes(60, 5, seed=3, flips=0.02)
    found = [best(X, y, C) for C in (0.1, 0.3, 1.0, 5.0)]
    norms, losses = [b.norm for b in found], [b.loss for b in found]
    assert norms == sorted(norms)
    assert losses == sorted(losses, reverse=True)


def test_of_equally_good_models_the_smallest() -> None:
    """x = y = +-1, four samples: |w| + 4 C max(0, 1 - w) is flat at C = 1/4, and w = 0 is the smallest of the best."""
    y = np.array([1.0, 1.0, -1.0, -1.0])
    with pytest.raises(DegenerateBaseline):
        best(y[:, None], y, 0.25)
    assert best(y[:, None], y, 0.2501).norm == pytest.approx(1.0)


def test_norm_and_loss_do_not_depend_on_the_order_of_rows_or_columns() -> None:
    """With copied columns there are many best models; mu and rho are the same in all of them."""
    X, y = two_classes(50, 6, seed=4, copies=3)
    rng = np.random.default_rng(4)
    first = best(X, y, 1.0)
    for _ in range(4):
        rows, columns = rng.permutation(50), rng.permutation(6)
        again = best(X[rows][:, columns], y[rows], 1.0)
        assert again.norm == pytest.approx(first.norm, rel=1e-9)
        assert again.loss == pytest.approx(first.loss, rel=1e-9)


def test_a_whole_weight_is_a_sample_repeated() -> None:
    X, y = two_classes(40, 5, seed=5)
    v = np.random.default_rng(5).integers(0, 3, 40)
    v[:2] = 1
    weighted, repeated = best(X, y, 1.0, v.astype(float)), best(np.repeat(X, v, axis=0), np.repeat(y, v), 1.0)
    assert weighted.norm == pytest.approx(repeated.norm, rel=1e-6)
    assert weighted.loss == pytest.approx(repeated.loss, rel=1e-6)
    assert weighted.null_loss == pytest.approx(repeated.null_loss)


def test_too_small_a_cost_is_explained_and_the_cost_it_names_works() -> None:
    X, y = two_classes(50, 4, seed=6)
    with pytest.raises(DegenerateBaseline, match=r"at C = 1e-06 .* raise C, to [0-9.]+") as refused:
        best(X, y, 1e-6)
    named = float(str(refused.value).split("raise C, to ")[1].split()[0])
    assert best(X, y, named).norm > 0


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([0.35, 0.82, 0.33, -1.3, 0.9, 0.45], [1, -1, -1, 1, 1, 1]),  # some correlation, but no threshold is better
        ([1, 1, -1, -1], [1, -1, 1, -1]),  # no correlation at all
    ],
)
def test_where_no_model_beats_the_null_model_no_cost_is_named(x: list[float], y: list[float]) -> None:
    with pytest.raises(DegenerateBaseline, match=r"at C = 10 .* no linear model has a lower hinge loss than the null"):
        best(np.array(x, dtype=float)[:, None], np.array(y, dtype=float), 10.0)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_no_feature_is_judged_by_scores_not_by_the_size_of_weights(unit: float) -> None:
    """In units a million times smaller weights are a million times larger; a model is null in both or in neither."""
    X, y = two_classes(60, 3, seed=8, flips=0.02)
    assert best(unit * X, y, 1.0 / unit).norm > 0
    with pytest.raises(DegenerateBaseline):
        best(unit * X, y, 1e-3 / unit)
