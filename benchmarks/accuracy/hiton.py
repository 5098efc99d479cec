"""HITON beside filters, recursive elimination and wrappers: the design of the AMIA 2003 study on public data.

    python -m benchmarks.accuracy.hiton DATA [--sets colon arrhythmia] [--learners SVM DT] [--outer 5] [--units FILE]

DATA (or RELSPAN_DATA) is a folder with arrhythmia.data, prostate_ge.npz, colon.npz, arcene.npz and pcmac.npz; a file
that is absent is named and left out.

Nested cross-validation: the outer folds judge (area under the ROC curve), three inner ones choose sizes and subsets,
and every selector sees the outer training part only. Learners: linear SVM, five nearest neighbours, a network of eight
hidden units, a decision tree. Filters choose among 1, 2, 4, ... columns, ranked by the Fisher criterion (with two
classes it is r^2 / (1 - r^2), so Pearson's r ranks alike) or by G2. HITON-PC and HITON-MB end with the study's
wrapper: one backward pass over the parents and children, or over the blanket. Wrappers over thousands of columns are
out of reach (a backward search over 10,000 fits a model 50 million times), so the greedy ones and the genetic one start
from the 30 columns with the largest Fisher criterion in the training part, and a forward search ends at ten; "(30)" in
the table marks it. A search that met a guard is listed below its table.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.accuracy.hiton_tasks import LEARNERS, SETS, FoldScore, Task, area, filled, load, scores_of
from benchmarks.accuracy.slides_figures import AVERAGES
from benchmarks.units import Units
from relspan.errors import RelspanWarning
from relspan.markov.backward_wrapper import backward_pass
from relspan.selectors import HITON, AssociationFilter, GeneticSearch, HalvingRFE
from relspan.selectors.association_filter import association
from relspan.selectors.greedy_wrapper import SEARCH_DIRECTIONS, greedy_search

SHORTLIST = 30
LONGEST_FORWARD = 10
MAX_TESTS = 20_000_000
WRAPPERS = tuple(f"{way} ({SHORTLIST})" for way in (*SEARCH_DIRECTIONS, "genetic"))
OURS = ("HITON-PC", "HITON-MB")
METHODS = ("all", "filter fisher", "filter g2", "RFE", *WRAPPERS, *OURS)

Rows = dict[tuple[str, str], list[dict[str, Any]]]


class Study:
    """Selections on one outer training part; what does not depend on the learner is done once."""

    def __init__(self, task: Task, X: np.ndarray, y: np.ndarray, alpha: float) -> None:
        self.task, self.X, self.y, self.alpha = task, X, y, alpha
        self.inner = StratifiedKFold(3, shuffle=True, random_state=1)
        self.notes: dict[str, str] = {}
        self._done: dict[str, Any] = {}

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._done:
            self._done[name] = make()
        return self._done[name]

    def select(self, method: str, learner: str) -> np.ndarray:
        """Columns chosen by a method for a learner."""
        if method == "all":
            return np.arange(self.X.shape[1])
        if method in OURS:
            return self._hiton(method, learner)
        if method == "RFE":
            rfe = HalvingRFE(SVC(kernel="linear", C=0.1), cv=self.inner, scoring="roc_auc")
            scaled = StandardScaler().fit_transform(self.X)
            return np.flatnonzero(self._once(method, lambda: rfe.fit(scaled, self.y)).support_)
        if method.startswith("filter "):
            judge = LEARNERS[learner]()
            chosen = AssociationFilter(measure=method.split()[1], estimator=judge, cv=self.inner, scoring="roc_auc")
            return np.flatnonzero(chosen.fit(self.X, self.y).support_)
        return self._wrapper(method.split()[0], learner)

    def _hiton(self, method: str, learner: str) -> np.ndarray:
        selector = HITON(alpha=self.alpha, test=self.task.test, max_tests=MAX_TESTS)
        blanket = self._once("blanket", lambda: selector.fit(self.X, self.y)).result_
        found = blanket.pc if method == "HITON-PC" else blanket
        if found.stopped:
            self.notes[method] = found.stopped
        if not found.members:
            return np.zeros(0, dtype=int)
        weakest_first = sorted(found.members, key=lambda x: -blanket.pc.marginal.log_p[x])
        members = np.array(weakest_first)
        score = FoldScore(LEARNERS[learner](), self.X[:, members], self.y, self.inner)
        return members[backward_pass(score, range(len(members))).kept]

    def _wrapper(self, way: str, learner: str) -> np.ndarray:
        short = np.argsort(-association(self.X, self.y, "fisher"), kind="stable")[:SHORTLIST]
        X = self.X[:, short]
        if way == "genetic":
            search = GeneticSearch(
                KNeighborsClassifier(), cv=self.inner, scoring="roc_auc", population=20, generations=15, random_state=0
            )
            return short[self._once(way, lambda: search.fit(X, self.y)).support_]
        score = self._once(f"sets of {learner}", lambda: FoldScore(LEARNERS[learner](), X, self.y, self.inner))
        return short[greedy_search(score, len(short), way, max_features=LONGEST_FORWARD).columns]


def judged(study: Study, X_test: np.ndarray, y_test: np.ndarray, method: str, learner: str) -> dict[str, Any]:
    """One method and learner on one outer fold; with nothing selected a learner can only guess."""
    begin = process_time()
    columns = study.select(method, learner)
    auc = 0.5
    if len(columns):
        model = LEARNERS[learner]().fit(study.X[:, columns], study.y)
        auc = area(y_test, scores_of(model, X_test[:, columns]))
    spent = process_time() - begin
    return {"auc": auc, "variables": len(columns), "seconds": spent, "note": study.notes.get(method)}


def run(
    task: Task, methods: list[str], learners: list[str], outer: int, alpha: float, units: Units, at_most: int
) -> Rows:
    """Every method and learner on the outer folds; what is known from the file of units is not computed again."""
    rows: Rows = defaultdict(list)
    folds = StratifiedKFold(outer, shuffle=True, random_state=0).split(task.X, task.y)
    for fold, (train, test) in enumerate(islice(folds, at_most)):
        X_train, X_test = filled(task.X[train], task.X[test])
        study = Study(task, X_train, task.y[train], alpha)
        for method in methods:
            for learner in learners:
                key = f"{task.name}, {method}, {learner}, fold {fold} of {outer}, alpha {alpha}"
                rows[method, learner].append(
                    units.get(key, partial(judged, study, X_test, task.y[test], method, learner))
                )
            print(f"{task.name}, fold {fold + 1} of {outer}: {method}", file=sys.stderr, flush=True)
    return rows


def mean(rows: list[dict[str, Any]], key: str) -> float:
    """One figure over the outer folds."""
    return float(np.mean([row[key] for row in rows]))


def show(task: Task, rows: Rows, learners: list[str], outer: int) -> None:
    """One table a data set: the AUC of every learner, then what holds for all of them."""
    n, p = task.X.shape
    folds = len(next(iter(rows.values())))
    print(f"\n{task.name}: {n} rows, {p} variables, independence test {task.test}, {folds} of {outer} outer folds\n")
    print(f"| method | {' | '.join(learners)} | mean AUC | variables | times fewer | CPU s |")
    print("| --- " * (len(learners) + 5) + "|")
    for method in dict.fromkeys(method for method, _ in rows):
        mine = [rows[method, learner] for learner in learners]
        areas = [mean(folds, "auc") for folds in mine]
        size = float(np.mean([mean(folds, "variables") for folds in mine]))
        spent = sum(row["seconds"] for folds in mine for row in folds)
        cells = [*(f"{area:.3f}" for area in areas), f"{np.mean(areas):.3f}", f"{size:.1f}", f"{p / max(size, 1):.1f}"]
        print(f"| {method} | {' | '.join(cells)} | {spent:.0f} |", flush=True)
    for note in sorted({f"{m}: {row['note']}" for (m, _), folds in rows.items() for row in folds if row["note"]}):
        print(note)


def times_fewer(shown: dict[str, Rows], widths: dict[str, int], method: str) -> tuple[float, float, float]:
    """Geometric mean over sets of how many times fewer variables than all, and the least and the largest."""
    folds = []
    for name, rows in shown.items():
        mine = [mean(row, "variables") for (m, _), row in rows.items() if m == method]
        if mine:
            folds.append(widths[name] / max(float(np.mean(mine)), 1.0))
    return float(np.exp(np.mean(np.log(folds)))), min(folds), max(folds)


def gain(shown: dict[str, Rows], method: str) -> float:
    """Mean AUC above that of all variables."""
    above = [
        mean(folds, "auc") - mean(rows["all", learner], "auc")
        for rows in shown.values()
        for (m, learner), folds in rows.items()
        if m == method
    ]
    return float(np.mean(above))


def conclude(shown: dict[str, Rows], widths: dict[str, int], methods: list[str]) -> None:
    """All sets together, and what the study of 2003 says of its own."""
    print(f"\nAll of them ({', '.join(shown)}): means over sets and learners\n")
    print("| method | AUC against all variables | times fewer variables (geometric mean) | least | largest |")
    print("| --- " * 5 + "|")
    for method in methods:
        fewer = " | ".join(f"{figure:.1f}" for figure in times_fewer(shown, widths, method))
        print(f"| {method} | {gain(shown, method):+.3f} | {fewer} |")
    print("\nThe averages on the slides of 2003, beside this study\n")
    print("| what | 2003 | here, HITON-PC | here, HITON-MB |\n" + "| --- " * 4 + "|")
    others = [method for method in methods if method not in ("all", *OURS)]
    fewer = {method: times_fewer(shown, widths, method)[0] for method in methods}
    rivals = float(np.exp(np.mean([np.log(fewer[method]) for method in others])))
    printed = {group: float(figure.rstrip(" %")) for group, figure in AVERAGES["average performance"].items()}
    sizes = {group: float(figure.replace(",", "")) for group, figure in AVERAGES["average number of variables"].items()}
    lines = {
        "variables, against all of them": (
            f"{AVERAGES['average reduction']['HITON'].removeprefix('x ')} times fewer",
            *(f"{fewer[method]:.0f} times fewer" for method in OURS),
        ),
        "accuracy, against all variables": (
            f"{printed['HITON'] - printed['ALL']:+.1f} % of AUC or accuracy",
            *(f"AUC {gain(shown, method):+.3f}" for method in OURS),
        ),
        "variables, against the other selectors": (
            f"{sizes['baselines'] / sizes['HITON']:.0f} times fewer",
            *(f"{fewer[method] / rivals:.1f} times fewer" for method in OURS),
        ),
    }
    for what, cells in lines.items():
        print(f"| {what} | {' | '.join(cells)} |")
    print(
        "\nIts tasks were thrombin (KDD Cup 2001, 139,351 variables), arrhythmia (UCI), OHSUMED text categorisation,\n"
        "lung cancer gene expression and prostate cancer mass spectrometry. They are not all public, and only\n"
        "arrhythmia is also here, so its figures stand beside ours and not against them. Other selectors are the\n"
        f"geometric mean of filters, RFE and wrappers; the wrappers chose among {SHORTLIST} columns."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.get("RELSPAN_DATA"))
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--learners", nargs="+", choices=tuple(LEARNERS), default=list(LEARNERS))
    parser.add_argument("--methods", nargs="+", choices=METHODS[1:], default=list(METHODS[1:]), help="besides all")
    parser.add_argument("--outer", type=int, default=5, help="outer folds")
    parser.add_argument("--at-most", nargs="+", default=[], metavar="SET=FOLDS", help="outer folds judged of a set")
    parser.add_argument("--alpha", type=float, default=0.05, help="of HITON's tests")
    parser.add_argument("--units", help="a file of finished units, to go on from")
    options = parser.parse_args()
    if options.data is None:
        sys.exit("no data folder: give it as an argument or set RELSPAN_DATA")
    warnings.simplefilter("ignore", ConvergenceWarning)  # twenty-five steps are what the network gets
    warnings.simplefilter("ignore", RelspanWarning)  # a guard that was met is listed below the table
    units, methods = Units(options.units), ["all", *options.methods]
    fewer = {name: int(folds) for name, folds in (word.split("=") for word in options.at_most)}
    shown, widths = {}, {}
    for name in options.sets:
        task = load(Path(options.data), name)
        if task is not None:
            widths[name] = task.X.shape[1]
            with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
                most = fewer.get(name, options.outer)
                shown[name] = run(task, methods, options.learners, options.outer, options.alpha, units, most)
            show(task, shown[name], options.learners, options.outer)
    if shown and set(OURS) <= set(methods):
        conclude(shown, widths, methods)


if __name__ == "__main__":
    main()
