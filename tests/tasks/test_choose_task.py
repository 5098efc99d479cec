"""The task is guessed from the target, and the guess says why."""

from __future__ import annotations

import numpy as np
import pytest

from relspan import (
    OrdinalRelevanceClassifier,
    RejectRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from relspan.errors import DataError, ParameterError
from relspan.tasks import estimator_for, guess_task


@pytest.mark.parametrize(
    ("y", "task", "said"),
    [
        ([0, 1, 1, 0], "classification", "two values"),
        (["ill", "well", "ill"], "classification", "two values"),
        ([0.5, 1.5, 0.5], "classification", "two values"),
        ([True, False, True], "classification", "two values"),
        (["red", "green", "blue"], "classification", "words"),
        (np.array(["a", "b", "c"], dtype=object), "classification", "words"),
        ([1, 2, 3, 2, 5], "ordinal", "4 whole numbers"),
        ([1.0, 2.0, 3.0], "ordinal", "3 whole numbers"),
        (list(range(30)), "regression", "30 different whole numbers"),
        ([0.1, 0.2, 0.3], "regression", "fractions"),
    ],
)
def test_guesses(y: object, task: str, said: str) -> None:
    guessed, reason = guess_task(y)
    assert guessed == task
    assert said in reason


@pytest.mark.parametrize("y", [[1, 1, 1], [], [[1, 2], [3, 4]], [1.0, 2.0, np.nan]])
def test_targets_that_ask_nothing_are_refused(y: object) -> None:
    with pytest.raises(DataError):
        guess_task(y)


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        ("classification", RelevanceClassifier),
        ("ordinal", OrdinalRelevanceClassifier),
        ("regression", RelevanceRegressor),
        ("reject", RejectRelevanceClassifier),
    ],
)
def test_every_task_has_its_estimator(task: str, kind: type) -> None:
    made = estimator_for(task, C=2.0, random_state=1)
    assert type(made) is kind
    assert (made.C, made.random_state) == (2.0, 1)


def test_what_a_task_does_not_know_is_refused_by_name() -> None:
    with pytest.raises(ParameterError, match=r"'epsilon' .* task 'ordinal'"):
        estimator_for("ordinal", epsilon=0.1)
    with pytest.raises(ParameterError, match="task must be one of"):
        estimator_for("clustering")
