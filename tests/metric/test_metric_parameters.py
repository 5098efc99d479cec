"""A parameter of the wrong type is refused by name before any work is done, whatever the learner."""

import inspect

import numpy as np
import pytest

from relspan import metric
from relspan.errors import ParameterError

CASES = [(cls, name) for cls in (metric.GMLVQ, metric.LMNN) for name in inspect.signature(cls).parameters]


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 3))
    return X, (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("wrong", [object(), "a", 1.5j], ids=["object", "text", "complex"])
@pytest.mark.parametrize(("cls", "name"), CASES, ids=lambda case: getattr(case, "__name__", case))
def test_a_parameter_of_the_wrong_type_is_named(table, cls, name, wrong):
    with pytest.raises(ParameterError, match=rf"^{name}\b"):
        cls(**{name: wrong}).fit(*table)


@pytest.mark.parametrize("cls", [metric.GMLVQ, metric.LMNN])
def test_constructors_take_keywords_only(cls):
    assert all(p.kind is p.KEYWORD_ONLY for p in inspect.signature(cls).parameters.values())
