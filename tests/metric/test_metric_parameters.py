"""A parameter of the wrong type is refused by name before any work is done, whatever the learner."""

import inspect

import numpy as np
import pytest

from relspan import metric
from relspan.analysis.settings import Settings
from relspan.errors import ParameterError
from relspan.metric.map_settings import MapSettings

CLASSES = [metric.GMLVQ, metric.LMNN, metric.MetricRelevance]
CASES = [(cls, name) for cls in CLASSES for name in inspect.signature(cls).parameters]


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 3))
    return X, (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("wrong", [object(), "a", 1.5j], ids=["object", "text", "complex"])
@pytest.mark.parametrize(("cls", "name"), CASES, ids=lambda case: getattr(case, "__name__", case))
def test_a_parameter_of_the_wrong_type_is_named(table, cls, name, wrong):
    if name == "checkpoint" and isinstance(wrong, str):
        return  # the name of a file
    if name == "checkpoint":
        name, wrong = "a checkpoint", {"checkpoint": "journal"}  # it needs a seed
    else:
        wrong = {name: wrong}
    with pytest.raises(ParameterError, match=rf"^{name}\b"):
        cls(**wrong).fit(*table)


@pytest.mark.parametrize("cls", CLASSES)
def test_only_the_learner_may_come_without_its_name(cls):
    positional = [p.name for p in inspect.signature(cls).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    assert positional in ([], ["learner"])


def test_what_an_analysis_shares_with_others_has_the_same_default():
    model = metric.MetricRelevance()
    for name in ("n_probes", "control", "engine", "n_jobs"):  # alpha: here the threshold alone decides, at .003
        assert getattr(model, name) == getattr(Settings(), name)
    for name in MapSettings.__dataclass_fields__:
        assert getattr(model, name) == getattr(MapSettings(), name)
