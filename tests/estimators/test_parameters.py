"""Constructors: keywords only, stored as given, documented in full, and a value of the wrong type refused by name."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

from relspan import RejectOptionSVC
from relspan.analysis.settings import CONTROLS, PENALTIES, PROBE_KINDS
from relspan.engines import ENGINES
from relspan.errors import ParameterError
from relspan.estimators.common_parameters import entries
from relspan.estimators.null_model import ON_NULL
from relspan.family import BUDGET_KINDS
from relspan.simulate import simulate
from relspan.tasks import TASKS

ESTIMATORS = {**{name: task.estimator for name, task in TASKS.items()}, "svc": RejectOptionSVC}
PARAMETERS = [
    (name, parameter) for name, estimator in ESTIMATORS.items() for parameter in inspect.signature(estimator).parameters
]
WRONG: list[object] = [object(), {1, 2}, b"x", 3 + 4j]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_a_value_of_the_wrong_type_is_refused_by_name(name: str, parameter: str) -> None:
    task = "classification" if name == "svc" else name
    data = simulate(30, strong=1, weak=2, irrelevant=1, task=task, target_noise=0.3, random_state=0)
    for wrong in WRONG:
        given = {} if parameter == "C" else {"C": 1.0}
        with pytest.raises(ParameterError, match=parameter):
            ESTIMATORS[name](**{**given, parameter: wrong}).fit(data.X, data.y)


@pytest.mark.parametrize("name", sorted(ESTIMATORS))
def test_constructors_take_keywords_only_and_store_what_they_are_given(name: str) -> None:
    estimator, marks = ESTIMATORS[name], {}
    parameters = inspect.signature(estimator).parameters
    assert {p.kind for p in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    marks = {parameter: object() for parameter in parameters}
    assert estimator(**marks).get_params(deep=False) == marks
    with pytest.raises(TypeError):
        estimator(1.0)


@pytest.mark.parametrize("name", sorted(ESTIMATORS))
def test_every_parameter_is_documented_with_its_default_in_the_order_of_the_constructor(name: str) -> None:
    estimator = ESTIMATORS[name]
    section = re.search(r"(?ms)^Parameters\n-+\n(.*?)^\S[^\n]*\n-{3,}\n", inspect.getdoc(estimator) or "")
    documented = entries(section[1])
    parameters = inspect.signature(estimator).parameters
    assert list(documented) == list(parameters)
    for parameter, text in documented.items():
        default = re.search(r"default=(\S+)$", text.splitlines()[0])
        assert default is not None, parameter
        assert default[1].replace('"', "'") == repr(parameters[parameter].default), parameter


@pytest.mark.parametrize("name", TASKS)
def test_the_documented_choices_are_those_that_are_accepted(name: str) -> None:
    documented = re.findall(r"^(\w+) : \{(.*?)\}", inspect.getdoc(TASKS[name].estimator) or "", re.MULTILINE)
    choices = {parameter: {word.strip(' "') for word in words.split(",")} for parameter, words in documented}
    accepted = {
        "engine": {"auto", *ENGINES},
        "loss_budget": set(BUDGET_KINDS),
        "probes": set(PROBE_KINDS),
        "control": set(CONTROLS),
        "on_null": set(ON_NULL),
    }
    assert {parameter: choices[parameter] for parameter in accepted} == accepted
    assert choices.get("penalty", set(PENALTIES)) == set(PENALTIES)


def test_numbers_of_numpy_are_numbers() -> None:
    data = simulate(30, strong=1, weak=2, irrelevant=1, task="regression", target_noise=0.3, random_state=0)
    given = {"C": np.float32(1), "epsilon": np.float64(0.1), "n_probes": np.int64(5), "random_state": np.int64(3)}
    assert TASKS["regression"].estimator(**given).fit(data.X, data.y).result_.parameters["random_state"] == 3
