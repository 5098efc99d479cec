"""Small fitted problems to explore."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.simulate import simulate


def fit(X, y, **options):
    """A classifier with few probes, for tests that do not look at classes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return RelevanceClassifier(**{"random_state": 0, "n_probes": 5, **options}).fit(X, y)


@pytest.fixture(scope="session")
def fitted():
    return fit


@pytest.fixture(scope="session")
def small():
    """Sixty samples, six features: one strong, a noisy pair that can replace each other, three irrelevant."""
    data = simulate(60, strong=1, weak=2, irrelevant=3, noise=0.5, flips=0.1, random_state=3)
    return fit(data.X, data.y, C=1.0, delta_loss=0.1)


@pytest.fixture(scope="session")
def free_signs():
    """Every sign is free: two near copies whose difference is cheap, and noise."""
    rng = np.random.default_rng(5)
    z = rng.standard_normal((50, 1))
    X = np.hstack([z, z + 0.05 * rng.standard_normal((50, 1)), rng.standard_normal((50, 3))])
    y = (z[:, 0] + 0.8 * rng.standard_normal(50) > 0).astype(int)
    return fit(X, y, C=0.5, delta_norm=0.8, delta_loss=0.3)


@pytest.fixture(scope="session", params=["combined", "relative"])
def figure3(request):
    """The FRI paper's Figure 3: four strong features, three copies of a weak one, one irrelevant; the papers' budgets.

    (With wide budgets a copy of opposite sign can pay for an even larger weight, and the copies do not go to 0.)
    """
    data = simulate(200, strong=4, weak=3, irrelevant=1, copies=2, random_state=1)
    delta = {"combined": 0.01, "relative": 0.001}[request.param]
    budgets = {"loss_budget": request.param, "delta_norm": delta, "delta_loss": delta}
    return fit(data.X, data.y, C=1.145, n_probes=20, **budgets)
