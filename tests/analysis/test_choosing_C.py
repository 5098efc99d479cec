"""C by cross-validation: the grid, the scores of every fold, and ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from problems import best_by_scipy, two_classes
from relspan.analysis.baseline import C_GRID, cross_validate, fit_baseline
from relspan.errors import DegenerateBaseline
from relspan.losses import Hinge

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_every_score_equals_an_independent_computation(weighted: bool) -> None:
    X, y = two_classes(60, 4, seed=0, flips=0.2)
    v = np.random.default_rng(0).random(60) if weighted else None
    baseline = fit_baseline(Hinge(), X, y, v, None, FOLDS)

    centred = (np.ones(60) if v is None else v) * (y - np.average(y, weights=v))
    grid = np.geomspace(1.5, 1000, 10) / np.abs(X.T @ centred).max()
    np.testing.assert_allclose(sorted(baseline.scores), grid)
    for C, scores in baseline.scores.items():
        for (train, test), score in zip(FOLDS.split(X, y), scores, strict=True):
            _, model = best_by_scipy(X[train], y[train], C, None if v is None else v[train])
            predicted = np.where(X[test] @ model[:4] + model[4] > 0, 1.0, -1.0)
            expected = f1_score(y[test], predicted, average="weighted", sample_weight=None if v is None else v[test])
            assert score == pytest.approx(expected)

    means = {C: np.mean(s) for C, s in baseline.scores.items()}
    assert means[baseline.C] == max(means.values())
    assert baseline.score == means[baseline.C]


@dataclass(frozen=True)
class Indifferent(Hinge):
    """Scores every model alike."""

    def score(self, y: np.ndarray, predicted: np.ndarray, sample_weight: np.ndarray | None = None) -> float:
        return 0.5


def test_of_tied_costs_the_smallest_is_taken() -> None:
    X, y = two_classes(60, 4, seed=1, flips=0.0)
    baseline = fit_baseline(Indifferent(), X, y, None, None, FOLDS)
    assert min(baseline.scores) == baseline.C
    assert len(baseline.scores) == C_GRID[2]


def test_a_given_cost_is_not_searched_for() -> None:
    X, y = two_classes(60, 4, seed=2)
    baseline = fit_baseline(Hinge(), X, y, None, 0.3, FOLDS)
    assert baseline.C == 0.3
    assert baseline.scores == {}


def test_progress_is_reported_and_ends_at_one() -> None:
    X, y = two_classes(40, 3, seed=3)
    reported: list[tuple[str, float]] = []
    cross_validate(
        Hinge(), X, y, None, np.array([0.1, 1.0]), FOLDS, lambda stage, share, note: reported.append((stage, share))
    )
    assert [stage for stage, _ in reported] == ["baseline"] * 6
    np.testing.assert_allclose([share for _, share in reported], np.arange(1, 7) / 6)


def test_columns_without_any_correlation_are_explained() -> None:
    X = np.array([[1.0], [-1.0], [1.0], [-1.0], [1.0], [-1.0]] * 2)
    y = np.array([1.0] * 6 + [-1.0] * 6)
    with pytest.raises(DegenerateBaseline, match="no feature is correlated"):
        fit_baseline(Hinge(), X, y, None, None, FOLDS)
