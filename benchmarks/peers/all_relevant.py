"""Methods that, like relspan, say which features are relevant at all: tests, knockoffs, penalties, forests.

Each is a function of a table scaled to mean 0 and deviation 1, its target, the task and a seed, and gives a mask of the
features called relevant. Tests have the familywise level .05, knockoffs the false discovery rate .2.

    marginal tests, Holm       an F test per feature; numbers and ordered classes by correlation (of ranks)
    joint tests, Holm          a t test per weight of one linear regression; needs more rows than features
    knockoffs                  Gaussian, second order, equicorrelated (Candes et al., JRSS B 80, 2018); knockoff+ filter
                               of lasso weights (Barber and Candes, Annals of Statistics 43, 2015)
    Lasso-CV                   weights other than 0; logistic with an L1 penalty for classes
    stability selection        that of relspan.compare; classes only
    Boruta                     that of relspan.compare; package Boruta
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.stats import rankdata, t
from sklearn.covariance import LedoitWolf
from sklearn.feature_selection import f_classif, f_regression
from sklearn.linear_model import LassoCV, LogisticRegression
from sklearn.model_selection import GridSearchCV

from relspan.compare import METHODS

LEVEL = 0.05
FALSE_DISCOVERY_RATE = 0.2
FOLDS = 5
C_VALUES = np.geomspace(0.01, 10, 10)
ZERO_WEIGHT = 1e-5
NOT_ESTIMABLE = 1e-5  # the part of a weight that no row determines, from which on it has no test
Select = Callable[[np.ndarray, np.ndarray, str, int], np.ndarray]


@dataclass(frozen=True)
class Peer:
    """A method, whether it is slow, whether it needs classes as target, and a package that it needs."""

    select: Select
    slow: bool = False
    classes_only: bool = False
    package: str | None = None

    @property
    def installed(self) -> bool:
        """Whether the package that the method needs can be imported."""
        return self.package is None or find_spec(self.package) is not None

    def mask(self, X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
        """The features that it calls relevant; its warnings are its own affair."""
        deviation = X.std(axis=0)
        Z = (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(self.select(Z, y, task, seed)) > 0


def holm(p: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Which of several p-values are significant together (Holm, Scandinavian Journal of Statistics 6, 1979)."""
    order = np.argsort(p)
    passed = p[order] <= level / np.arange(len(p), 0, -1)
    kept = np.zeros(len(p), dtype=bool)
    kept[order[: len(p) if passed.all() else int(passed.argmin())]] = True
    return kept


def targets(y: np.ndarray, task: str) -> list[np.ndarray]:
    """The target as columns of numbers: itself, the ranks of ordered classes, or one indicator per class."""
    if task != "classification":
        return [np.asarray(y, dtype=float) if task == "regression" else rankdata(y)]
    labels = np.unique(y)
    return [(y == label).astype(float) for label in (labels[1:] if len(labels) == 2 else labels)]


def marginal_tests(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """An F test per feature, alone."""
    test = f_classif(X, y) if task == "classification" else f_regression(X, targets(y, task)[0])
    return holm(np.nan_to_num(test[1], nan=1.0))


def joint_tests(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """A t test per weight of one linear regression, for several classes one regression per class."""
    n, d = X.shape
    free = n - d - 1
    if free < 1:
        return np.zeros(d, dtype=bool)
    inverse = np.linalg.pinv(X)
    estimable = np.abs(1 - np.einsum("ij,ji->i", inverse, X)) < NOT_ESTIMABLE
    several = [column - column.mean() for column in targets(y, task)]
    p = np.ones(d)
    for column in several:
        weights = inverse @ column
        residual = column - X @ weights
        error = np.sqrt(residual @ residual / free * (inverse**2).sum(axis=1))
        own = len(several) * 2 * t.sf(np.abs(weights) / np.where(estimable, error, np.inf), free)
        p = np.minimum(p, own)
    return holm(p)


def lasso_weights(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """The size of each weight of a cross-validated lasso on the coded target; the largest of several."""
    fits = [LassoCV(cv=FOLDS, random_state=seed).fit(X, column - column.mean()) for column in targets(y, task)]
    return np.abs([fit.coef_ for fit in fits]).max(axis=0)


def knockoffs(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Features whose lasso weight exceeds that of their knockoff by more than chance explains."""
    rng = np.random.default_rng(seed)
    n, d = X.shape
    covariance = LedoitWolf().fit(X).covariance_
    deviation = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(deviation, deviation)
    s = np.full(d, min(1.0, 2 * float(np.linalg.eigvalsh(correlation)[0])))
    explained = np.linalg.solve(correlation, np.diag(s))
    values, vectors = np.linalg.eigh(2 * np.diag(s) - np.diag(s) @ explained)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    copies = X - X @ explained + rng.standard_normal((n, d)) @ root.T
    weights = lasso_weights(np.hstack([X, copies]), y, task, seed)
    return knockoff_filter(weights[:d] - weights[d:], FALSE_DISCOVERY_RATE)


def knockoff_filter(advantage: np.ndarray, rate: float) -> np.ndarray:
    """The features above the smallest threshold at which the estimated false discovery rate is at most `rate`."""
    for threshold in np.unique(np.abs(advantage[advantage != 0])):
        called = int((advantage >= threshold).sum())
        if (1 + int((advantage <= -threshold).sum())) / max(called, 1) <= rate:
            return advantage >= threshold
    return np.zeros(len(advantage), dtype=bool)


def lasso_cv(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """The weights that are not 0 at the penalty with the best held-out loss."""
    if task != "classification":
        return lasso_weights(X, y, task, seed) > ZERO_WEIGHT
    penalised: dict[str, Any] = {"l1_ratio": 1.0}
    if LogisticRegression().get_params().get("penalty") == "l2":  # scikit-learn before 1.8
        penalised = {"penalty": "l1"}
    machine = LogisticRegression(solver="liblinear", random_state=seed, **penalised)
    weights = []
    for column in targets(y, task):
        search = GridSearchCV(machine, {"C": C_VALUES}, scoring="neg_log_loss", cv=FOLDS).fit(X, column.astype(int))
        weights.append(np.abs(search.best_estimator_.coef_[0]))
    return np.max(weights, axis=0) > ZERO_WEIGHT


PEERS: dict[str, Peer] = {
    "marginal tests, Holm": Peer(marginal_tests),
    "joint tests, Holm": Peer(joint_tests),
    "knockoffs, rate .2": Peer(knockoffs),
    "Lasso-CV": Peer(lasso_cv),
    "stability selection": Peer(METHODS["stability"].select, classes_only=True),
    "Boruta": Peer(METHODS["boruta"].select, slow=True, package="boruta"),
}
