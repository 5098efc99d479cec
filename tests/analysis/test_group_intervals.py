"""The total size of a group of weights: least by one program, largest by sign branching."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import KFold

from problems import ENGINES_HERE
from relspan.analysis import group_intervals as group_intervals_module
from relspan.analysis.baseline import fit_baseline
from relspan.analysis.group_intervals import group_intervals, largest_totals, least_totals, some_model_without
from relspan.analysis.intervals import WeightRanges, feature_ranges
from relspan.engines import open_engine
from relspan.family import Family
from relspan.family.budgets import family_of
from relspan.losses import EpsilonInsensitive, Hinge, MulticlassHinge
from relspan.simulate import simulate


def example(seed: int = 0, task: str = "classification") -> tuple[Family, WeightRanges]:
    data = simulate(60, strong=2, weak=4, irrelevant=4, groups=2, noise=0.1, task=task, random_state=seed)
    y = 2.0 * data.y - 1 if task == "classification" else data.y
    loss = Hinge() if task == "classification" else EpsilonInsensitive(0.1)
    baseline = fit_baseline(loss, data.X, y, None, 0.3, KFold(3))
    family = family_of(loss.rows(data.X, y), baseline, 0.1, 0.05, "explained")
    return family, feature_ranges(family, "exact")


GROUPS = [np.array(g) for g in ([2, 3], [4, 5], [2, 3, 4, 5], [6, 7, 8, 9], [0, 6, 9], [0, 1, 2, 3, 4])]


def by_all_signs(family: Family, group: np.ndarray) -> float:
    """max_F of every one of the 2^g linear pieces."""
    directions = np.zeros((2 ** len(group), family.n_features + family.n_offsets))
    directions[:, group] = list(product([1.0, -1.0], repeat=len(group)))
    return float(open_engine("exact", family).maxima(directions).values.max())


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_the_largest_mass_is_that_of_all_sign_patterns(engine: str) -> None:
    family, ranges = example()
    for group, (most, bound) in zip(
        GROUPS, largest_totals(family, GROUPS, ranges, open_engine(engine, family), 64), strict=True
    ):
        expected = by_all_signs(family, group)
        assert most == pytest.approx(expected, abs=2e-6 * family.largest_norm)
        assert most - 1e-9 <= expected <= bound + 1e-9
        assert bound - most <= 2e-6 * family.largest_norm


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES_HERE)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_least_mass_is_a_saddle_point(engine: str, task: str) -> None:
    """min_F m_G <= m_G of every member, and for every v in [-1, 1]^G  min_F m_G >= min_F v.w_G."""
    family, ranges = example(task=task)
    rng = np.random.default_rng(0)
    for group, (least, bound) in zip(GROUPS, least_totals(family, GROUPS, ranges, engine), strict=True):
        assert 0 <= least - bound <= 1e-6 * family.largest_norm
        members = np.abs(ranges.extremes.models[:, group]).sum(axis=1)
        assert least <= members.min() + 1e-9
        directions = np.zeros((6, family.n_features + family.n_offsets))
        directions[:, group] = rng.choice([-1.0, 0.0, 1.0], (6, len(group)))
        lower = -open_engine("exact", family).maxima(-directions).values
        assert least >= lower.max() - 1e-6 * family.largest_norm


@pytest.mark.slow
def test_a_model_without_a_group_is_mixed_where_a_program_says_that_there_is_one(monkeypatch: Any) -> None:
    """Interior models have no weight that is 0, so that no known model does without a group."""
    family, _ = example()
    ranges = feature_ranges(family, "batched")
    by_mixtures = least_totals(family, GROUPS, ranges, "batched")
    monkeypatch.setattr(group_intervals_module, "some_model_without", lambda *args: False)
    by_programs = least_totals(family, GROUPS, ranges, "batched")
    np.testing.assert_allclose(by_mixtures, by_programs, atol=1e-6 * family.largest_norm)
    assert (0.0, 0.0) in by_mixtures
    assert (0.0, 0.0) not in by_programs


@pytest.mark.parametrize("classes", [3, 4])
def test_mixtures_spare_the_programs_of_features_with_several_weights(monkeypatch: Any, classes: int) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(classes, size=80).astype(float)
    X = rng.normal(size=(80, 3))
    X[:, 0] += 2 * y
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    loss = MulticlassHinge(classes)
    baseline = fit_baseline(loss, X, y, None, 0.3, KFold(3))
    family = family_of(loss.rows(X, y), baseline, 0.1, 0.05, "explained", loss.constraints(X, y))
    ranges = feature_ranges(family, "batched")
    groups = [loss.blocks(3).columns(j) for j in range(3)]
    without = [some_model_without(family, group, ranges) for group in groups]
    monkeypatch.setattr(group_intervals_module, "some_model_without", lambda *args: False)
    by_programs = [value for value, _ in least_totals(family, groups, ranges, "exact")]
    assert without == [value < 1e-6 * family.largest_norm for value in by_programs]
    assert without == [False, True, True]


def test_a_pair_of_substitutes_is_needed_where_neither_of_them_is() -> None:
    family, ranges = example()
    (pair,) = least_totals(family, [np.array([2, 3])], ranges, "exact")
    assert ranges.relevances[2:4, 0].max() < 0.2 * pair[0]
    assert pair[0] > 0.05 * family.largest_norm


@pytest.mark.parametrize("engine", ["exact", "batched"])
def test_groups_of_one_are_features(engine: str) -> None:
    family, ranges = example()
    totals = group_intervals(family, [np.array([j]) for j in range(10)], ranges, engine)
    found = np.array([[t.least, t.most] for t in totals])
    np.testing.assert_allclose(found, ranges.relevances, atol=2e-6 * family.largest_norm)


def test_beyond_the_limit_the_largest_mass_is_bracketed() -> None:
    family, ranges = example()
    everything = [np.array([0, 2, 3, 4, 5, 6, 7, 8])]
    engine = open_engine("exact", family)
    ((_, exact),) = largest_totals(family, everything, ranges, engine, 2000)
    brackets = [largest_totals(family, everything, ranges, engine, limit)[0] for limit in (0, 1, 5, 40)]
    for attained, bound in brackets:
        assert attained <= exact + 1e-9 <= bound + 2e-9
    widths = [bound - attained for attained, bound in brackets]
    assert widths == sorted(widths, reverse=True)


def test_the_whole_model_fills_the_norm_budget() -> None:
    family, ranges = example()
    (mass,) = group_intervals(family, [np.arange(10)], ranges, "exact")
    assert mass.most == pytest.approx(family.largest_norm)
    assert mass.most_bound == pytest.approx(family.largest_norm)


@pytest.mark.slow
def test_workers_do_not_change_the_answer() -> None:
    family, ranges = example()
    assert group_intervals(family, GROUPS, ranges, "exact", n_jobs=2) == group_intervals(
        family, GROUPS, ranges, "exact"
    )
