"""Pickles: a result leaves the table behind, an estimator keeps all that it needs."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from relspan import RelevanceClassifier, estimator_for
from relspan.errors import ParameterError
from relspan.simulate import simulate
from relspan.tasks import TASKS

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


def fitted(n: int) -> RelevanceClassifier:
    data = simulate(n, strong=2, weak=2, irrelevant=6, target_noise=0.3, random_state=0)
    return RelevanceClassifier(C=0.1, n_probes=5, random_state=0).fit(data.X, data.y)


@pytest.mark.slow
def test_the_size_of_a_pickled_result_does_not_depend_on_the_rows() -> None:
    few, many = (fitted(n) for n in (50, 500))
    sizes = [len(pickle.dumps(found.result_)) for found in (few, many)]
    assert sizes[1] < 1.05 * sizes[0] < 10_000
    assert len(pickle.dumps(many)) > 500 * 10 * 8  # the estimator has the table


def test_a_result_without_its_table_explains_why_it_cannot_be_explored() -> None:
    result = fitted(50).result_
    for alone in (pickle.loads(pickle.dumps(result)), copy.copy(result)):
        assert alone == result
        with pytest.raises(ParameterError, match="no data to explore; fit again"):
            alone.explore()


@pytest.mark.parametrize("task", sorted(TASKS))
@pytest.mark.slow
def test_a_pickled_estimator_predicts_proves_and_explores(task: str) -> None:
    data = simulate(60, strong=1, weak=2, irrelevant=2, task=task, target_noise=0.3, random_state=0)
    found = estimator_for(task, C=1.0, n_probes=5, random_state=0).fit(data.X, data.y)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.predict(data.X), found.predict(data.X))
    np.testing.assert_array_equal(again.support_, found.support_)
    assert again.result_ == found.result_
    assert again.result_.certificates.verify() < 2e-6
    pinned = found.explore().pin("x1", "max").result
    for explorer in (again.explore(), again.result_.session()):
        assert explorer.pin("x1", "max").result["x0"].max == pinned["x0"].max
