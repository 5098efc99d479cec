"""The folds of cross-validation: who is held out together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator, GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from relspan.arrays import Ints

FOLDS = 3


def splitter_for(stratified: bool, grouped: bool, seed: int | None) -> BaseCrossValidator:
    """Random folds: with all classes in each where the target has classes, and rows of one group in one fold."""
    kinds = (StratifiedGroupKFold, GroupKFold) if grouped else (StratifiedKFold, KFold)
    return kinds[not stratified](FOLDS, shuffle=True, random_state=seed)


@dataclass(frozen=True, eq=False)
class KnownFolds(BaseCrossValidator):  # type: ignore[misc]
    """Folds that were drawn before: the number of the fold of every sample."""

    numbers: Ints

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Ints, Ints]]:
        """The rows to learn from, and the rows held out, fold by fold."""
        for number in np.unique(self.numbers):
            yield np.flatnonzero(self.numbers != number), np.flatnonzero(self.numbers == number)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of folds."""
        return len(np.unique(self.numbers))
