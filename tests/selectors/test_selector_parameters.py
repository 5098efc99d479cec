"""A parameter of the wrong type is refused by name before any work is done, whatever the selector."""

import inspect

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from relspan import selectors
from relspan.errors import ParameterError

CLASSES = [getattr(selectors, name) for name in selectors.__all__]
CASES = [(cls, name) for cls in CLASSES for name in inspect.signature(cls).parameters]


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 3))
    return X, (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("wrong", [object(), "a", 1.5j], ids=["object", "text", "complex"])
@pytest.mark.parametrize(("cls", "name"), CASES, ids=lambda case: getattr(case, "__name__", case))
def test_a_parameter_of_the_wrong_type_is_named(table, cls, name, wrong):
    selector = cls(**{name: wrong})
    if cls is selectors.HITON and name in ("cv", "scoring"):  # parameters of the wrapper
        selector.set_params(estimator=KNeighborsClassifier())
    with pytest.raises(ParameterError, match=rf"^{name}\b"):
        selector.fit(*table)


@pytest.mark.parametrize("cls", CLASSES)
def test_only_the_estimator_may_come_without_its_name(cls):
    positional = [p.name for p in inspect.signature(cls).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    assert positional in ([], ["estimator"])


@pytest.mark.parametrize(("name", "wrong"), [("max_subsets", 0), ("size_penalty", -1.0), ("cv", 1), ("cv", None)])
def test_values_out_of_range_are_named(table, name, wrong):
    with pytest.raises(ParameterError, match=rf"^{name}\b"):
        selectors.ExhaustiveSearch(**{name: wrong}).fit(*table)
