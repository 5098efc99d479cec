"""Covariates as directions: what is equal in the table stays equal, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.analysis.adjustment import adjustment_for
from relspan.errors import DataError


@pytest.mark.parametrize("n_covariates", [1, 2, 3])
@pytest.mark.parametrize("opposite", [False, True])
def test_equal_rows_have_equal_directions_and_residuals(n_covariates: int, opposite: bool) -> None:
    """A product of matrices rounds its last rows otherwise than the others; `opposite` covariates are one direction."""
    d = n_covariates + 3
    for n in range(12, 60):
        rng = np.random.default_rng(n)
        X = np.vstack([np.eye(d), rng.integers(0, 2, (4, d))])[rng.integers(0, d + 4, n)]
        if opposite and n_covariates > 1:
            X[:, 1] = 1.0 - X[:, 0]
        try:
            adjustment = adjustment_for(X, range(n_covariates), [f"x{j}" for j in range(d)], None)
        except DataError:  # covariates that express a feature
            continue
        _, first, same = np.unique(X, axis=0, return_index=True, return_inverse=True)
        for found in (adjustment.directions(X), adjustment.residuals(X)):
            np.testing.assert_array_equal(found, found[first][same.ravel()])
        about = adjustment.directions(X) - adjustment.directions(X).mean(axis=0)
        assert np.linalg.matrix_rank(about) == about.shape[1] == adjustment.n_directions
        left = adjustment.residuals(X) - adjustment.residuals(X).mean(axis=0)
        np.testing.assert_allclose(about.T @ left, 0.0, atol=1e-9)


def test_samples_on_a_line_stay_on_it_to_the_last_bit() -> None:
    """Of three samples whose covariates are whole numbers apart, by the same step, in any unit and from any origin."""
    for seed in range(50):
        rng = np.random.default_rng(seed)
        step, n = rng.integers(1, 9, 2), 20
        X = np.column_stack([rng.integers(0, 30, (n, 2)), rng.standard_normal((n, 2))]).astype(float)
        X[:3, :2] = X[0, :2] + np.arange(3)[:, None] * step
        X[:, :2] *= 10.0 ** rng.integers(0, 3)
        u = adjustment_for(X, [0, 1], ["a", "b", "c", "d"], rng.random(n)).directions(X)
        assert ((u[2] - u[1]) == (u[1] - u[0])).all()


def test_constant_and_repeated_covariates_add_no_direction() -> None:
    rng = np.random.default_rng(0)
    table = rng.standard_normal((30, 3))
    X = np.column_stack([table[:, 0], np.full(30, 0.1), 3.0 - 2.0 * table[:, 0], table[:, 1:]])
    adjustment = adjustment_for(X, [0, 1, 2], ["a", "b", "c", "d", "e"], rng.random(30))
    assert adjustment.n_directions == 1


@pytest.mark.parametrize("unit", [1e307, 1e-300])
def test_covariates_may_be_of_any_size(unit: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(1.0, 9.9, (20, 4))
    X[0] = 9.9
    plain = adjustment_for(X, [0, 1], list("abcd"), None)
    far = adjustment_for(X * unit, [0, 1], list("abcd"), None)
    np.testing.assert_allclose(far.residuals(X * unit) / unit, plain.residuals(X), atol=1e-9)
