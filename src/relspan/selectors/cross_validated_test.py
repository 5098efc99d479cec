"""Which independence test serves a learner best, found by cross-validation.

Continuous columns can be tested as they are (Fisher's z, or the likelihood ratio where there are more than two
classes), which sees straight lines only, or as a few levels of equal frequency (G2), which sees any shape and loses
detail. Which of the two is better depends on the table. For each of them, the search is run on the training part of
every fold, the learner is fitted to the columns it found, and the held-out part scores it. The larger mean score wins;
the test of the columns as they are wins a tie. Where a search finds nothing, the learner can only guess, and a guess is
scored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor

from relspan.arrays import Ints
from relspan.selectors.subset_scorer import Fold


class CandidateTest(NamedTuple):
    """A test by name, and the number of levels that continuous columns are cut into; None does not cut."""

    test: str
    n_bins: int | None

    @property
    def label(self) -> str:
        """The choice in a few words."""
        return self.test if self.n_bins is None else f"{self.test}, {self.n_bins} levels"


Search = Callable[[CandidateTest, npt.NDArray[np.generic], npt.NDArray[np.generic]], list[int]]


def choice_scores(
    choices: list[CandidateTest],
    search: Search,
    learner: Any,
    scorer: Any,
    X: npt.NDArray[np.generic],
    y: npt.NDArray[np.generic],
    folds: list[Fold],
) -> list[float]:
    """The mean held-out score of the learner on the columns that each choice of a test finds."""
    return [
        float(np.mean([_fold_score(choice, search, learner, scorer, X, y, *fold) for fold in folds]))
        for choice in choices
    ]


def _fold_score(
    choice: CandidateTest,
    search: Search,
    learner: Any,
    scorer: Any,
    X: npt.NDArray[np.generic],
    y: npt.NDArray[np.generic],
    train: Ints,
    test: Ints,
) -> float:
    columns = search(choice, X[train], y[train])
    model = clone(learner)
    if not columns:
        columns, model = [0], DummyRegressor() if is_regressor(learner) else DummyClassifier(strategy="prior")
    model.fit(X[train][:, columns], y[train])
    return float(scorer(model, X[test][:, columns], y[test]))
