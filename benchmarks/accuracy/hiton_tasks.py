"""The tables of benchmarks.accuracy.hiton, its learners, and a quick score of their subsets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

Measure = Callable[[Any, np.ndarray, np.ndarray], float]
SETS = ("arrhythmia", "colon", "prostate_ge", "arcene", "pcmac")
LEARNERS: dict[str, Callable[[], Any]] = {
    "SVM": lambda: make_pipeline(StandardScaler(), SVC(kernel="linear", C=0.1)),
    "KNN": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    # Twenty-five steps of L-BFGS on eight hidden units: a wrapper fits thousands of networks.
    "NN": lambda: make_pipeline(
        StandardScaler(), MLPClassifier((8,), solver="lbfgs", alpha=10.0, max_iter=25, random_state=0)
    ),
    "DT": lambda: DecisionTreeClassifier(min_samples_leaf=3, random_state=0),
}


@dataclass(frozen=True)
class Task:
    """A table with two classes; `test` is the independence test that HITON uses on it."""

    name: str
    X: np.ndarray
    y: np.ndarray
    test: str


def load(folder: Path, name: str) -> Task | None:
    """Read one data set; None, and a word about it, if its file is absent."""
    path = folder / (f"{name}.data" if name == "arrhythmia" else f"{name}.npz")
    if not path.exists():
        print(f"{name} is left out: no file {path.name} in the data folder")
        return None
    if name == "arrhythmia":
        table = np.genfromtxt(path, delimiter=",", missing_values="?", filling_values=np.nan)
        return Task(name, table[:, :-1], (table[:, -1] != 1).astype(int), "fisher-z")
    stored = np.load(path)
    X, y = stored["X"].astype(float), np.unique(stored["y"], return_inverse=True)[1]
    if name == "pcmac":
        X = (X > 0).astype(float)  # a word is there or not
    return Task(name, X, y, "g2" if name in ("colon", "pcmac") else "fisher-z")


def filled(train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Missing values become the median of the training part."""
    if not np.isnan(train).any() and not np.isnan(test).any():
        return train, test
    median = np.nanmedian(train, axis=0)
    return np.where(np.isnan(train), median, train), np.where(np.isnan(test), median, test)


def scores_of(model: Any, X: np.ndarray) -> np.ndarray:
    """Decision values or probabilities of the second class."""
    return model.decision_function(X) if hasattr(model, "decision_function") else model.predict_proba(X)[:, 1]


def area(y: np.ndarray, scores: np.ndarray) -> float:
    """Area under the ROC curve, from the ranks of the second class."""
    ones = int(y.sum())
    above = rankdata(scores)[y == 1].sum() - ones * (ones + 1) / 2
    return float(above / (ones * (len(y) - ones)))


def area_of(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """A fitted model's area under the ROC curve."""
    return area(y, scores_of(model, X))


def accuracy_of(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """A fitted model's share of right answers."""
    return float(np.mean(model.predict(X) == y))


class FoldScore:
    """Mean performance of a learner on subsets of columns, always on the same folds.

    The figures are those of `SubsetScore` around the learner, but columns are scaled once a fold and not once a subset:
    half of the time of a wrapper went into that.
    """

    def __init__(
        self, learner: Any, X: np.ndarray, y: np.ndarray, folds: StratifiedKFold, measure: Measure = area_of
    ) -> None:
        scales = isinstance(learner, Pipeline)
        self.model, self.measure = learner[-1] if scales else learner, measure
        self._parts = []
        for train, test in folds.split(X, y):
            scaler = StandardScaler().fit(X[train]) if scales else None
            both = (X[train], X[test]) if scaler is None else (scaler.transform(X[train]), scaler.transform(X[test]))
            self._parts.append((*both, y[train], y[test]))
        self._known: dict[tuple[int, ...], float] = {}

    def __call__(self, columns: Iterable[int]) -> float:
        """The score of a subset; a subset is scored once."""
        key = tuple(sorted(int(c) for c in columns))
        if key not in self._known:
            figures = []
            for X_train, X_test, y_train, y_test in self._parts:
                model = self.model.fit(X_train[:, key], y_train)
                figures.append(self.measure(model, X_test[:, key], y_test))
            self._known[key] = float(np.mean(figures))
        return self._known[key]
