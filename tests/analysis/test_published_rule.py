"""The papers' own rule: a partition by two thresholds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from problems import two_classes
from relspan import RelevanceClassifier
from relspan.analysis.intervals import relevances
from relspan.analysis.verdicts.classes import IRRELEVANT, STRONG, WEAK
from relspan.analysis.verdicts.published_rule import classify

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")

ends = arrays(float, (20, 2), elements=st.floats(-5, 5))


@pytest.mark.slow
@given(ends)
def test_relevance_is_the_range_of_the_absolute_weight(ends: np.ndarray) -> None:
    lo, hi = ends.min(axis=1), ends.max(axis=1)
    found = relevances(lo, hi)
    for (least, most), low, high in zip(found, lo, hi, strict=True):
        sample = np.abs(np.concatenate([np.linspace(low, high, 101), np.clip([0.0], low, high)]))
        assert least == sample.min()
        assert most == sample.max()


@pytest.mark.slow
@given(ends, st.floats(0, 3), st.floats(0, 3))
def test_every_feature_is_exactly_one_of_three(ends: np.ndarray, tau: float, floor: float) -> None:
    intervals = relevances(ends.min(axis=1), ends.max(axis=1))
    classes = classify(intervals, tau, floor)
    assert set(classes) <= {IRRELEVANT, WEAK, STRONG}
    for (least, most), found in zip(intervals, classes, strict=True):
        assert (found == IRRELEVANT) == (not most > tau)
        assert (found == STRONG) == (most > tau and least > floor)


def test_on_the_threshold_is_not_above_it() -> None:
    intervals = np.array([[0.0, 1.0], [0.1, 2.0], [0.2, 2.0]])
    np.testing.assert_array_equal(classify(intervals, tau=1.0, floor=0.1), [IRRELEVANT, WEAK, STRONG])


@pytest.mark.parametrize("paper", ["fri2019", "esann2017"])
def test_the_papers_settings_follow_it(paper: str) -> None:
    X, y = two_classes(60, 12, seed=0, flips=0.1)
    result = RelevanceClassifier.as_published(paper, C=0.2, n_probes=60, random_state=0).fit(X, y).result_
    tau, floor = result.thresholds["relevant"], result.thresholds["strong"]
    assert "evidence" not in result.thresholds
    for feature in result.features:
        assert feature.evidence is None
        assert feature.route is None
        relevant = feature.max > tau
        assert feature.relevance == ("irrelevant" if not relevant else "strong" if feature.min > floor else "weak")
