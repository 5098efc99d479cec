"""Strong, weak, irrelevant: a partition, by the two thresholds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from relspan import RelevanceClassifier
from relspan.analysis.classes import IRRELEVANT, STRONG, WEAK, classify
from relspan.analysis.intervals import relevances
from relspan.estimators.common_parameters import COMMON_PARAMETERS, entries
from relspan.simulate import simulate_named
from relspan.tolerances import LEAST_MEANINGFUL_BUDGET

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


def test_needed_but_small_is_irrelevant() -> None:
    """A feature below the probes' threshold is irrelevant even where no equally good model does without it."""
    assert classify(np.array([[0.5, 0.6]]), tau=1.0, floor=0.1)[0] == IRRELEVANT


def test_what_no_equally_good_model_does_without_is_relevant_below_the_probes_too() -> None:
    intervals = np.array([[0.5, 0.6], [0.05, 0.6], [0.0, 0.9]])
    np.testing.assert_array_equal(classify(intervals, tau=1.0, floor=0.1, needed=0.1), [STRONG, IRRELEVANT, IRRELEVANT])


@pytest.mark.slow
def test_thin_budgets_leave_the_judgement_to_the_probes() -> None:
    data = simulate_named("I", 1)
    roomy = RelevanceClassifier(C=1.0, random_state=0, n_probes=10).fit(data.X, data.y)
    thin = RelevanceClassifier(C=1.0, random_state=0, n_probes=10, delta_loss=0.001).fit(data.X, data.y)
    assert roomy.result_.thresholds["needed"] == roomy.result_.thresholds["strong"]
    assert "needed" not in thin.result_.thresholds


@pytest.mark.parametrize(("delta_loss", "counts"), [(0.0199, False), (0.02, True), (0.05, True)])
def test_being_needed_counts_from_the_documented_budget_on(delta_loss: float, counts: bool) -> None:
    """One feature that explains everything: no equally good model does without it."""
    x = np.linspace(-1, 1, 60)
    X = np.column_stack([x, np.random.default_rng(0).standard_normal((60, 3))])
    fit = RelevanceClassifier(C=1.0, random_state=0, n_probes=10, delta_loss=delta_loss).fit(X, x > 0)
    assert ("needed" in fit.result_.thresholds) == counts
    assert str(LEAST_MEANINGFUL_BUDGET) in entries(COMMON_PARAMETERS)["delta_loss"].partition("\n")[2]
