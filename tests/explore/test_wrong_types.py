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
        (lambda e: e.pin([], "min"), "feature"),
        (lambda e: e.without({}), "features"),
        (lambda e: e.pin_all(3), "demands"),
        (lambda e: e.set_pins("x"), "demands"),
        (lambda e: e.predictions(unmeasured=3), "unmeasured"),
        (lambda e: e.predictions(unmeasured="x0"), "unmeasured"),
        (lambda e: e.smallest_panel(exclude=3), "exclude"),
        (lambda e: e.substitution(True), "features"),
        (lambda e: e.span("x0"), "direction"),
        (lambda e: e.span({"x0": 1.0}, name=3), "name"),
        (lambda e: e.span({"x0": "a"}), "factor of x0"),
        (lambda e: e.save_scenario(np.ones(2)), "name"),
        (lambda e: e.score_card(units=3), "units"),
        (lambda e: e.score_card(largest=10**30), "largest"),
        (lambda e: e.stability(n_draws=10**30), "n_draws"),
        (lambda e: e.stability(n_draws=2, n_jobs=0), "n_jobs"),
        (lambda e: e.stability(n_draws=2, n_jobs=10**30), "n_jobs"),
        (lambda e: e.to_html(3), "title"),
        (lambda e: e.result.to_html(3), "title"),
        (lambda e: e.result.to_html(groups=3), "groups"),
        (lambda e: e.result.to_html(panels=3), "panels"),
        (lambda e: e.result.to_html(model=3), "model"),
        (lambda e: e.result.to_text("x"), "width"),
        (lambda e: e.result.to_text(10**30), "width"),
        (lambda e: e.result.to_json(3.5), "indent"),
        (lambda e: e.result.threshold_of("x0"), "feature"),
    ],
)
def test_questions(explorer, ask, word) -> None:
    with pytest.raises(RelspanError, match=word):
        ask(explorer)
