"""The pairwise hinge loss of survival: which pairs are compared, what they cost, its score, and its ranges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.model_selection import KFold

from problems import ENGINES_HERE
from relspan.analysis.baseline import best_models, fit_baseline, null_loss
from relspan.analysis.intervals import feature_ranges
from relspan.analysis.learning_problem import LearningProblem
from relspan.family.budgets import family_of
from relspan.losses import PairHinge
from relspan.metrics import CONCORDANCES, concordance_index
from relspan.survival_times import (
    inverse_censoring_weights,
    log_rank_scores,
    read_survival,
    signed_ranks,
    survival_target,
)

rng = np.random.default_rng(0)
N, D = 40, 4
X = rng.standard_normal((N, D))
OBSERVED = np.round(np.exp(X[:, 1] - X[:, 0] + 0.3 * rng.standard_normal(N)), 1)  # some are equal
EVENTS = rng.random(N) < 0.7
Y = signed_ranks(survival_target(OBSERVED, EVENTS))
V = rng.integers(1, 4, N).astype(float)


def comparable():
    """All pairs whose order is known, one by one."""
    for i in range(N):
        for j in range(N):
            later = OBSERVED[j] > OBSERVED[i] or (OBSERVED[j] == OBSERVED[i] and not EVENTS[j])
            if EVENTS[i] and i != j and later:
                yield i, j


PAIRS = list(comparable())


def chance_to_be_observed(i: int, weights: np.ndarray) -> float:
    """Kaplan and Meier: the product over the ends of observation before the event of i."""
    chance = 1.0
    for t in np.unique(OBSERVED[~EVENTS]):
        if t < OBSERVED[i]:
            ends = weights[(t == OBSERVED) & ~EVENTS].sum()
            chance *= 1 - ends / weights[(t < OBSERVED) | ((t == OBSERVED) & ~EVENTS)].sum()
    return chance


def event_weights(kind: str, weights: np.ndarray) -> np.ndarray:
    if kind == "harrell":
        return np.ones(N)
    own = np.array([1 / chance_to_be_observed(i, weights) ** 2 if EVENTS[i] else 0.0 for i in range(N)])
    return own * weights[EVENTS].sum() / (weights @ own)


@pytest.mark.parametrize("kind", CONCORDANCES)
@pytest.mark.parametrize("weights", [np.ones(N), V], ids=["plain", "weighted"])
def test_rows_are_the_formula(kind: str, weights: np.ndarray) -> None:
    w, g = rng.standard_normal(D), event_weights(kind, weights)
    cost = {(i, j): g[i] * weights[i] * weights[j] / weights.sum() for i, j in PAIRS}
    by_hand = sum(c * max(0.0, 1 - (X[i] - X[j]) @ w) for (i, j), c in cost.items())
    rows = PairHinge(kind).rows(X, Y, weights)
    assert rows.n_rows == len(PAIRS)
    assert rows.loss(w, np.zeros(0)) == pytest.approx(by_hand)
    assert null_loss(rows) == pytest.approx(sum(cost.values()))


@pytest.mark.parametrize("kind", CONCORDANCES)
def test_a_whole_weight_is_a_repeated_sample(kind: str) -> None:
    w, again = rng.standard_normal(D), np.repeat(np.arange(N), V.astype(int))
    weighted, repeated = PairHinge(kind).rows(X, Y, V), PairHinge(kind).rows(X[again], Y[again])
    assert weighted.loss(w, np.zeros(0)) == pytest.approx(repeated.loss(w, np.zeros(0)))
    risk = X @ w
    assert PairHinge(kind).score(Y, risk, V) == pytest.approx(PairHinge(kind).score(Y[again], risk[again]))


@pytest.mark.parametrize("kind", CONCORDANCES)
def test_sampled_partners_are_later_and_keep_the_cost_of_every_event(kind: str) -> None:
    known, whole = set(PAIRS), PairHinge(kind)
    sampled = PairHinge(kind, partners=5)
    first, second, costs = sampled.pairs(Y, V)
    assert set(zip(first.tolist(), second.tolist(), strict=True)) <= known
    assert np.bincount(first).max() <= 5
    every, _, all_costs = whole.pairs(Y, V)
    np.testing.assert_allclose(np.bincount(first, costs, N), np.bincount(every, all_costs, N))
    with_enough = PairHinge(kind, partners=N).rows(X, Y, V)
    assert with_enough.n_rows == whole.rows(X, Y, V).n_rows


def test_which_pairs_are_sampled_depends_on_OBSERVEDalone() -> None:
    one = PairHinge(partners=5).pairs(Y)
    later = signed_ranks(survival_target(OBSERVED**3 + 1, EVENTS))
    for part, same in zip(one, PairHinge(partners=5).pairs(later), strict=True):
        np.testing.assert_array_equal(part, same)


def test_partners_stand_for_all_later_samples() -> None:
    """The sampled loss estimates that of all pairs without a bias: the mean over many models agrees."""
    models = rng.standard_normal((200, D))
    whole, sampled = PairHinge().rows(X, Y), PairHinge(partners=8).rows(X, Y)
    ratio = [sampled.loss(w, np.zeros(0)) / whole.loss(w, np.zeros(0)) for w in models]
    assert np.mean(ratio) == pytest.approx(1.0, abs=0.03)


def test_a_probe_is_compared_in_the_same_pairs() -> None:
    problem = LearningProblem(PairHinge(partners=5), X, Y, V)
    column = rng.permutation(X[:, 2])
    wider = LearningProblem(PairHinge(partners=5), np.column_stack([X, column]), Y, V)
    np.testing.assert_array_equal(problem.hinge_columns(column[:, None])[:, 0], wider.rows.features[:, D])


@pytest.mark.parametrize("kind", CONCORDANCES)
@pytest.mark.parametrize("weights", [np.ones(N), V], ids=["plain", "weighted"])
def test_the_score_is_the_concordance(kind: str, weights: np.ndarray) -> None:
    risk = np.round(X[:, 0], 1)  # some are equal
    g = event_weights(kind, weights)
    total = sum(g[i] * weights[i] * weights[j] for i, j in PAIRS)
    right = sum(g[i] * weights[i] * weights[j] * (0.5 + 0.5 * np.sign(risk[i] - risk[j])) for i, j in PAIRS)
    assert PairHinge(kind).score(Y, risk, weights) == pytest.approx(right / total)
    target = np.column_stack([OBSERVED, EVENTS])
    assert concordance_index(target, risk, kind, weights) == pytest.approx(right / total)
    assert concordance_index(target, -OBSERVED - 0.01 * ~EVENTS, kind) == 1.0
    assert concordance_index([[1, 0], [2, 0]], [3, 4], kind) == 0.5


def test_without_censoring_all_OBSERVEDcount_the_same() -> None:
    everyone = signed_ranks(survival_target(OBSERVED, np.ones(N)))
    np.testing.assert_allclose(inverse_censoring_weights(everyone, V), 1.0)


def test_log_rank_scores_are_those_of_the_nelson_aalen_estimate() -> None:
    scores = log_rank_scores(Y)
    for i in range(N):
        before = [t for t in np.unique(OBSERVED[EVENTS]) if t <= OBSERVED[i]]
        hazard = sum((EVENTS & (t == OBSERVED)).sum() / (t <= OBSERVED).sum() for t in before)
        assert scores[i] == pytest.approx(EVENTS[i] - hazard)
    assert scores.sum() == pytest.approx(0.0, abs=1e-9)


def test_below_the_foot_of_the_grid_no_feature_is_used() -> None:
    rows, foot = PairHinge(partners=5).rows(X, Y), PairHinge(partners=5).smallest_C(X, Y)
    below, above = (model for model, _ in best_models(rows, foot * np.array([0.9, 1.1])))
    assert np.abs(below).max() < 1e-9
    assert np.abs(above).max() > 1e-4


@pytest.mark.parametrize("engine", ENGINES_HERE)
@pytest.mark.parametrize("kind", CONCORDANCES)
def test_ranges_are_those_of_a_plain_linear_program(engine: str, kind: str) -> None:
    """Written anew: w = p - q, one slack per pair, in the order of the loops above."""
    loss = PairHinge(kind)
    best = fit_baseline(loss, X, Y, V, 0.5, KFold(3))
    family = family_of(loss.rows(X, Y, V), best, 0.1, 0.05, "explained")
    ranges = feature_ranges(family, engine)
    g = event_weights(kind, V)
    costs = np.array([g[i] * V[i] * V[j] / V.sum() for i, j in PAIRS])
    apart = np.array([X[i] - X[j] for i, j in PAIRS])
    above = np.hstack([-apart, apart, -np.eye(len(PAIRS))])
    budgets = np.vstack(
        [
            np.concatenate([np.ones(2 * D), np.zeros(len(PAIRS))]),
            np.concatenate([np.zeros(2 * D), costs]),
        ]
    )
    room = [1.1 * best.norm, best.loss + 0.05 * (costs.sum() - best.loss)]
    for j in range(D):
        for sign, found in ((1, ranges.hi[j]), (-1, -ranges.lo[j])):
            c = np.zeros(2 * D + len(PAIRS))
            c[j], c[D + j] = -sign, sign
            plain = linprog(c, np.vstack([above, budgets]), np.concatenate([-np.ones(len(PAIRS)), room]))
            assert found == pytest.approx(-plain.fun, abs=3e-6 * best.norm)
    assert ranges.gaps.max() <= 2e-6 * best.norm


def test_forms_of_a_target() -> None:
    fields = np.array(list(zip(EVENTS, OBSERVED, strict=True)), dtype=[("dead", bool), ("days", float)])
    for same in (fields, np.column_stack([OBSERVED, EVENTS]), list(zip(OBSERVED, EVENTS, strict=True))):
        np.testing.assert_array_equal(signed_ranks(read_survival(same)), Y)
    assert (signed_ranks(read_survival(OBSERVED)) > 0).all()
    assert (signed_ranks(read_survival(OBSERVED[:, None])) > 0).all()
