"""The family of a row: the paper's programs in their own form, properties of the family, and vanishing rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.optimize import linprog

from relspan.analysis.intervals import extremes_of
from relspan.engines import ReferenceEngine
from relspan.errors import SolverError
from relspan.metric import row_family
from relspan.metric.effective_dimension import principal_axes
from relspan.metric.row_family import (
    equivalent_rows,
    largest_weights,
    length_without,
    row_relevance,
    shortest_equivalent,
)
from relspan.simulate import make_xor

EPSILON = 0.01


def correlated(n: int, d: int, seed: int):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)) + 0.1 * rng.standard_normal((n, d))
    return (X - X.mean(axis=0)) / X.std(axis=0), rng.standard_normal(d)


def printed_programs(w0, U, epsilon: float):
    """Programs (6) to (10): w = w0 + N a over the null space N of U', t >= |w|, three programs a feature."""
    d = len(w0)
    N = null_space(U.T)
    k = N.shape[1]
    # variables (a, t);  w0 + N a <= t,  -(w0 + N a) <= t
    A = np.vstack([np.hstack([N, -np.eye(d)]), np.hstack([-N, -np.eye(d)])])
    b = np.concatenate([-w0, w0])
    bounds = [(None, None)] * k + [(0, None)] * d
    length = np.concatenate([np.zeros(k), np.ones(d)])
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}

    def solve(cost, A, b):
        found = linprog(cost, A_ub=A, b_ub=b, bounds=bounds, options=tight)
        assert found.status == 0
        return found

    mu = solve(length, A, b).fun
    A, b = np.vstack([A, length]), np.append(b, (1 + epsilon) * mu)
    intervals = []
    for j in range(d):
        t_j = np.zeros(k + d)
        t_j[k + j] = 1
        least = solve(t_j, A, b).fun
        w_j = np.concatenate([N[j], np.zeros(d)])
        most = max(abs(w0[j] - solve(-w_j, A, b).fun), abs(w0[j] + solve(w_j, A, b).fun))
        intervals.append((least, most))
    return mu, np.array(intervals)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("dimension", [2, 3, 6])
def test_agrees_with_the_printed_programs(seed: int, dimension: int) -> None:
    X, row = correlated(60, 8, seed)
    U = principal_axes(X).leading(dimension)
    mu, intervals = printed_programs(row, U, EPSILON)
    found = row_relevance(row, U, EPSILON)
    np.testing.assert_allclose(found.mu, mu, atol=1e-6)
    np.testing.assert_allclose(found.intervals, intervals, atol=1e-6)


def test_agrees_with_the_reference_engine_and_its_three_programs() -> None:
    X, row = correlated(60, 8, 5)
    U = principal_axes(X).leading(3)
    exact, reference = (row_relevance(row, U, EPSILON, engine) for engine in ("exact", "reference"))
    np.testing.assert_allclose(exact.lo, reference.lo, atol=1e-6)
    np.testing.assert_allclose(exact.hi, reference.hi, atol=1e-6)
    engine = ReferenceEngine(equivalent_rows(row, U, (1 + EPSILON) * exact.mu))
    np.testing.assert_allclose([engine.relevance(j) for j in range(8)], exact.intervals, atol=1e-6)


def test_an_end_that_one_engine_stops_short_of_is_asked_of_another(monkeypatch) -> None:
    X, row = correlated(60, 8, 5)
    U = principal_axes(X).leading(5)
    asked = []

    def short_of_one_end(family, features, engine="auto", n_jobs=None):
        found = extremes_of(family, features, engine, n_jobs)
        asked.append((engine, list(features)))
        if engine == "batched":
            return found
        short = np.arange(len(found)) == 6  # the upper end of the fourth feature that was asked for
        return replace(found, values=found.values - 1e-3 * short, models=np.where(short[:, None], 0.0, found.models))

    plain = row_relevance(row, U, EPSILON)
    largest = largest_weights(row, U, range(8), EPSILON)
    monkeypatch.setattr(row_family, "extremes_of", short_of_one_end)
    monkeypatch.setattr(row_family, "one_pivot_away", lambda *_: None)
    found = row_relevance(row, U, EPSILON)
    assert asked == [("auto", list(range(8))), ("batched", [3])]
    np.testing.assert_allclose(found.intervals, plain.intervals, atol=1e-7)
    np.testing.assert_allclose(np.diag(found.highs), found.hi)
    np.testing.assert_allclose(largest_weights(row, U, range(8), EPSILON), largest, atol=1e-7)
    with pytest.raises(SolverError, match=r"certified only to within 1\.0e-03"):
        row_relevance(row, U, EPSILON, engine="exact")  # an engine that was asked for by name answers alone


def test_every_returned_row_is_equivalent_and_attains_its_end() -> None:
    X, row = correlated(60, 8, 1)
    U = principal_axes(X).leading(3)
    found = row_relevance(row, U, EPSILON)
    for w in (found.shortest, found.average, *found.lows, *found.highs):
        np.testing.assert_allclose(U.T @ w, U.T @ row, atol=1e-8)
        assert np.abs(w).sum() <= (1 + EPSILON) * found.mu * (1 + 1e-9)
    np.testing.assert_allclose(np.diag(found.lows), found.lo)
    np.testing.assert_allclose(np.diag(found.highs), found.hi)
    for j in range(8):
        least, most = found.intervals[j]
        assert abs(found.extreme(j, "min")[j]) == pytest.approx(least, abs=1e-9)
        assert abs(found.extreme(j, "max")[j]) == pytest.approx(most)
        np.testing.assert_allclose(U.T @ found.extreme(j, "min"), U.T @ row, atol=1e-8)
    assert found.gap < 1e-6
    assert found.violation < 1e-9


def test_more_room_never_shrinks_an_interval_and_more_directions_never_widen_the_family() -> None:
    X, row = correlated(60, 8, 2)
    axes = principal_axes(X)
    lows, highs = zip(
        *((r.lo, r.hi) for r in (row_relevance(row, axes.leading(3), e) for e in (0.0, 0.01, 0.3))), strict=True
    )
    assert (np.diff(lows, axis=0) <= 1e-8).all()
    assert (np.diff(highs, axis=0) >= -1e-8).all()
    lengths = [np.abs(shortest_equivalent(row, axes.leading(i))).sum() for i in range(1, 9)]
    assert (np.diff(lengths) >= -1e-8).all()
    assert lengths[-1] == pytest.approx(np.abs(row).sum())


def test_sign_scale_and_order_carry_over() -> None:
    X, row = correlated(60, 8, 3)
    U = principal_axes(X).leading(3)
    found = row_relevance(row, U, EPSILON)
    turned = row_relevance(-2 * row, U, EPSILON)
    np.testing.assert_allclose(turned.hi, -2 * found.lo, atol=1e-6)
    order = np.random.default_rng(0).permutation(8)
    np.testing.assert_allclose(row_relevance(row[order], U[order], EPSILON).hi, found.hi[order], atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("share", [1.0, 1e-3, 1e-5])
def test_a_row_of_which_little_is_left_is_bounded_as_sharply(share: float, seed: int) -> None:
    X, row = correlated(40, 30, seed)
    U = principal_axes(X).leading(6)
    seen = U @ (U.T @ row)
    faint = share * seen + (row - seen)  # what lies outside of U is not seen
    found, same = row_relevance(faint, U, EPSILON), row_relevance(share * seen, U, EPSILON)
    assert found.gap <= 1e-6 * found.mu
    np.testing.assert_allclose(found.mu, same.mu, rtol=1e-9)
    np.testing.assert_allclose(found.intervals, same.intervals, atol=1e-6 * found.mu)
    np.testing.assert_allclose(found.highs @ U, np.tile(faint @ U, (30, 1)), atol=1e-9 * found.mu)


def test_all_directions_pin_every_weight() -> None:
    X, row = correlated(60, 8, 4)
    found = row_relevance(row, principal_axes(X).leading(8), EPSILON)
    np.testing.assert_allclose(found.lo, row, atol=1e-6)
    np.testing.assert_allclose(found.hi, row, atol=1e-6)


def test_an_exact_copy_can_take_over_the_whole_weight() -> None:
    X, _ = make_xor(200, random_state=0)
    X = X[:, 3:]  # X4, and X5 = X6
    found = row_relevance(np.array([1.0, 0.3, 0.2]), principal_axes(X).leading(2), 0.0)
    np.testing.assert_allclose(found.lo, [1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(found.hi, [1, 0.5, 0.5], atol=1e-6)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("copies", [1, 4])
@pytest.mark.parametrize("delta", [0.0, 1e-12])
def test_exact_copies_share_one_end_however_ties_are_rounded(seed: int, copies: int, delta: float) -> None:
    """Copies of a column are tied in every program. Without room for a longer row, only the proofs tell ends apart."""
    rng = np.random.default_rng(seed)
    sources = rng.standard_normal((30, 3)) @ rng.standard_normal((3, 3))
    source = rng.permutation(np.repeat(np.arange(3), [1, 1 + copies, 1 + copies]))
    X = sources[:, source] - sources[:, source].mean(axis=0)
    row = np.abs(rng.standard_normal(len(source)))  # of one sign: a copy takes the others' weights at no cost
    totals = np.array([row[source == k].sum() for k in range(3)])
    U = principal_axes(X).leading(3)
    lone = (source == 0).astype(float)
    for engine in ("auto", "exact"):
        found = row_relevance(row, U, delta, engine)
        np.testing.assert_allclose(found.mu, totals.sum(), rtol=1e-9)
        np.testing.assert_allclose(found.hi, totals[source], atol=1e-6)
        np.testing.assert_allclose(found.lo, totals[0] * lone, atol=1e-6)
        assert 0 <= found.gap < 1e-6
    np.testing.assert_allclose(largest_weights(row, U, range(len(source)), delta), totals[source], atol=1e-6)


def test_a_row_the_data_do_not_see_vanishes() -> None:
    X, _ = make_xor(200, random_state=0)
    found = row_relevance(np.array([0, 0, 0, 0, 1.0, -1.0]), principal_axes(X).leading(3), EPSILON)
    assert found.vanishes
    assert found.mu < 1e-6
    assert found.intervals.max() < 3e-6
    assert (found.intervals[:, 0] == 0).all()
    np.testing.assert_allclose(found.extreme(4, "min"), found.shortest)


def test_some_features_alone_get_the_same_ends() -> None:
    X, row = correlated(60, 8, 6)
    U = principal_axes(X).leading(3)
    np.testing.assert_allclose(
        largest_weights(row, U, [2, 7], EPSILON), row_relevance(row, U, EPSILON).intervals[[2, 7], 1], atol=1e-6
    )


def test_the_least_length_without_a_feature_is_where_its_lower_bound_reaches_zero() -> None:
    X, row = correlated(60, 8, 7)
    U = principal_axes(X).leading(3)
    found = row_relevance(row, U, 1e-4)
    needed = int(found.intervals[:, 0].argmax())
    assert found.intervals[needed, 0] > 0
    length = length_without(row, U, needed, 10 * found.mu)
    assert length > found.mu
    assert length_without(row, U, needed, 0.999 * length) == np.inf
    share = length / found.mu - 1
    assert row_relevance(row, U, 0.99 * share).intervals[needed, 0] > 0
    assert row_relevance(row, U, 1.01 * share).intervals[needed, 0] == 0


def test_the_named_engines_solve_every_end_and_agree_with_auto() -> None:
    X, row = correlated(40, 30, 8)
    U = principal_axes(X).leading(3)
    auto, exact = (row_relevance(row, U, 0.05, engine) for engine in ("auto", "exact"))
    np.testing.assert_allclose(auto.lo, exact.lo, atol=1e-9)
    np.testing.assert_allclose(auto.hi, exact.hi, atol=1e-9)
    np.testing.assert_allclose(np.diag(auto.highs), auto.hi)
    np.testing.assert_allclose(np.diag(auto.lows), auto.lo)
