"""A sparse table gives the answers of the dense one, and is never written out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from relspan import RelevanceClassifier
from relspan.analysis.scaled_table import scaled, scaling, varying
from relspan.errors import DataError

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
OPTIONS = {"C": 0.5, "n_probes": 8, "random_state": 0, "engine": "exact"}


def counts(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Word counts: two words for one class, one for the other."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.6, (n, d)).astype(float)
    return X, (X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * rng.standard_normal(n) > 0.6).astype(int)


def solved_in_both(one: RelevanceClassifier, other: RelevanceClassifier) -> np.ndarray:
    """Which features have exact intervals in both results, rather than bounds."""
    return np.array([a.solved and b.solved for a, b in zip(one.result_.features, other.result_.features, strict=True)])


@pytest.mark.slow
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.coo_array])
def test_every_sparse_form(form: type) -> None:
    X, y = counts(60, 8)
    dense, thin = (RelevanceClassifier(**OPTIONS).fit(table, y) for table in (X, form(X)))
    assert np.allclose(dense.signed_intervals_, thin.signed_intervals_, atol=1e-6)
    assert (dense.relevance_ == thin.relevance_).all()
    assert np.allclose(dense.decision_function(X), thin.decision_function(form(X)))
    assert thin.transform(form(X)).shape == (60, (thin.relevance_ > 0).sum())
    assert thin.result_.certificates.verify() <= 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"C": None},
        {"screen": True},
        {"standardize": False},
        {"probes": "replace", "n_probes": 20},
        {"loss_budget": "combined"},
        {"engine": "reference"},
    ],
)
def test_every_way_of_fitting(options: dict[str, object]) -> None:
    X, y = counts(40, 12, seed=1)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 40)
    dense, thin = (
        RelevanceClassifier(**{**OPTIONS, **options}).fit(table, y, sample_weight=weights)
        for table in (X, sparse.csr_array(X))
    )
    assert (dense.relevance_ == thin.relevance_).all()
    exact = solved_in_both(dense, thin)  # a feature that is screened out has a bound, which the two ways find otherwise
    assert exact.any()
    assert exact.all() or "screen" in options
    assert np.allclose(dense.signed_intervals_[exact], thin.signed_intervals_[exact], atol=1e-6)


@pytest.mark.slow
def test_many_sparse_columns() -> None:
    X, y = counts(30, 150, seed=2)
    dense, thin = (
        RelevanceClassifier(**{**OPTIONS, "screen": True}).fit(table, y) for table in (X, sparse.csc_array(X))
    )
    assert (dense.relevance_ == thin.relevance_).all()
    exact = solved_in_both(dense, thin)
    assert exact.any()
    assert np.allclose(dense.intervals_[exact], thin.intervals_[exact], atol=1e-6)


@pytest.mark.slow
def test_the_table_stays_sparse_and_is_not_centred() -> None:
    X, y = counts(60, 8)
    fit = RelevanceClassifier(**OPTIONS).fit(sparse.csr_array(X), y)
    assert sparse.issparse(fit.result_.certificates.family.rows.features)
    assert fit.result_.certificates.family.rows.features.nnz == np.count_nonzero(X)
    assert fit.result_.data["centred"] is False
    assert RelevanceClassifier(**OPTIONS).fit(X, y).result_.data["centred"] is True


def test_a_wrong_entry_is_named_by_column() -> None:
    X, y = counts(40, 5)
    X[3, 2] = np.nan
    with pytest.raises(DataError, match=r"NaN, by column: x2 \(1\)"):
        RelevanceClassifier(**OPTIONS).fit(sparse.csr_array(X), y)


def test_constant_columns_are_found() -> None:
    X, y = counts(40, 5)
    X[:, 1], X[:, 4] = 0.0, 7.0
    fit = RelevanceClassifier(**OPTIONS).fit(sparse.csr_array(X), y)
    assert (fit.intervals_[[1, 4]] == 0).all()
    assert (fit.intervals_[[0, 2, 3], 1] > 0).all()


def test_deviations_are_those_of_the_dense_table() -> None:
    X, _ = counts(40, 6)
    X[:, 3], X[:, 4] = 5.0, 0.0
    X[:, 5] *= 1e200
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 40)
    for v in (None, weights):
        mean, scale = scaling(sparse.csr_array(X), v)
        assert np.allclose(mean, [0, 0, 0, 5, 0, 0])  # only the column without a zero is centred
        assert np.allclose(scale, scaling(X, v)[1])
        assert np.allclose(scaled(sparse.csr_array(X), mean, scale).toarray(), (X - mean) / scale)
    assert varying(sparse.csr_array(X)).tolist() == [True, True, True, False, False, True]
