"""Whatever is changed in a saved result is found by its verification, or is documented as not claimed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from relspan import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor, RelevanceSurvival
from relspan.analysis.settings import NOT_IN_THE_ANSWER
from relspan.errors import RelspanError
from relspan.result import RelevanceResult
from relspan.simulate import simulate
from relspan.tasks.repeated_analysis import NOT_COMPARED, SAME_NUMBER, SHARES, compared_results

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
DATA = simulate(60, strong=1, weak=2, irrelevant=2, random_state=0)
NUMBERS = 3 * DATA.X[:, 0] + DATA.X[:, 1] + 0.3 * np.random.default_rng(0).standard_normal(60)
RANKS = np.digitize(NUMBERS, [-1, 1])
TIMES = np.column_stack([np.exp(-NUMBERS / 3), np.arange(60) % 3 > 0])
OPTIONS = {"random_state": 0, "n_probes": 6, "C": 1.0}
TASKS = {
    "classes": (RelevanceClassifier(**{**OPTIONS, "C": None}), DATA.y),
    "logistic": (RelevanceClassifier(**OPTIONS, loss="logistic"), DATA.y),
    "groups": (RelevanceClassifier(**OPTIONS, feature_groups={"pair": [1, 2]}), DATA.y),
    "three classes": (RelevanceClassifier(**OPTIONS), RANKS),
    "ordinal": (OrdinalRelevanceClassifier(**OPTIONS), RANKS),
    "small numbers": (RelevanceRegressor(**OPTIONS, epsilon=1e-13), 1e-12 * NUMBERS),
    "covariates": (RelevanceRegressor(**OPTIONS, epsilon=0.1, covariates=[4]), NUMBERS),
    "survival": (RelevanceSurvival(**OPTIONS), TIMES),
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every single value of a record, and where it is."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path, value
    else:
        for name, item in inner:
            yield from places(item, (*path, name))


def claimed(path: tuple[Any, ...], value: Any) -> bool:
    """Whether the result claims this value. Differences within what is certified are not claimed."""
    if path[0] in NOT_COMPARED or path[:2] in [("parameters", name) for name in (*NOT_IN_THE_ANSWER, "engine")]:
        return False
    rounding = isinstance(value, float) and path[0] in (*SHARES, "baseline", "budgets", "extremal_scores")
    return not rounding or abs(value) > 100 * SAME_NUMBER or abs(value) == 0


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return 1.01 * value if value else 1
    return "other" if value is None else f"{value}x"


@pytest.mark.parametrize("task", TASKS)
def test_every_value_that_is_changed_is_found(task: str) -> None:
    estimator, y = TASKS[task]
    result = estimator.fit(DATA.X, y).result_
    record = json.loads(result.to_json())
    assert compared_results(RelevanceResult.from_json(json.dumps(record)), result).largest_difference == 0.0
    units = ("l1_norm", "null_loss", "epsilon", "target_range", "limits")
    tried, unnoticed = 0, []
    for path, value in places(record):
        if not claimed(path, value) and not (task == "small numbers" and set(units) & set(path)):
            continue
        other = copy.deepcopy(record)
        inner = other
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = changed(value)
        tried += 1
        try:
            compared_results(RelevanceResult.from_json(json.dumps(other)), result)
        except RelspanError:
            continue
        unnoticed.append((path, value))
    assert unnoticed == []
    assert tried > 100


def test_what_is_left_out_is_found() -> None:
    result = TASKS["classes"][0].fit(DATA.X, DATA.y).result_
    record = json.loads(result.to_json())
    for section, name in [("data", "n_samples"), ("parameters", "standardize"), ("proofs", "violation")]:
        other = copy.deepcopy(record)
        del other[section][name]
        with pytest.raises(RelspanError, match=name):
            compared_results(RelevanceResult.from_json(json.dumps(other)), result)
