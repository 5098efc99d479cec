"""What all equally good models say of a sample."""

from __future__ import annotations

import json
import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest

from relspan import OrdinalRelevanceClassifier
from relspan.engines import ReferenceEngine
from relspan.errors import DataError, InfeasibleFamily
from relspan.explore.explorer import history_of
from relspan.family.constraints import Constraints
from relspan.tolerances import CHANGED_LABEL


def samples(clf, count=12):
    return np.random.default_rng(1).standard_normal((count, clf.n_features_in_))


@pytest.mark.slow
@pytest.mark.parametrize("data", ["small", "free_signs"])
def test_intervals_equal_the_reference_engine(request, data):
    clf = request.getfixturevalue(data)
    explorer, X = clf.explore(), samples(clf)
    found = explorer.predictions(X)
    Z = np.hstack([history_of(explorer).problem.scaled(X), np.ones((len(X), 1))])
    engine = ReferenceEngine(clf.result_.certificates.family)
    np.testing.assert_allclose(found.intervals[:, 1], engine.maxima(Z).values, atol=1e-6)
    np.testing.assert_allclose(found.intervals[:, 0], -engine.maxima(-Z).values, atol=1e-6)
    assert max(p.gap for p in found.samples) < 1e-6


def test_the_best_models_score_lies_inside(small):
    X = samples(small, 50)
    found = small.explore().predictions(X)
    scores = np.array([p.score for p in found.samples])
    np.testing.assert_allclose(scores, small.decision_function(X))
    assert (found.intervals[:, 0] <= scores + 1e-9).all()
    assert (scores <= found.intervals[:, 1] + 1e-9).all()
    assert [p.label for p in found.samples] == small.predict(X).tolist()


def test_the_extreme_models_attain_the_ends(small):
    """And every model of the family has its score inside."""
    explorer, X = small.explore(), samples(small)
    Z = np.hstack([history_of(explorer).problem.scaled(X), np.ones((len(X), 1))])
    extremes = history_of(explorer).solver.maxima_over(history_of(explorer).current_family().best, Z)
    assert (history_of(explorer).problem.analysis.family.violations(extremes.models) < 1e-9).all()
    intervals = explorer.predictions(X).intervals
    np.testing.assert_allclose((Z * extremes.models).sum(axis=1), intervals[:, 1])
    for model in small.result_.certificates.extremes.models:
        assert (Z @ model >= intervals[:, 0] - 1e-7).all()
        assert (Z @ model <= intervals[:, 1] + 1e-7).all()


def test_certain_means_that_no_model_says_otherwise(small):
    found = small.explore().predictions(samples(small, 40))
    for p in found.samples:
        assert p.certain == (p.lo > 0 or p.hi <= 0)
        assert p.labels == ((p.label,) if p.certain else (0, 1))
    assert 0 < found.ambiguous < 1
    assert found.ambiguous == np.mean([not p.certain for p in found.samples])
    assert json.loads(found.to_json())["ambiguous"] == found.ambiguous


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 4])
def test_ordered_classes_have_thresholds_whatever_their_number(n_classes):
    """A threshold is passed by the score; it is no intercept, not even where there is only one."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 4)) + 5.0
    y = np.digitize(X[:, 0] + 0.5 * rng.standard_normal(80), np.linspace(4, 6, n_classes + 1)[1:-1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = OrdinalRelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(X, y)
    explorer = clf.explore()
    found, model = explorer.predictions(X), explorer.model()
    assert [p.label for p in found.samples] == clf.predict(X).tolist()
    assert all(p.label in p.labels for p in found.samples)
    scores = X @ np.array(list(model.weights.values()))
    assert (scores[:, None] > np.array(model.offsets)).sum(axis=1).tolist() == clf.predict(X).tolist()
    if n_classes == 2:
        changed = explorer.discrepancy(X)
        assert changed.proven
        assert changed.share <= changed.ambiguous == found.ambiguous


def test_pins_make_predictions_more_certain(small):
    X = samples(small)
    free, pinned = small.explore().predictions(X), small.explore().pin("x1", "max").predictions(X)
    assert (pinned.intervals[:, 0] >= free.intervals[:, 0] - 1e-7).all()
    assert (pinned.intervals[:, 1] <= free.intervals[:, 1] + 1e-7).all()


def test_frames_go_by_name_and_wrong_ones_are_refused(fitted):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((60, 3)), columns=["a", "b", "c"])
    y = np.where(frame["a"] + 0.3 * rng.standard_normal(60) > 0, "yes", "no")
    explorer = fitted(frame, y, C=1.0).explore()
    turned = frame[["c", "a", "b"]]
    a, b = explorer.predictions(turned), explorer.predictions(frame.to_numpy())
    np.testing.assert_allclose(a.intervals, b.intervals, atol=1e-9)
    assert [p.labels for p in a.samples] == [p.labels for p in b.samples]
    assert {p.label for p in explorer.predictions().samples} == {"yes", "no"}
    with pytest.raises(DataError, match="lack 'b'"):
        explorer.predictions(frame[["a", "c"]])
    with pytest.raises(DataError, match="unknown columns 'id'"):
        explorer.predictions(frame.assign(id=1))
    with pytest.raises(DataError, match="a table of 3 columns"):
        explorer.predictions(np.zeros((2, 4)))
    with pytest.raises(DataError, match="NaN or infinity in 'a'"):
        explorer.predictions([[np.nan, 0, 0]])


@pytest.mark.slow
def test_discrepancy_equals_exhaustive_search(small):
    """Over six samples: the largest set of labels that one model changes, by all 64 sets."""
    explorer = small.explore()
    X = samples(small, 200)
    every = explorer.predictions(X)
    chosen = [i for i, p in enumerate(every.samples) if not p.certain][:6]
    X = X[chosen]
    Z = np.hstack([history_of(explorer).problem.scaled(X), np.ones((6, 1))])
    family, best = small.result_.certificates.family, small.result_.certificates.family.anchors[0]
    sign = np.where(Z @ best > 0, 1.0, -1.0)
    most = 0
    for flips in product([False, True], repeat=6):
        on = np.array(flips)
        rows = sign[on, None] * Z[on]
        count = int(on.sum())
        extra = Constraints(rows[:, :-1], rows[:, -1:], np.full(count, -np.inf), np.full(count, -CHANGED_LABEL))
        try:
            ReferenceEngine(family.restricted(extra)).maxima(np.zeros((1, Z.shape[1])))
        except InfeasibleFamily:
            continue
        most = max(most, count)
    found = explorer.discrepancy(X)
    assert found.proven
    assert found.share == pytest.approx(most / 6)
    weights = np.array(list(found.model.weights.values()))
    changed = np.flatnonzero((X @ weights + found.model.offsets[0] > 0) != (Z @ best > 0))
    assert tuple(changed) == found.changed
    assert found.model.loss <= family.largest_loss * (1 + 1e-8)
    assert found.share <= found.ambiguous


def test_discrepancy_at_the_time_limit(small):
    found = small.explore().discrepancy(time_limit=1e-9)
    assert found.share <= found.bound <= found.ambiguous + 1e-12
    assert not found.proven or found.gap == 0
