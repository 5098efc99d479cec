"""Log tails: equal to the plain ones where those exist, and to closed forms far beyond."""

import numpy as np
import pytest
from scipy import special, stats

from relspan.markov.log_tails import chi2_log_tail, f_log_tail, normal_log_two_sided


def test_chi2_equals_scipy_where_the_tail_is_a_number():
    df = np.arange(1, 60)[:, None]
    x = np.geomspace(1e-3, 500, 40)[None, :]
    np.testing.assert_allclose(chi2_log_tail(x, df), np.log(stats.chi2.sf(x, df)), rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("half", [1, 2, 7, 40])
@pytest.mark.parametrize("z", [800.0, 3e3, 1e5])
def test_chi2_far_out_equals_the_finite_sum_for_even_degrees(half, z):
    terms = np.arange(half) * np.log(z) - special.gammaln(np.arange(half) + 1)
    assert chi2_log_tail(2 * z, 2 * half) == pytest.approx(special.logsumexp(terms) - z, rel=1e-13)


@pytest.mark.parametrize("z", [0.0, 0.3, 2.0, 37.0, 60.0, 500.0])
def test_one_degree_of_freedom_is_a_squared_normal(z):
    assert chi2_log_tail(z * z, 1) == pytest.approx(float(normal_log_two_sided(z)), rel=1e-12, abs=1e-15)


def test_f_equals_scipy_where_the_tail_is_a_number():
    d1, d2 = np.array([1, 2, 3, 8])[:, None, None], np.array([5, 40, 900])[None, :, None]
    x = np.geomspace(1e-3, 20, 20)
    np.testing.assert_allclose(f_log_tail(x, d1, d2), np.log(stats.f.sf(x, d1, d2)), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize(("x", "d2"), [(1e3, 2000), (1e6, 300), (50.0, 1e5)])
def test_f_far_out_equals_the_closed_form_for_two_degrees(x, d2):
    assert f_log_tail(x, 2, d2) == pytest.approx(-d2 / 2 * np.log1p(2 * x / d2), rel=1e-10)


def test_nothing_to_see_without_degrees_of_freedom():
    assert chi2_log_tail(3.0, 0) == 0.0
    assert f_log_tail(3.0, 0, 10) == 0.0
    assert f_log_tail(3.0, 1, 0) == 0.0


def test_the_order_survives_underflow():
    tails = chi2_log_tail(np.linspace(1e3, 1e5, 50), 4)
    assert np.all(np.isfinite(tails))
    assert np.all(np.diff(tails) < 0)
