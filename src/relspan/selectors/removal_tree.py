r"""Depth-first searches over the features to remove, for a monotone criterion J (Narendra and Fukunaga 1977).

If :math:`A \subset B \Rightarrow J(A) \le J(B)`, no subset of B can beat a value that B itself does not reach. Both
searches start with all features and remove one at a time.

* `RemovalTree` finds the best subset of a given size. At a node, order the removable features by J without them, lowest
  first: the feature that costs most gets the largest subtree, which is the one most easily cut off. Visit the cheap
  removals first, to have a good value to cut with.
* `FewestFeatures` finds the smallest subset with :math:`J \ge t`. If J falls below t without a feature, every subset
  of the node that reaches t contains this feature. The number of such features bounds the size from below; a node whose
  bound exceeds the best size so far is cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from relspan.errors import ParameterError
from relspan.tolerances import MONOTONE_ROUNDING

Criterion = Callable[[Sequence[int]], float]


class MonotoneCriterion:
    """A criterion that counts its evaluations, and refuses to go on once it has risen with a feature less."""

    def __init__(self, value: Criterion, max_evaluations: int) -> None:
        self.value, self.max_evaluations = value, max_evaluations
        self.n_evaluations = 0

    @property
    def is_spent(self) -> bool:
        """Whether no evaluation is left."""
        return self.n_evaluations >= self.max_evaluations

    def of_all(self, columns: tuple[int, ...]) -> float:
        """The value of the set that the search starts with."""
        self.n_evaluations += 1
        return self.value(columns)

    def without_one(self, columns: tuple[int, ...], above: float) -> float:
        """The value of a set, `above` being that of the same set with one more feature."""
        self.n_evaluations += 1
        value = self.value(columns)
        if value > above + MONOTONE_ROUNDING * max(1.0, abs(above)):
            raise ParameterError(
                f"criterion is not monotone: {value:.6g} on columns {list(columns)}, but {above:.6g} with one more. "
                f"Branch and bound would cut off the best subset; use ExhaustiveSearch or GeneticSearch"
            )
        return value


class RemovalTree:
    """The best subset of a given size."""

    def __init__(self, value: Criterion, size: int, max_evaluations: int) -> None:
        self.criterion, self.size = MonotoneCriterion(value, max_evaluations), size
        self.best: tuple[int, ...] = ()
        self.best_value = float("-inf")

    @property
    def n_evaluations(self) -> int:
        """Number of subsets evaluated so far."""
        return self.criterion.n_evaluations

    def search(self, p: int) -> bool:
        """Search; returns whether the tree was searched to its end."""
        everything = tuple(range(p))
        self._descend(everything, list(everything), self.criterion.of_all(everything))
        if not self.best:  # the guard was met before the first leaf
            self.best = everything[: self.size]
            self.best_value = self.criterion.value(self.best)
        return not self.criterion.is_spent

    def _descend(self, chosen: tuple[int, ...], removable: list[int], value: float) -> None:
        removals = len(chosen) - self.size
        if removals == 0:
            if value > self.best_value:
                self.best, self.best_value = chosen, value
            return
        children = []
        for x in removable:
            if self.criterion.is_spent:
                return
            rest = tuple(z for z in chosen if z != x)
            children.append((self.criterion.without_one(rest, value), x, rest))
        children.sort()
        order = [x for _, x, _ in children]
        for i in range(len(children) - removals, -1, -1):
            below, _, rest = children[i]
            if below > self.best_value:
                self._descend(rest, order[i + 1 :], below)


class FewestFeatures:
    """The smallest subset that reaches a value, and among several of that size the best."""

    def __init__(self, value: Criterion, reach: float, max_evaluations: int) -> None:
        self.criterion, self.reach = MonotoneCriterion(value, max_evaluations), reach
        self._least = reach - MONOTONE_ROUNDING * max(1.0, abs(reach))  # a set must not fail by rounding alone
        self.best: tuple[int, ...] = ()
        self.best_value = float("-inf")

    @property
    def n_evaluations(self) -> int:
        """Number of subsets evaluated so far."""
        return self.criterion.n_evaluations

    def search(self, p: int) -> bool:
        """Search; returns whether the tree was searched to its end. Refuse a value that all features do not reach."""
        everything = tuple(range(p))
        value = self.criterion.of_all(everything)
        if value < self._least:
            raise ParameterError(f"reach={self.reach:g} cannot be reached: all {p} features together give {value:.6g}")
        self.best, self.best_value = everything, value
        self._descend(everything, frozenset(), value)
        return not self.criterion.is_spent

    def _descend(self, chosen: tuple[int, ...], required: frozenset[int], value: float) -> None:
        """Visit a subset that reaches the value; the features in `required` stay in all its descendants."""
        if len(chosen) < len(self.best) or (len(chosen) == len(self.best) and value > self.best_value):
            self.best, self.best_value = chosen, value
        children = []
        for x in chosen:
            if x in required or len(chosen) == 1:
                continue
            if self.criterion.is_spent:
                return
            rest = tuple(z for z in chosen if z != x)
            below = self.criterion.without_one(rest, value)
            if below >= self._least:
                children.append((below, x, rest))
            else:
                required |= {x}
        children.sort(reverse=True)  # the cheapest removal first
        for below, x, rest in children:
            if self._may_improve(required, rest, below):
                self._descend(rest, required, below)
            required |= {x}  # all subsets without x have been visited

    def _may_improve(self, required: frozenset[int], chosen: tuple[int, ...], value: float) -> bool:
        """Whether a subset of the chosen features, with the required ones, can be smaller than the best or better."""
        least = max(len(required), 1)
        return least < len(self.best) or (least == len(self.best) <= len(chosen) and value > self.best_value)
