"""C by cross-validation: the grid, losses and scores of every fold, ties, and how firm the choice is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from problems import best_by_scipy, two_classes
from relspan import RelevanceClassifier
from relspan.analysis.baseline import C_GRID, C_grid, cross_validate, fit_baseline
from relspan.analysis.folds import Folds
from relspan.analysis.held_out import HeldOutLosses
from relspan.errors import DegenerateBaseline, ParameterError
from relspan.losses import Hinge
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_every_score_equals_an_independent_computation(weighted: bool) -> None:
    X, y = two_classes(60, 4, seed=0, flips=0.2)
    v = np.random.default_rng(0).random(60) if weighted else None
    baseline = fit_baseline(Hinge(), X, y, v, None, FOLDS, criterion="score")

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


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_every_held_out_loss_equals_an_independent_computation(weighted: bool) -> None:
    X, y = two_classes(60, 4, seed=0, flips=0.2)
    v = np.random.default_rng(0).random(60) if weighted else np.ones(60)
    deal = Folds(5, 2, stratified=True, seed=0)
    baseline = fit_baseline(Hinge(), X, y, v if weighted else None, None, deal)
    held_out = baseline.held_out
    folds = list(deal.split(X, y))
    means, null = np.zeros(len(held_out.costs)), 0.0
    for train, test in folds:
        for column, C in enumerate(held_out.costs):
            _, model = best_by_scipy(X[train], y[train], C, v[train])
            means[column] += v[test] @ np.maximum(0.0, 1 - y[test] * (X[test] @ model[:4] + model[4]))
        alone = min((v[train] @ np.maximum(0.0, 1 - y[train] * b), b) for b in (-1.0, 1.0))[1]
        null += v[test] @ np.maximum(0.0, 1 - y[test] * alone)
    np.testing.assert_allclose(held_out.means, means / (2 * v.sum()), rtol=1e-4)
    assert held_out.null.mean() == pytest.approx(null / (2 * v.sum()))
    assert held_out.costs[held_out.means.argmin()] == baseline.C
    assert list(baseline.scores) == [baseline.C]
    assert len(baseline.scores[baseline.C]) == 10


def losses(columns: list[list[float]], null: float = 1.0, repeats: int = 1) -> HeldOutLosses:
    """Held-out losses at C = 1, 2, 4, ..., one column per C."""
    table = np.array(columns).T
    return HeldOutLosses(2.0 ** np.arange(len(columns)), table, np.full(len(table), null), repeats)


def test_the_least_loss_is_taken_and_of_equal_ones_the_smallest_C() -> None:
    assert losses([[0.9, 0.9], [0.4, 0.6], [0.6, 0.4], [0.8, 0.8]]).ranking == [2.0, 4.0, 8.0, 1.0]


def test_repeats_alone_and_the_error_of_the_folds_describe_how_firm_C_is() -> None:
    flat = losses([[0.9, 0.9, 0.9, 0.9], [0.5, 0.5, 0.6, 0.6], [0.6, 0.6, 0.4, 0.4]], repeats=2)
    assert flat.by_repeat == [2.0, 4.0]
    assert flat.ranking[0] == 4.0
    assert flat.equally_good == (2.0, 4.0)
    firm = losses([[0.9, 0.91, 0.9, 0.91], [0.5, 0.5, 0.5, 0.5], [0.6, 0.61, 0.6, 0.61]], repeats=2)
    assert firm.by_repeat == [2.0, 2.0]
    assert firm.equally_good == (2.0, 2.0)


def test_larger_C_are_not_tried_once_the_loss_clearly_rises() -> None:
    assert not losses([[0.5, 0.5], [0.6, 0.61]]).rises
    assert losses([[0.5, 0.5], [0.6, 0.61], [0.7, 0.71]]).rises
    assert not losses([[0.5, 0.5], [0.6, 0.61], [0.4, 1.0]]).rises
    assert losses([[0.5, 0.5], [0.6, 0.61], [0.4, 1.0], [0.4, 1.0]]).rises
    X, y = two_classes(80, 8, seed=0, flips=0.3)
    tried = fit_baseline(Hinge(), X, y, None, None, Folds(5, 2, stratified=True, seed=0)).held_out.costs
    assert len(tried) < C_GRID[2]
    whole = cross_validate(Hinge(), X, y, None, C_grid(Hinge(), X, y, None), Folds(5, 2, stratified=True, seed=0))
    assert len(whole.models) == C_GRID[2]
    assert whole.losses.ranking[0] in tried


def test_further_deals_try_only_what_the_first_does_not_rule_out() -> None:
    clear = [[0.9, 0.91], [0.5, 0.5], [0.6, 0.61], [0.7, 0.71]]
    assert losses(clear).worth_repeating.tolist() == [2.0, 4.0]
    assert losses(clear, null=0.4).worth_repeating.tolist() == [1.0, 2.0, 4.0, 8.0]
    assert losses(clear[:2]).worth_repeating.tolist() == [2.0]


def test_the_null_model_is_compared() -> None:
    assert losses([[1.1, 1.0], [1.2, 1.2]]).null_preferred
    assert not losses([[1.1, 0.8], [1.2, 1.2]]).null_preferred
    deal, preferred = Folds(5, 2, stratified=True, seed=0), []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((60, 20)), np.where(rng.random(60) < 0.5, 1.0, -1.0)
        preferred.append(fit_baseline(Hinge(), X, y, None, None, deal).null_preferred)
        X[:, 0] += 2 * y
        assert not fit_baseline(Hinge(), X, y, None, None, deal).null_preferred
    assert sum(preferred) >= 5


@pytest.mark.parametrize("seed", range(3))
def test_C_depends_neither_on_the_order_of_rows_nor_on_the_seed(seed: int) -> None:
    data = simulate(90, strong=2, weak=2, irrelevant=4, flips=0.1, random_state=seed)
    order = np.random.default_rng(seed).permutation(90)
    one = RelevanceClassifier(n_probes=5, random_state=0).fit(data.X, data.y)
    other = RelevanceClassifier(n_probes=5, random_state=seed + 1).fit(data.X[order], data.y[order])
    assert pytest.approx(one.C_, rel=1e-9) == other.C_
    for key in ("C_by_repeat", "C_range"):
        np.testing.assert_allclose(one.result_.baseline[key], other.result_.baseline[key])


def test_the_whole_result_is_the_same_in_another_order_of_rows() -> None:
    data = simulate(90, strong=2, weak=2, irrelevant=4, flips=0.1, random_state=0)
    order = np.random.default_rng(0).permutation(90)
    one = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    other = RelevanceClassifier(random_state=0).fit(data.X[order], data.y[order])
    np.testing.assert_allclose(one.intervals_, other.intervals_, atol=1e-6)
    assert one.result_.thresholds == pytest.approx(other.result_.thresholds, abs=1e-6)
    assert one.relevance_.tolist() == other.relevance_.tolist()


def test_the_score_may_choose_C_as_in_the_papers() -> None:
    data = simulate(90, strong=2, weak=2, irrelevant=4, flips=0.2, random_state=0)
    by_score = RelevanceClassifier(criterion="score", n_probes=5, random_state=0).fit(data.X, data.y)
    scores = {float(C): np.mean(folds) for C, folds in by_score.result_.baseline["scores"].items()}
    assert len(scores) == C_GRID[2]
    assert len(by_score.result_.baseline["scores"][f"{by_score.C_:.6g}"]) == 3
    assert scores[float(f"{by_score.C_:.6g}")] == max(scores.values())
    assert "C_range" not in by_score.result_.baseline
    with pytest.raises(ParameterError, match="criterion must be one of loss, score"):
        RelevanceClassifier(criterion="f1").fit(data.X, data.y)


@dataclass(frozen=True)
class Indifferent(Hinge):
    """Scores every model alike."""

    def score(self, y: np.ndarray, predicted: np.ndarray, sample_weight: np.ndarray | None = None) -> float:
        return 0.5


def test_of_tied_costs_the_smallest_is_taken() -> None:
    X, y = two_classes(60, 4, seed=1, flips=0.0)
    baseline = fit_baseline(Indifferent(), X, y, None, None, FOLDS, criterion="score")
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
    assert [stage for stage, _ in reported] == ["baseline"] * 2
    np.testing.assert_allclose([share for _, share in reported], [0.5, 1.0])


def test_columns_without_any_correlation_are_explained() -> None:
    X = np.array([[1.0], [-1.0], [1.0], [-1.0], [1.0], [-1.0]] * 2)
    y = np.array([1.0] * 6 + [-1.0] * 6)
    with pytest.raises(DegenerateBaseline, match="no feature is correlated"):
        fit_baseline(Hinge(), X, y, None, None, FOLDS)


def test_small_C_whose_models_use_no_feature_do_not_end_the_search() -> None:
    """One sample in ten belongs to the second class: several C pass before a feature is worth its price."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((400, 6))
    score = X[:, 0] - X[:, 1] + X[:, 2] + 0.8 * rng.standard_normal(400)
    y = score > np.quantile(score, 0.9)
    assert not RelevanceClassifier(random_state=0).fit(X, y).result_.is_null
