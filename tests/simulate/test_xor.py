"""The xor data: what the two factors decide and what the six columns carry."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.errors import ParameterError
from relspan.simulate import make_xor


def test_columns_are_standardised_and_clusters_equal() -> None:
    X, y = make_xor(400, random_state=0)
    assert X.shape == (400, 6)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1)
    quadrant = 2 * (X[:, 0] > 0) + (X[:, 3] > 0)
    np.testing.assert_array_equal(np.bincount(quadrant), [100] * 4)
    assert y.sum() == 200


def test_the_class_is_the_xor_of_two_factors_measured_four_times() -> None:
    X, y = make_xor(400, random_state=1)
    for copy in range(3):
        np.testing.assert_array_equal(X[:, copy] * X[:, 3] > 0, y == 1)
    C = np.corrcoef(X.T)
    assert C[:3, :3].min() > 0.95
    np.testing.assert_array_equal(X[:, 4], X[:, 5])
    assert np.abs(C[3:5, :3]).max() < 0.2


def test_seed_and_size() -> None:
    np.testing.assert_array_equal(make_xor(50, 3)[0], make_xor(50, 3)[0])
    assert not np.array_equal(make_xor(50, 3)[0], make_xor(50, 4)[0])
    assert make_xor(10, 0)[0].shape == (10, 6)
    with pytest.raises(ParameterError, match="n_samples"):
        make_xor(3)
