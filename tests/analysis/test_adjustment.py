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
        directions = adjustment.directions(X)
        np.testing.assert_allclose(directions.T @ directions / n, np.eye(directions.shape[1]), atol=1e-12)
        about = adjustment.residuals(X) - adjustment.residuals(X).mean(axis=0)
        np.testing.assert_allclose(directions.T @ about, 0.0, atol=1e-9)
