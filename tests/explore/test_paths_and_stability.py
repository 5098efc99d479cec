"""Intervals along C and delta, and over other samples."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from sklearn.base import clone

from relspan import RelevanceClassifier
from relspan.errors import ParameterError
from relspan.explore.explorer import history_of
from relspan.explore.stability import _drawn_rows


@pytest.fixture(scope="module")
def chosen(fitted):
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 4))
    return fitted(X, (X[:, 0] - X[:, 1] + 0.5 * rng.standard_normal(60) > 0).astype(int)), X


def refit(clf, X, y, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(clf).set_params(**options).fit(X, y)


def targets(clf):
    return clf.classes_[(history_of(clf.explore()).problem.y > 0).astype(int)]


@pytest.mark.slow
def test_every_step_along_C_is_what_a_fit_there_says(chosen):
    clf, X = chosen
    path = clf.explore().path("C")
    assert set(clf._analysis.baseline.held_out.costs) <= set(path.values)
    assert len(path.values) == 10
    for step in path.steps[::3]:
        again = refit(clf, X, targets(clf), C=step.value)
        np.testing.assert_allclose(list(step.intervals.values()), again.intervals_, atol=1e-6)
        assert step.largest_gap < 1e-6
    own = next(step for step in path.steps if step.value == clf.C_)
    np.testing.assert_allclose(list(own.intervals.values()), clf.intervals_, atol=1e-6)
    assert own.score == pytest.approx(np.mean(clf._analysis.baseline.scores[own.value]))
    fresh = clf.explore().path("C", [own.value * (1 + 1e-9)]).steps[0]
    assert fresh.score == pytest.approx(own.score)


@pytest.mark.slow
@pytest.mark.parametrize("along", ["delta_norm", "delta_loss", "delta"])
def test_along_delta_intervals_only_grow_and_equal_fits(chosen, along):
    clf, X = chosen
    path = clf.explore().path(along, [0.0, 0.05, 0.3])
    for feature in clf.result_.features:
        interval = path.interval(feature.name)
        assert (np.diff(interval[:, 0]) <= 1e-9).all()
        assert (np.diff(interval[:, 1]) >= -1e-9).all()
    names = ["delta_norm", "delta_loss"] if along == "delta" else [along]
    again = refit(clf, X, targets(clf), C=clf.C_, **dict.fromkeys(names, 0.3))
    np.testing.assert_allclose(list(path.steps[-1].intervals.values()), again.intervals_, atol=1e-6)
    assert json.loads(path.to_json())["steps"][0]["value"] == 0.0
    assert len(clf.explore().path(along).steps) == 6


def test_a_C_at_which_nothing_is_used_is_skipped(chosen):
    clf, _ = chosen
    path = clf.explore().path("C", [1e-6, clf.C_, 2.5 * clf.C_])
    assert path.skipped == (1e-6,)
    assert path.values.tolist() == [clf.C_, 2.5 * clf.C_]
    assert path.steps[1].score is not None


def test_wrong_paths(chosen):
    explorer = chosen[0].explore()
    for along, values, said in (("C", [0.0], "positive"), ("delta", [-1.0], "0 or more"), ("gamma", [1.0], "along")):
        with pytest.raises(ParameterError, match=said):
            explorer.path(along, values)


@pytest.mark.slow
def test_stability_is_reproducible_and_independent_of_workers(chosen):
    explorer = chosen[0].explore()
    once = explorer.stability(n_draws=6, random_state=3)
    assert explorer.stability(n_draws=6, random_state=3, n_jobs=2) == once
    assert explorer.stability(n_draws=6, random_state=4) != once
    for feature in once.features:
        assert sum(feature.classes.values()) == pytest.approx(1)
        assert list(feature.min) == sorted(feature.min)
        assert list(feature.max) == sorted(feature.max)
    assert once["x0"].usual == "strong"
    assert json.loads(once.to_json())["n_draws"] == 6
    with pytest.raises(ParameterError, match="n_draws"):
        explorer.stability(n_draws=1)
    with pytest.raises(ParameterError, match="level"):
        explorer.stability(level=1.0)


@pytest.mark.slow
def test_other_folds_change_what_was_left_to_chance_and_nothing_else(chosen):
    """With the samples kept, a feature's class can only change where C or the probes decide it."""
    explorer = chosen[0].explore()
    found = explorer.stability(n_draws=4, over="folds", random_state=0)
    assert len(found.costs) == 4
    assert found == explorer.stability(n_draws=4, over="folds", random_state=0)
    assert set(found.changing) == {f.name for f in found.features if max(f.classes.values()) < 1}
    at_C = {cost: refit(chosen[0], chosen[1], targets(chosen[0]), C=cost).intervals_ for cost in set(found.costs)}
    for j, feature in enumerate(found.features):
        ends = [at_C[cost][j, 1] for cost in found.costs]
        assert feature.max == pytest.approx(np.quantile(ends, [0.05, 0.5, 0.95]), abs=1e-6)
    assert "draws of the folds" in found.headline


def test_folds_are_not_drawn_where_they_chose_nothing(chosen):
    with pytest.raises(ParameterError, match="C was given"):
        refit(chosen[0], chosen[1], targets(chosen[0]), C=chosen[0].C_).explore().stability(over="folds")
    with pytest.raises(ParameterError, match="over"):
        chosen[0].explore().stability(over="rows")


@pytest.mark.slow
def test_whiskers_narrow_with_more_samples(fitted):
    def width(n):
        rng = np.random.default_rng(0)
        X = rng.standard_normal((n, 3))
        y = (X[:, 0] + X[:, 1] + rng.standard_normal(n) > 0).astype(int)
        found = fitted(X, y, C=20 / n).explore().stability(n_draws=12)
        return np.mean([f.max[2] - f.max[0] for f in found.features[:2]])

    assert width(320) < width(40)


def test_a_bootstrap_of_grouped_rows_draws_whole_groups():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 3)
    y = (np.arange(30) % 2)[groups]
    X = rng.standard_normal((90, 3)) + y[:, None] * [2.0, 0.0, 0.0]
    problem = RelevanceClassifier(C=0.1, n_probes=5, random_state=0).fit(X, y, groups=groups).explore()._problem
    chosen, numbers = _drawn_rows(problem, np.random.default_rng(1))
    counts = np.bincount(chosen, minlength=90).reshape(30, 3)
    assert (counts == counts[:, :1]).all()
    assert counts.max() > 1
    assert (np.bincount(y[chosen]) == 45).all()
    for number in np.unique(numbers):
        assert len(set(groups[chosen[numbers == number]])) == 1
