"""as_published: the settings of the papers in one word, which give the answers of the papers' own package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from relspan import OrdinalRelevanceClassifier, RejectRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from relspan.errors import ParameterError
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
FRI = Path(__file__).parents[1] / "data" / "fri"
SAME = {"n_probes": 5, "probes": "append", "standardize": False, "random_state": 0}  # quick; tables are standardised


def stored(name: str) -> dict[str, np.ndarray]:
    return dict(np.load(FRI / f"{name}.npz"))


@pytest.mark.parametrize("name", ["Sim1_default", "breast_cancer"])
@pytest.mark.slow
def test_two_classes_have_the_intervals_of_fri(name: str) -> None:
    answer = stored(name)
    table = stored("Sim1_table") if name.startswith("Sim1") else None
    if table is None:
        X, y = load_breast_cancer(return_X_y=True)
        table = {"X": (X - X.mean(axis=0)) / X.std(axis=0), "y": y}
    found = RelevanceClassifier.as_published("fri2019", C=float(answer["C"]), **SAME).fit(table["X"], table["y"])
    np.testing.assert_allclose(found.intervals_, answer["interval"], atol=2e-6)


@pytest.mark.slow
def test_numbers_and_ordered_classes_have_the_intervals_of_fri() -> None:
    answer = stored("regression_noise0.1")
    given = {"C": float(answer["C"]), "epsilon": float(answer["epsilon"]), **SAME}
    found = RelevanceRegressor.as_published("fri2019", **given).fit(answer["X"], answer["y"])
    np.testing.assert_allclose(found.intervals_, answer["bounds_raw"] / answer["w_l1"], atol=2e-6)
    answer = stored("ordinal_noise0.1")
    found = OrdinalRelevanceClassifier.as_published("fri2019", C=float(answer["C"]), **SAME)
    np.testing.assert_allclose(
        found.fit(answer["X"], answer["y"]).intervals_, answer["bounds_raw"] / answer["w_l1"], atol=1e-5
    )


def test_the_first_paper_has_the_l2_machine_and_one_budget_without_room() -> None:
    data = simulate(80, strong=2, weak=2, irrelevant=3, flips=0.1, random_state=0)
    found = RelevanceClassifier.as_published("esann2017", C=0.3, n_probes=5, random_state=0).fit(data.X, data.y)
    best = found.result_.baseline
    (limit,) = found.result_.budgets["limits"]
    assert limit == pytest.approx([1.0, 0.3, best["l1_norm"] + 0.3 * best["loss"]])
    assert found.result_.parameters["penalty"] == "l2"
    assert type(RejectRelevanceClassifier.as_published("esann2017")) is RejectRelevanceClassifier


def test_a_parameter_that_is_given_stands_before_the_papers() -> None:
    found = RelevanceClassifier.as_published("fri2019", delta_loss=0.1, class_weight="balanced")
    assert (found.delta_loss, found.delta_norm, found.class_weight) == (0.1, 0.001, "balanced")


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(ParameterError, match="paper must be one of fri2019, esann2017, reject2018, not 'fri2018'"):
        RelevanceClassifier.as_published("fri2018")
    with pytest.raises(ParameterError, match="paper"):
        RelevanceClassifier.as_published(2019)
    with pytest.raises(ParameterError, match="esann2017 include penalty, which RelevanceRegressor does not have"):
        RelevanceRegressor.as_published("esann2017")
    with pytest.raises(ParameterError, match="reject2018 include reject_cost, which RelevanceClassifier does not have"):
        RelevanceClassifier.as_published("reject2018")
    with pytest.raises(ParameterError, match="no parameter 'delta_los'; did you mean 'delta_loss'"):
        RelevanceClassifier.as_published("fri2019", delta_los=0.1)
