r"""Branch and bound for a monotone criterion: the best subset of a given size, or the fewest features that suffice.

The searches are those of :mod:`relspan.selectors.removal_tree`. Cross-validated accuracy is not monotone, and is
refused as soon as it shows. The built-in criterion is the variance of the target explained by the best linear
combination: with R the correlations of the features and B those with an orthonormal basis of the (class indicators of
the) target,

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
from relspan.checks import number, one_of, whole
from relspan.errors import ParameterError, RelspanWarning
from relspan.markov.fisher_z import unit_columns
from relspan.markov.independence_choice import discrete_target
from relspan.selectors.removal_tree import Criterion, FewestFeatures, RemovalTree
from relspan.selectors.selector import Selector, mask_of
from relspan.tolerances import CRITERION_PSEUDO_RANK, CRITERION_RANK


class BranchAndBound(Selector):
    """Branch and bound: the best subset of a given size, or the fewest features that reach a value.

    Parameters
    ----------
    n_features : int, default=None
        Size of the subset. None is 1, or as few as possible if `reach` is given.
    reach : float, default=None
        Find the fewest features for which the criterion is at least this value, and among several such subsets the one
        with the largest value. None finds the best subset of `n_features`.
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
        The criterion's value for the chosen subset.
    proven_ : bool
        Whether no other subset of this size is better, and with `reach`, no smaller one suffices.
    n_evaluations_ : int
        Number of subsets evaluated.

    See Also
    --------
    ExhaustiveSearch : For criteria that are not monotone, such as a cross-validated score; it has `reach`, too.

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

    The fewest features that explain half of the variance:

    >>> BranchAndBound(reach=0.5).fit(X, y).get_feature_names_out().tolist()
    ['sex', 'bmi', 'bp', 's3', 's5']
    """

    def __init__(
        self,
        *,
        n_features: int | None = None,
        reach: float | None = None,
        criterion: str | Callable[[Any, Any], float] = "explained",
        max_evaluations: int = 1_000_000,
    ) -> None:
        self.n_features = n_features
        self.reach = reach
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
        if self.n_features is not None:
            whole("n_features", self.n_features, at_least=1)
        if self.reach is not None:
            number("reach", self.reach)
            if self.n_features is not None:
                raise ParameterError(
                    f"reach={self.reach:g} finds the smallest size itself: leave out n_features={self.n_features}"
                )
        whole("max_evaluations", self.max_evaluations, at_least=1)
        if not callable(self.criterion):
            one_of("criterion", self.criterion, ("explained",))
        X, y = self._validate(X, y)
        p = X.shape[1]
        tree = self._tree(self._value(X, y), p)
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

    def _tree(self, value: Criterion, p: int) -> RemovalTree | FewestFeatures:
        if self.reach is not None:
            return FewestFeatures(value, self.reach, self.max_evaluations)
        size = 1 if self.n_features is None else whole("n_features", self.n_features, at_least=1, at_most=p)
        return RemovalTree(value, size, self.max_evaluations)

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
