"""The folds of cross-validation, dealt from the data themselves, so that neither the order of rows nor chance decides.

Rows are put in an order that depends on their contents alone (`canonical_order`), with a target of numbers along the
target. From there they are dealt: the rows of a class in random order, each
run of K of them to K different folds; with a target of numbers each run of K rows along the target. So every fold has
its share of each class, or of small and large numbers, and another order of the rows gives the same folds. `seed`
decides who goes where, and the repeats deal again. Features have no say in it: folds in which a feature is balanced
within each class would repeat its chance correlation with the target, and held-out losses would be too good.

Rows of one group are dealt together: the groups in turn, those with most rows first, each to the fold where it leaves
the shares of classes (or of parts of a numeric target) most even.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from relspan.analysis.canonical_order import row_order, target_itself
from relspan.arrays import Floats, Ints
from relspan.errors import DataError

FEWEST_FOLDS = 3
SHARE_DIGITS = 9  # of sums of shares: further digits depend on the order of the rows
TARGET_PARTS = 5  # of a numeric target, whose shares are kept even over folds of groups


@dataclass(frozen=True)
class Folds(BaseCrossValidator):  # type: ignore[misc]
    """How rows are dealt to folds: to how many, how often, with all classes in each or not, and with which seed."""

    count: int
    repeats: int
    stratified: bool
    seed: int

    @property
    def once(self) -> Folds:
        """The first deal alone."""
        return replace(self, repeats=1)

    @property
    def others(self) -> Folds:
        """Another single deal, for a judgement of what these folds have chosen."""
        return replace(self, repeats=1, seed=self.seed + 1_000_003)

    def split(self, X: Any, y: Any, groups: Ints | None = None) -> Iterator[tuple[Ints, Ints]]:
        """The rows to learn from, and the rows held out, fold by fold, in an order that the contents decide."""
        order, y = row_order(X, y, target_first=not self.stratified), target_itself(y)
        for repeat in range(self.repeats):
            rng = np.random.default_rng([self.seed, repeat])
            if groups is None:
                numbers = _dealt(y[order] if self.stratified else None, len(y), self._folds(len(y)), rng)
            else:
                kinds = y[order] if self.stratified else np.arange(len(y)) * TARGET_PARTS // len(y)
                whole = in_order_of_appearance(groups[order])
                numbers = _dealt_by_group(kinds, whole, self._folds(int(whole.max()) + 1), rng)
            for number in range(numbers.max() + 1):
                yield order[numbers != number], order[numbers == number]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of folds of all repeats."""
        return self.count * self.repeats

    def _folds(self, available: int) -> int:
        if available < FEWEST_FOLDS:
            raise DataError(
                f"{available} samples, or groups of them, cannot be dealt to {FEWEST_FOLDS} folds: cross-validation, "
                "which chooses parameters and judges the best model, needs more samples"
            )
        return min(self.count, available)


def in_order_of_appearance(groups: Ints) -> Ints:
    """The same groups, numbered from 0 on as they appear."""
    _, first, numbers = np.unique(groups, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[numbers]


def _dealt(classes: Floats | None, n_rows: int, folds: int, rng: np.random.Generator) -> Ints:
    """The fold of every row: of each class in random order, or of all rows in theirs, run by run.

    What is left at the end of a class goes to the smallest folds.
    """
    parts = [np.arange(n_rows)]
    if classes is not None:
        found, first = np.unique(classes, return_index=True)
        parts = [rng.permutation(np.flatnonzero(classes == one)) for one in found[np.argsort(first)]]
    numbers, sizes = np.empty(n_rows, dtype=np.intp), np.zeros(folds, dtype=np.intp)
    for rows in parts:
        runs = rng.permuted(np.tile(np.arange(folds), (len(rows) // folds, 1)), axis=1).ravel()
        left = np.lexsort([rng.random(folds), sizes])[: len(rows) - len(runs)]
        numbers[rows] = np.concatenate([runs, rng.permutation(left)])
        sizes += np.bincount(numbers[rows], minlength=folds)
    return numbers


def _dealt_by_group(kinds: Ints, groups: Ints, folds: int, rng: np.random.Generator) -> Ints:
    """The same for whole groups: each goes where the shares of all kinds of rows stay most even."""
    kinds = np.unique(kinds, return_inverse=True)[1]
    shares = np.zeros((groups.max() + 1, kinds.max() + 1))
    np.add.at(shares, (groups, kinds), 1.0 / np.bincount(kinds)[kinds])
    held, place = np.zeros((folds, shares.shape[1])), np.empty(len(shares), dtype=np.intp)
    for group in np.lexsort([rng.random(len(shares)), -shares.sum(axis=1)]):
        # of the sum of squares of all shares only this differs between folds
        rise = (2 * held + shares[group]) @ shares[group]
        place[group] = np.lexsort([rng.random(folds), held.sum(axis=1), np.round(rise, SHARE_DIGITS)])[0]
        held[place[group]] += shares[group]
    return place[groups]
