"""Greedy wrappers: forward, backward, and forward-backward.

v(F) is the cross-validated score on the features F, always on the same folds.

- **forward**: start with the best single feature; add the best next one while v rises by more than `tol`.
- **backward**: start with all features, *scored first*; remove the one whose removal scores best while v falls by no
  more than `tol`. (A search that does not score the full set cannot know that its first removal did harm.)
- **forward-backward**: forward; then backward from whichever scores better, the set found or the full set; then add and
  remove in turn until nothing changes. Its score is never below that of the full set.

Each step takes the *best* feature, which scores every candidate: a backward search over p features fits some p^2 / 2
models per fold. Or it takes the *first* feature that qualifies, in the order of the columns, and goes on with the next
one: a sweep fits p models per fold, so that tables of hundreds of columns can be searched whole. Sweeps are repeated
until one changes nothing, so that both end at a set that no single step improves.

Forward search is blind to features that help only together: of the three bits of a parity it keeps one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from sklearn.neighbors import KNeighborsClassifier

from relspan.checks import number, one_of, whole
from relspan.selectors.selector import Selector, mask_of
from relspan.selectors.subset_scorer import SubsetScorer, check_learner

SEARCH_DIRECTIONS = ("forward", "backward", "forward-backward")
STEPS = ("best", "first")


class GreedyWrapper(Selector):
    """Greedy search for the subset on which a learner does best.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor, default=None
        The learner; None takes five nearest neighbours.
    direction : {"forward", "backward", "forward-backward"}, default="forward-backward"
        Add features, remove them, or do both in turn.
    step : {"best", "first"}, default="best"
        Take the best feature of all at each step, or the first one that qualifies in the order of the columns. "first"
        is many times faster on wide tables, and its answer depends on the order of the columns.
    cv : int, splitter or iterable, default=5
        Folds of the cross-validation.
    scoring : str or callable, default=None
        Score of the cross-validation; None takes the estimator's own.
    tol : float, default=0.0
        A feature is added if the score rises by more than this, and removed if the score falls by no more.
    max_features : int, default=None
        Size of the largest set of the forward search; None sets no limit.

    Attributes
    ----------
    support_ : bool ndarray of shape (n_features,)
        Mask of the selected features.
    score_ : float
        Score of the chosen set on the folds that chose it: too good to report, use nested cross-validation.
    full_score_ : float or None
        Score of all features on the same folds (None for the forward search, which never needs it).
    history_ : list of (str, int, float)
        Every step: "add" or "remove", the column, the score after it.
    n_evaluations_ : int
        Number of subsets scored.

    See Also
    --------
    GeneticSearch : Finds features that help only together.
    ExhaustiveSearch : Scores every subset.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan.selectors import GreedyWrapper
    >>> X, y = load_iris(return_X_y=True)
    >>> wrapper = GreedyWrapper(direction="forward").fit(X, y)
    >>> [(step, column) for step, column, _ in wrapper.history_]
    [('add', 3), ('add', 2)]
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        direction: str = "forward-backward",
        step: str = "best",
        cv: Any = 5,
        scoring: Any = None,
        tol: float = 0.0,
        max_features: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.direction = direction
        self.step = step
        self.cv = cv
        self.scoring = scoring
        self.tol = tol
        self.max_features = max_features

    def fit(self, X: Any, y: Any) -> Self:
        """Search the subsets of the columns of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        GreedyWrapper
            The fitted selector.
        """
        learner = KNeighborsClassifier() if self.estimator is None else self.estimator
        one_of("direction", self.direction, SEARCH_DIRECTIONS)
        one_of("step", self.step, STEPS)
        number("tol", self.tol, at_least=0)
        if self.max_features is not None:
            whole("max_features", self.max_features, at_least=1, hint="None sets no limit")
        check_learner(learner, self.cv, self.scoring)
        X, y = self._validate(X, y)
        score = SubsetScorer(learner, X, y, self.cv, self.scoring)
        found = greedy_search(
            score, X.shape[1], self.direction, step=self.step, tol=self.tol, max_features=self.max_features
        )
        self.support_ = mask_of(found.columns, X.shape[1])
        self.score_ = found.best_score
        self.full_score_ = None if self.direction == "forward" else score(range(X.shape[1]))
        self.history_ = found.history
        self.n_evaluations_ = score.n_evaluations
        return self


def greedy_search(
    score: Callable[[Iterable[int]], float],
    n_features: int,
    direction: str,
    *,
    step: str = "best",
    tol: float = 0.0,
    max_features: int | None = None,
) -> GreedyPath:
    """Walk in a direction; searches that share one `score` do not score a set twice.

    Parameters
    ----------
    score : callable
        The score of a set of columns.
    n_features : int
        Number of columns.
    direction : {"forward", "backward", "forward-backward"}
        Add features, remove them, or do both in turn.
    step : {"best", "first"}, default="best"
        Take the best feature at each step, or the first one that qualifies.
    tol : float, default=0.0
        Smallest rise that adds a feature; largest fall that removes one.
    max_features : int, default=None
        Size of the largest set of the forward search.

    Returns
    -------
    GreedyPath
        The set found, its score and the steps.
    """
    kind = GreedyPath if step == "best" else SweepingPath
    path, full = kind(score, n_features, tol, max_features), list(range(n_features))
    if direction == "backward":
        path.start(full)
        path.remove_while_it_holds()
        return path
    path.add_while_it_helps()
    if direction == "forward-backward":
        if score(full) > path.best_score:
            path.start(full)
        while path.remove_while_it_holds() and path.add_while_it_helps():
            pass
    return path


class GreedyPath:
    """The current set (`columns`), its score (`best_score`), the steps so far (`history`), and the two moves."""

    def __init__(
        self, score: Callable[[Iterable[int]], float], n_features: int, tol: float, max_features: int | None
    ) -> None:
        self.score, self.n_features, self.tol = score, n_features, tol
        self.largest = n_features if max_features is None else min(max_features, n_features)
        self.columns: list[int] = []
        self.best_score = float("-inf")
        self.history: list[tuple[str, int, float]] = []

    def start(self, columns: list[int]) -> None:
        """Continue from these columns."""
        self.columns, self.best_score = list(columns), self.score(columns)

    def add_while_it_helps(self) -> bool:
        """Whether anything was added."""
        added = False
        while len(self.columns) < self.largest:
            rest = [x for x in range(self.n_features) if x not in self.columns]
            best = max(rest, key=lambda x: self.score([*self.columns, x]))
            value = self.score([*self.columns, best])
            if not value > self.best_score + self.tol:
                break
            self.columns.append(best)
            self._record("add", best, value)
            added = True
        return added

    def remove_while_it_holds(self) -> bool:
        """Whether anything was removed."""
        removed = False
        while len(self.columns) > 1:
            best = max(self.columns, key=lambda x: self.score([z for z in self.columns if z != x]))
            value = self.score([z for z in self.columns if z != best])
            if not value >= self.best_score - self.tol:
                break
            self.columns.remove(best)
            self._record("remove", best, value)
            removed = True
        return removed

    def _record(self, what: str, column: int, value: float) -> None:
        self.best_score = value
        self.history.append((what, column, value))


class SweepingPath(GreedyPath):
    """The same moves, but each takes the first column that qualifies and goes on with the next one."""

    def add_while_it_helps(self) -> bool:
        """Whether anything was added; columns are tried from the first to the last, until a sweep adds none."""
        added, left = False, self.n_features
        x = 0
        while left and len(self.columns) < self.largest:
            left -= 1
            if x not in self.columns:
                value = self.score([*self.columns, x])
                if value > self.best_score + self.tol:
                    self.columns.append(x)
                    self._record("add", x, value)
                    added, left = True, self.n_features - 1
            x = (x + 1) % self.n_features
        return added

    def remove_while_it_holds(self) -> bool:
        """Whether anything was removed; columns are tried from the last to the first, until a sweep removes none."""
        removed, left = False, self.n_features
        x = self.n_features - 1
        while left and len(self.columns) > 1:
            left -= 1
            if x in self.columns:
                value = self.score([z for z in self.columns if z != x])
                if value >= self.best_score - self.tol:
                    self.columns.remove(x)
                    self._record("remove", x, value)
                    removed, left = True, self.n_features - 1
            x = (x - 1) % self.n_features
        return removed
