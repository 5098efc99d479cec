"""Previews: mixtures of known models, never beyond the exact interval, and exact where a value was solved before."""

from __future__ import annotations

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.explore.explorer import history_of
from relspan.explore.inner_bounds import inner_bounds
from relspan.explore.pins import read_pin
from relspan.simulate import simulate


@pytest.fixture(scope="module")
def explorer():
    data = simulate(120, strong=2, weak=4, irrelevant=4, random_state=3)
    return RelevanceClassifier(n_probes=10, random_state=0).fit(data.X, data.y).explore()


@pytest.fixture(scope="module")
def models(explorer):
    return history_of(explorer).problem.analysis.ranges.extremes.models_of(slice(None))


def demands(explorer):
    ranges = {f.name: (f.min, f.max) for f in explorer.result.features if f.relevance != "irrelevant"}
    for name, (least, most) in ranges.items():
        middle = (least + most) / 2
        yield from [(name, middle), (name, (0.0, middle)), (name, (middle, most))]


@pytest.mark.slow
def test_a_preview_lies_inside_the_exact_interval(explorer, models):
    seen = 0
    for name, demand in demands(explorer):
        pin = read_pin(history_of(explorer).problem, name, demand)
        exact = history_of(explorer).solver.family_under([pin]).relevances / history_of(explorer).problem.mu
        inner = inner_bounds(history_of(explorer).problem, models, pin)
        assert inner is not None
        assert (inner[:, 0] >= exact[:, 0] - 1e-6).all()
        assert (inner[:, 1] <= exact[:, 1] + 1e-6).all()
        seen += 1
    assert seen >= 15


def test_more_models_never_shrink_a_preview_and_their_own_pin_is_exact(explorer, models):
    name = max(explorer.result.features, key=lambda f: f.max - f.min).name
    pin = read_pin(history_of(explorer).problem, name, (0.0, explorer.result[name].max / 2))
    solved = history_of(explorer).solver.family_under([pin])
    more = np.vstack([models, solved.branches[0].ranges.extremes.models_of(slice(None))])
    before, after = (inner_bounds(history_of(explorer).problem, known, pin) for known in (models, more))
    assert (after[:, 0] <= before[:, 0] + 1e-12).all()
    assert (after[:, 1] >= before[:, 1] - 1e-12).all()
    np.testing.assert_allclose(after, solved.relevances / history_of(explorer).problem.mu, atol=1e-6)


def test_other_pins_choose_among_the_models(explorer, models):
    first, second = [f.name for f in explorer.result.features if f.relevance != "irrelevant"][-2:]
    other = read_pin(history_of(explorer).problem, first, (0.0, explorer.result[first].max / 2))
    pin = read_pin(history_of(explorer).problem, second, (0.0, explorer.result[second].max / 2))
    exact = history_of(explorer).solver.family_under([other, pin]).relevances / history_of(explorer).problem.mu
    inner = inner_bounds(history_of(explorer).problem, models, pin, [other])
    assert inner is not None
    assert (inner[:, 1] <= exact[:, 1] + 1e-6).all()
    far = read_pin(history_of(explorer).problem, first, explorer.result[first].max + 1)
    assert inner_bounds(history_of(explorer).problem, models, pin, [far]) is None


def test_some_columns_are_those_of_all(explorer, models):
    name, demand = next(demands(explorer))
    pin = read_pin(history_of(explorer).problem, name, demand)
    whole = inner_bounds(history_of(explorer).problem, models, pin)
    np.testing.assert_array_equal(
        inner_bounds(history_of(explorer).problem, models, pin, columns=[4, 1]), whole[[4, 1]]
    )
