"""The first paper's own form: an L2 machine as the best model, and one combined budget."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.svm import SVC

from relspan import RelevanceClassifier
from relspan.errors import ParameterError
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
DATA = simulate(80, strong=2, weak=2, irrelevant=3, flips=0.1, random_state=0)
OPTIONS = {"C": 0.3, "n_probes": 5, "random_state": 0, "standardize": False}


def test_the_l2_machine_is_scikit_learns() -> None:
    found = RelevanceClassifier(penalty="l2", **OPTIONS).fit(DATA.X, DATA.y)
    peer = SVC(kernel="linear", C=0.3, tol=1e-10).fit(DATA.X, DATA.y)
    np.testing.assert_allclose(found.coef_, peer.coef_, atol=1e-5)
    assert found.result_.baseline["l1_norm"] == pytest.approx(np.abs(peer.coef_).sum(), rel=1e-4)


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_models_at_the_ends_keep_the_combined_budget(penalty: str) -> None:
    found = RelevanceClassifier(penalty=penalty, loss_budget="combined", delta_norm=0.05, **OPTIONS)
    found.fit(DATA.X, DATA.y)
    (limit,) = found.result_.budgets["limits"]
    told = found.result_.baseline
    assert limit == pytest.approx([1.0, 0.3, 1.05 * (told["l1_norm"] + 0.3 * told["loss"])])
    signs = 2.0 * DATA.y - 1
    for model in found.result_.certificates.extremes.models:
        w, b = model[:-1], model[-1]
        loss = np.maximum(0, 1 - signs * (DATA.X @ w + b)).sum()
        assert np.abs(w).sum() + 0.3 * loss <= limit[2] * (1 + 1e-9)
    assert found.result_.largest_gap < 1e-6


def theorem_bounds(X: np.ndarray, signs: np.ndarray, C: float, mu: float, j: int) -> tuple[float, float]:
    """Theorems 1 and 2 as they are printed, in the variables (|w|, w, b, xi): the least and the largest |w_j|."""
    n, d = X.shape
    eye, none = np.eye(d), np.zeros((d, 1 + n))
    rows = [
        np.hstack([-eye, eye, none]),  # w_i - |w|_i <= 0
        np.hstack([-eye, -eye, none]),  # -w_i - |w|_i <= 0
        np.hstack([np.zeros((n, d)), -signs[:, None] * X, signs[:, None], -np.eye(n)]),  # -y (w.x - b) <= xi - 1
        np.concatenate([np.ones(d), np.zeros(d + 1), np.full(n, C)])[None],  # sum |w| + C sum xi <= mu
    ]
    limits = np.concatenate([np.zeros(2 * d), -np.ones(n), [mu]])
    ranges = [(None, None)] * (2 * d + 1) + [(0, None)] * n
    goal, size = np.zeros(2 * d + 1 + n), np.zeros((1, 2 * d + 1 + n))
    goal[j] = size[0, j] = 1.0
    least = linprog(goal, np.vstack(rows), limits, bounds=ranges).fun
    largest = []
    for sign in (1.0, -1.0):  # (a) |w|_j + w_j <= 0, (b) |w|_j - w_j <= 0
        size[0, d + j] = sign
        solved = linprog(-goal, np.vstack([*rows, size]), np.append(limits, 0.0), bounds=ranges)
        largest += [-solved.fun] if solved.success else []  # no equally good model has this sign
    return least, max(largest)


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_the_bounds_are_those_of_theorems_1_and_2(penalty: str) -> None:
    found = RelevanceClassifier.as_published("esann2017", **{**OPTIONS, "penalty": penalty}).fit(DATA.X, DATA.y)
    told = found.result_.baseline
    mu = told["l1_norm"] + 0.3 * told["loss"]
    bounds = [theorem_bounds(DATA.X, 2.0 * DATA.y - 1, 0.3, mu, j) for j in range(DATA.X.shape[1])]
    np.testing.assert_allclose(found.intervals_, np.array(bounds) / told["l1_norm"], atol=1e-5)


def test_the_l2_family_holds_its_own_machine() -> None:
    found = RelevanceClassifier(penalty="l2", delta_norm=0.0, delta_loss=0.0, **OPTIONS).fit(DATA.X, DATA.y)
    share = np.abs(found.coef_[0]) / np.abs(found.coef_).sum()
    assert (found.intervals_[:, 0] <= share + 1e-6).all()
    assert (share <= found.intervals_[:, 1] + 1e-6).all()
    assert (np.diff(found.intervals_, axis=1) > 1e-3).any()  # which is not the only one of its norm and loss


def test_there_is_no_third_machine() -> None:
    with pytest.raises(ParameterError, match="penalty must be one of l1, l2"):
        RelevanceClassifier(penalty="elastic").fit(DATA.X, DATA.y)
