"""A feature that is not measured at all: the question is that of the table without it."""

from __future__ import annotations

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.errors import ParameterError
from relspan.simulate import simulate
from relspan.tables import NamedMatrix

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


@pytest.fixture(scope="module")
def fitted():
    data = simulate(80, strong=1, weak=2, irrelevant=2, random_state=0)
    X = np.column_stack([data.X, np.ones(80)])
    names = (*data.names, "constant")
    return X, data.y, names, RelevanceClassifier(C=0.5, n_probes=5, random_state=0).fit(NamedMatrix(X, names), data.y)


@pytest.mark.parametrize("gone", [["strong1"], ["weak1_1", "constant"]])
def test_predictions_are_those_of_the_table_without_it(fitted, gone):
    X, y, names, model = fitted
    kept = [k for k, name in enumerate(names) if name not in gone]
    alone = RelevanceClassifier(C=0.5, n_probes=5, random_state=0)
    alone.fit(NamedMatrix(X[:, kept], tuple(names[k] for k in kept)), y)
    expected, found = alone.explore().predictions(), model.explore().predictions(unmeasured=gone)
    np.testing.assert_allclose(found.intervals, expected.intervals, atol=1e-5)
    assert [one.labels for one in found.samples] == [one.labels for one in expected.samples]


def test_all_measured_is_the_plain_question(fitted):
    explorer = fitted[3].explore()
    asked, plain = explorer.predictions(unmeasured=()), explorer.predictions()
    np.testing.assert_allclose(asked.intervals, plain.intervals, atol=1e-7)


@pytest.mark.parametrize(("gone", "says"), [("strong1", "text"), (list("abc"), "'a'"), (["strong1"], "X cannot")])
def test_what_cannot_be_asked_is_refused(fitted, gone, says):
    X, explorer = fitted[0], fitted[3].explore()
    with pytest.raises(ParameterError, match=says):
        explorer.predictions(X if "X" in says else None, unmeasured=gone)


def test_a_table_needs_a_feature(fitted):
    with pytest.raises(ParameterError, match="no feature left"):
        fitted[3].explore().predictions(unmeasured=list(fitted[2]))
