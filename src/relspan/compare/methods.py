"""The selectors that are compared, each with the defaults its users would take.

A method sees a training part and answers with the columns it keeps; nothing else is asked of it. Columns are scaled by
the training part's own mean and deviation for all of them alike.

    all          every column: what selection must be measured against
    relspan      columns that are strongly or weakly relevant
    lasso        weights that are not zero: Lasso, or for classes a linear SVM with an L1 penalty; cross-validated
    elastic-net  the same with half L1, half L2, on classes coded as numbers
    univariate   F test a column, false discovery rate .05
    rfe          recursive elimination (scikit-learn's RFECV) with a linear model
    forward      greedy wrapper around the model that judges
    hiton        the Markov blanket
    boruta       all-relevant by random forests (package Boruta)
    mlxtend      floating forward search (package mlxtend)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV, SelectFdr, f_classif, f_regression
from sklearn.linear_model import ElasticNetCV, LassoCV, LogisticRegression, MultiTaskElasticNetCV, Ridge
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.preprocessing import LabelBinarizer
from sklearn.svm import LinearSVC

from relspan.arrays import Floats
from relspan.selectors import HITON, GreedyWrapper
from relspan.tasks import TASKS, estimator_for

Select: TypeAlias = Callable[[Floats, NDArray[Any], str, int], NDArray[np.int64]]
INNER_FOLDS = 3
COSTS = np.geomspace(1e-3, 10, 9)


@dataclass(frozen=True)
class Method:
    """One selector.

    Attributes
    ----------
    name : str
        As the command line calls it.
    about : str
        What it is, in a few words.
    select : callable
        Called as ``select(X, y, task, seed)`` on a scaled training part; 0 for a column left out, 1 for one kept, 2 for
        one that the method says cannot be replaced.
    package : str, optional
        A package that must be installed.
    most_features : int, optional
        Beyond so many columns it takes too long to be asked without being named.
    """

    name: str
    about: str
    select: Select
    package: str | None = None
    most_features: int | None = None

    @property
    def installed(self) -> bool:
        """Whether its package can be imported."""
        return self.package is None or find_spec(self.package) is not None


def judge_for(task: str) -> Any:
    """The model that judges every set of columns: linear, lightly penalised, the same for all methods."""
    return Ridge() if is_number(task) else LogisticRegression(max_iter=2000)


def is_number(task: str) -> bool:
    """Whether peers see the target as a number; they know nothing of ordered classes."""
    return TASKS[task].peers_see_numbers


def folds_for(task: str, count: int, seed: int) -> Any:
    """Shuffled folds, stratified for classes."""
    return (KFold if is_number(task) else StratifiedKFold)(count, shuffle=True, random_state=seed)


def _all(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    return np.ones(X.shape[1], dtype=np.int64)


def _relspan(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.asarray(estimator_for(task, random_state=seed).fit(X, y).relevance_, dtype=np.int64)
    return found


def _lasso(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    folds = folds_for(task, INNER_FOLDS, seed)
    if is_number(task):
        return _used(LassoCV(cv=folds, random_state=seed).fit(X, y).coef_)
    svm = LinearSVC(penalty="l1", dual=False, random_state=seed)
    return _used(GridSearchCV(svm, {"C": COSTS}, cv=folds).fit(X, y).best_estimator_.coef_)


def _elastic_net(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    folds = KFold(INNER_FOLDS, shuffle=True, random_state=seed)
    if is_number(task):
        return _used(ElasticNetCV(l1_ratio=0.5, cv=folds, random_state=seed).fit(X, y).coef_)
    coded = LabelBinarizer().fit_transform(y).astype(float)
    if coded.shape[1] == 1:
        return _used(ElasticNetCV(l1_ratio=0.5, cv=folds, random_state=seed).fit(X, coded[:, 0]).coef_)
    return _used(MultiTaskElasticNetCV(l1_ratio=0.5, cv=folds, random_state=seed).fit(X, coded).coef_)


def _univariate(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    return _kept(SelectFdr(f_regression if is_number(task) else f_classif, alpha=0.05).fit(X, y).get_support())


def _rfe(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    step = 1 if X.shape[1] <= 100 else 0.1
    return _kept(RFECV(judge_for(task), step=step, cv=folds_for(task, INNER_FOLDS, seed)).fit(X, y).support_)


def _forward(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    folds = folds_for(task, INNER_FOLDS, seed)
    return _kept(GreedyWrapper(judge_for(task), direction="forward", cv=folds).fit(X, y).support_)


def _hiton(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    return _kept(HITON(discrete_target=not is_number(task)).fit(X, y).support_)


def _boruta(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    from boruta import BorutaPy

    forest = RandomForestRegressor if is_number(task) else RandomForestClassifier
    trees = forest(max_depth=5, random_state=seed)
    return _kept(BorutaPy(trees, n_estimators=100, random_state=seed).fit(X, y).support_)


def _mlxtend(X: Floats, y: NDArray[Any], task: str, seed: int) -> NDArray[np.int64]:
    from mlxtend.feature_selection import SequentialFeatureSelector

    folds = list(folds_for(task, INNER_FOLDS, seed).split(X, y))
    search = SequentialFeatureSelector(judge_for(task), k_features="best", floating=True, cv=folds)
    search.fit(X, y)
    if search.interrupted_:
        raise KeyboardInterrupt  # which it has swallowed
    kept = np.zeros(X.shape[1], dtype=np.int64)
    kept[list(search.k_feature_idx_)] = 1
    return kept


def _used(weights: Any) -> NDArray[np.int64]:
    return _kept((np.atleast_2d(weights) != 0).any(axis=0))


def _kept(mask: Any) -> NDArray[np.int64]:
    return np.asarray(mask, dtype=np.int64)


METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        Method("all", "every column", _all),
        Method("relspan", "strongly or weakly relevant", _relspan),
        Method("lasso", "L1 penalty, cross-validated", _lasso),
        Method("elastic-net", "half L1, half L2, cross-validated", _elastic_net),
        Method("univariate", "F tests, false discovery rate .05", _univariate),
        Method("rfe", "recursive elimination, cross-validated", _rfe, most_features=2000),
        Method("forward", "greedy wrapper, cross-validated", _forward, most_features=60),
        Method("hiton", "Markov blanket, level .05", _hiton),
        Method("boruta", "random forests against shadows", _boruta, package="boruta", most_features=500),
        Method("mlxtend", "floating forward search", _mlxtend, package="mlxtend", most_features=20),
    )
}


def available_methods(n_features: int) -> tuple[list[str], dict[str, str]]:
    """The methods to run on a table of that width, and why the others are left out."""
    chosen, left_out = [], {}
    for name, method in METHODS.items():
        if not method.installed:
            left_out[name] = f"the package {method.package} is not installed"
        elif method.most_features is not None and n_features > method.most_features:
            left_out[name] = f"slow on more than {method.most_features} columns; name it to run it"
        else:
            chosen.append(name)
    return chosen, left_out
