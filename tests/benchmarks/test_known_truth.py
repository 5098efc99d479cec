"""Tables with known truth: the truth follows from how they are drawn, and a name and a seed determine them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.accuracy.known_truth import targets
from benchmarks.accuracy.known_truth.columns import SHAPES, autoregressive, dummies, near_copies, suppressor
from benchmarks.accuracy.known_truth.kinds import KINDS, STEADY, draw
from benchmarks.accuracy.known_truth.noise_designs import NOISE, PATIENTS, draw_noise, draw_patients
from benchmarks.accuracy.known_truth.truth_table import NULL, PROXY, STRONG, WEAK, generator, signs, with_proxies

MANY_ROWS = 8000
BEYOND_CHANCE = 4.5  # a t statistic that thousands of columns of noise do not reach, for the seeds drawn here
REPLACEABLE = 0.6  # the share of a weak column's variance that the other columns explain


def coded(table):
    """The target as columns of numbers, one per class if there are several."""
    if table.task == "classification" and len(np.unique(table.y)) > 2:
        return (table.y[:, None] == np.unique(table.y)).astype(float)
    return np.asarray(table.y, dtype=float)[:, None]


def largest_t(X, Y):
    """The t statistic of each column in a linear regression on all of them: the largest of several targets."""
    n, d = X.shape
    Z, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    inverse = np.linalg.pinv(Z)
    weights = inverse @ Y
    residual = Y - Z @ weights
    error = np.sqrt((inverse**2).sum(axis=1)[:, None] * (residual**2).sum(axis=0) / (n - d - 1))
    return np.abs(weights / error).max(axis=1)


def explained_by_others(X, column):
    """The share of a column's variance that a linear combination of the others explains."""
    Z = X - X.mean(axis=0)
    others = np.delete(Z, column, axis=1)
    residual = Z[:, column] - others @ np.linalg.lstsq(others, Z[:, column], rcond=None)[0]
    return 1 - residual.var() / Z[:, column].var()


@pytest.fixture(params=KINDS, scope="module")
def large(request):
    """A kind with so many rows that sample and population agree."""
    return replace(KINDS[request.param], rows=MANY_ROWS).draw(generator(request.param, 1))


def test_there_are_enough_kinds_of_every_task():
    assert len(KINDS) >= 60
    assert len(NOISE) >= 12
    assert len(STEADY) == 12
    assert set(STEADY) <= set(KINDS)
    assert {kind.task for kind in KINDS.values()} == {kind.task for kind in NOISE.values()}
    assert {kind.task for kind in KINDS.values()} == {"classification", "regression", "ordinal"}
    rows, columns = zip(*(draw(name, 0).X.shape for name in KINDS), strict=True)
    assert (min(rows), max(rows)) == (60, 2000)
    assert (min(columns), max(columns)) == (8, 200)


@pytest.mark.parametrize("name", KINDS)
def test_a_name_and_a_seed_determine_a_table(name):
    table, again, other = draw(name, 3), draw(name, 3), draw(name, 4)
    assert table.X.shape == (len(table.y), len(table.truth))
    assert np.array_equal(table.X, again.X)
    assert np.array_equal(table.y, again.y)
    assert not np.array_equal(table.X, other.X)
    assert np.array_equal(table.truth, other.truth)
    assert set(table.truth) <= {STRONG, WEAK, NULL, PROXY}
    assert (table.truth > 0).any()
    assert (table.truth == NULL).any()
    assert (table.X.std(axis=0) > 0).all()


@pytest.mark.slow
def test_the_target_depends_on_strong_columns_given_all_others(large):
    t = largest_t(large.X, coded(large))
    assert t[large.truth == STRONG].min(initial=np.inf) > BEYOND_CHANCE


@pytest.mark.slow
def test_the_target_is_independent_of_nulls_and_proxies_given_the_relevant_columns(large):
    t = largest_t(large.X, coded(large))
    assert t[large.truth <= NULL].max() < BEYOND_CHANCE


@pytest.mark.slow
def test_weak_columns_matter_together_and_each_can_be_replaced(large):
    weak = np.flatnonzero(large.truth == WEAK)
    if not len(weak):
        return
    Z, Y = large.X - large.X.mean(axis=0), coded(large)
    Y = Y - Y.mean(axis=0)
    rest = np.delete(Z, weak, axis=1)
    without, with_all = (Y - part @ np.linalg.lstsq(part, Y, rcond=None)[0] for part in (rest, Z))
    assert (without**2).sum() > 1.005 * (with_all**2).sum()
    assert min(explained_by_others(large.X, column) for column in weak) > REPLACEABLE


@pytest.mark.slow
def test_proxies_correlate_with_a_strong_column_and_nulls_do_not(large):
    correlation = np.abs(np.corrcoef(large.X, rowvar=False))
    relevant = large.truth > 0
    margin = 0.05
    assert correlation[large.truth == PROXY][:, relevant].max(axis=1, initial=0.0).min(initial=1.0) > 0.3 - margin
    assert correlation[large.truth == NULL][:, relevant].max() < 0.3 + margin


@pytest.mark.parametrize("name", NOISE)
def test_noise_has_no_relevant_column(name):
    table = replace(NOISE[name], rows=MANY_ROWS).draw(generator(name, 1))
    assert not table.truth.any()
    assert largest_t(table.X, coded(table)).max() < BEYOND_CHANCE
    assert np.array_equal(draw_noise(name, 2).X, draw_noise(name, 2).X)


@pytest.mark.parametrize("name", PATIENTS)
def test_rows_of_a_patient_share_the_label_and_part_of_the_values(name):
    design = PATIENTS[name]
    table = draw_patients(name, 0)
    assert np.bincount(table.groups).tolist() == [design.rows_each] * design.patients
    assert all(len(np.unique(table.y[table.groups == patient])) == 1 for patient in range(design.patients))
    assert ("nothing" in name) == (not table.truth.any())
    many = replace(design, patients=4000).draw(generator(name, 1))
    rows = many.X[:, -1].reshape(4000, design.rows_each)
    assert np.corrcoef(rows[:, 0], rows[:, 1])[0, 1] == pytest.approx(design.icc, abs=0.05)


def test_nothing_of_patient_level_noise_is_relevant_between_patients():
    for name in (name for name in PATIENTS if "nothing" in name):
        many = replace(PATIENTS[name], patients=4000).draw(generator(name, 1))
        first = np.arange(4000) * PATIENTS[name].rows_each
        assert largest_t(many.X[first], many.y[first, None].astype(float)).max() < BEYOND_CHANCE


@pytest.mark.parametrize("error", [0.05, 0.2, 0.4])
def test_the_best_guess_of_a_logistic_target_errs_as_often_as_asked(error):
    rng = np.random.default_rng(0)
    causes = rng.standard_normal((20_000, 2))
    y = targets.logistic(error).draw(rng, causes)
    assert np.mean(y != (targets.score_of(causes) > 0)) == pytest.approx(error, abs=0.015)


def test_shares_of_targets():
    rng = np.random.default_rng(0)
    causes = rng.standard_normal((1000, 2))
    assert targets.threshold(0.1, 0.5).draw(rng, causes).sum() == 100
    assert np.bincount(targets.ordered((0.6, 0.3, 0.1), 0.5).draw(rng, causes)).tolist() == [600, 300, 100]
    score = targets.score_of(causes)
    assert np.sum(targets.flipped(0.2).draw(rng, causes) != (score > np.median(score))) == 200
    numbers = targets.number(0.3).draw(rng, rng.standard_normal((50_000, 2)))
    assert numbers.var() == pytest.approx(1 / 0.3, rel=0.03)
    rare = targets.several(3, 0.3, offsets=(0.0, 0.0, -1.5)).draw(rng, rng.standard_normal((5000, 3)))
    assert np.bincount(rare)[2] < 0.5 * np.bincount(rare)[:2].min()


def test_blocks_have_the_correlations_they_name():
    rng = np.random.default_rng(0)
    copies = near_copies([3, 2], 0.9, signed=True)(rng, 20_000)
    correlation = np.corrcoef(copies.X, rowvar=False) * np.outer(signs(5), signs(5))
    assert correlation[0, 1:3] == pytest.approx([0.9, 0.9], abs=0.01)
    assert np.abs(correlation[0, 3:]).max() < 0.03
    series = autoregressive(10, 0.6, 2)(rng, 20_000)
    assert np.corrcoef(series.X, rowvar=False)[0, :4] == pytest.approx([1, 0.6, 0.36, 0.216], abs=0.02)
    assert series.truth.tolist() == [STRONG, PROXY, PROXY, PROXY, PROXY, STRONG, PROXY, PROXY, NULL, NULL]
    noise = suppressor(0.8, 1)(rng, 20_000)
    assert abs(np.corrcoef(noise.X[:, 1], noise.causes[:, 0])[0, 1]) < 0.03
    assert noise.truth.tolist() == [STRONG, WEAK, WEAK]


def test_indicators_of_all_levels_replace_each_other_and_without_the_first_they_do_not():
    rng = np.random.default_rng(0)
    whole = dummies([(0.0, 1.0, 2.0)], 1, drop_first=False)(rng, 100)
    assert whole.truth.tolist() == [WEAK] * 3 + [NULL] * 3
    assert np.array_equal(whole.X[:, :3].sum(axis=1), np.ones(100))
    assert dummies([(0.0, 1.0, 2.0)], 1, drop_first=True)(rng, 100).truth.tolist() == [STRONG] * 2 + [NULL] * 2


def test_proxies_are_marked_by_their_correlation():
    truth = np.array([STRONG, NULL, NULL, WEAK])
    correlation = np.array([[1, 0.3, 0.29, 0], [0.3, 1, 0, 0], [0.29, 0, 1, 0.1], [0, 0, 0.1, 1.0]])
    assert with_proxies(truth, correlation).tolist() == [STRONG, PROXY, NULL, WEAK]


def test_every_shape_has_a_spread():
    rng = np.random.default_rng(0)
    assert all(shape(rng, (500, 3)).std(axis=0).min() > 0 for shape in SHAPES.values())
