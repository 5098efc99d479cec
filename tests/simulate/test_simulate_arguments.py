"""Every argument that means nothing is refused by name."""

from __future__ import annotations

import math

import numpy as np
import pytest

from relspan.errors import ParameterError
from relspan.simulate import simulate, simulate_named
from relspan.simulate.dataset import TARGET_KINDS, simulated_tasks


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"n_samples": 1}, "n_samples"),
        ({"n_samples": 10.0}, "n_samples"),
        ({"n_samples": True}, "n_samples"),
        ({"strong": -1}, "strong"),
        ({"weak": "4"}, "weak"),
        ({"irrelevant": 2.5}, "irrelevant"),
        ({"strong": 0, "weak": 0}, "strong=0 and weak=0"),
        ({"weak": 1}, "weak=1"),
        ({"groups": 0}, "groups"),
        ({"groups": 3}, "groups=3"),
        ({"groups": "22"}, "groups"),
        ({"groups": [1, 3]}, "groups"),
        ({"groups": [2, 3]}, "add up to 5, not to weak=4"),
        ({"weak": 0, "groups": 2}, "groups"),
        ({"noise": -0.1}, "noise"),
        ({"noise": math.nan}, "noise"),
        ({"noise": math.inf}, "noise"),
        ({"noise": None}, "noise"),
        ({"copies": -1}, "copies"),
        ({"copies": 4}, "copies=4"),
        ({"weak": 0, "copies": 1}, "copies=1"),
        ({"correlated_irrelevant": 1.0}, "correlated_irrelevant"),
        ({"correlated_irrelevant": -0.1}, "correlated_irrelevant"),
        ({"task": "ranking"}, "task must be one of classification, ordinal, quantile, regression"),
        ({"classes": (0.2, 0.3, 0.5)}, "classes="),
        ({"classes": (0.5, 0.6)}, "add up to 1"),
        ({"classes": (1.5, -0.5)}, "classes"),
        ({"classes": (1.0, 0.0)}, "class 1 with share 0 is empty"),
        ({"classes": "ab"}, "classes"),
        ({"task": "ordinal", "classes": 1}, "classes"),
        ({"task": "ordinal", "classes": (1.0,)}, "classes"),
        ({"task": "regression", "classes": 2}, "classes=2"),
        ({"target_noise": -1}, "target_noise"),
        ({"flips": 1.0}, "flips"),
        ({"flips": -0.5}, "flips"),
        ({"task": "regression", "flips": 0.1}, "target_noise"),
        ({"random_state": "seed"}, "random_state"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_a_meaningless_argument_is_named(arguments, said):
    with pytest.raises(ParameterError) as refused:
        simulate(**{"n_samples": 40} | arguments)
    assert said in str(refused.value)


def test_flips_that_empty_a_class_are_refused():
    with pytest.raises(ParameterError, match="empties a class"):
        simulate(10, classes=(0.9, 0.1), flips=0.1, random_state=next(s for s in range(100) if flips_the_last(s)))


def flips_the_last(seed: int) -> bool:
    """Whether this seed flips the only member of the second class."""
    data = simulate(10, classes=(0.9, 0.1), random_state=seed)
    more = simulate(10, classes=(0.5, 0.5), flips=0.1, random_state=seed)
    return bool(more.flipped[np.argmax(data.y)])


def test_the_least_that_works():
    data = simulate(2, strong=1, weak=0, irrelevant=0, random_state=0)
    assert sorted(data.y.tolist()) == [0, 1]
    assert simulate(10, 0, 2, 0, random_state=0).names == ("weak1_1", "weak1_2")


def test_an_unknown_set_is_refused_with_the_known_ones():
    with pytest.raises(ParameterError, match=r"I, II, III, Sim1.*not 'Sim6'"):
        simulate_named("Sim6")


def test_every_task_names_a_kind_of_target_that_can_be_drawn():
    assert {"classification", "ordinal", "regression"} <= set(simulated_tasks())
    assert set(simulated_tasks().values()) == set(TARGET_KINDS)
    for task in simulated_tasks():
        assert simulate(40, task=task, random_state=0).task == task
