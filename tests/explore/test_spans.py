"""The range of any linear functional: against an independent engine, and by what must follow from the definition."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from relspan import RelevanceRegressor
from relspan.engines import ReferenceEngine
from relspan.errors import DataError, ParameterError
from relspan.explore.explorer import history_of


def reference_range(clf, direction):
    engine = ReferenceEngine(clf.result_.certificates.family)
    both = np.vstack([direction, -direction])
    highest, lowest = engine.maxima(both).values
    return -lowest, highest


@pytest.mark.parametrize("data", ["small", "free_signs"])
def test_spans_equal_the_reference_engine(request, data):
    clf = request.getfixturevalue(data)
    explorer, names = clf.explore(), clf.explore().feature_names
    family, mu = clf.result_.certificates.family, clf.result_.baseline["l1_norm"]
    rng = np.random.default_rng(0)
    for _ in range(3):
        factors = rng.standard_normal(len(names))
        direction = np.concatenate([factors, np.zeros(family.n_offsets)])
        found = explorer.span(dict(zip(names, factors, strict=True)))
        assert (found.lo * mu, found.hi * mu) == pytest.approx(reference_range(clf, direction), abs=1e-6)
        assert found.gap < 1e-6
        assert found.lo <= found.best <= found.hi


def test_a_single_weight_spans_its_signed_interval(small):
    explorer = small.explore()
    for feature in small.result_.features:
        found = explorer.span({feature.name: 1.0})
        assert (found.lo, found.hi) == pytest.approx((feature.lo, feature.hi), abs=1e-7)


def test_contrasts_are_antisymmetric_and_lie_within_the_difference_of_intervals(small):
    explorer, result = small.explore(), small.result_
    for pair, found in zip(combinations(explorer.feature_names, 2), explorer.contrasts().spans, strict=True):
        a, b = (result[name] for name in pair)
        assert a.lo - b.hi - 1e-7 <= found.lo <= found.hi <= a.hi - b.lo + 1e-7
    one, other = explorer.contrast("x0", "x1"), explorer.contrast("x1", "x0")
    assert (one.lo, one.hi) == pytest.approx((-other.hi, -other.lo), abs=1e-7)
    assert explorer.contrasts(["x0", "x1"])["x0 - x1"].lo == pytest.approx(one.lo)


def test_substitutes_together_do_what_neither_must_do_alone(free_signs):
    """Each of two near-copies can be left out; their sum cannot."""
    explorer = free_signs.explore()
    together = explorer.combined(["x0", "x1"])
    assert together.sign == 1
    assert [free_signs.result_[name].lo for name in ("x0", "x1")] < [0.0, 0.0]
    widths = [free_signs.result_[name].hi - free_signs.result_[name].lo for name in ("x0", "x1")]
    assert together.hi - together.lo < min(widths)


def test_pins_narrow_every_span(small):
    explorer = small.explore()
    free = explorer.contrast("x1", "x2")
    pinned = explorer.pin("x1", "min").contrast("x1", "x2")
    assert free.lo - 1e-9 <= pinned.lo <= pinned.hi <= free.hi + 1e-9


def test_every_ranked_pair_holds_in_every_known_model_and_no_other_order_does(small):
    """No order is claimed that an extremal model contradicts, and none is missed that programs could prove."""
    explorer = small.explore()
    found = explorer.ranking()
    family, models = small.result_.certificates.family, small.result_.certificates.extremes.models
    weights = np.abs(np.asarray(models)[:, : family.n_features])
    names = explorer.feature_names
    claimed = {(p.higher, p.lower) for p in found.pairs}
    assert claimed
    for p in found.pairs:
        a, b = names.index(p.higher), names.index(p.lower)
        assert (weights[:, a] >= weights[:, b] - 1e-7).all()
    for a, b in combinations(range(len(names)), 2):
        for first, second in ((a, b), (b, a)):
            if small.result_.features[first].min > 1e-3 and (names[first], names[second]) not in claimed:
                sign = np.sign(small.result_.features[first].lo)
                direction = np.zeros(family.n_features + family.n_offsets)
                direction[first], direction[second] = -sign, 1.0
                other = direction.copy()
                other[second] = -1.0
                assert max(reference_range(small, direction)[1], reference_range(small, other)[1]) > 0


def test_a_ranking_is_a_partial_order(small):
    found = small.explore().ranking()
    above = {(p.higher, p.lower) for p in found.pairs}
    assert not any((b, a) in above for a, b in above)
    assert {(a, d) for a, b in above for c, d in above if b == c} <= above
    level = {name: place for place, names in enumerate(found.levels) for name in names}
    assert set(level) == set(found.features)
    assert all(level[a] < level[b] for a, b in above)
    assert found.below("x0") == tuple(p.lower for p in found.pairs if p.higher == "x0")


def test_contributions_lie_within_their_ranges_and_add_up_to_the_score(small):
    """For every extremal model, each contribution is in its range; the best model's add up to its scores."""
    X = np.random.default_rng(3).standard_normal((7, small.n_features_in_))
    explorer = small.explore()
    found, problem = explorer.shap(X), history_of(explorer).problem
    Z = problem.scaled(X) - problem.X.mean(axis=0)
    for model in np.asarray(small.result_.certificates.extremes.models):
        own = Z * model[: Z.shape[1]]
        assert ((own >= found.lo - 1e-7) & (own <= found.hi + 1e-7)).all()
    average = small.decision_function(np.atleast_2d(problem.mean + problem.scale * problem.X.mean(axis=0)))
    np.testing.assert_allclose(found.best.sum(axis=1) + average, small.decision_function(X), atol=1e-9)
    assert ((found.signs != 0) == ((found.lo > 0) | (found.hi < 0))).all()
    assert len(found.to_frame("dict")["lo"]) == found.lo.size


def test_contributions_are_in_units_of_the_target():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 3))
    y = 1e4 * (X[:, 0] - X[:, 1]) + 50 * rng.standard_normal(80)
    model = RelevanceRegressor(random_state=0, n_probes=5).fit(X, y)
    found = model.explore().shap(X)
    predicted = model.predict(X)
    np.testing.assert_allclose(found.best.sum(axis=1), predicted - predicted.mean(), rtol=1e-6)


def test_the_gap_of_a_subgroup_equals_the_reference(small):
    explorer = small.explore()
    inside = np.arange(60) < 20
    X = history_of(explorer).problem.X
    direction = np.concatenate([X[inside].mean(axis=0) - X[~inside].mean(axis=0), [0.0]])
    found = explorer.gap(inside)
    assert (found.lo, found.hi) == pytest.approx(reference_range(small, direction), abs=1e-6)


def test_wrong_questions(small):
    explorer = small.explore()
    with pytest.raises(ParameterError, match="no feature 'x00'"):
        explorer.span({"x00": 1.0})
    with pytest.raises(ParameterError, match="names no feature"):
        explorer.span({})
    with pytest.raises(ParameterError, match="factor of 'x0'"):
        explorer.span({"x0": np.nan})
    with pytest.raises(ParameterError, match="twice"):
        explorer.contrast("x0", "x0")
    with pytest.raises(ParameterError, match="at least two"):
        explorer.contrasts(["x0"])
    with pytest.raises(ParameterError, match="must list features"):
        explorer.combined("x0")
    with pytest.raises(DataError, match="True or False for each of the 60"):
        explorer.gap([1, 2, 3])
    with pytest.raises(DataError, match="holds all"):
        explorer.gap(np.ones(60, dtype=bool))
