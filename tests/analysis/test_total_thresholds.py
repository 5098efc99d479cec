"""Thresholds in the unit of what they stand beside: totals of several weights, and totals of groups."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sklearn.model_selection import KFold

from problems import family_around, two_classes
from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.analysis.baseline import fit_baseline
from relspan.analysis.chance_limits import total_threshold
from relspan.analysis.group_intervals import total_along
from relspan.analysis.group_probes import PROBES_PER_GROUP, GroupProbeBlock, group_thresholds
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.probes import Probes, run_probes, threshold
from relspan.analysis.settings import Settings
from relspan.engines import BlocksInTurn, open_engine
from relspan.engines.simplex.visiting_order import order_of_directions
from relspan.family import Family, unit_directions
from relspan.family.budgets import family_of
from relspan.losses import Hinge, Loss, MulticlassHinge, OrdinalHinge, Privileged
from relspan.result import RelevanceResult


def problem_of(loss: Loss, n_classes: int, seed: int = 0) -> tuple[LearningProblem, Family]:
    """Four features, of which the first follows the class, with a loss that gives some of them several weights."""
    y = np.arange(48) % n_classes * 1.0
    X = np.random.default_rng(seed).standard_normal((48, 4)) + y[:, None] * [1.0, 0.0, 0.3, 0.0]
    problem = LearningProblem(loss, X, y)
    baseline = fit_baseline(loss, X, y, None, 0.3, KFold(3))
    return problem, family_of(problem.rows, baseline, 0.2, 0.1, "explained", problem.constraints)


def probes_of(problem: LearningProblem, family: Family, count: int = 6) -> Probes:
    return run_probes(family, problem, count, "append", "exact", np.random.SeedSequence(0))


def by_all_signs(family: Family, columns: np.ndarray) -> float:
    """The largest of all linear pieces of the total."""
    directions = np.zeros((2 ** len(columns), family.n_features + family.n_offsets))
    directions[:, columns] = list(product([1.0, -1.0], repeat=len(columns)))
    return float(open_engine("exact", family).maxima(directions).values.max())


def appended_by_hand(problem: LearningProblem, family: Family, found: Probes, probe: int) -> tuple[Family, np.ndarray]:
    """The family with one of the probes of seed 0, and the columns of its weights."""
    stream = np.random.SeedSequence(0).spawn(found.count + 1)[1 + probe]
    source = int(found.sources.reshape(found.count, -1)[probe, 0])
    wider = problem.with_appended(family, [source], problem.permuted(source, np.random.default_rng(stream))[:, None])
    return wider, np.arange(family.n_features, wider.n_features)


def test_the_total_of_three_classes_is_twice_the_largest_weight() -> None:
    problem, family = problem_of(MulticlassHinge(3), 3)
    found = probes_of(problem, family)
    ends = np.maximum(found.hi, -found.lo).reshape(-1, 3).max(axis=1)
    np.testing.assert_array_equal(found.totals, 2 * ends)
    wider, columns = appended_by_hand(problem, family, found, 0)
    assert found.totals[0] == pytest.approx(by_all_signs(wider, columns), rel=1e-6)


def test_the_threshold_of_totals_is_the_formula_over_the_totals() -> None:
    problem, family = problem_of(MulticlassHinge(3), 3)
    found = probes_of(problem, family)
    expected = threshold(found.totals, 6, 0.02, "familywise", 4)
    assert total_threshold(found, Settings(alpha=0.02), 4) == expected
    largest = np.maximum(found.hi, -found.lo).reshape(-1, 3).max(axis=1)
    assert expected == pytest.approx(2 * threshold(largest, 6, 0.02, "familywise", 4))


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_total_is_attained_and_no_smaller_than_the_largest_weight(n_classes: int) -> None:
    problem, family = problem_of(MulticlassHinge(n_classes), n_classes)
    found = probes_of(problem, family)
    tested = 1 if n_classes == 2 else n_classes
    largest = np.maximum(found.hi, -found.lo).reshape(-1, tested).max(axis=1)
    assert len(found.totals) == 6
    assert (found.totals >= 2 * largest * (1 - 1e-9)).all()  # the weights of a feature sum to 0
    for probe in range(2):
        wider, columns = appended_by_hand(problem, family, found, probe)
        truth = by_all_signs(wider, columns)
        assert 0.9 * truth <= found.totals[probe] <= truth * (1 + 1e-6)
    settings = Settings()
    single = threshold(found.ends, found.count, settings.alpha, settings.control, 2 * tested * 4)
    assert (total_threshold(found, settings, 4) or 0.0) >= single


@pytest.mark.slow
def test_only_features_with_several_weights_have_totals() -> None:
    problem, family = problem_of(Privileged(OrdinalHinge(3), (False, False, False, True), 0.8), 3)
    found = probes_of(problem, family, 8)
    several = np.bincount(found.sources, minlength=4)[3] // 2
    assert len(found.totals) == several == 2
    assert total_threshold(found, Settings(), 1) is None  # two probes are too few for a spread


@pytest.mark.slow
@pytest.mark.parametrize("loss", [MulticlassHinge(3), Privileged(OrdinalHinge(3), (False, False, True, True), 0.8)])
def test_blocks_in_turn_answer_as_an_engine_of_their_own_would(loss: Loss) -> None:
    problem, family = problem_of(loss, 3)
    rng, features = np.random.default_rng(0), [0, 2, 3]
    values = np.column_stack([problem.permuted(feature, rng) for feature in features])
    programs = BlocksInTurn(problem.with_appended(family, features, values), family.n_features)
    start = family.n_features
    for number, feature in enumerate(features):
        alone = problem.with_appended(family, [feature], values[:, [number]])
        count = alone.n_features - family.n_features
        engine = programs.with_block(np.arange(start, start + count))
        np.testing.assert_array_equal(engine.family.rows.features, alone.rows.features)
        directions = unit_directions(range(family.n_features, alone.n_features), alone)
        expected, found = open_engine("reference", alone).maxima(directions), engine.maxima(directions)
        np.testing.assert_allclose(found.values, expected.values, atol=1e-6 * family.largest_norm)
        assert found.gaps.max() <= 1e-6 * family.largest_norm
        assert (alone.violations(found.models_of(slice(None))) <= 1e-9).all()
        start += count


@pytest.mark.parametrize(("loss", "tied"), [(MulticlassHinge(3), True), (OrdinalHinge(3), False)])
def test_every_direction_is_visited_once_and_opposite_ones_apart(loss: Loss, tied: bool) -> None:
    """Where the weights of a feature sum to 0, maxima and minima come in turn; elsewhere first all maxima."""
    _, family = problem_of(loss, 3)
    order = order_of_directions(family, unit_directions([0, 1, 2], family)).tolist()
    assert order == ([0, 5, 2, 1, 4, 3] if tied else [0, 2, 4, 1, 3, 5])
    assert order_of_directions(family, np.ones((1, family.n_features + family.n_offsets))).tolist() == [0]


def test_one_weight_per_feature_has_no_totals() -> None:
    X, y = two_classes(40, 4, seed=0)
    family, _ = family_around(X, y)
    found = probes_of(LearningProblem(Hinge(), X, y), family)
    assert len(found.totals) == 0
    assert total_threshold(found, Settings(), 0) is None


# -- groups ------------------------------------------------------------------------------------------------------------


def test_models_along_some_signs_attain_their_total() -> None:
    X, y = two_classes(40, 5, seed=1)
    family, baseline = family_around(X, y)
    columns, engine = np.array([1, 2, 4]), open_engine("exact", family)
    every = np.array(list(product([1.0, -1.0], repeat=3)))
    truth = by_all_signs(family, columns)
    assert total_along(engine, family, columns, every) == pytest.approx(truth, abs=1e-6 * baseline.norm)
    for signs in every:
        assert total_along(engine, family, columns, signs[None]) <= truth + 1e-6 * baseline.norm


def patients() -> np.ndarray:
    return np.repeat(np.arange(20), 3)


@pytest.mark.parametrize("rows_belong_together", [False, True])
def test_a_group_is_permuted_jointly_and_by_whole_groups_of_rows(
    rows_belong_together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = two_classes(60, 5, seed=2)
    family, _ = family_around(X, y)
    problem = LearningProblem(Hinge(), X, y, None, patients() if rows_belong_together else None)
    drawn = []
    original = LearningProblem.with_appended

    def recorded(self: LearningProblem, among: Family, features: list[int], values: np.ndarray) -> Family:
        drawn.append(values)
        return original(self, among, features, values)

    monkeypatch.setattr(LearningProblem, "with_appended", recorded)
    members = np.array([1, 3, 4])
    GroupProbeBlock(family, problem, "exact", (members,) * 2, np.random.SeedSequence(0).spawn(2))(range(2))
    assert len(drawn) == 2
    assert (drawn[0] != drawn[1]).any()
    for values in drawn:
        row_of = {row.tobytes(): i for i, row in enumerate(X[:, members])}
        sources = np.array([row_of[row.tobytes()] for row in values])  # every row is a row of the group as a whole
        np.testing.assert_array_equal(np.sort(sources), np.arange(60))
        if rows_belong_together:
            donors = patients()[sources].reshape(20, 3)
            assert (donors == donors[:, :1]).all()


def test_every_group_has_a_threshold_from_its_own_probes() -> None:
    X, y = two_classes(60, 6, seed=3)
    family, _ = family_around(X, y)
    problem, groups = LearningProblem(Hinge(), X, y), [[0], [], [2, 3, 4, 5]]
    found = group_thresholds(family, problem, groups, Settings(), "exact", np.random.SeedSequence(0))
    assert found[1] is None  # all its members are constant
    seeds = np.random.SeedSequence(0).spawn(2 * PROBES_PER_GROUP)
    sources = (np.array([0]),) * PROBES_PER_GROUP + (np.array([2, 3, 4, 5]),) * PROBES_PER_GROUP
    totals = GroupProbeBlock(family, problem, "exact", sources, seeds)(range(2 * PROBES_PER_GROUP)).totals
    for place, own in ((0, totals[:PROBES_PER_GROUP]), (2, totals[PROBES_PER_GROUP:])):
        assert found[place] == pytest.approx(threshold(own, PROBES_PER_GROUP, 0.01, "familywise", 3))
    assert (found[2] or 0.0) > (found[0] or 0.0)


# -- on tables of noise ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_totals_of_noise_stay_below_their_own_mark_and_cross_that_of_single_weights() -> None:
    totals, crossed = 0, 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        result = (
            RelevanceClassifier(C=0.2, random_state=seed).fit(rng.standard_normal((60, 5)), np.arange(60) % 3).result_
        )
        assert result.thresholds["total"] > result.thresholds["relevant"]
        totals += sum(f.max > result.thresholds["total"] for f in result.features)
        crossed += sum(f.max > result.thresholds["relevant"] for f in result.features)
    assert totals <= 1
    assert crossed >= 5


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_groups_of_noise_stay_below_their_own_mark() -> None:
    beyond, beyond_single = 0, 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((80, 8)), rng.standard_normal(80)
        groups = {"three": ["x1", "x2", "x3"], "four": ["x4", "x5", "x6", "x7"]}
        result = RelevanceRegressor(C=1.0, feature_groups=groups, random_state=seed).fit(X, y).result_
        beyond += sum(group.max > (group.threshold or 0.0) for group in result.groups)
        beyond_single += sum(group.max > result.thresholds["relevant"] for group in result.groups)
        assert RelevanceResult.from_json(result.to_json()) == result
    assert beyond <= 1
    assert beyond_single > beyond
