"""Offsets that suffice: within these limits no weight vector loses more than with any offsets at all."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from relspan.analysis.group_intervals import with_sizes
from relspan.engines.careful_bounds import careful_bound
from relspan.family import HingeRows, build_family, norm_and_loss
from relspan.family.constraints import Constraints
from relspan.family.kink_limits import kink_limits


def least_loss(rows: HingeRows, w: np.ndarray, limits: np.ndarray) -> float:
    """min_b loss(w, b) over offsets within limits:  min c.x  s.t.  x >= r - O b,  x >= 0."""
    r, k = rows.heights - rows.features @ w, rows.n_offsets
    found = linprog(
        np.concatenate([rows.costs, np.zeros(k)]),
        np.hstack([-np.eye(len(r)), -rows.offsets]),
        -r,
        bounds=[(0, None)] * len(r) + [(-limit, limit) for limit in limits],
    )
    assert found.status == 0
    return float(found.fun)


def unlimited_rows(seed: int, k: int) -> HingeRows:
    """Rows of one class alone, or of two that a covariate separates: offsets may grow without end."""
    rng = np.random.default_rng(seed)
    n = 12
    y = np.ones(n) if k == 1 else np.repeat([1.0, -1.0], n // 2)
    covariate = (y * rng.integers(1, 4, n)).astype(float)
    offsets = y[:, None] * np.column_stack([np.ones(n), covariate])[:, :k]
    costs = rng.uniform(0.5, 2.0, n) * (rng.random(n) < 0.9)
    return HingeRows(y[:, None] * rng.standard_normal((n, 3)), offsets, np.ones(n), costs)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_offsets_within_the_limits_lose_no_more_than_any(seed: int, k: int) -> None:
    rows = unlimited_rows(seed, k)
    family = build_family(rows, norm_and_loss(2.0, 1.0))
    assert np.isinf(family.offset_limits).any()
    assert np.isinf(family.limits_for(np.eye(k)[0])).any()
    limits = family.limits_for(np.zeros(k))
    assert np.isfinite(limits).all()
    rng = np.random.default_rng(seed)
    for _ in range(5):
        w = rng.standard_normal(3)
        w *= 2.0 / np.abs(w).sum()
        within, anywhere = (least_loss(rows, w, most) for most in (limits, np.full(k, np.inf)))
        assert within == pytest.approx(anywhere, abs=1e-7)


def test_multipliers_that_miss_the_offsets_by_rounding_bound_weights_and_no_offset() -> None:
    family = build_family(unlimited_rows(0, 2), norm_and_loss(2.0, 1.0))
    a = np.where(family.rows.costs > 0, 0.1, 0.0)
    assert (a @ family.rows.offsets).any()
    of_weight, of_offset = np.zeros(5), np.zeros(5)
    of_weight[0] = of_offset[3] = 1.0
    assert np.isfinite(careful_bound(family, of_weight, a, np.zeros(0)))
    assert np.isinf(careful_bound(family, of_offset, a, np.zeros(0)))


def test_parallel_but_for_rounding_has_no_limits() -> None:
    parallel = np.array([[1.0, 0.3], [3.0, 0.3 * 3.0 * (1 + 2.3e-16)], [0.0, 1.0]])
    assert np.isinf(kink_limits(parallel, np.ones(3))).all()


def test_determinants_that_vanish_in_rounding_alone_have_no_limits() -> None:
    e = 2.0**-52
    nearly = np.array([[1.0 + e, 1.0], [-1.0, -(1.0 - e)], [0.0, 1.0]])
    assert nearly[0, 0] * nearly[1, 1] - nearly[0, 1] * nearly[1, 0] == 0.0  # the vertex of both lies at 1e31
    assert np.isinf(kink_limits(nearly, np.array([2.0, 1.0, 1.0]))).all()
    assert np.isinf(kink_limits(np.array([[1e200, 1.0], [1.0, 1e200]]), np.ones(2))).all()
    assert np.isfinite(kink_limits(np.array([[1.0, 0.5], [-2.0, -1.0], [0.0, 1.0]]), np.ones(3))).all()


def test_offsets_that_constraints_hold_and_sizes_of_weights_keep_their_limits() -> None:
    family = build_family(unlimited_rows(1, 2), norm_and_loss(2.0, 1.0))
    lifted = with_sizes(family, np.array([0, 2]))
    limits = lifted.limits_for(np.array([0.0, 0.0, -1.0, -1.0]))
    np.testing.assert_array_equal(limits[:2], family.limits_for(np.zeros(2)))
    np.testing.assert_array_equal(limits[2:], lifted.offset_limits[2:])
    ordered = family.restricted(Constraints(np.zeros((1, 3)), np.array([[1.0, -1.0]]), np.zeros(1), np.full(1, np.inf)))
    assert np.isinf(ordered.limits_for(np.zeros(2))).any()


def test_rows_that_do_not_span_the_offsets_have_no_limits() -> None:
    assert np.isinf(kink_limits(np.array([[1.0, 2.0], [-1.0, -2.0]]), np.ones(2))).all()
