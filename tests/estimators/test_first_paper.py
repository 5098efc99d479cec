"""The first paper's own form: an L2 machine as the best model, and one combined budget."""

from __future__ import annotations

import numpy as np
import pytest
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


def test_the_l2_family_holds_its_own_machine() -> None:
    found = RelevanceClassifier(penalty="l2", delta_norm=0.0, delta_loss=0.0, **OPTIONS).fit(DATA.X, DATA.y)
    share = np.abs(found.coef_[0]) / np.abs(found.coef_).sum()
    assert (found.intervals_[:, 0] <= share + 1e-6).all()
    assert (share <= found.intervals_[:, 1] + 1e-6).all()
    assert (np.diff(found.intervals_, axis=1) > 1e-3).any()  # which is not the only one of its norm and loss


def test_there_is_no_third_machine() -> None:
    with pytest.raises(ParameterError, match="penalty must be one of l1, l2"):
        RelevanceClassifier(penalty="elastic").fit(DATA.X, DATA.y)
