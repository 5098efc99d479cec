"""HITON beside filters, recursive elimination and wrappers: the design of the AMIA 2003 study on data of ours.

    python benchmarks/accuracy/hiton.py DATA [--quick] [--sets colon arrhythmia] [--json FILE]

DATA (or RELSPAN_DATA) is a folder with arrhythmia.data, prostate_ge.npz, colon.npz, arcene.npz and pcmac.npz; files
that are absent are skipped with a message.

Nested cross-validation: the outer folds judge (area under the ROC curve), the inner ones choose sizes and subsets, and
every selector sees the outer training part only. Learners: linear SVM, nearest neighbours, a neural network, a decision
tree. Wrappers over thousands of columns are out of reach, so forward, backward and genetic search start from the 30
columns with the largest Fisher criterion in the training part; the table says so by "(30)".

The study's own five tasks were thrombin (KDD Cup 2001), arrhythmia (UCI), OHSUMED text categorisation, lung cancer gene
expression and prostate cancer mass spectrometry. Not all of them are public, and none but arrhythmia is the same file
here, so its figures can stand beside ours but not against them. What its abstract claims: HITON reduces the variables
by three orders of magnitude while the accuracy improves or holds, and the baselines' sets are more than two orders of
magnitude larger than HITON's.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from relspan.markov.wrapper import backward_pass
from relspan.selectors import HITON, AssociationFilter, GeneticSearch, GreedyWrapper, HalvingRFE
from relspan.selectors.association import association
from relspan.selectors.subset_score import SubsetScore

LEARNERS: dict[str, Callable[[], Any]] = {
    "SVM": lambda: make_pipeline(StandardScaler(), SVC(kernel="linear", C=0.1)),
    "KNN": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    "NN": lambda: make_pipeline(StandardScaler(), MLPClassifier((8,), alpha=0.1, max_iter=150, random_state=0)),
    "DT": lambda: DecisionTreeClassifier(min_samples_leaf=3, random_state=0),
}
SETS = ("arrhythmia", "colon", "prostate_ge", "arcene", "pcmac")
SHORTLIST = 30


@dataclass
class Task:
    """A table with two classes; `test` is the independence test HITON uses on it."""

    name: str
    X: np.ndarray
    y: np.ndarray
    test: str


def load(folder: Path, name: str) -> Task | None:
    """Read one data set; None if its file is absent."""
    path = folder / (f"{name}.data" if name == "arrhythmia" else f"{name}.npz")
    if not path.exists():
        print(f"skipped {name}: no file {path.name} in the data folder")
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


class Study:
    """Selections on one training part; what does not depend on the learner is done once."""

    def __init__(self, task: Task, X: np.ndarray, y: np.ndarray, inner: StratifiedKFold, alpha: float) -> None:
        self.task, self.X, self.y, self.inner, self.alpha = task, X, y, inner, alpha
        self.seconds: dict[str, float] = defaultdict(float)
        self._done: dict[str, Any] = {}

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._done:
            start = time.perf_counter()
            self._done[name] = make()
            self.seconds[name] += time.perf_counter() - start
        return self._done[name]

    def _blanket(self, spouses: bool) -> HITON:
        return HITON(alpha=self.alpha, spouses=spouses, test=self.task.test, max_tests=20_000_000).fit(self.X, self.y)

    def select(self, method: str, learner: Any) -> np.ndarray:
        """Columns chosen by a method for a learner."""
        if method == "all":
            return np.arange(self.X.shape[1])
        if method in ("HITON-PC", "HITON-MB"):
            found = self._once(method, lambda: self._blanket(method == "HITON-MB")).result_
            if not found.members:
                return np.zeros(0, dtype=int)
            weakest_first = sorted(found.members, key=lambda x: -found.pc.marginal.log_p[x])
            score = SubsetScore(learner, self.X, self.y, self.inner, "roc_auc")
            return np.array(backward_pass(score, weakest_first).kept)
        if method == "RFE":
            rfe = HalvingRFE(SVC(kernel="linear", C=0.1), cv=self.inner, scoring="roc_auc")
            scaled = StandardScaler().fit_transform(self.X)
            return np.flatnonzero(self._once(method, lambda: rfe.fit(scaled, self.y)).support_)
        if method.startswith("filter "):
            chosen = AssociationFilter(method.split()[1], estimator=learner, cv=self.inner, scoring="roc_auc")
            return np.flatnonzero(chosen.fit(self.X, self.y).support_)
        short = np.argsort(-association(self.X, self.y, "fisher"), kind="stable")[:SHORTLIST]
        if method.startswith("genetic"):
            search: Any = GeneticSearch(
                KNeighborsClassifier(), cv=self.inner, scoring="roc_auc", population=20, generations=15, random_state=0
            )
            fitted = self._once(method, lambda: search.fit(self.X[:, short], self.y))
        else:
            direction = "backward" if method.startswith("backward") else "forward"
            search = GreedyWrapper(learner, direction=direction, cv=self.inner, scoring="roc_auc", max_features=10)
            fitted = search.fit(self.X[:, short], self.y)
        return short[fitted.support_]


def run(task: Task, methods: list[str], learners: list[str], outer: int, alpha: float) -> list[dict[str, Any]]:
    """One row a method and learner: mean AUC over the outer folds, mean number of variables."""
    rows: dict[tuple[str, str], list[tuple[float, int, float]]] = defaultdict(list)
    for train, test in StratifiedKFold(outer, shuffle=True, random_state=0).split(task.X, task.y):
        X_train, X_test = filled(task.X[train], task.X[test])
        study = Study(task, X_train, task.y[train], StratifiedKFold(3, shuffle=True, random_state=1), alpha)
        for method in methods:
            for name in learners:
                start = time.perf_counter()
                columns = study.select(method, LEARNERS[name]())
                if len(columns):
                    model = LEARNERS[name]().fit(X_train[:, columns], task.y[train])
                    auc = roc_auc_score(task.y[test], scores_of(model, X_test[:, columns]))
                else:
                    auc = 0.5  # nothing selected: no better than a coin
                rows[method, name].append((auc, len(columns), time.perf_counter() - start))
    return [
        {
            "set": task.name,
            "method": method,
            "learner": name,
            "auc": float(np.mean([f[0] for f in folds])),
            "variables": float(np.mean([f[1] for f in folds])),
            "reduction": float(task.X.shape[1] / max(np.mean([f[1] for f in folds]), 1.0)),
            "seconds": float(np.sum([f[2] for f in folds])),
        }
        for (method, name), folds in rows.items()
    ]


def scores_of(model: Any, X: np.ndarray) -> np.ndarray:
    """Decision values or probabilities of the second class."""
    return model.decision_function(X) if hasattr(model, "decision_function") else model.predict_proba(X)[:, 1]


def show(task: Task, rows: list[dict[str, Any]], learners: list[str]) -> None:
    """AUC a learner, then averages."""
    n, p = task.X.shape
    print(f"\n{task.name}: {n} x {p}, test {task.test}")
    print(
        f"{'method':<16}"
        + "".join(f"{name:>8}" for name in learners)
        + f"{'mean':>8}{'variables':>11}{'reduction':>11}{'s':>8}"
    )
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        mean = {key: float(np.mean([row[key] for row in mine])) for key in ("auc", "variables")}
        print(
            f"{method:<16}"
            + "".join(f"{row['auc']:8.3f}" for row in mine)
            + f"{mean['auc']:8.3f}{mean['variables']:11.1f}{p / max(mean['variables'], 1):11.0f}"
            + f"{sum(row['seconds'] for row in mine):8.0f}"
        )
    sys.stdout.flush()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.get("RELSPAN_DATA"))
    parser.add_argument("--quick", action="store_true", help="colon and arrhythmia, two learners, three outer folds")
    parser.add_argument("--sets", nargs="+", choices=SETS)
    parser.add_argument("--learners", nargs="+", choices=tuple(LEARNERS))
    parser.add_argument(
        "--no-wrappers", action="store_true", help="leave out the forward, backward and genetic searches"
    )
    parser.add_argument("--outer", type=int)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.data is None:
        sys.exit("no data folder: give it as an argument or set RELSPAN_DATA")
    warnings.simplefilter("ignore", ConvergenceWarning)  # the small network may stop early on purpose
    learners = options.learners or (["SVM", "DT"] if options.quick else list(LEARNERS))
    methods = ["all", "filter fisher", "filter pearson", "RFE"]
    if not options.no_wrappers:
        methods += [f"{way} ({SHORTLIST})" for way in ("forward", "backward", "genetic")]
    methods += ["HITON-PC", "HITON-MB"]
    sets = options.sets or (("colon", "arrhythmia") if options.quick else SETS)
    outer = options.outer or (3 if options.quick else 5)
    everything = []
    for name in sets:
        task = load(Path(options.data), name)
        if task is None:
            continue
        counted = [*methods[:3], "filter g2", *methods[3:]] if task.test == "g2" else methods
        rows = run(task, counted, learners, outer, options.alpha)
        show(task, rows, learners)
        everything += rows
    for method in ("HITON-PC", "HITON-MB"):
        mine = [row for row in everything if row["method"] == method]
        if mine:
            fold = float(np.exp(np.mean([np.log(row["reduction"]) for row in mine])))
            base = {(r["set"], r["learner"]): r["auc"] for r in everything if r["method"] == "all"}
            gain = float(np.mean([row["auc"] - base[row["set"], row["learner"]] for row in mine]))
            print(
                f"\n{method}: average reduction {fold:.0f} fold (geometric mean), AUC {gain:+.3f} against all variables"
            )
    print("\n" + str(__doc__).split("\n\n")[-1].strip())
    if options.json:
        options.json.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
