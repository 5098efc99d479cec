"""Folds that the data deal: every row is held out once per repeat, whatever the order of the rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from relspan.analysis.canonical_order import row_order
from relspan.analysis.folds import Folds, in_order_of_appearance
from relspan.errors import DataError


def table(n: int = 53, d: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0.4, 1.0, -1.0)


def numbers_of(folds: Folds, X, y, groups=None) -> np.ndarray:
    """(repeats, rows): the fold in which each row is held out."""
    found = np.full((folds.repeats, len(y)), -1)
    parts = list(folds.split(X, y, groups))
    each = len(parts) // folds.repeats
    for place, (train, test) in enumerate(parts):
        assert sorted([*train, *test]) == list(range(len(y)))
        assert (found[place // each, test] == -1).all()
        found[place // each, test] = place % each
    assert (found >= 0).all()
    return found


@pytest.mark.parametrize("stratified", [True, False])
def test_every_fold_has_its_share_of_rows_and_classes(stratified: bool) -> None:
    X, y = table()
    for numbers in numbers_of(Folds(5, 3, stratified, 0), X, y):
        sizes = np.bincount(numbers)
        assert sizes.max() - sizes.min() <= 1
        if stratified:
            for one in (-1.0, 1.0):
                share = np.bincount(numbers[y == one], minlength=5)
                assert share.max() - share.min() <= 1


def test_repeats_and_seeds_deal_anew() -> None:
    X, y = table()
    first, second = numbers_of(Folds(5, 2, True, 0), X, y)
    assert (first != second).any()
    assert (numbers_of(Folds(5, 1, True, 1), X, y)[0] != first).any()
    np.testing.assert_array_equal(numbers_of(Folds(5, 2, True, 0).once, X, y)[0], first)


@pytest.mark.parametrize("kind", ["dense", "sparse", "binary", "numbers", "groups"])
def test_the_order_of_rows_does_not_matter(kind: str) -> None:
    X, y = table()
    X = (X > 0.5).astype(float) if kind == "binary" else X
    y = X[:, 0] + X[:, 1] if kind == "numbers" else y
    groups = np.arange(53) // 4 if kind == "groups" else None
    order = np.random.default_rng(1).permutation(53)
    folds = Folds(5, 2, kind != "numbers", 0)

    def held_out(rows: np.ndarray) -> list[set]:
        matrix = sparse.csr_array(X[rows]) if kind == "sparse" else X[rows]
        own = None if groups is None else in_order_of_appearance(groups[rows])
        return [
            sorted(map(tuple, np.column_stack([X, y])[rows][test])) for _, test in folds.split(matrix, y[rows], own)
        ]

    assert held_out(np.arange(53)) == held_out(order)


def test_folds_do_not_repeat_chance_correlations() -> None:
    """On noise the rows held out agree no more with the rest than rows of other tables do."""
    agreement = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x, y = rng.standard_normal((40, 1)), np.repeat([-1.0, 1.0], 20)
        for train, test in Folds(5, 1, True, 0).split(x, y):
            agreement.append((x[train, 0] @ y[train]) * (x[test, 0] @ y[test]))
    assert np.mean(agreement) < 2 * np.std(agreement) / np.sqrt(len(agreement))


def test_folds_of_numbers_have_small_and_large_ones() -> None:
    X, _ = table(50)
    numbers = numbers_of(Folds(5, 1, False, 0), X, X[:, 0])[0]
    runs = numbers[np.argsort(X[:, 0])].reshape(10, 5)
    assert (np.sort(runs, axis=1) == np.arange(5)).all()


def test_constant_columns_and_targets_do_no_harm() -> None:
    X = np.column_stack([np.ones(9), np.arange(9.0)])
    assert sorted(row_order(X, np.ones(9))) == list(range(9))


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("sizes", [[3] * 20, [1, 2, 3, 4, 5] * 6, [30, 2, 2, 2, 2, 2, 2]])
def test_groups_stay_together_and_shares_stay_even(stratified: bool, sizes: list[int]) -> None:
    groups = np.random.default_rng(0).permutation(np.repeat(np.arange(len(sizes)), sizes))
    y = (np.arange(len(sizes)) % 2)[groups] * 1.0
    X = np.random.default_rng(1).standard_normal((len(y), 3))
    for numbers in numbers_of(Folds(5, 2, stratified, 0), X, y, groups):
        for group in np.unique(groups):
            assert len(set(numbers[groups == group])) == 1
        held = np.bincount(numbers, minlength=5)
        assert held.max() <= max(max(sizes), len(y) / 5 + 2 * np.mean(sizes))
        assert held.min() > 0


def test_few_groups_make_few_folds() -> None:
    X, y = table(40)
    assert len(list(Folds(5, 1, True, 0).split(X, y, np.arange(40) % 4))) == 4
    with pytest.raises(DataError, match="2 samples, or groups of them, cannot be dealt to 3 folds"):
        list(Folds(5, 1, True, 0).split(X, y, np.arange(40) % 2))
