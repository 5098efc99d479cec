"""Fisher's z and the mixed likelihood ratio against independent computations."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from relspan.markov import FisherZ, LikelihoodRatio, TableTest


@pytest.fixture
def numbers():
    random = np.random.default_rng(0)
    X = random.normal(size=(120, 6))
    X[:, 1] += X[:, 0]
    X[:, 2] += X[:, 1] - 0.5 * X[:, 3]
    X[:, 4] = 1e6 + 1e-3 * (X[:, 0] + X[:, 4])  # shifted and scaled
    return X


def rest_of(y, S):
    A = np.column_stack([np.ones(len(y)), S])
    return y - A @ np.linalg.lstsq(A, y, rcond=None)[0]


@pytest.mark.parametrize("given", [(), (3,), (1, 3), (1, 3, 5)])
def test_partial_correlation_is_that_of_the_residuals(numbers, given):
    n = len(numbers)
    candidates = np.array([0, 4])
    evidence = FisherZ([numbers[:, :2], numbers[:, 2:]]).evidence(candidates, 2, given)
    for i, x in enumerate(candidates):
        r = stats.pearsonr(
            rest_of(numbers[:, x], numbers[:, given]), rest_of(numbers[:, 2], numbers[:, given])
        ).statistic
        z = np.sqrt(n - len(given) - 3) * np.arctanh(r)
        assert np.exp(evidence.log_p[i]) == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-6)


def test_partial_correlation_is_that_of_the_inverse_correlation_matrix(numbers):
    P = np.linalg.inv(np.corrcoef(numbers, rowvar=False))
    expected = -P[0, 2] / np.sqrt(P[0, 0] * P[2, 2])
    found = FisherZ([numbers]).partial_correlations(np.array([0]), 2, (1, 3, 4, 5))
    assert found[0] == pytest.approx(expected, rel=1e-6)


def test_singular_conditions_count_once(numbers):
    doubled = np.column_stack([numbers, numbers[:, 3], numbers[:, 1] - 2 * numbers[:, 3]])
    test = FisherZ([doubled])
    once = test.partial_correlations(np.array([0, 4]), 2, (1, 3))
    np.testing.assert_allclose(test.partial_correlations(np.array([0, 4]), 2, (1, 3, 6, 7)), once, rtol=1e-7)


def test_degenerate_columns_are_independent(numbers):
    X = np.column_stack([numbers, np.full(len(numbers), 0.1), numbers[:, 1] + numbers[:, 3]])
    test = FisherZ([X])
    assert test.evidence(np.array([6]), 2, ()).log_p[0] == 0.0  # constant
    assert test.evidence(np.array([0]), 6, ()).log_p[0] == 0.0  # constant target
    assert test.evidence(np.array([7]), 2, (1, 3)).log_p[0] == 0.0  # determined by the conditions
    assert test.evidence(np.array([0]), 7, (1, 3)).log_p[0] == 0.0


def test_a_copy_of_the_target_is_as_dependent_as_can_be_told(numbers):
    X = np.column_stack([numbers, numbers[:, 2]])
    evidence = FisherZ([X]).evidence(np.array([6]), 2, ())
    assert np.isfinite(evidence.log_p[0])
    assert evidence.log_p[0] < -1000


def test_fisher_z_needs_samples_beyond_those_of_the_conditions():
    X = np.random.default_rng(0).normal(size=(11, 5))
    assert FisherZ([X]).evidence(np.array([0]), 1, (2, 3, 4)).reliable.tolist() == [True]
    assert FisherZ([X[:10]]).evidence(np.array([0]), 1, (2, 3, 4)).reliable.tolist() == [False]
    assert FisherZ([X[:4]]).evidence(np.array([0]), 1, (2, 3, 4)).reliable.tolist() == [False]


@pytest.fixture
def mixed():
    """0, 1: continuous; 2: three levels; 3: continuous; 4: two levels; 5: three levels."""
    random = np.random.default_rng(1)
    n = 300
    X = random.normal(size=(n, 6))
    X[:, 2] = random.integers(0, 3, n)
    X[:, 3] += X[:, 0] + (X[:, 2] == 1)
    X[:, 4] = X[:, 3] + random.normal(size=n) > 0.3
    X[:, 5] = np.digitize(X[:, 1] + 0.5 * X[:, 4] + random.normal(size=n), [-0.5, 0.7])
    return X, np.array([False, False, True, False, True, True])


def indicators(column):
    return (column[:, None] == np.unique(column)[1:]).astype(float)


def design(X, discrete, columns):
    parts = [indicators(X[:, c]) if discrete[c] else X[:, [c]] for c in columns]
    return np.column_stack([np.zeros((len(X), 1)), *parts])  # a column of zeros keeps it two-dimensional


def p_of_one_way(X, discrete, response, predictor, given):
    """Nested regressions by scikit-learn and least squares."""
    n, y = len(X), X[:, response]
    small, large = design(X, discrete, given), design(X, discrete, [*given, predictor])
    added = np.linalg.matrix_rank(np.c_[np.ones(n), large]) - np.linalg.matrix_rank(np.c_[np.ones(n), small])
    if discrete[response]:

        def deviance(A):
            model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(A, y)
            return 2 * n * log_loss(y, model.predict_proba(A))

        return stats.chi2.sf(deviance(small) - deviance(large), added * (len(np.unique(y)) - 1))
    rss0, rss1 = (np.sum(rest_of(y, A) ** 2) for A in (small, large))
    left = n - np.linalg.matrix_rank(np.c_[np.ones(n), large])
    return stats.f.sf((rss0 - rss1) / added / (rss1 / left), added, left)


@pytest.mark.parametrize(
    ("x", "t", "given"),
    [
        (3, 4, ()),  # continuous and discrete, both roles
        (4, 3, (0,)),
        (2, 3, (0,)),
        (3, 5, (1, 2)),
        (2, 5, (1,)),  # both discrete, a continuous condition
        (4, 5, (1, 2)),
        (0, 1, (4,)),  # both continuous, a discrete condition
        (0, 3, (1, 5)),
    ],
)
def test_both_ways_against_scikit_learn_and_least_squares(mixed, x, t, given):
    X, discrete = mixed
    p = sorted([p_of_one_way(X, discrete, t, x, given), p_of_one_way(X, discrete, x, t, given)])
    found = LikelihoodRatio([X[:, :4], X[:, 4:]], discrete).evidence(np.array([x]), t, given)
    assert np.exp(found.log_p[0]) == pytest.approx(min(2 * p[0], p[1]), rel=1e-5)
    assert found.reliable[0]


def test_mixed_batches_equal_single_tests(mixed):
    X, discrete = mixed
    test = LikelihoodRatio([X], discrete)
    batch = test.evidence(np.array([0, 2, 3, 4]), 5, (1,))
    single = [test.evidence(np.array([x]), 5, (1,)) for x in (0, 2, 3, 4)]
    np.testing.assert_allclose(batch.log_p, [e.log_p[0] for e in single], rtol=1e-9)


def test_all_discrete_is_g2(mixed):
    X, discrete = mixed
    found = LikelihoodRatio([X], discrete).evidence(np.array([4]), 5, (2,))
    expected = TableTest([X[:, [2, 4, 5]]]).evidence(np.array([1]), 2, (0,))
    assert found.log_p[0] == expected.log_p[0]
    assert found.df[0] == expected.df[0]


def test_all_continuous_is_the_t_test_of_the_partial_correlation(numbers):
    found = LikelihoodRatio([numbers], np.zeros(6, bool)).evidence(np.array([0]), 2, (1, 3))
    r = FisherZ([numbers]).partial_correlations(np.array([0]), 2, (1, 3))[0]
    df = len(numbers) - 4
    assert np.exp(found.log_p[0]) == pytest.approx(2 * stats.t.sf(abs(r) * np.sqrt(df / (1 - r * r)), df), rel=1e-7)


def test_mixed_degenerate_cases():
    random = np.random.default_rng(2)
    n = 200
    x = random.normal(size=n)
    t = (x > 0).astype(float)  # x separates the classes perfectly
    X = np.column_stack([x, t, np.ones(n), np.full(n, 2.5), x + 1, random.integers(0, 3, n), random.normal(size=n)])
    test = LikelihoodRatio([X], np.array([False, True, True, False, False, True, False]))
    separable = test.evidence(np.array([0]), 1, ())
    assert np.isfinite(separable.log_p[0])
    assert separable.log_p[0] < -40
    constants = test.evidence(np.array([2, 3]), 1, (6,))
    assert constants.log_p.tolist() == [0.0, 0.0]
    assert test.evidence(np.array([0]), 2, (6,)).log_p[0] == 0.0  # a constant target
    determined = test.evidence(np.array([0]), 1, (4,))  # given x + 1, x adds nothing
    assert determined.log_p[0] == 0.0
    repeated = test.evidence(np.array([6]), 1, (4, 0))  # a condition twice
    once = test.evidence(np.array([6]), 1, (4,))
    assert repeated.log_p[0] == pytest.approx(once.log_p[0], abs=1e-6)


def test_mixed_reliability_counts_parameters():
    random = np.random.default_rng(3)
    X = np.column_stack([random.normal(size=14), random.integers(0, 3, 14)])
    X[:3, 1] = [0, 1, 2]
    test = LikelihoodRatio([X], np.array([False, True]))
    assert not test.evidence(np.array([0]), 1, ()).reliable[0]  # 2 classes x 2 parameters x 5 samples
    assert LikelihoodRatio([X], np.array([False, True]), samples_per_df=3).evidence(np.array([0]), 1, ()).reliable[0]


@pytest.mark.parametrize("kind", ["fisher-z", "mixed"])
@pytest.mark.slow
def test_level_under_independence(kind):
    """p-values of true null hypotheses are below .05 about one time in twenty."""
    random = np.random.default_rng(4)
    X = random.normal(size=(100, 2001))
    X[:, 2000] = random.integers(0, 2, 100)
    given = (0, 1)
    discrete = np.arange(2001) == 2000
    test = FisherZ([X]) if kind == "fisher-z" else LikelihoodRatio([X], discrete)
    share = test.evidence(np.arange(2, 2000), 2000, given).dependent(0.05).mean()
    assert 0.03 < share < 0.07
