"""Table 1 of the first paper with its own rivals, cut-offs and folds, and the paper's rows beside ours.

    python -m benchmarks.accuracy.esann_table [--sets I II III] [--draws 10] [--first-seed 7000] [--units FILE]

Ten draws of each set, as in the paper. Every hyperparameter is chosen by a grid and 5 folds. What counts as selected:

    L2-SVM             weights above their mean size
    L1-SVM             weights above 1e-5
    elastic net        weights above their mean size; the share of L1 and the penalty by the 5 folds
    Boruta             what it confirms (package Boruta)
    forward-backward   one search that adds the best feature and drops what is not needed any more, by the accuracy of a
                       linear SVM in 5 folds (the search of the paper's reference [11] is described there only)
    relspan            its defaults
    relspan, esann2017 the settings of the paper: an L2 machine, one budget for norm plus C times loss, and the paper's
                       rule, which compares an interval with those of permuted columns

Accuracy is that of each method's own model: on the 150 rows that it was fitted to, and on 150 further rows of the same
draw. Boruta's is its forest; of forward-backward it is the SVM on the features found. The paper states 100 % for all
methods and sets, without the rows that this was measured on.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import ElasticNetCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import LinearSVC

from benchmarks.accuracy.sets import ESANN
from benchmarks.papers.printed import ESANN_TABLE_1
from benchmarks.peers.selection import SELECTORS, lacking
from benchmarks.units import Units
from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning
from relspan.selectors import GreedyWrapper
from relspan.simulate import PAPER_SETS, simulate

FOLDS = 5
C_VALUES = np.geomspace(1e-3, 1e3, 7)
L1_SHARES = (0.1, 0.5, 0.9)
ZERO_WEIGHT = 1e-5
FIGURES = ("precision", "recall", "F1")
Predict = Callable[[np.ndarray], np.ndarray]
Answer = tuple[np.ndarray, Predict]


def svm(penalty: str, X: np.ndarray, y: np.ndarray, seed: int) -> LinearSVC:
    """A linear SVM whose C is chosen by five folds."""
    machine = LinearSVC(penalty=penalty, dual=False, random_state=seed, max_iter=20_000)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    return GridSearchCV(machine, {"C": C_VALUES}, cv=folds).fit(X, y).best_estimator_


def above_mean(weights: np.ndarray) -> np.ndarray:
    """The weights above their mean size."""
    sizes = np.abs(weights)
    return sizes > sizes.mean()


def l2_svm(X: np.ndarray, y: np.ndarray, seed: int) -> Answer:
    """The weights above their mean."""
    model = svm("l2", X, y, seed)
    return above_mean(model.coef_[0]), model.predict


def l1_svm(X: np.ndarray, y: np.ndarray, seed: int) -> Answer:
    """The weights that are not 0."""
    model = svm("l1", X, y, seed)
    return np.abs(model.coef_[0]) > ZERO_WEIGHT, model.predict


def elastic_net(X: np.ndarray, y: np.ndarray, seed: int) -> Answer:
    """The weights above their mean, of a net fitted to the classes as -1 and 1."""
    model = ElasticNetCV(l1_ratio=L1_SHARES, cv=FOLDS, random_state=seed).fit(X, 2.0 * y - 1)
    return above_mean(model.coef_), lambda rows: (model.predict(rows) > 0).astype(int)


def boruta(X: np.ndarray, y: np.ndarray, seed: int) -> Answer:
    """What Boruta confirms, and the forest that it asks, fitted to these features."""
    kept = SELECTORS["Boruta"].select(X, y, "classification", seed) > 0
    forest = RandomForestClassifier(100, max_depth=5, random_state=seed)
    return kept, _on(forest, kept, X, y)


def forward_backward(X: np.ndarray, y: np.ndarray, seed: int) -> Answer:
    """One search that adds and drops features by cross-validated accuracy."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    machine = LinearSVC(dual=False, random_state=seed)
    kept = GreedyWrapper(machine, direction="forward-backward", cv=folds).fit(X, y).support_
    return kept, _on(machine, kept, X, y)


def _on(model: Any, kept: np.ndarray, X: np.ndarray, y: np.ndarray) -> Predict:
    """A model fitted to the kept features; without any the larger class is all it can answer."""
    if not kept.any():
        return lambda rows: np.full(len(rows), np.bincount(y).argmax())
    fitted = model.fit(X[:, kept], y)
    return lambda rows: fitted.predict(rows[:, kept])


def ours(X: np.ndarray, y: np.ndarray, seed: int) -> Answer:
    """relspan with its defaults."""
    fitted = RelevanceClassifier(random_state=seed).fit(X, y)
    return fitted.relevance_ > 0, fitted.predict


def as_published(X: np.ndarray, y: np.ndarray, seed: int) -> Answer:
    """relspan with the settings of the paper."""
    fitted = RelevanceClassifier.as_published("esann2017", random_state=seed).fit(X, y)
    return fitted.relevance_ > 0, fitted.predict


METHODS: dict[str, Callable[[np.ndarray, np.ndarray, int], Answer]] = {
    "L2-SVM": l2_svm,
    "L1-SVM": l1_svm,
    "elastic net": elastic_net,
    "Boruta": boruta,
    "forward-backward": forward_backward,
    "relspan": ours,
    "relspan, esann2017": as_published,
}


def judge(name: str, method: str, seed: int) -> dict[str, float]:
    """The figures of one method on one draw: half of its rows to learn from, half to predict."""
    size = PAPER_SETS[name]
    data = simulate(2 * size.n_samples, *size[1:], random_state=seed)
    X, fresh = data.X[: size.n_samples], data.X[size.n_samples :]
    y, fresh_y = data.y[: size.n_samples], data.y[size.n_samples :]
    mean, scale = X.mean(axis=0), X.std(axis=0)
    X, fresh = (X - mean) / scale, (fresh - mean) / scale
    begin = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        kept, predict = METHODS[method](X, y, seed)
    seconds = process_time() - begin
    both, called, true = int((kept & (data.truth > 0)).sum()), int(kept.sum()), int((data.truth > 0).sum())
    return {
        "precision": both / called if called else 0.0,
        "recall": both / true,
        "F1": 2 * both / (called + true),
        "training accuracy": float((predict(X) == y).mean()),
        "fresh accuracy": float((predict(fresh) == fresh_y).mean()),
        "seconds": seconds,
    }


def show(name: str, rows: dict[str, list[dict[str, float]]]) -> None:
    """The table of one set, in the paper's order."""
    size = PAPER_SETS[name]
    print(f"\nData {name}: {size.strong} strong, {size.weak} weak, {size.irrelevant} irrelevant\n")
    columns = [*FIGURES, *(f"paper: {figure}" for figure in FIGURES), "accuracy, training", "accuracy, fresh rows"]
    print(f"| method | draws | {' | '.join(columns)} | CPU s |\n" + "| --- " * (len(columns) + 3) + "|")
    for method, units in rows.items():
        mean = {key: float(np.mean([unit[key] for unit in units])) for key in units[0]}
        printed = ESANN_TABLE_1[name].get(method.split(",")[0])
        cells = [
            *(f"{mean[key]:.3f}" for key in FIGURES),
            *(f"{figure:.2f}" for figure in printed or ()),
            f"{mean['training accuracy']:.3f}",
            f"{mean['fresh accuracy']:.3f}",
            f"{mean['seconds']:.2f}",
        ]
        print(f"| {method} | {len(units)} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", choices=ESANN, default=ESANN)
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=list(METHODS))
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=7000)
    parser.add_argument("--units", help="a file of finished units, to go on from")
    options = parser.parse_args()
    methods, units = list(options.methods), Units(options.units)
    for method, package in lacking(methods).items():
        methods.remove(method)
        print(f"{method} is left out: the package {package} is not installed")
    for name in options.sets:
        rows: dict[str, list[dict[str, float]]] = {method: [] for method in methods}
        for seed in range(options.first_seed, options.first_seed + options.draws):
            for method in methods:
                rows[method].append(units.get(f"{name} {method} {seed}", lambda: judge(name, method, seed)))  # noqa: B023
            print(".", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        show(name, rows)


if __name__ == "__main__":
    main()
