"""Other selectors, as functions of a table: each gives a mask of the features it calls relevant.

Packages are used where a maintained one exists (Boruta, mlxtend, scikit-learn); stability selection and ensemble
feature selection are small implementations of the papers' ideas, named at their functions. Cut-offs on weights are
those of scikit-learn's SelectFromModel: the mean size of the weights for an L2 penalty, 1e-5 where the penalty makes
zeros.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from importlib.util import find_spec

import numpy as np
from scipy.stats import spearmanr
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif
from sklearn.inspection import permutation_importance
from sklearn.linear_model import ElasticNetCV, LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.svm import LinearSVC

Select = Callable[[np.ndarray, np.ndarray, int], np.ndarray]
ZERO = 1e-5
COSTS = np.geomspace(1e-3, 10, 9)


def _folds(seed: int) -> StratifiedKFold:
    return StratifiedKFold(3, shuffle=True, random_state=seed)


def _svm(X: np.ndarray, y: np.ndarray, seed: int, penalty: str) -> np.ndarray:
    machine = LinearSVC(penalty=penalty, dual=False, random_state=seed, max_iter=5000)
    return np.abs(GridSearchCV(machine, {"C": COSTS}, cv=_folds(seed)).fit(X, y).best_estimator_.coef_[0])


def l2_svm(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Weights above the mean of a linear SVM's; C by cross-validation."""
    weights = _svm(X, y, seed, "l2")
    return weights > weights.mean()


def l1_svm(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Weights that are not zero of a linear SVM with an L1 penalty; C by cross-validation."""
    return _svm(X, y, seed, "l1") > ZERO


def elastic_net(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Weights that are not zero of an elastic net on -1, +1; both parameters by cross-validation."""
    folds = KFold(3, shuffle=True, random_state=seed)
    signs = np.where(y == y.max(), 1.0, -1.0)
    net = ElasticNetCV(l1_ratio=[0.1, 0.5, 0.9], cv=folds, random_state=seed).fit(X, signs)
    return np.abs(net.coef_) > ZERO


def _greedy(X: np.ndarray, y: np.ndarray, seed: int, forward: bool) -> np.ndarray:
    from mlxtend.feature_selection import SequentialFeatureSelector

    folds = list(_folds(seed).split(X, y))
    search = SequentialFeatureSelector(LogisticRegression(), k_features="best", forward=forward, cv=folds).fit(X, y)
    if search.interrupted_:
        raise KeyboardInterrupt  # which it has swallowed
    return np.isin(np.arange(X.shape[1]), search.k_feature_idx_)


def forward(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Greedy forward search around a logistic regression (mlxtend), of the size that does best."""
    return _greedy(X, y, seed, True)


def backward(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Greedy backward search around a logistic regression (mlxtend), of the size that does best."""
    return _greedy(X, y, seed, False)


def boruta(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Boruta (the package), 100 trees of depth 5."""
    from boruta import BorutaPy

    trees = RandomForestClassifier(max_depth=5, random_state=seed)
    return BorutaPy(trees, n_estimators=100, random_state=seed).fit(X, y).support_


def stability_selection(X: np.ndarray, y: np.ndarray, seed: int, draws: int = 50, share: float = 0.75) -> np.ndarray:
    """Stability selection (Meinshausen and Bühlmann, JRSS B 72, 2010).

    Half of the rows is drawn again and again, and an L1 machine fitted along a path of growing C; a feature is kept
    whose largest selection frequency along the path is at least `share`. The path ends where half of the features are
    selected on average: beyond it, everything is.
    """
    rng = np.random.default_rng(seed)
    halves = [
        np.concatenate([rng.permutation(np.flatnonzero(y == k))[: max(2, (y == k).sum() // 2)] for k in np.unique(y)])
        for _ in range(draws)
    ]
    largest = np.zeros(X.shape[1])
    for C in COSTS:
        machine = LinearSVC(penalty="l1", dual=False, C=C, random_state=0, max_iter=2000)
        frequency = np.mean([np.abs(machine.fit(X[half], y[half]).coef_[0]) > ZERO for half in halves], axis=0)
        if frequency.mean() > 0.5:
            break
        largest = np.maximum(largest, frequency)
    return largest >= share


def ensemble(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Ensemble feature selection after Neumann, Genze and Heider (BioData Mining 10, 2017).

    The mean of importances, each divided by its largest: F statistic, rank correlation, logistic weights, Gini and
    permutation importance of a random forest. Above the mean of all features is relevant.
    """
    forest = RandomForestClassifier(100, random_state=seed).fit(X, y)
    shuffled = permutation_importance(forest, X, y, n_repeats=5, random_state=seed).importances_mean
    every = [
        f_classif(X, y)[0],
        np.abs([spearmanr(column, y).statistic for column in X.T]),
        np.abs(LogisticRegression().fit(X, y).coef_[0]),
        forest.feature_importances_,
        np.maximum(shuffled, 0.0),
    ]
    mean = np.mean([importance / max(importance.max(), 1e-12) for importance in every], axis=0)
    return mean > mean.mean()


SELECTORS: dict[str, Select] = {
    "L2-SVM": l2_svm,
    "L1-SVM": l1_svm,
    "elastic net": elastic_net,
    "forward": forward,
    "backward": backward,
    "stability selection": stability_selection,
    "ensemble": ensemble,
    "Boruta": boruta,
}
PACKAGES = {"Boruta": "boruta", "forward": "mlxtend", "backward": "mlxtend"}


def lacking(methods: Iterable[str]) -> dict[str, str]:
    """The methods that cannot be run here, and the package each needs."""
    needed = {method: PACKAGES[method] for method in methods if method in PACKAGES}
    return {method: package for method, package in needed.items() if find_spec(package) is None}


def selected(name: str, X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """The mask of a method on a table scaled to mean 0 and deviation 1; its warnings are its own affair."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(SELECTORS[name](Z, y, seed), dtype=bool)
