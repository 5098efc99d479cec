"""Wrongly typed arguments end in errors of relspan that name them, not in NumPy's words."""

from __future__ import annotations

import numpy as np
import pytest

from relspan import OrdinalRelevanceClassifier, RelevanceClassifier
from relspan.errors import RelspanError
from relspan.simulate import simulate

DATA = simulate(40, strong=1, weak=2, irrelevant=2, random_state=0)


@pytest.fixture(scope="module")
def explorer():
    return RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(DATA.X, DATA.y).explore()


@pytest.mark.parametrize(
    ("estimator", "samples", "word"),
    [
        (RelevanceClassifier(), {"sample_weight": ["a"] * 40}, "sample_weight"),
        (RelevanceClassifier(), {"sample_weight": [[1], [1, 2]]}, "sample_weight"),
        (RelevanceClassifier(), {"privileged": "abc"}, "privileged"),
        (RelevanceClassifier(), {"privileged": np.ones(40)}, "privileged"),
        (RelevanceClassifier(class_weight={0: "a"}), {}, "class_weight"),
        (RelevanceClassifier(class_weight={0: [1, 2]}), {}, "class_weight"),
        (OrdinalRelevanceClassifier(order=[[0], [1, 2]]), {}, "order"),
    ],
    ids=str,
)
def test_samples_and_classes(estimator, samples, word) -> None:
    with pytest.raises(RelspanError, match=word):
        estimator.set_params(C=1.0).fit(DATA.X, DATA.y, **samples)


@pytest.mark.parametrize(
    ("ask", "word"),
    [
        (lambda e: e.predictions("a"), "X must be a table"),
        (lambda e: e.predictions([["a"] * 5]), "X must be a table"),
        (lambda e: e.path("C", ["a"]), "values"),
        (lambda e: e.path("C", 3), "values"),
        (lambda e: e.path("delta", "abc"), "values"),
        (lambda e: e.smallest_panel(time_limit="a"), "time_limit"),
        (lambda e: e.smallest_panel(include=3), "include"),
        (lambda e: e.minimal_panels("a"), "limit"),
        (lambda e: e.minimal_panels(2, include="x0"), "include"),
        (lambda e: e.stability(n_draws=2, n_jobs="all"), "n_jobs"),
        (lambda e: e.save(3), "path"),
    ],
)
def test_questions(explorer, ask, word) -> None:
    with pytest.raises(RelspanError, match=word):
        ask(explorer)
