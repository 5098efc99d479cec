"""Synthetic twins: they have the size and the structure that the papers describe, and the papers' findings come out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from relspan import RelevanceClassifier
from relspan.errors import ParameterError
from relspan.simulate import adrenal_twin, simulate_adrenal, simulate_flip, simulate_ohsumed, simulate_t21, t21_twin

TWINS = {
    "adrenal": (simulate_adrenal, (147, 32)),
    "t21": (simulate_t21, (800, 18)),
    "flip": (simulate_flip, (118, 19)),
    "ohsumed": (lambda **seed: simulate_ohsumed(60, 4000, **seed), (60, 4000)),
}


@pytest.mark.parametrize("name", TWINS)
def test_twins_have_the_papers_sizes_and_are_reproducible(name):
    make, shape = TWINS[name]
    twin, again, other = make(random_state=1), make(random_state=1), make(random_state=2)
    assert twin.X.shape == shape
    assert np.array_equal(twin.X, again.X)
    assert np.array_equal(twin.y, again.y)
    assert not np.array_equal(twin.X, other.X)
    assert set(twin.y.tolist()) == {0, 1}
    assert len(set(twin.names)) == len(twin.kinds) == len(twin.truth) == shape[1]
    assert sum(len(twin.names_of(kind)) for kind in set(twin.kinds)) == shape[1]
    with pytest.raises(ValueError, match="read-only"):
        twin.X[0, 0] = 1


def test_sizes_that_make_no_twin_are_refused():
    for make, wrong in (
        (simulate_adrenal, {"n_samples": 5}),
        (simulate_t21, {"affected": 0}),
        (simulate_t21, {"normal": 2.5}),
        (simulate_flip, {"n_samples": "all"}),
        (simulate_ohsumed, {"n_words": 100}),
    ):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            make(**wrong)


def named(twin, *names):
    return twin.X[:, [twin.names.index(name) for name in names]]


def held_out_accuracy(columns, rows=40_000):
    """Of the discriminant of a large sample, on another one."""
    learn, judge = simulate_adrenal(rows, random_state=0), simulate_adrenal(rows, random_state=1)
    return LinearDiscriminantAnalysis().fit(learn.X[:, columns], learn.y).score(judge.X[:, columns], judge.y)


def test_without_the_androgen_precursors_the_accuracy_falls_by_one_per_cent():
    """In the population: the papers' figure. Without one of the two, nothing is lost."""
    twin = simulate_adrenal(random_state=0)
    every = np.arange(32)
    pair = [twin.names.index(name) for name in adrenal_twin.PRECURSORS]
    whole = held_out_accuracy(every)
    assert whole == pytest.approx(0.98, abs=0.008)
    assert whole - held_out_accuracy(np.setdiff1d(every, pair)) == pytest.approx(0.01, abs=0.004)
    assert whole - held_out_accuracy(np.setdiff1d(every, pair[:1])) < 0.002
    distance = np.sqrt(4 * adrenal_twin.MARKER**2 + adrenal_twin.PRECURSOR**2)
    assert norm.cdf(distance / 2) == pytest.approx(0.98, abs=0.005)
    assert norm.cdf(adrenal_twin.MARKER) == pytest.approx(0.97, abs=0.005)


def test_steroids_of_no_relevance_know_neither_the_class_nor_the_markers():
    twin = simulate_adrenal(20_000, random_state=0)
    related = np.corrcoef(np.column_stack([twin.X, twin.y]).T)
    idle = np.flatnonzero(twin.truth == 0)
    assert np.abs(related[np.ix_(idle, [*np.flatnonzero(twin.truth), 32])]).max() < 0.04
    assert {twin.kinds[j] for j in np.flatnonzero(twin.truth == 2)} == set(twin.kinds) - {"androgen precursors"}


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("seed", range(3))
def test_the_androgen_precursors_are_weak_and_nothing_else_is_called(seed):
    twin = simulate_adrenal(random_state=seed)
    clf = RelevanceClassifier(random_state=0).fit(twin.X, twin.y)
    classes = dict(zip(twin.names, clf.relevance_, strict=True))
    assert [classes[name] for name in adrenal_twin.PRECURSORS] == [1, 1]
    assert not any(classes[name] for name, truth in zip(twin.names, twin.truth, strict=True) if truth == 0)
    assert all(classes[name] for name in adrenal_twin.MARKERS)


def test_length_and_age_are_one_measurement():
    twin = simulate_t21(random_state=0)
    age, length = named(twin, "GA-d", "CRL").T
    assert np.corrcoef(age, length)[0, 1] > 0.99
    assert np.abs(t21_twin.crown_rump_length(age) - length).max() < 6
    assert 40 < length.min() < length.max() < 90
    assert abs(np.corrcoef(age, twin.y)[0, 1]) < 0.1
    assert twin.names.index("GA-d") + 1 == 1
    assert twin.names.index("CRL") + 1 == 6


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("seed", range(3))
def test_with_the_age_at_its_minimum_the_length_is_needed(seed):
    twin = simulate_t21(random_state=seed)
    explorer = RelevanceClassifier(random_state=0).fit(twin.X, twin.y).explore()
    before = {feature.name: feature for feature in explorer.result.features}
    age, length = "x0", "x5"
    assert before[age].relevance == before[length].relevance == "weak"
    assert before[length].min == pytest.approx(0, abs=1e-4)
    explorer.pin(age, "min")
    after = {feature.name: feature for feature in explorer.result.features}[length]
    assert after.under_pins.outcome == "needed"
    assert after.min > 0.02


def test_echoes_go_with_their_word_and_not_with_the_class():
    twin = simulate_ohsumed(4000, 4000, random_state=0)
    counts = {kind: np.flatnonzero(np.array(twin.kinds) == kind) for kind in ("speaking", "echo", "faint", "other")}
    related = {
        kind: np.abs([np.corrcoef(twin.X[:, j], twin.y)[0, 1] for j in those[:200]]) for kind, those in counts.items()
    }
    assert len(counts["speaking"]) == 40
    assert len(counts["echo"]) == 200
    assert related["speaking"].mean() > 3 * related["echo"].mean()
    assert related["echo"].mean() > 1.3 * related["other"].mean()
    assert related["faint"].mean() > related["other"].mean()
