"""What is said to be true of simulated data must be true of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relspan.simulate import PAPER_SETS, Simulated, simulate, simulate_named


def labels_of(score: np.ndarray, data: Simulated) -> np.ndarray:
    """Classes of another score in the same shares, by the plain definition: rank the scores, cut the ranks."""
    sizes = np.bincount(data.y)
    ranks = np.argsort(np.argsort(score))
    return np.searchsorted(np.cumsum(sizes), ranks, side="right")


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(20, 80),
    strong=st.integers(1, 5),
    sizes=st.lists(st.integers(2, 4), max_size=3),
    irrelevant=st.integers(0, 6),
    task=st.sampled_from(["classification", "regression", "ordinal"]),
    seed=st.integers(0, 1000),
)
def test_counts_shapes_names_and_groups_agree(n, strong, sizes, irrelevant, task, seed):
    weak = sum(sizes)
    data = simulate(n, strong, weak, irrelevant, groups=sizes, task=task, random_state=seed)
    d = strong + weak + irrelevant
    assert data.X.shape == (n, d)
    assert data.y.shape == data.flipped.shape == (n,)
    assert np.bincount(data.truth, minlength=3).tolist() == [irrelevant, weak, strong]
    assert len(set(data.names)) == len(data.names) == d
    assert np.bincount(data.groups[data.groups >= 0], minlength=len(sizes)).tolist() == sizes
    assert ((data.groups >= 0) == (data.truth == 1)).all()
    assert data.weights.shape == (strong + len(sizes),)
    for name, truth in zip(data.names, data.truth, strict=True):
        assert name.startswith(("irrelevant", "weak", "strong")[truth])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), strong=st.integers(2, 12))
def test_no_strong_feature_can_be_left_out_of_the_score(seed, strong):
    data = simulate(400, strong, 2, 3, random_state=seed)
    assert np.abs(data.weights).min() >= 0.5
    np.testing.assert_array_equal(labels_of(data.score, data), data.y)
    for j in range(strong):
        np.testing.assert_array_equal(data.X[:, j], data.hidden[:, j])
        without = data.score - data.weights[j] * data.hidden[:, j]
        assert (labels_of(without, data) != data.y).any()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), noise=st.sampled_from([0.0, 0.01, 0.3]))
def test_one_member_of_a_weak_group_replaces_another(seed, noise):
    data = simulate(2000, 2, 7, 0, groups=[2, 5], noise=noise, random_state=seed)
    correlation = np.abs(np.corrcoef(data.X.T))
    same = (data.groups[:, None] == data.groups) & (data.groups >= 0)
    expected = 1 / (1 + noise**2)
    off = ~np.eye(len(same), dtype=bool)
    np.testing.assert_allclose(correlation[same & off], expected, atol=0.06 * noise + 1e-9)
    # four standard errors of a correlation of independent columns, and a margin for the many pairs
    assert correlation[~same & off].max() < 0.12


@pytest.mark.parametrize("seed", range(5))
def test_a_regression_on_any_one_member_is_as_good_as_on_all(seed):
    data = simulate(500, 2, 4, 0, task="regression", random_state=seed)

    def residual(columns):
        X = np.column_stack([np.ones(500), data.X[:, columns]])
        return np.linalg.lstsq(X, data.y, rcond=None)[1][0] / (500 * data.y.var())

    everything = residual([0, 1, 2, 3, 4, 5])
    for member in (2, 3, 4, 5):
        assert residual([0, 1, member]) < everything + 1e-3  # one member will do
    assert residual([0, 1]) > everything + 0.02  # but one it must be
    assert residual([0, 2, 3, 4, 5]) > everything + 0.02  # a strong feature has no substitute
    assert residual([1, 2, 3, 4, 5]) > everything + 0.02


def test_copies_repeat_the_first_member_of_each_group_exactly():
    data = simulate(50, 1, 7, 2, groups=[3, 4], copies=2, random_state=0)
    for group, size in enumerate([3, 4]):
        X = data.X[:, data.groups == group]
        assert np.unique(X, axis=1).shape[1] == size - 2
        np.testing.assert_array_equal(X[:, -1], X[:, 0])
        np.testing.assert_array_equal(X[:, -2], X[:, 0])


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_irrelevant_columns_correlate_with_each_other_but_with_nothing_relevant(correlation):
    data = simulate(20_000, 2, 2, 4, correlated_irrelevant=correlation, random_state=1)
    measured = np.corrcoef(data.X.T)
    np.testing.assert_allclose(measured[4:, 4:][~np.eye(4, dtype=bool)], correlation, atol=0.03)
    assert np.abs(measured[:4, 4:]).max() < 0.03
    np.testing.assert_allclose(data.X[:, 4:].std(axis=0), 1, atol=0.03)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(60, 200),
    flips=st.floats(0, 0.4),
    classes=st.integers(2, 4),
    seed=st.integers(0, 1000),
)
def test_exactly_the_stated_share_of_labels_is_flipped(n, flips, classes, seed):
    task = "classification" if classes == 2 else "ordinal"
    clean = simulate(n, task=task, classes=classes, random_state=seed)
    data = simulate(n, task=task, classes=classes, flips=flips, random_state=seed)
    np.testing.assert_array_equal(data.X, clean.X)
    np.testing.assert_array_equal(data.y != clean.y, data.flipped)
    assert data.flipped.sum() == round(flips * n)
    assert not clean.flipped.any()


def test_all_tasks_share_columns_truth_and_score():
    kinds = [simulate(200, 3, 4, 5, task=task, random_state=7) for task in ("classification", "regression", "ordinal")]
    for data in kinds[1:]:
        np.testing.assert_array_equal(data.X, kinds[0].X)
        np.testing.assert_array_equal(data.truth, kinds[0].truth)
        np.testing.assert_array_equal(data.score, kinds[0].score)
    np.testing.assert_array_equal(kinds[1].y, kinds[1].score)


@pytest.mark.parametrize("classes", [2, 3, 5, (0.1, 0.6, 0.3), (0.9, 0.1)])
def test_ordinal_classes_are_all_present_in_their_shares_and_sorted_by_the_score(classes):
    data = simulate(300, task="ordinal", classes=classes, random_state=3)
    shares = (1 / classes,) * classes if isinstance(classes, int) else classes
    assert np.bincount(data.y).tolist() == [round(300 * share) for share in shares]
    assert (np.diff(data.y[np.argsort(data.score)]) >= 0).all()


def test_classification_is_ordinal_with_two_classes_and_may_be_imbalanced():
    data = simulate(200, classes=(0.9, 0.1), random_state=0)
    assert np.bincount(data.y).tolist() == [180, 20]
    np.testing.assert_array_equal(data.y, simulate(200, task="ordinal", classes=(0.9, 0.1), random_state=0).y)


def test_target_noise_is_a_share_of_the_score():
    data = simulate(20_000, task="regression", target_noise=0.5, random_state=2)
    assert np.std(data.y - data.score) / np.std(data.score) == pytest.approx(0.5, rel=0.03)
    labels = simulate(20_000, target_noise=0.5, random_state=2).y
    # the sign of s and of s + .5 sd e differ with probability arctan(.5) / pi
    assert np.mean(labels != labels_of(data.score, simulate(20_000, random_state=2))) == pytest.approx(0.1476, abs=0.01)


def test_the_same_seed_gives_the_same_data_and_another_gives_others():
    one, two, three = (simulate(50, random_state=seed) for seed in (5, 5, 6))
    np.testing.assert_array_equal(one.X, two.X)
    np.testing.assert_array_equal(one.y, two.y)
    assert (one.X != three.X).all()
    generator = simulate(50, random_state=np.random.default_rng(5))
    np.testing.assert_array_equal(one.X, generator.X)
    assert (simulate(50).X != simulate(50).X).any()


def test_simulated_data_cannot_be_changed():
    data = simulate(50, random_state=0)
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 0
    with pytest.raises(AttributeError):
        data.y = data.truth


@pytest.mark.parametrize("name", list(PAPER_SETS))
@pytest.mark.parametrize("task", ["classification", "regression", "ordinal"])
def test_named_sets_have_the_papers_sizes(name, task):
    data = simulate_named(name, 0, task=task)
    size = PAPER_SETS[name]
    assert data.X.shape == (size.n_samples, size.strong + size.weak + size.irrelevant)
    assert np.bincount(data.truth, minlength=3).tolist() == [size.irrelevant, size.weak, size.strong]
    assert data.task == task
    assert set(data.groups) - {-1} <= {0}
    shape = {"I": (150, 12), "II": (150, 12), "III": (150, 10)}.get(name, (500, 30))
    assert data.X.shape == shape
