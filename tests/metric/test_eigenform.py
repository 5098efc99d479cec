"""The eigen-form: the same for every Omega of a Lambda, with rows that can be told apart."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.errors import DataError
from relspan.metric.eigenform import eigenform


@pytest.fixture
def omega():
    return np.random.default_rng(0).standard_normal((4, 6))


def test_rows_give_lambda_back(omega) -> None:
    form = eigenform(omega, smallest=0)
    np.testing.assert_allclose(form.scale**2 * form.rows.T @ form.rows, omega.T @ omega, atol=1e-12)
    assert form.dropped == 0


def test_rows_are_orthogonal_descending_and_of_trace_one(omega) -> None:
    form = eigenform(omega)
    np.testing.assert_allclose(form.rows @ form.rows.T, np.diag(form.eigenvalues), atol=1e-12)
    assert (np.diff(form.eigenvalues) <= 0).all()
    assert form.eigenvalues.sum() + form.dropped == pytest.approx(1)


def test_turning_or_scaling_the_image_changes_nothing(omega) -> None:
    rotation = np.linalg.qr(np.random.default_rng(1).standard_normal((4, 4)))[0]
    form, other = eigenform(omega), eigenform(-3 * rotation @ omega)
    np.testing.assert_allclose(other.rows, form.rows, atol=1e-12)
    np.testing.assert_allclose(other.scale, 3 * form.scale)


def test_the_largest_entry_of_a_row_is_positive(omega) -> None:
    rows = eigenform(omega).rows
    assert (np.take_along_axis(rows, np.abs(rows).argmax(axis=1)[:, None], axis=1) > 0).all()


def test_rows_of_no_eigenvalue_are_dropped_and_their_share_is_told() -> None:
    form = eigenform(np.diag([1.0, 0.5, 0.02, 1e-9]))
    assert len(form.rows) == 2
    assert form.dropped == pytest.approx(0.02**2 / (1 + 0.25 + 0.02**2))
    assert len(eigenform(np.diag([1.0, 1e-12]), smallest=0).rows) == 1  # rounding goes in any case


def test_norms_scale_rows_to_one(omega) -> None:
    form = eigenform(omega)
    np.testing.assert_allclose(np.abs(form.rows / form.norms[:, None]).sum(axis=1), 1)


def test_nearly_equal_eigenvalues_are_found() -> None:
    assert eigenform(np.diag([2.0, 1.0, 0.99, 0.5])).close_pairs == [1]
    assert eigenform(np.diag([2.0, 1.0])).close_pairs == []


def test_a_single_row_may_be_flat() -> None:
    np.testing.assert_allclose(eigenform([3.0, -4.0]).rows, [[-0.6, 0.8]])


@pytest.mark.parametrize("bad", [np.zeros((2, 3)), [[np.nan, 1.0]], np.ones((2, 2, 2))])
def test_what_is_no_map_is_refused(bad) -> None:
    with pytest.raises(DataError, match="matrix of finite numbers"):
        eigenform(bad)
