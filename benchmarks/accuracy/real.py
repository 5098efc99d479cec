"""Real data, Tables IV and V of the FRI paper: how good are models on the selected features, and how many are they?

    python -m benchmarks.accuracy.real [--data FOLDER] [--replicates 50] [--sets "breast cancer"] [--methods relspan]
                                       [--units FILE]

For every bootstrap replicate the rows drawn are the training part, the rows not drawn the hold-out. Missing values are
filled with the training medians, columns scaled by the training mean and deviation, and where the rarer class has less
than 40 % of the rows the training part is balanced by SMOTE and edited nearest neighbours (imbalanced-learn). Features
are selected there, a logistic regression with C by cross-validation is fitted on them, and the area under the ROC curve
is of the hold-out. The deviation is over replicates, which share rows: it is no standard error.

Breast cancer comes with scikit-learn. SPECTF (UCI 96, SPECTF.train and SPECTF.test) and colposcopy (UCI 384,
colposcopy.csv with the column 'class') are looked for in FOLDER, or RELSPAN_DATA. The paper's t21 and flip are not
public.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from benchmarks.peers.selection import selected
from benchmarks.units import Units
from relspan import RelevanceClassifier

METHODS = ("all", "relspan", "elastic net", "L1-SVM", "stability selection", "ensemble", "Boruta")
BALANCED = 0.4


def breast_cancer(folder: Path | None) -> tuple[np.ndarray, np.ndarray] | None:
    X, y = load_breast_cancer(return_X_y=True)
    return X, y


def spectf(folder: Path | None) -> tuple[np.ndarray, np.ndarray] | None:
    if folder is None or not (folder / "SPECTF.train").exists():
        return None
    table = np.vstack([np.loadtxt(folder / f"SPECTF.{part}", delimiter=",") for part in ("train", "test")])
    return table[:, 1:], table[:, 0].astype(int)


def colposcopy(folder: Path | None) -> tuple[np.ndarray, np.ndarray] | None:
    if folder is None or not (folder / "colposcopy.csv").exists():
        return None
    table = np.genfromtxt(folder / "colposcopy.csv", delimiter=",", skip_header=1)
    return table[:, :-1], table[:, -1].astype(int)


SETS = {"breast cancer": breast_cancer, "SPECTF": spectf, "colposcopy": colposcopy}


def drawn(X: np.ndarray, y: np.ndarray, replicate: int) -> tuple[np.ndarray, ...]:
    """Training part and hold-out of a replicate, filled, scaled, without constant columns, and balanced."""
    rng = np.random.default_rng(replicate)
    rows = np.concatenate([rng.choice(np.flatnonzero(y == k), (y == k).sum()) for k in np.unique(y)])
    rest = np.setdiff1d(np.arange(len(y)), rows)
    middle = np.nanmedian(X[rows], axis=0)
    train, test = (np.where(np.isnan(part), middle, part) for part in (X[rows], X[rest]))
    varies = train.std(axis=0) > 0
    mean, deviation = train[:, varies].mean(axis=0), train[:, varies].std(axis=0)
    train, test = (train[:, varies] - mean) / deviation, (test[:, varies] - mean) / deviation
    labels = y[rows]
    if min(np.mean(labels == k) for k in np.unique(y)) < BALANCED:
        from imblearn.combine import SMOTEENN

        train, labels = SMOTEENN(random_state=replicate).fit_resample(train, labels)
    return train, labels, test, y[rest]


def judge(X: np.ndarray, y: np.ndarray, method: str, replicate: int) -> dict[str, Any]:
    """One method on one replicate."""
    train, labels, test, truth = drawn(X, y, replicate)
    begin = process_time()
    if method == "all":
        found = np.ones(train.shape[1], dtype=int)
    elif method == "relspan":
        found = RelevanceClassifier(random_state=replicate).fit(train, labels).relevance_
    else:
        found = selected(method, train, labels, replicate).astype(int)
    seconds, auc = process_time() - begin, 0.5
    if found.any():
        folds = StratifiedKFold(3, shuffle=True, random_state=replicate)
        model = GridSearchCV(LogisticRegression(max_iter=2000), {"C": np.geomspace(1e-3, 100, 6)}, cv=folds)
        model.fit(train[:, found > 0], labels)
        auc = roc_auc_score(truth, model.predict_proba(test[:, found > 0])[:, 1])
    return {"auc": auc, "size": int((found > 0).sum()), "strong": int((found == 2).sum()), "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("RELSPAN_DATA"), help="folder of SPECTF and colposcopy")
    parser.add_argument("--replicates", type=int, default=50)
    parser.add_argument("--sets", nargs="*", choices=SETS, default=list(SETS))
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=list(METHODS))
    parser.add_argument("--units", help="a file of finished units, to go on from")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    units = Units(options.units)
    lacks = [name for name in ("boruta", "imblearn") if find_spec(name) is None]
    methods = [method for method in options.methods if not (method == "Boruta" and "boruta" in lacks)]
    for name in options.sets:
        table = SETS[name](Path(options.data) if options.data else None)
        if table is None or ("imblearn" in lacks and name != "breast cancer"):
            print(f"{name} is left out: {'its file is not in the data folder' if table is None else 'no imblearn'}")
            continue
        X, y = table
        print(f"\n{name}, {X.shape[0]} x {X.shape[1]}, replicates 0 to {options.replicates - 1}\n")
        print("| method | AUC | +- | features | of them strong | CPU s |\n" + "| --- " * 6 + "|", flush=True)
        for method in methods:
            found = []
            for replicate in range(options.replicates):
                one = units.get(f"{name} {method} {replicate}", lambda: judge(X, y, method, replicate))  # noqa: B023
                found.append(one)
                print(".", end="", file=sys.stderr, flush=True)
            auc = [one["auc"] for one in found]
            size, strong, seconds = (np.mean([one[key] for one in found]) for key in ("size", "strong", "seconds"))
            told = f"{strong:.1f}" if method == "relspan" else ""
            spread = f"{np.std(auc, ddof=1):.3f}" if len(auc) > 1 else ""
            print(f"| {method} | {np.mean(auc):.3f} | {spread} | {size:.1f} | {told} | {seconds:.2f} |", flush=True)
    print("\nt21 and flip of the paper are not public.")


if __name__ == "__main__":
    main()
