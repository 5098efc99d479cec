"""Rows that share a score: the same loss, family and certificates as rows that are written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from relspan.engines.certificates import certify, dual_bounds
from relspan.engines.multiplier_bounds import scaled_bounds
from relspan.family import Family, HingeRows, build_family, kinked_rows, norm_and_loss, stacked_rows


def drawn_rows(seed: int, n: int = 12, d: int = 3, k: int = 2, m: int = 30) -> HingeRows:
    """Scores with no row, one row and several rows, in no order; some rows cost nothing."""
    rng = np.random.default_rng(seed)
    score_of = rng.integers(0, n, m)
    costs = rng.choice([0.0, 0.5, 2.0], m)
    return HingeRows(rng.standard_normal((n, d)), rng.standard_normal((n, k)), rng.standard_normal(m), costs, score_of)


def written_out(family: Family) -> Family:
    return replace(family, rows=family.rows.with_scores_of_their_own())


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_the_loss_is_that_of_the_rows_written_out(seed: int) -> None:
    rows, rng = drawn_rows(seed), np.random.default_rng(seed + 1)
    other = rows.with_scores_of_their_own()
    assert other.n_rows == other.n_scores == rows.n_rows
    w, b, a = rng.standard_normal(3), rng.standard_normal(2), rng.random((4, rows.n_rows))
    assert rows.loss(w, b) == pytest.approx(other.loss(w, b), rel=1e-12)
    np.testing.assert_allclose(rows.slack(w, b), other.slack(w, b), atol=1e-12)
    np.testing.assert_allclose(rows.pressures(a), other.pressures(a), atol=1e-12)
    np.testing.assert_allclose(rows.pressures(a[0]), other.pressures(a[0]), atol=1e-12)
    np.testing.assert_allclose(rows.offset_pressures(a), other.offset_pressures(a), atol=1e-12)


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_adding_up_and_handing_out_are_adjoint(seed: int) -> None:
    """a . (S s) = (S' a) . s."""
    rows, rng = drawn_rows(seed), np.random.default_rng(seed + 1)
    a, s = rng.standard_normal(rows.n_rows), rng.standard_normal(rows.n_scores)
    assert a @ rows.by_row(s) == pytest.approx(rows.by_score(a) @ s, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("thin", [False, True])
def test_stacked_rows_add_up_whether_they_share_scores_or_not(thin: bool) -> None:
    shared, own = drawn_rows(0), drawn_rows(1).with_scores_of_their_own()
    if thin:
        shared, own = (r.with_features(sparse.csr_array(r.features)) for r in (shared, own))
    w, b = np.array([0.5, -1.0, 2.0]), np.array([0.3, -0.2])
    for first, second in ((shared, own), (own, shared), (shared, shared), (own, own)):
        both = stacked_rows(first, second)
        assert both.loss(w, b) == pytest.approx(first.loss(w, b) + second.loss(w, b), rel=1e-12)
        assert both.n_scores == first.n_scores + second.n_scores


def test_the_rows_of_some_scores_are_all_their_rows() -> None:
    rows, w, b = drawn_rows(2), np.array([0.5, -1.0, 2.0]), np.array([0.3, -0.2])
    chosen, others = np.array([1, 4, 5, 9]), np.array([0, 2, 3, 6, 7, 8, 10, 11])
    parts = [rows.of_scores(part) for part in (chosen, others)]
    assert sum(part.loss(w, b) for part in parts) == pytest.approx(rows.loss(w, b), rel=1e-12)
    own = rows.with_scores_of_their_own()
    assert own.of_scores(np.array([0, 3])).heights.tolist() == own.heights[[0, 3]].tolist()


def test_one_kink_needs_no_index() -> None:
    one = kinked_rows(np.eye(3), np.ones((3, 1)), np.array([1.0]), np.ones((1, 3)))
    two = kinked_rows(np.eye(3), np.ones((3, 1)), np.array([1.0, 0.0]), np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]))
    assert one.score_of is None
    np.testing.assert_array_equal(two.score_of, [0, 1, 2, 0, 1, 2])
    np.testing.assert_array_equal(two.heights, [1, 1, 1, 0, 0, 0])
    np.testing.assert_array_equal(two.costs, [1, 1, 1, 2, 2, 2])


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_families_and_certificates_are_those_of_the_rows_written_out(seed: int) -> None:
    rows, rng = drawn_rows(seed, k=1), np.random.default_rng(seed + 1)
    family = build_family(
        rows, norm_and_loss(2.0, 1.5 * rows.loss(np.zeros(3), np.zeros(1)) + 1.0), anchors=np.zeros(4)
    )
    other = written_out(family)
    assume(np.isfinite(family.offset_limits).all())  # else nothing is proven
    models, directions = rng.standard_normal((6, 4)), rng.standard_normal((6, 4))
    np.testing.assert_allclose(family.offset_limits, other.offset_limits, rtol=1e-12)
    np.testing.assert_allclose(family.excess(models), other.excess(models), rtol=1e-9)
    a, g = rng.exponential(size=(6, rows.n_rows)) * (rows.costs > 0), np.zeros((6, 0))
    np.testing.assert_allclose(dual_bounds(family, directions, a, g), dual_bounds(other, directions, a, g), rtol=1e-12)
    for mine, theirs in zip(scaled_bounds(family, a[0], g[0]), scaled_bounds(other, a[0], g[0]), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9)
    column = rng.standard_normal((6, rows.n_scores))
    wider, models = rng.standard_normal((6, 5)), rng.standard_normal((6, 5))
    found = certify(family, wider, models, a, g, column)
    expected = certify(other, wider, models, a, g, column[:, rows.score_of])
    np.testing.assert_allclose(found.bounds, expected.bounds, rtol=1e-12)
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-9)
