r"""The best subset of a given size for a monotone criterion, without trying all (Narendra and Fukunaga 1977).

If :math:`A \subset B \Rightarrow J(A) \le J(B)`, no subset of B can beat a value that B itself does not reach. Start
with all features and remove one at a time. At a node, order the removable features by J without them, lowest first:
the feature that costs most gets the largest subtree, which is the one most easily cut off. Visit the cheap removals
first, to have a good value to cut with.

The criterion must be monotone. Cross-validated accuracy is not, and is refused as soon as it shows. The built-in one is
the variance of the target explained by the best linear combination: with R the correlations of the features and B
those with an orthonormal basis of the (class indicators of the) target,

.. math:: J(S) = \operatorname{tr}(B_S' R_{SS}^{+} B_S)

which is R-squared for one number or two classes, and the sum of the squared canonical correlations for more.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from relspan.arrays import Floats
from relspan.checks import one_of, whole
from relspan.errors import ParameterError, RelspanWarning
from relspan.markov.fisher_z import unit_columns
from relspan.markov.independence_choice import discrete_target
from relspan.selectors.selector import Selector, mask_of
from relspan.tolerances import CRITERION_PSEUDO_RANK, CRITERION_RANK, MONOTONE_ROUNDING

Criterion = Callable[[Sequence[int]], float]


class BranchAndBound(Selector):
    """Branch and bound: the best subset of a given size for a monotone criterion.

    Parameters
    ----------
    n_features : int, default=1
        Size of the subset.
    criterion : "explained" or callable, default="explained"
        "explained" is the variance of the target that the best linear combination explains. A function of
        (columns of X, y) must never fall when a feature is added.
    max_evaluations : int, default=1000000
        Largest number of subsets evaluated. The search then stops with the best subset so far, a warning, and `proven_`
        False.

    Attributes
    ----------
    support_ : bool ndarray of shape (n_features,)
        Mask of the selected features.
    value_ : float
        J of the chosen subset.
    proven_ : bool
        Whether no other subset of this size is better.
    n_evaluations_ : int
        Number of subsets evaluated.

    See Also
    --------
    ExhaustiveSearch : For criteria that are not monotone, such as a cross-validated score.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from relspan.selectors import BranchAndBound
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> best = BranchAndBound(n_features=3).fit(X, y)
    >>> best.get_feature_names_out().tolist()
    ['bmi', 'bp', 's5']
    >>> best.proven_
    True
    """

    def __init__(
        self,
        *,
        n_features: int = 1,
        criterion: str | Callable[[Any, Any], float] = "explained",
        max_evaluations: int = 1_000_000,
    ) -> None:
        self.n_features = n_features
        self.criterion = criterion
        self.max_evaluations = max_evaluations

    def fit(self, X: Any, y: Any) -> Self:
        """Find the best subset of the columns of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        BranchAndBound
            The fitted selector.
        """
        whole("n_features", self.n_features, at_least=1)
        whole("max_evaluations", self.max_evaluations, at_least=1)
        if not callable(self.criterion):
            one_of("criterion", self.criterion, ("explained",))
        X, y = self._validate(X, y)
        p = X.shape[1]
        size = whole("n_features", self.n_features, at_least=1, at_most=p)
        tree = RemovalTree(self._value(X, y), size, self.max_evaluations)
        self.proven_ = tree.search(p)
        if not self.proven_:
            warnings.warn(
                f"partial result: max_evaluations={self.max_evaluations} reached, a better subset may exist",
                RelspanWarning,
                stacklevel=2,
            )
        self.value_ = tree.best_value
        self.n_evaluations_ = tree.n_evaluations
        self.support_ = mask_of(tree.best, p)
        return self

    def _value(self, X: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> Criterion:
        """J as a function of the columns."""
        criterion = self.criterion
        if not callable(criterion):
            return explained_variance(X, y)
        return lambda columns: float(criterion(X[:, list(columns)], y))


def explained_variance(X: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> Criterion:
    """J as a function of the columns."""
    Z = unit_columns(X)
    target: npt.NDArray[np.generic] = y[:, None]
    if discrete_target(y):
        codes = np.unique(y, return_inverse=True)[1]
        target = codes[:, None] == np.arange(1, codes.max() + 1)
    left, size, _ = np.linalg.svd(unit_columns(target), full_matrices=False)
    B: Floats = Z.T @ left[:, size > CRITERION_RANK]
    R: Floats = Z.T @ Z

    def value(columns: Sequence[int]) -> float:
        chosen = list(columns)
        sub, cross = R[np.ix_(chosen, chosen)], B[chosen]
        return float(np.sum(cross * (np.linalg.pinv(sub, rcond=CRITERION_PSEUDO_RANK, hermitian=True) @ cross)))

    return value


class RemovalTree:
    """Depth-first search over the features to remove."""

    def __init__(self, value: Criterion, size: int, max_evaluations: int) -> None:
        self.value, self.size, self.max_evaluations = value, size, max_evaluations
        self.best: tuple[int, ...] = ()
        self.best_value = float("-inf")
        self.n_evaluations = 0

    def search(self, p: int) -> bool:
        """Search; returns whether the tree was searched to its end."""
        everything = tuple(range(p))
        self.n_evaluations = 1
        self._descend(everything, list(everything), self.value(everything))
        if not self.best:  # the guard was met before the first leaf
            self.best = everything[: self.size]
            self.best_value = self.value(self.best)
        return self.n_evaluations < self.max_evaluations

    def _descend(self, chosen: tuple[int, ...], removable: list[int], value: float) -> None:
        removals = len(chosen) - self.size
        if removals == 0:
            if value > self.best_value:
                self.best, self.best_value = chosen, value
            return
        children = []
        for x in removable:
            if self.n_evaluations >= self.max_evaluations:
                return
            rest = tuple(z for z in chosen if z != x)
            below = self._monotone_value(rest, value)
            children.append((below, x, rest))
        children.sort()
        order = [x for _, x, _ in children]
        for i in range(len(children) - removals, -1, -1):
            below, _, rest = children[i]
            if below > self.best_value:
                self._descend(rest, order[i + 1 :], below)

    def _monotone_value(self, columns: tuple[int, ...], above: float) -> float:
        self.n_evaluations += 1
        value = self.value(columns)
        if value > above + MONOTONE_ROUNDING * max(1.0, abs(above)):
            raise ParameterError(
                f"criterion is not monotone: {value:.6g} on columns {list(columns)}, but {above:.6g} with one more. "
                f"Branch and bound would cut off the best subset; use ExhaustiveSearch or GeneticSearch"
            )
        return value
