"""Classes along a budget: at the budget of the analysis its own, and more budget never proves a need."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.errors import ParameterError
from relspan.simulate import simulate
from relspan.tables import NamedMatrix

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


@pytest.fixture(scope="module")
def fitted():
    data = simulate(100, strong=2, weak=2, irrelevant=3, random_state=1)
    return RelevanceClassifier(C=0.5, n_probes=10, random_state=3).fit(data.X, data.y)


@pytest.fixture(scope="module")
def with_category():
    rng = np.random.default_rng(0)
    island, x = rng.integers(3, size=90), rng.standard_normal((90, 2))
    names = ("x", "noise", "island=A", "island=B", "island=C")
    table = NamedMatrix(np.column_stack([x, island[:, None] == np.arange(3)]), names, {"island": names[2:]})
    y = x[:, 0] + 2.0 * (island == 1) + 0.2 * rng.standard_normal(90)
    return RelevanceRegressor(C=1.0, n_probes=10, random_state=0).fit(table, y)


def own_step(path, delta):
    return path.steps[int(np.argmin(np.abs(path.values - delta)))]


def test_the_budget_of_the_analysis_gives_its_classes(fitted):
    path = fitted.explore().path("delta_loss", classes=True)
    step = own_step(path, fitted.result_.parameters["delta_loss"])
    assert step.classes == {f.name: f.relevance for f in fitted.result_.features}


def test_more_budget_never_makes_a_feature_strong(fitted):
    path = fitted.explore().path("delta_loss", [0.0, 0.02, 0.2, 0.5], classes=True)
    for tighter, looser in pairwise(path.steps):
        strong = {name for name, kind in looser.classes.items() if kind == "strong"}
        assert strong <= {name for name, kind in tighter.classes.items() if kind == "strong"}


def test_a_category_has_its_class_and_interval_along_the_path(with_category):
    result = with_category.result_
    path = with_category.explore().path("delta_loss", [result.parameters["delta_loss"]], classes=True)
    step = path.steps[0]
    assert step.classes["island"] == result["island"].relevance
    np.testing.assert_allclose(step.intervals["island"], (result["island"].min, result["island"].max), atol=1e-5)
    assert path.to_frame("dict")["class"][0] == result["x"].relevance


def test_classes_are_not_known_along_the_cost(fitted):
    with pytest.raises(ParameterError, match="delta_loss"):
        fitted.explore().path("C", classes=True)
