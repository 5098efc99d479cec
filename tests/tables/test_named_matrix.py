"""Names reach an estimator without a data frame library."""

from __future__ import annotations

import numpy as np

from relspan import RelevanceClassifier
from relspan.simulate import simulate
from relspan.tables import NamedMatrix


def test_a_named_matrix_is_a_matrix_with_names():
    data = simulate(60, 2, 0, 2, random_state=0)
    options = {"C": 1.0, "n_probes": 5, "random_state": 0}
    plain = RelevanceClassifier(**options).fit(data.X, data.y)
    named = RelevanceClassifier(**options).fit(NamedMatrix(data.X, data.names), data.y)
    np.testing.assert_array_equal(named.intervals_, plain.intervals_)
    assert named.feature_names_in_.tolist() == list(data.names)
    assert [f.name for f in named.result_.features] == list(data.names)
    assert [f.name for f in plain.result_.features] == ["x0", "x1", "x2", "x3"]


def test_refitting_on_a_bare_matrix_forgets_the_names():
    data = simulate(60, 2, 0, 2, random_state=0)
    estimator = RelevanceClassifier(C=1.0, n_probes=5).fit(NamedMatrix(data.X, data.names), data.y)
    estimator.fit(data.X, data.y)
    assert not hasattr(estimator, "feature_names_in_")


def test_numbers_can_be_asked_for_in_another_type():
    matrix = NamedMatrix(np.eye(2), ("a", "b"))
    assert np.asarray(matrix, dtype=np.float32).dtype == np.float32
    assert np.asarray(matrix) is matrix.values
