"""Greedy wrappers: forward, backward, and forward-backward.

v(F) is the cross-validated score on the features F, always on the same folds.

- **forward**: start with the best single feature; add the best next one while v rises by more than `tol`.
- **backward**: start with all features, *scored first*; remove the one whose removal scores best while v falls by no
  more than `tol`. (A search that does not score the full set cannot know that its first removal did harm.)
- **forward-backward**: forward; then backward from whichever scores better, the set found or the full set; then add and
  remove in turn until nothing changes. Its score is never below that of the full set.

Forward search is blind to features that help only together: of the three bits of a parity it keeps one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from sklearn.neighbors import KNeighborsClassifier

from relspan.errors import ParameterError
from relspan.selectors.selector import Selector
from relspan.selectors.subset_scorer import SubsetScorer, mask_of

DIRECTIONS = ("forward", "backward", "forward-backward")


class GreedyWrapper(Selector):
    """Greedy search for the subset on which a learner does best.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor, optional
        None takes five nearest neighbours.
    direction : {"forward", "backward", "forward-backward"}, default="forward-backward"
    cv : int, splitter or iterable, default=5
    scoring : str or callable, optional
    tol : float, default=0
        Smallest rise worth a feature more; largest fall accepted for a feature less.
    max_features : int, optional
        Largest set of the forward search.

    Attributes
    ----------
    support_ : boolean array of shape (n_features,)
    score_ : float
        Score of the chosen set on the folds that chose it: too good to report, use nested cross-validation.
    full_score_ : float or None
        Score of all features on the same folds (None for the forward search, which never needs it).
    history_ : list of (str, int, float)
        Every step: "add" or "remove", the column, the score after it.
    n_evaluations_ : int
        Subsets scored.
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        direction: str = "forward-backward",
        cv: Any = 5,
        scoring: Any = None,
        tol: float = 0.0,
        max_features: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.direction = direction
        self.cv = cv
        self.scoring = scoring
        self.tol = tol
        self.max_features = max_features

    def fit(self, X: Any, y: Any) -> Self:
        """Search the subsets of the columns of X."""
        if self.direction not in DIRECTIONS:
            raise ParameterError(f"direction={self.direction!r}: must be one of {', '.join(map(repr, DIRECTIONS))}")
        if not self.tol >= 0:
            raise ParameterError(f"tol={self.tol!r}: must be 0 or more")
        if self.max_features is not None and self.max_features < 1:
            raise ParameterError(f"max_features={self.max_features!r}: must be 1 or more, or None")
        X, y = self._checked(X, y)
        learner = KNeighborsClassifier() if self.estimator is None else self.estimator
        score = SubsetScorer(learner, X, y, self.cv, self.scoring)
        found = greedy_search(score, X.shape[1], self.direction, tol=self.tol, max_features=self.max_features)
        self.support_ = mask_of(found.chosen, X.shape[1])
        self.score_ = found.current
        self.full_score_ = None if self.direction == "forward" else score(range(X.shape[1]))
        self.history_ = found.history
        self.n_evaluations_ = score.n_evaluations
        return self


def greedy_search(
    score: Callable[[Iterable[int]], float],
    n_features: int,
    direction: str,
    *,
    tol: float = 0.0,
    max_features: int | None = None,
) -> GreedyPath:
    """Walk in a direction. Searches that are given the same `score` do not score a set twice."""
    path, full = GreedyPath(score, n_features, tol, max_features), list(range(n_features))
    if direction == "backward":
        path.start(full)
        path.remove_while_it_holds()
        return path
    path.add_while_it_helps()
    if direction == "forward-backward":
        if score(full) > path.current:
            path.start(full)
        while path.remove_while_it_holds() and path.add_while_it_helps():
            pass
    return path


class GreedyPath:
    """The current set (`chosen`), its score (`current`), the steps so far (`history`), and the two moves."""

    def __init__(
        self, score: Callable[[Iterable[int]], float], n_features: int, tol: float, max_features: int | None
    ) -> None:
        self.score, self.n_features, self.tol = score, n_features, tol
        self.largest = n_features if max_features is None else min(max_features, n_features)
        self.chosen: list[int] = []
        self.current = float("-inf")
        self.history: list[tuple[str, int, float]] = []

    def start(self, columns: list[int]) -> None:
        """Go on from these columns."""
        self.chosen, self.current = list(columns), self.score(columns)

    def add_while_it_helps(self) -> bool:
        """Whether anything was added."""
        added = False
        while len(self.chosen) < self.largest:
            rest = [x for x in range(self.n_features) if x not in self.chosen]
            best = max(rest, key=lambda x: self.score([*self.chosen, x]))
            value = self.score([*self.chosen, best])
            if not value > self.current + self.tol:
                break
            self.chosen.append(best)
            self._note("add", best, value)
            added = True
        return added

    def remove_while_it_holds(self) -> bool:
        """Whether anything was removed."""
        removed = False
        while len(self.chosen) > 1:
            best = max(self.chosen, key=lambda x: self.score([z for z in self.chosen if z != x]))
            value = self.score([z for z in self.chosen if z != best])
            if not value >= self.current - self.tol:
                break
            self.chosen.remove(best)
            self._note("remove", best, value)
            removed = True
        return removed

    def _note(self, what: str, column: int, value: float) -> None:
        self.current = value
        self.history.append((what, column, value))
