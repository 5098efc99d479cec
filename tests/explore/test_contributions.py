"""What the features of a sample contribute to its score, over all equally good models."""

from __future__ import annotations

import json

import numpy as np
import pytest

from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.engines import ReferenceEngine
from relspan.errors import DataError, ParameterError
from relspan.explore.contributions import extreme_models
from relspan.explore.explorer import history_of
from relspan.explore.predictions import score_directions


def sample_of(clf, seed=1):
    return np.random.default_rng(seed).standard_normal((1, clf.n_features_in_))


@pytest.mark.parametrize("data", ["small", "free_signs"])
def test_ranges_equal_two_linear_programs_per_feature(request, data):
    """The slow obvious twin: maximise and minimise w_j (x_j - mean_j) itself, with the reference engine (linprog)."""
    clf = request.getfixturevalue(data)
    explorer, x = clf.explore(), sample_of(clf)
    found, family = explorer.contributions(x), clf.result_.certificates.family
    moved = history_of(explorer).problem.scaled(x)[0]  # a standardised table has the mean 0
    directions = np.hstack([np.diag(moved), np.zeros((len(moved), family.n_offsets))])
    engine = ReferenceEngine(family)
    columns = history_of(explorer).problem.varies
    lo, hi = (np.array([getattr(one, end) for one in found.features])[columns] for end in ("lo", "hi"))
    np.testing.assert_allclose(hi, engine.maxima(directions).values, atol=1e-6)
    np.testing.assert_allclose(lo, -engine.maxima(-directions).values, atol=1e-6)
    assert max(one.gap for one in found.features) < 1e-6


def test_contributions_and_the_average_add_up_to_the_score(small):
    found = small.explore().contributions(sample_of(small))
    parts = {key: sum(getattr(one, key) for one in found.features) for key in ("best", "in_lowest", "in_highest")}
    assert found.average + parts["best"] == pytest.approx(found.prediction.score)
    assert found.average == pytest.approx(small.decision_function(small.explore()._problem.mean[None])[0])


@pytest.mark.parametrize("standardize", [True, False])
def test_they_are_counted_from_the_means_of_the_table(standardize):
    rng = np.random.default_rng(0)
    X = rng.normal(5.0, 2.0, size=(80, 4))
    clf = RelevanceClassifier(C=1.0, n_probes=5, random_state=0, standardize=standardize).fit(X, X[:, 0] > 5)
    found = clf.explore().contributions(X.mean(axis=0)[None])
    np.testing.assert_allclose([[one.best, one.lo, one.hi] for one in found.features], 0.0, atol=1e-9)
    np.testing.assert_allclose([one.mean for one in found.features], X.mean(axis=0))
    np.testing.assert_allclose([one.value for one in clf.explore().contributions(3).features], X[3])


def test_models_lie_inside_their_ranges(small, free_signs):
    for clf in (small, free_signs):
        for one in clf.explore().contributions(sample_of(clf)).features:
            for value in (one.best, one.in_lowest, one.in_highest):
                assert one.lo - one.gap - 1e-7 <= value <= one.hi + one.gap + 1e-7


def test_the_two_extreme_models_have_the_ends_of_the_score(free_signs):
    explorer, x = free_signs.explore(), sample_of(free_signs)
    history, own = history_of(explorer), explorer.predictions(x)[0]
    z = history.problem.scaled(x)[0]
    lowest, highest = extreme_models(history.solver, history.current_family(), z)
    direction = score_directions(history.problem, z[None])[0]
    np.testing.assert_allclose([direction @ lowest, direction @ highest], [own.lo, own.hi], atol=1e-7)
    found = explorer.contributions(x)
    np.testing.assert_allclose([one.in_highest for one in found.features], z * highest[: len(z)], atol=1e-7)
    assert found.prediction.score == own.score


def test_pins_narrow_contributions(small):
    explorer, x = small.explore(), sample_of(small)
    free = explorer.contributions(x)
    widest = max(free.features, key=lambda one: one.hi - one.lo).feature
    if small.result_[widest].min > 0:
        pytest.skip("the widest feature is needed")
    pinned = explorer.without(widest).contributions(x)
    for one, before in zip(pinned.features, free.features, strict=True):
        assert before.lo - 1e-6 <= one.lo
        assert one.hi <= before.hi + 1e-6
    assert next(one for one in pinned.features if one.feature == widest).hi == 0


def test_a_number_as_target_is_counted_in_its_units():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 3))
    y = 1000 * X[:, 0] + 10 * rng.normal(size=80)
    reg = RelevanceRegressor(C=1.0, n_probes=5, random_state=0).fit(X, y)
    found = reg.explore().contributions(X[[4]])
    assert found.average + sum(one.best for one in found.features) == pytest.approx(reg.predict(X[[4]])[0])


def test_a_permuted_table_has_permuted_contributions(small):
    explorer = small.explore()
    found = {one.feature: one for one in explorer.contributions(2).features}
    assert json.loads(explorer.contributions(2).to_json())["features"][0]["feature"] in found
    assert set(explorer.contributions(2).columns()) >= {"feature", "lo", "hi", "pushes"}
    assert "score" in explorer.contributions(2).headline


def test_only_one_sample_is_taken(small):
    explorer = small.explore()
    with pytest.raises(ParameterError, match="sample must be a number from 0 to"):
        explorer.contributions(10**6)
    with pytest.raises(DataError, match="one sample, not of 2"):
        explorer.contributions(np.zeros((2, small.n_features_in_)))


def test_the_two_extreme_models_add_up_to_the_ends_and_give_their_labels(free_signs):
    explorer = free_signs.explore()
    uncertain = explorer.predictions().uncertain[:3]
    assert uncertain
    for number in uncertain:
        found = explorer.contributions(number)
        own = found.prediction
        totals = [sum(getattr(one, side) for one in found.features) for side in ("in_lowest", "in_highest")]
        np.testing.assert_allclose(np.add(found.extreme_averages, totals), [own.lo, own.hi], atol=1e-6)
        assert set(found.extreme_labels) == set(own.labels)
        assert found.extreme_labels == own.labels  # a larger score never has a lower label
