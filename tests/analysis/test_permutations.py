"""Permutations of samples: without groups any order, with groups whole groups change places."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.permutations import permutation
from relspan.losses import Hinge

SIZES = {
    "equal": [4] * 12,
    "two_common": [2] * 12 + [5] * 11,
    "rare": [3] * 12 + [1, 2, 7],
    "all_different": list(range(1, 13)),
    "single_rows": [1] * 15,
}


def groups_of(sizes: list[int], seed: int = 0) -> np.ndarray:
    """Numbers of groups of these sizes, their rows scattered over the table."""
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_rows_of_one_group_receive_the_rows_of_one_group(sizes: list[int], seed: int) -> None:
    groups = groups_of(sizes)
    chosen = permutation(len(groups), groups, np.random.default_rng(seed))
    donors = []
    for number in range(len(sizes)):
        received = groups[chosen[groups == number]]
        assert len(set(received)) == 1
        donors.append(received[0])
    assert sorted(donors) == list(range(len(sizes)))


@pytest.mark.parametrize("kind", ["equal", "two_common", "single_rows"])
def test_every_row_is_kept_and_in_order_where_sizes_are_common(kind: str) -> None:
    groups = groups_of(SIZES[kind])
    chosen = permutation(len(groups), groups, np.random.default_rng(1))
    assert sorted(chosen) == list(range(len(groups)))
    for number in np.unique(groups):
        assert (np.diff(chosen[groups == number]) > 0).all()


def test_a_donor_that_is_too_short_is_repeated_and_one_that_is_too_long_is_cut() -> None:
    groups = np.repeat([0, 1, 2], [2, 3, 7])
    for seed in range(20):
        chosen = permutation(12, groups, np.random.default_rng(seed))
        for number in range(3):
            received = chosen[groups == number]
            size = int((groups == groups[received[0]]).sum())
            assert len(set(received)) == min(size, len(received))
            assert set(np.diff(received) % size) <= {1 % size}


def test_without_groups_every_row_changes_places_alone() -> None:
    chosen = permutation(20, None, np.random.default_rng(3))
    np.testing.assert_array_equal(chosen, np.random.default_rng(3).permutation(20))


def test_dependence_within_groups_is_preserved() -> None:
    groups, rng = groups_of([5] * 40), np.random.default_rng(0)
    values = rng.standard_normal(40)[groups] + 0.1 * rng.standard_normal(200)

    def within(column: np.ndarray) -> float:
        return float(np.mean([column[groups == number].std() for number in range(40)]))

    kept = within(values[permutation(200, groups, rng)])
    assert kept == pytest.approx(within(values))
    assert within(values[permutation(200, None, rng)]) > 5 * kept


def test_every_group_takes_every_place() -> None:
    groups = groups_of([2] * 6)
    rng, places = np.random.default_rng(0), np.zeros((6, 6))
    for _ in range(600):
        chosen = permutation(12, groups, rng)
        places[np.arange(6), [groups[chosen[groups == number]][0] for number in range(6)]] += 1
    assert places.min() > 60
    assert places.max() < 145


def test_a_problem_permutes_columns_and_targets_by_its_groups() -> None:
    groups, rng = groups_of([3] * 10), np.random.default_rng(0)
    X, y = rng.standard_normal((30, 2)), np.where(np.arange(10) % 2, 1.0, -1.0)[groups]
    problem = LearningProblem(Hinge(), X, y, groups=groups)
    chosen = problem.permutation(np.random.default_rng(5))
    np.testing.assert_array_equal(problem.permuted(1, np.random.default_rng(5)), X[chosen, 1])
    assert all(len(set(y[chosen][groups == number])) == 1 for number in range(10))
