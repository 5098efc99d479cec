"""Privileged information: known while learning, intervals for both kinds, predictions without it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from sklearn.model_selection import KFold

from problems import ENGINES_HERE
from relspan import OrdinalRelevanceClassifier, QuantileRelevanceRegressor, RelevanceClassifier, RelevanceRegressor
from relspan.analysis.baseline import fit_baseline
from relspan.analysis.intervals import feature_ranges
from relspan.errors import DataError
from relspan.family.budgets import family_of
from relspan.losses import EpsilonInsensitive, Hinge, OrdinalHinge, Pinball, Privileged

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


def hard_samples(n: int = 80, seed: int = 0):
    """Two useful columns and a useless one; the first privileged column tells how far off each sample is."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    off = rng.standard_normal(n) * rng.exponential(1, n)
    P = np.column_stack([np.abs(off), rng.standard_normal(n)])
    return X, 2 * X[:, 0] - X[:, 1] + off, P


X, SCORE, P = hard_samples()
TASKS = {
    "classification": (RelevanceClassifier, (SCORE > 0).astype(int), Hinge(), np.where(SCORE > 0, 1.0, -1.0)),
    "regression": (RelevanceRegressor, SCORE, EpsilonInsensitive(0.1), SCORE),
    "quantile": (QuantileRelevanceRegressor, SCORE, Pinball(0.5), SCORE),
    "ordinal": (
        OrdinalRelevanceClassifier,
        np.digitize(SCORE, [-1, 1]),
        OrdinalHinge(3),
        np.digitize(SCORE, [-1, 1]).astype(float),
    ),
}


@pytest.mark.parametrize("task", sorted(TASKS))
def test_rows_and_constraints_are_the_corrected_loss(task: str) -> None:
    _, _, inner, y = TASKS[task]
    table = np.column_stack([X[:, :1], P[:, :1], X[:, 1:]])  # a privileged column among the others
    loss = Privileged(inner, (False, True, False, False), 0.5)
    rng = np.random.default_rng(1)
    rows, sides = loss.rows(table, y), loss.constraints(table, y)
    w, ws, b, bs = rng.standard_normal(3), rng.random(inner.n_slack_kinds), np.sort(rng.random(inner.n_offsets)), 0.3
    plain = inner.rows(X, y).slack(w, b)
    sample, kind = inner.slack_kinds(y)
    t = P[sample, 0] * ws[kind] + bs
    costs = inner.rows(X, y).costs
    by_hand = costs @ np.maximum(0, plain - t) + 0.5 * costs @ np.maximum(0, t)
    weights = np.concatenate([w[:1], ws, w[1:]])
    offsets = np.concatenate([b, np.full(inner.n_slack_kinds, bs)])
    assert rows.loss(weights, offsets) == pytest.approx(by_hand)
    value = sides.features @ weights + sides.offsets @ offsets
    np.testing.assert_allclose(value[-len(t) :], t)
    np.testing.assert_allclose(loss.predict(table, weights, offsets), inner.predict(X, w, b), atol=1e-12)


def test_the_best_model_is_the_program_written_out() -> None:
    """min |w| + |w*| + C (1.x + price 1.t)  s.t.  y (X w + b) + t + x >= 1,  t = P w* + b* >= 0,  x >= 0."""
    y, C, price, n = np.where(SCORE > 0, 1.0, -1.0), 0.5, 0.5, len(X)
    loss = Privileged(Hinge(), (False,) * 3 + (True,) * 2, price)
    best = fit_baseline(loss, np.column_stack([X, P]), y, None, C, KFold(3))
    YX, one = y[:, None] * X, np.ones((n, 1))
    cost = np.concatenate([np.ones(10), [0, C * price * n], np.full(n, C)])
    cost[6:8] += C * price * P.sum(axis=0)
    cost[8:10] -= C * price * P.sum(axis=0)
    A = np.vstack(
        [
            np.hstack([-YX, YX, -P, P, -y[:, None], -one, -np.eye(n)]),
            np.hstack([np.zeros((n, 6)), -P, P, np.zeros((n, 1)), -one, np.zeros((n, n))]),
        ]
    )
    bounds = [(0, None)] * 10 + [(None, None)] * 2 + [(0, None)] * n
    found = linprog(cost, A_ub=A, b_ub=np.concatenate([-np.ones(n), np.zeros(n)]), bounds=bounds)
    assert best.norm + C * best.loss == pytest.approx(found.fun, rel=1e-6)


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_engines_agree_and_certify(engine: str) -> None:
    n = 25
    y, table = np.where(SCORE > 0, 1.0, -1.0)[:n], np.column_stack([X, P])[:n]
    loss = Privileged(Hinge(), (False,) * 3 + (True,) * 2, 0.5)
    best = fit_baseline(loss, table, y, None, 0.5, KFold(3))
    family = family_of(loss.rows(table, y), best, 0.1, 0.05, "explained", loss.constraints(table, y))
    ranges, exact = feature_ranges(family, engine), feature_ranges(family, "exact")
    np.testing.assert_allclose(ranges.lo, exact.lo, atol=2e-6 * best.norm)
    np.testing.assert_allclose(ranges.hi, exact.hi, atol=2e-6 * best.norm)
    assert ranges.gaps.max() <= 2e-6 * best.norm


@pytest.mark.slow
@pytest.mark.parametrize("task", sorted(TASKS))
def test_intervals_for_both_kinds_and_predictions_without(task: str) -> None:
    estimator, y, _, _ = TASKS[task]
    options = {"C": 0.5, "n_probes": 5, "random_state": 0} | ({"epsilon": 0.1} if task == "regression" else {})
    found = estimator(**options).fit(X, y, privileged=pd.DataFrame(P, columns=["how far", "weather"]))
    assert found.intervals_.shape == (3, 2)
    assert found.privileged_intervals_.shape == (2, 2)
    assert [f.name for f in found.result_.privileged] == ["how far", "weather"]
    assert len(found.result_.features) == found.n_features_in_ == 3
    assert found.predict(X).shape == (len(X),)
    assert found.score(X, y) > (0.6 if task == "quantile" else 0.7)  # there a share of the loss, not of the variance
    assert found.result_.largest_gap < 1e-6
    assert found.result_.baseline["loss_function"]["price"] in (0.5, 0.8)
    useful, useless = found.privileged_intervals_[:, 1]
    assert useful > useless


def test_without_privileged_columns_nothing_changes() -> None:
    y = (SCORE > 0).astype(int)
    plain = RelevanceClassifier(C=0.5, n_probes=5, random_state=0).fit(X, y)
    empty = RelevanceClassifier(C=0.5, n_probes=5, random_state=0).fit(X, y, privileged=None)
    np.testing.assert_array_equal(plain.intervals_, empty.intervals_)
    assert not hasattr(plain, "privileged_intervals_")


def test_privileged_tables_that_do_not_fit_are_refused() -> None:
    y = (SCORE > 0).astype(int)
    with pytest.raises(DataError, match="10 rows"):
        RelevanceClassifier().fit(X, y, privileged=P[:10])
    with pytest.raises(DataError, match="several columns are called 'a'"):
        RelevanceClassifier().fit(
            pd.DataFrame(X, columns=["a", "b", "c"]), y, privileged=pd.DataFrame(P, columns=["a", "p"])
        )
    with pytest.raises(DataError, match="NaN, by column: privileged1"):
        RelevanceClassifier().fit(X, y, privileged=np.column_stack([P[:, 0], np.full(len(X), np.nan)]))
