"""The rows a classification needs: the order in which the data see them, what is kept, and the curve."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from relspan.metric.effective_dimension import principal_axes
from relspan.metric.effective_rank import by_what_the_data_see, most_seen, row_curve
from relspan.metric.eigenform import eigenform
from relspan.simulate.xor import make_xor

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
# the largest row is one that no sample feels; then X4, the copies, and what X5 = X6 carry
OMEGA = np.array(
    [[0, 0, 0, 0, 3.0, -3.0], [0, 0, 0, 2.0, 0, 0], [0.5, 0.5, 0.5, 0, 0, 0], [0, 0, 0, 0, 0.1, 0.1]],
)


def test_what_no_sample_feels_comes_last_however_large_it_is() -> None:
    X, _ = make_xor(400, random_state=0)
    U = principal_axes(X).leading(3)
    form = eigenform(OMEGA)
    assert np.abs(form.rows[0, 4]) > 0.5
    order = by_what_the_data_see(form, U)
    np.testing.assert_array_equal(np.abs(form.rows[order]).argmax(axis=1)[:2], [3, 0])
    assert order[-1] == 0


def test_the_rows_that_are_kept_stay_in_order_and_the_trace_is_accounted_for() -> None:
    X, _ = make_xor(400, random_state=0)
    U = principal_axes(X).leading(3)
    form = eigenform(OMEGA)
    assert most_seen(form, U, None) is form
    assert most_seen(form, U, 9) is form
    two = most_seen(form, U, 2)
    np.testing.assert_allclose(two.rows, form.rows[1:3])
    assert two.eigenvalues.sum() + two.dropped == pytest.approx(1)
    assert (np.diff(two.eigenvalues) < 0).all()


def test_the_curve_falls_once_both_factors_are_there() -> None:
    X, y = make_xor(200, random_state=0)
    curve = row_curve(OMEGA, X, y, FOLDS, 3, 1e-3, standardize=False)
    np.testing.assert_array_equal(curve.dimensions, [1, 2, 3, 4])
    assert curve.mean[0] > 0.1
    assert curve.best == 2
    assert curve.errors.shape == (3, 4)
