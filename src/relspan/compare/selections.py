"""What each method selects: functions of a scaled table, its target, the task and a seed.

The answer has one number per column: 0 left out, 1 kept, 2 kept and called irreplaceable. Maintained packages are
used where they exist (scikit-learn, Boruta, mlxtend); stability selection and ensemble feature selection are small
implementations of the papers' ideas. Cut-offs on weights are those of scikit-learn's SelectFromModel: the mean size of
the weights for an L2 penalty, 1e-5 where the penalty makes zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV, SelectFdr, f_classif, f_regression
from sklearn.inspection import permutation_importance
from sklearn.linear_model import ElasticNetCV, LassoCV, LogisticRegression, MultiTaskElasticNetCV
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.preprocessing import LabelBinarizer
from sklearn.svm import LinearSVC

from relspan.arrays import Floats
from relspan.compare.judge import folds_for, judge_for, sees_numbers
from relspan.selectors import HITON, GreedyWrapper
from relspan.tasks import estimator_for
from relspan.tolerances import NO_IMPORTANCE

Kept: TypeAlias = NDArray[np.int64]
Select: TypeAlias = Callable[..., Kept]

INNER_FOLDS = 3
C_VALUES = np.geomspace(1e-3, 10, 9)
LARGEST_ZERO_WEIGHT = 1e-5  # for classes, which have no unit, weights up to this size count as 0


def every_column(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """All columns: what selection must be measured against."""
    return np.ones(X.shape[1], dtype=np.int64)


def relevant(X: Any, y: NDArray[Any], task: str, seed: int, groups: Any = None) -> Kept:
    """The columns that relspan calls strongly (2) or weakly (1) relevant."""
    return _kept(estimator_for(task, random_state=seed).fit(X, y, groups=groups).relevance_)


def lasso(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """The weights of an L1 penalty that are not 0: Lasso, or for classes a linear SVM; cross-validated."""
    if sees_numbers(task):
        return _kept(LassoCV(cv=folds_for(task, INNER_FOLDS, seed), random_state=seed).fit(X, y).coef_ != 0)
    return _kept(_svm_weights(X, y, task, seed, "l1") > LARGEST_ZERO_WEIGHT)


def l2_svm(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """The weights of a linear SVM that lie above their mean size; cross-validated."""
    weights = _svm_weights(X, y, task, seed, "l2")
    return _kept(weights > weights.mean())


def _svm_weights(X: Floats, y: NDArray[Any], task: str, seed: int, penalty: str) -> Floats:
    """The size of each column's weight in a linear SVM; of several classes the largest."""
    machine = LinearSVC(penalty=penalty, dual=False, random_state=seed, max_iter=5000)
    search = GridSearchCV(machine, {"C": C_VALUES}, cv=folds_for(task, INNER_FOLDS, seed)).fit(X, y)
    sizes: Floats = np.abs(search.best_estimator_.coef_).max(axis=0)
    return sizes


def elastic_net(ratio: Any) -> Select:
    """The weights of an elastic net that are not 0, on classes coded as numbers; `ratio` is the share of L1."""

    def select(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
        options = {"l1_ratio": ratio, "cv": KFold(INNER_FOLDS, shuffle=True, random_state=seed), "random_state": seed}
        if sees_numbers(task):
            return _kept(ElasticNetCV(**options).fit(X, y).coef_ != 0)
        coded = LabelBinarizer(neg_label=-1).fit_transform(y).astype(float)
        net, coded = (ElasticNetCV, coded[:, 0]) if coded.shape[1] == 1 else (MultiTaskElasticNetCV, coded)
        weights = np.atleast_2d(net(**options).fit(X, coded).coef_)
        return _kept((np.abs(weights) > LARGEST_ZERO_WEIGHT).any(axis=0))

    return select


def univariate(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """The columns whose F test is significant at a false discovery rate of .05."""
    return _kept(SelectFdr(f_regression if sees_numbers(task) else f_classif, alpha=0.05).fit(X, y).get_support())


def recursive_elimination(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """What scikit-learn's RFECV leaves, around the model that judges."""
    step = 1 if X.shape[1] <= 100 else 0.1
    return _kept(RFECV(judge_for(task), step=step, cv=folds_for(task, INNER_FOLDS, seed)).fit(X, y).support_)


def greedy_wrapper(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """Forward search around the model that judges."""
    folds = folds_for(task, INNER_FOLDS, seed)
    return _kept(GreedyWrapper(judge_for(task), direction="forward", cv=folds).fit(X, y).support_)


def markov_blanket(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """The Markov blanket that HITON finds."""
    return _kept(HITON(discrete_target=not sees_numbers(task)).fit(X, y).support_)


def boruta(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """What random forests of depth 5 prefer to permuted columns (package Boruta)."""
    from boruta import BorutaPy

    forest = RandomForestRegressor if sees_numbers(task) else RandomForestClassifier
    trees = forest(max_depth=5, random_state=seed)
    return _kept(BorutaPy(trees, n_estimators=100, random_state=seed).fit(X, y).support_)


def sequential(forward: bool = True, floating: bool = False) -> Select:
    """Sequential search around the model that judges, of the size that does best (package mlxtend)."""

    def select(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
        from mlxtend.feature_selection import SequentialFeatureSelector

        folds = list(folds_for(task, INNER_FOLDS, seed).split(X, y))
        search = SequentialFeatureSelector(
            judge_for(task), k_features="best", forward=forward, floating=floating, cv=folds
        ).fit(X, y)
        if search.interrupted_:
            raise KeyboardInterrupt  # which it has swallowed
        return _kept(np.isin(np.arange(X.shape[1]), search.k_feature_idx_))

    return select


def stability_selection(X: Floats, y: NDArray[Any], task: str, seed: int, draws: int = 50, share: float = 0.75) -> Kept:
    """Stability selection (Meinshausen and Bühlmann, JRSS B 72, 2010).

    Half of the rows is drawn again and again, and a linear SVM with an L1 penalty fitted along a path of growing C. A
    column is kept if its largest selection frequency along the path is at least `share`. The path ends where half of
    the columns are selected on average, because beyond it everything is.
    """
    rng = np.random.default_rng(seed)
    halves = [
        np.concatenate([rng.permutation(np.flatnonzero(y == k))[: max(2, (y == k).sum() // 2)] for k in np.unique(y)])
        for _ in range(draws)
    ]
    largest = np.zeros(X.shape[1])
    for C in C_VALUES:
        machine = LinearSVC(penalty="l1", dual=False, C=C, random_state=0, max_iter=2000)
        fits = [np.abs(machine.fit(X[half], y[half]).coef_) for half in halves]
        frequency = np.mean([(weights > LARGEST_ZERO_WEIGHT).any(axis=0) for weights in fits], axis=0)
        if frequency.mean() > 0.5:
            break
        largest = np.maximum(largest, frequency)
    return _kept(largest >= share)


def ensemble(X: Floats, y: NDArray[Any], task: str, seed: int) -> Kept:
    """Ensemble feature selection after Neumann, Genze and Heider (BioData Mining 10, 2017).

    The mean of five importances, each divided by its largest: F statistic, rank correlation, logistic weights, and the
    Gini and permutation importances of a random forest. Columns above the mean of all columns are kept.
    """
    codes = np.unique(y, return_inverse=True)[1]
    forest = RandomForestClassifier(100, random_state=seed).fit(X, y)
    shuffled = permutation_importance(forest, X, y, n_repeats=5, random_state=seed).importances_mean
    importances = [
        f_classif(X, y)[0],
        np.abs([spearmanr(column, codes).statistic for column in X.T]),
        np.abs(LogisticRegression().fit(X, y).coef_).max(axis=0),
        forest.feature_importances_,
        np.maximum(shuffled, 0.0),
    ]
    mean = np.mean([importance / max(importance.max(), NO_IMPORTANCE) for importance in importances], axis=0)
    return _kept(mean > mean.mean())


def _kept(mask: Any) -> Kept:
    return np.asarray(mask, dtype=np.int64)
