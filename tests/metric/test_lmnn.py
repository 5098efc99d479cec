"""LMNN: the gradient, the working set against all pairs, memory, what the fit promises and what it refuses."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from relspan.errors import DataError, ParameterError
from relspan.metric import LMNN, lmnn_cost
from relspan.metric.impostors import find_impostors
from relspan.metric.lmnn import nearest_of_same_class
from relspan.simulate import make_xor


@parametrize_with_checks([LMNN(), LMNN(n_neighbors=1, hinge="linear", n_starts=2, random_state=0)])
def test_scikit_learn_checks(estimator, check) -> None:
    check(estimator)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    X, label = rng.standard_normal((30, 4)), np.arange(30) % 3
    L = rng.standard_normal((3, 4))
    return L, X, nearest_of_same_class(X, label, 2), find_impostors(X, label, np.full(30, np.inf), 30), label


@pytest.mark.slow
@pytest.mark.parametrize("hinge", ["squared", "linear"])
@pytest.mark.parametrize("block", [7, 1 << 16])
def test_gradient_equals_finite_differences(problem, monkeypatch, hinge: str, block: int) -> None:
    monkeypatch.setattr(lmnn_cost, "PAIRS_AT_ONCE", block)
    L, X, targets, pairs, _ = problem
    gradient = lmnn_cost.lmnn_cost(L, X, targets, [pairs], 0.3, hinge, 0.2)[1]
    numeric = approx_fprime(
        L.ravel(), lambda t: lmnn_cost.lmnn_cost(t.reshape(3, 4), X, targets, [pairs], 0.3, hinge, 0.2)[0], 1e-8
    )
    np.testing.assert_allclose(gradient.ravel(), numeric, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("hinge", ["squared", "linear"])
def test_cost_is_the_formula_term_by_term(problem, hinge: str) -> None:
    L, X, targets, pairs, label = problem
    total = 0.5 * 0.2 * np.trace(L.T @ L) * targets.size
    for i, own in enumerate(targets):
        for j in own:
            d_ij = np.sum((L @ (X[i] - X[j])) ** 2)
            total += 0.7 * d_ij
            for l in np.flatnonzero(label != label[i]):
                t = max(0.0, 1 + d_ij - np.sum((L @ (X[i] - X[l])) ** 2))
                total += 0.3 * (t**2 if hinge == "squared" else t)
    np.testing.assert_allclose(lmnn_cost.lmnn_cost(L, X, targets, [pairs], 0.3, hinge, 0.2)[0], total / targets.size)


def test_a_subset_of_the_pairs_bounds_the_cost_and_the_impostors_attain_it(problem) -> None:
    L, X, targets, every, label = problem
    whole, gradient = lmnn_cost.lmnn_cost(L, X, targets, [every])
    Z = X @ L.T
    reach = 1 + lmnn_cost.target_distances(Z, targets).max(axis=1)
    impostors = find_impostors(Z, label, reach, 30)
    assert impostors.size < every.size
    value, same_gradient = lmnn_cost.lmnn_cost(L, X, targets, [impostors])
    np.testing.assert_allclose(value, whole)
    np.testing.assert_allclose(same_gradient, gradient, atol=1e-12)
    few = find_impostors(Z, label, reach, 1)
    assert few.size < impostors.size
    assert lmnn_cost.lmnn_cost(L, X, targets, [few])[0] < whole


def test_targets_are_the_nearest_of_the_same_class() -> None:
    X, y = load_iris(return_X_y=True)
    targets = nearest_of_same_class(X, y, 3)
    assert (y[targets] == y[:, None]).all()
    assert not (targets == np.arange(150)[:, None]).any()
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    D[y[:, None] != y[None, :]] = np.inf
    np.fill_diagonal(D, np.inf)
    np.testing.assert_allclose(np.take_along_axis(D, targets, 1), np.sort(D, axis=1)[:, :3])


def test_the_learned_map_is_stationary_for_the_cost_on_all_pairs() -> None:
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    model = LMNN(tol=1e-6, max_iter=5000).fit(X, y)
    every = find_impostors(X, y, np.full(len(y), np.inf), len(y))
    assert model.n_impostors_ < every.size / 3

    def whole_cost(L):
        return lmnn_cost.lmnn_cost(L, X, model.targets_, [every], regularization=model.regularization)

    value, gradient = whole_cost(model.omega_)
    np.testing.assert_allclose(value, model.cost_)
    assert np.abs(gradient).max() < 1e-2 * np.abs(whole_cost(np.eye(13))[1]).max()
    assert value < whole_cost(np.eye(13))[0]


@pytest.mark.slow
def test_the_penalty_shrinks_the_map() -> None:
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    traces = [np.trace(LMNN(regularization=rho, tol=1e-6).fit(X, y).lambda_) for rho in (0.0, 0.01, 1.0)]
    assert traces[0] > traces[1] > traces[2] > 0


@pytest.mark.slow
def test_memory_stays_far_below_all_pairs() -> None:
    n = 3000
    X, y = make_classification(
        n, 6, n_informative=4, n_redundant=0, n_classes=3, n_clusters_per_class=1, random_state=0
    )
    X = StandardScaler().fit_transform(X)
    tracemalloc.start()
    LMNN(max_impostors=20).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.5 * 8 * n**2


@pytest.mark.slow
@pytest.mark.parametrize("hinge", ["squared", "linear"])
def test_how_many_pairs_are_kept_changes_the_way_and_not_the_end(hinge: str) -> None:
    X, y = make_xor(200, random_state=0)
    X = 0.2 * X[:, :5]  # so small that nearly everybody is an impostor at first; the last column is the fifth again
    few, many = (LMNN(max_impostors=limit, hinge=hinge, tol=1e-5).fit(X, y) for limit in (1, 200))
    every = find_impostors(X, y, np.full(len(y), np.inf), len(y))
    for model in (few, many):
        cost, gradient = lmnn_cost.lmnn_cost(
            model.omega_, X, model.targets_, [every], hinge=hinge, regularization=model.regularization
        )
        np.testing.assert_allclose(cost, model.cost_)
        if hinge == "squared":
            assert np.abs(gradient).max() < 1e-3
    np.testing.assert_allclose(few.cost_, many.cost_, rtol=1e-2)


@pytest.mark.slow
def test_rounds_do_not_go_round_where_the_pairs_kept_are_too_few() -> None:
    X, y = make_xor(600, random_state=0)
    model = LMNN(max_impostors=50).fit(X, y)  # a warning that it did not converge would be an error
    assert model.n_iter_ < 100
    assert model.cost_ < 1.01 * LMNN(max_impostors=600).fit(X, y).cost_


@pytest.mark.slow
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_fewer_errors_than_the_euclidean_neighbours(load) -> None:
    X, y = load(return_X_y=True)
    euclid, learned = (
        cross_val_score(make_pipeline(StandardScaler(), model), X, y).mean()
        for model in (KNeighborsClassifier(3), LMNN(n_neighbors=3))
    )
    assert learned >= euclid


@pytest.mark.slow
def test_fit_has_consistent_attributes() -> None:
    X, y = make_xor(100, random_state=0)
    model = LMNN(n_neighbors=2, rank=2, n_starts=3, random_state=0).fit(X, y)
    assert model.omega_.shape == (2, 6)
    assert model.omega_ is model.components_
    np.testing.assert_allclose(model.lambda_, model.omega_.T @ model.omega_)
    np.testing.assert_allclose(model.transform(X), X @ model.omega_.T)
    assert model.cost_ == model.costs_.min()
    assert model.costs_.shape == (3,)
    assert model.predict_proba(X).shape == (100, 2)
    np.testing.assert_array_equal(
        model.omega_, LMNN(n_neighbors=2, rank=2, n_starts=3, random_state=0).fit(X, y).omega_
    )


@pytest.mark.slow
def test_what_the_data_do_not_see_keeps_its_starting_weight() -> None:
    X, y = make_xor(400, random_state=0)  # X5 = X6: no pair of samples differs along X5 - X6
    unseen = np.array([0, 0, 0, 0, 1, -1]) / np.sqrt(2)
    model = LMNN().fit(X, y)
    np.testing.assert_allclose(model.lambda_ @ unseen, unseen, atol=1e-10)


class TestWithMap:
    def test_the_same_map_changes_nothing(self) -> None:
        X, y = make_xor(100, random_state=0)
        model = LMNN().fit(X, y)
        np.testing.assert_allclose(model.with_map(model.omega_).predict_proba(X), model.predict_proba(X))

    def test_an_equivalent_map_keeps_the_predictions(self) -> None:
        X, y = make_xor(200, random_state=0)
        train, test = slice(0, 100), slice(100, 200)
        model = LMNN().fit(X[train] + 3, y[train])
        change = np.zeros((6, 6))
        change[:, 4], change[:, 5] = 5, -5
        other = model.with_map(model.omega_ + change)
        np.testing.assert_array_equal(other.predict(X[test] + 3), model.predict(X[test] + 3))

    def test_shapes_are_checked(self) -> None:
        X, y = make_xor(100, random_state=0)
        with pytest.raises(ParameterError, match="needs 6 columns"):
            LMNN().fit(X, y).with_map(np.ones((1, 5)))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors .* not 0"),
        ({"rank": 0}, "rank .* at most 6, not 0"),
        ({"hinge": "huber"}, "hinge must be one of squared, linear, not 'huber'"),
        ({"push": 1.0}, "push .* not 1.0"),
        ({"tol": 0.0}, "tol .* not 0.0"),
        ({"regularization": -1.0}, "regularization .* not -1.0"),
        ({"regularization": float("nan")}, "regularization .* not nan"),
        ({"max_impostors": -1}, "max_impostors .* not -1"),
    ],
)
def test_bad_parameters_are_named(parameters, message: str) -> None:
    X, y = make_xor(20, random_state=0)
    with pytest.raises(ParameterError, match=message):
        LMNN(**parameters).fit(X, y)


def test_a_class_too_small_for_its_targets_is_named() -> None:
    X, y = make_xor(20, random_state=0)
    y = np.where(np.arange(20) < 3, "rare", "common")
    with pytest.raises(DataError, match=r"class 'rare' has 3 samples, but n_neighbors=3 needs 4; .*<= 2"):
        LMNN().fit(X, y)
    with pytest.raises(DataError, match="one class only"):
        LMNN().fit(X, np.ones(20))
