"""Figure 3 of the HITON slides (AMIA 2003), task by task, beside ours.

    python -m benchmarks.accuracy.hiton_slides [DATA] [--tables arrhythmia pcmac] [--learners KNN] [--folds 2]
                                               [--columns 500] [--units FILE]

DATA (or RELSPAN_DATA) is a folder with arrhythmia.data, pcmac.npz, prostate_ge.npz and arcene.npz; a file that is
absent is named and left out. The twin of OHSUMED needs no file. Which table stands for which task is explained in
benchmarks.accuracy.slides_tasks.

Nested cross-validation: the outer folds judge, three inner ones choose sizes and subsets, and every selector sees the
outer training part only. ALL takes every column. UAF, IG and X2 are filters that rank columns by one association each
(G2 or the Fisher criterion; information gain; chi-square) and choose among 1, 2, 4, ... of them for each learner. RFE
halves by the weights of a linear SVM. B/F is the forward-backward wrapper over all columns, in sweeps. HITON is the
Markov blanket and one backward pass with the learner. Where columns are continuous and classes two, its independence
test is chosen by the inner folds; a table of its own shows what each of the two tests would have given.

A mark (*) has the slides' meaning: the method's best model is the best of the task, or not significantly worse, at .05
and without a correction for several comparisons. The slides do not name their test; here it is McNemar's for accuracy
and DeLong's for the area under the ROC curve.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import sklearn
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.accuracy.hiton_tasks import FoldScore, accuracy_of, area_of, filled, scores_of
from benchmarks.accuracy.paired_tests import accuracy_p, area_p
from benchmarks.accuracy.slides_figures import AVERAGES, FIGURE_3
from benchmarks.accuracy.slides_tasks import SLIDES_LEARNERS, STAND_INS, SlidesTask, slides_task
from benchmarks.units import Units
from relspan.errors import RelspanWarning
from relspan.markov.backward_wrapper import backward_pass
from relspan.selectors import HITON, AssociationFilter, HalvingRFE
from relspan.selectors.association_filter import association
from relspan.selectors.greedy_wrapper import greedy_search

LEVEL = 0.05
MAX_TESTS = 20_000_000
SCORING = {"AUC": "roc_auc", "accuracy": "accuracy"}
MEASURES = {"AUC": area_of, "accuracy": accuracy_of}
GROUPS: dict[str, Callable[[list[str]], list[str]]] = {
    "baselines": lambda methods: methods[:2],
    "HITON": lambda methods: ["HITON"],
    "ALL": lambda methods: ["ALL"],
}
FILTERS = {"IG": "information", "X2": "chi2"}
BY_TEST = {"HITON, Fisher's z": "fisher-z", "HITON, G2": "g2"}  # beside the choice by the inner folds

Rows = dict[tuple[str, str], list[dict[str, Any]]]


class OuterFold:
    """Selections on one outer training part; what does not depend on the learner is done once."""

    def __init__(self, task: SlidesTask, X: np.ndarray, y: np.ndarray) -> None:
        self.task, self.X, self.y = task, X, y
        self.scoring = SCORING[task.printed.measure]
        self.inner = StratifiedKFold(3, shuffle=True, random_state=1)
        # Intensities and expressions are numbers, even where a column has few different ones.
        self.discrete = np.zeros(X.shape[1], dtype=bool) if task.test == "cv" else "auto"
        self._done: dict[str, Any] = {}

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._done:
            self._done[name] = make()
        return self._done[name]

    def select(self, method: str, learner: str) -> tuple[np.ndarray, str]:
        """Columns chosen by a method for a learner, and a remark."""
        judge = SLIDES_LEARNERS[learner]()
        if method == "ALL":
            return np.arange(self.X.shape[1]), ""
        if method == "HITON":
            return self._hiton(judge)
        if method in BY_TEST:
            return self._wrapped(judge, BY_TEST[method])
        if method == "RFE":
            rfe = HalvingRFE(SVC(kernel="linear", C=0.1), cv=self.inner, scoring=self.scoring)
            scaled = StandardScaler().fit_transform(self.X)
            return np.flatnonzero(self._once(method, lambda: rfe.fit(scaled, self.y)).support_), ""
        if method == "B/F":
            return self._sweeps(judge), ""
        chosen = AssociationFilter(
            measure=FILTERS.get(method, self.task.uaf), estimator=judge, cv=self.inner, scoring=self.scoring
        )
        return np.flatnonzero(chosen.fit(self.X, self.y).support_), ""

    def _hiton(self, judge: Any) -> tuple[np.ndarray, str]:
        task = self.task
        if task.test == "cv":  # another learner may choose another test
            hiton = HITON(
                judge,
                cv=self.inner,
                scoring=self.scoring,
                test="cv",
                n_bins=task.n_bins,
                discrete_features=self.discrete,
                max_tests=MAX_TESTS,
            ).fit(self.X, self.y)
            return np.flatnonzero(hiton.support_), hiton.stopped_ or hiton.test_
        return self._wrapped(judge, task.test)

    def _wrapped(self, judge: Any, test: str) -> tuple[np.ndarray, str]:
        """The blanket by one test, which every learner shares, and the backward pass with the learner."""
        hiton = HITON(
            test=test,
            n_bins=self.task.n_bins if test == "g2" else None,
            discrete_features=self.discrete,
            max_tests=MAX_TESTS,
        )
        blanket = self._once(f"blanket, {test}", lambda: hiton.fit(self.X, self.y))
        found = blanket.result_
        members = np.array(sorted(found.members, key=lambda x: (-found.pc.marginal.log_p[x], -x)), dtype=int)
        if len(members):
            score = self._score(judge, self.X[:, members])
            members = members[backward_pass(score, range(len(members))).kept]
        return members, blanket.stopped_ or blanket.test_

    def _score(self, judge: Any, X: np.ndarray) -> FoldScore:
        return FoldScore(judge, X, self.y, self.inner, MEASURES[self.task.printed.measure])

    def _sweeps(self, judge: Any) -> np.ndarray:
        """Forward and backward over all columns, in the order of their association with the target."""
        strongest = np.argsort(-association(self.X, self.y, self.task.uaf), kind="stable")
        score = self._score(judge, self.X[:, strongest])
        return strongest[greedy_search(score, len(strongest), "forward-backward", step="first").columns]


def judged(fold: OuterFold, X_test: np.ndarray, y_test: np.ndarray, method: str, learner: str) -> dict[str, Any]:
    """One method and learner on one outer fold: performance, and what the paired test needs of every row."""
    begin = process_time()
    columns, remark = fold.select(method, learner)
    model = SLIDES_LEARNERS[learner]()
    if not len(columns):  # with nothing selected a learner can only guess
        columns, model = np.array([0]), DummyClassifier(strategy="prior")
        remark = "nothing selected"
    model.fit(fold.X[:, columns], fold.y)
    area = fold.task.printed.measure == "AUC"
    rows = scores_of(model, X_test[:, columns]) if area else model.predict(X_test[:, columns]) == y_test
    return {
        "performance": 100 * MEASURES[fold.task.printed.measure](model, X_test[:, columns], y_test),
        "variables": 0 if remark == "nothing selected" else len(columns),
        "rows": rows.tolist(),
        "seconds": process_time() - begin,
        "remark": remark,
    }


def run(task: SlidesTask, units: Units, at_most: int | None) -> tuple[Rows, list[np.ndarray]]:
    """Every method and learner on the outer folds, and the targets of these folds."""
    rows: Rows = defaultdict(list)
    targets = []
    folds = StratifiedKFold(task.folds, shuffle=True, random_state=0).split(task.X, task.y)
    for number, (train, test) in enumerate(islice(folds, min(task.judged, at_most or task.judged))):
        X_train, X_test = filled(task.X[train], task.X[test])
        fold = OuterFold(task, X_train, task.y[train])
        targets.append(task.y[test])
        for method in (*task.methods, *(BY_TEST if task.test == "cv" else ())):
            for learner in task.learners:
                key = f"{task.name}, {task.X.shape[1]} columns, {method}, {learner}, fold {number} of {task.folds}"
                rows[method, learner].append(
                    units.get(key, partial(judged, fold, X_test, task.y[test], method, learner))
                )
            print(f"{task.name}, fold {number + 1}: {method}", file=sys.stderr, flush=True)
    return rows, targets


def mean(rows: list[dict[str, Any]], key: str) -> float:
    """One figure over the outer folds."""
    return float(np.mean([row[key] for row in rows]))


def average(task: SlidesTask, rows: Rows, method: str, key: str) -> float:
    """One figure over learners and folds."""
    return float(np.mean([mean(rows[method, learner], key) for learner in task.learners]))


def p_values(task: SlidesTask, rows: Rows, targets: list[np.ndarray]) -> dict[str, float]:
    """Each method's best model against the best model of all; 1 for the best itself."""
    best = {m: max(task.learners, key=lambda k: mean(rows[m, k], "performance")) for m in task.methods}
    first = max(task.methods, key=lambda m: mean(rows[m, best[m]], "performance"))
    held = {m: [np.array(row["rows"]) for row in rows[m, best[m]]] for m in task.methods}
    if task.printed.measure == "AUC":
        return {m: area_p(targets, held[first], held[m]) for m in task.methods}
    return {m: accuracy_p(np.concatenate(held[first]), np.concatenate(held[m])) for m in task.methods}


def show(task: SlidesTask, rows: Rows, targets: list[np.ndarray]) -> None:
    """Figure 3 of one task, the slides' columns beside ours."""
    printed, (n, p) = task.printed, task.X.shape
    split = f"{len(targets)} of {task.folds} folds" if len(targets) < task.judged or task.judged > 1 else "one split"
    print(
        f"\n{printed.title}: {task.name}, {n} rows, {p} variables, {printed.measure}, {split}; the slides: "
        f"{STAND_INS[task.name]}, {printed.rows} rows, {printed.variables} variables, {printed.design}\n"
    )
    heads = [f"{m}, {whose}" for m in task.methods for whose in ("slides", "ours")]
    print(f"| learner | {' | '.join(heads)} |\n" + "| --- " * (len(heads) + 1) + "|")
    p_of = p_values(task, rows, targets)

    def line(name: str, pairs: list[tuple[str, str]]) -> None:
        print(f"| {name} | {' | '.join(cell for pair in pairs for cell in pair)} |", flush=True)

    for learner in task.learners:
        theirs = [printed.performance[learner][m] for m in task.methods]
        ours = [f"{mean(rows[m, learner], 'performance'):.2f}" for m in task.methods]
        line(learner, [("N/A" if a is None else f"{a:.2f}", b) for a, b in zip(theirs, ours, strict=True)])
    if not task.only:
        line(
            "Average",
            [(f"{printed.average(m):.2f}", f"{average(task, rows, m, 'performance'):.2f}") for m in task.methods],
        )
    line(
        "# of variables",
        [(f"{printed.sizes[m]}", f"{average(task, rows, m, 'variables'):.1f}") for m in task.methods],
    )
    line(
        "best, or not significantly worse",
        [("*" * (m in printed.marked), "*" * (p_of[m] >= LEVEL)) for m in task.methods],
    )
    line("p against the best model", [("", f"{p_of[m]:.3f}") for m in task.methods])
    line(
        "CPU s", [("", f"{sum(row['seconds'] for k in task.learners for row in rows[m, k]):.0f}") for m in task.methods]
    )
    for learner in task.learners:
        remarks = [row["remark"] for row in rows["HITON", learner]]
        counted = ", ".join(f"{word} in {remarks.count(word)}" for word in dict.fromkeys(remarks))
        print(f"{task.name}, {learner}: HITON's test by folds: {counted}")


def show_tests(task: SlidesTask, rows: Rows) -> None:
    """HITON with each independence test, and with the one that the inner folds choose."""
    print(f"\nHITON by its independence test: {task.name}, {task.printed.measure} and number of variables\n")
    print("| learner | Fisher's z | G2 | chosen by the inner folds |\n" + "| --- " * 4 + "|")
    for learner in task.learners:
        cells = [
            f"{mean(rows[m, learner], 'performance'):.2f} / {mean(rows[m, learner], 'variables'):.1f}"
            for m in (*BY_TEST, "HITON")
        ]
        print(f"| {learner} | {' | '.join(cells)} |")
    cells = [
        f"{average(task, rows, m, 'performance'):.2f} / {average(task, rows, m, 'variables'):.1f}"
        for m in (*BY_TEST, "HITON")
    ]
    print(f"| Average | {' | '.join(cells)} |", flush=True)


def conclude(shown: dict[str, tuple[SlidesTask, Rows]]) -> None:
    """The averages over all tasks, theirs and ours, and the two ways to average a reduction."""
    ours: dict[str, dict[str, float]] = {group: {} for group in GROUPS}
    for group, members in GROUPS.items():
        figures = {
            key: [
                np.mean([average(task, rows, m, key) for m in members(task.methods)]) for task, rows in shown.values()
            ]
            for key in ("performance", "variables")
        }
        widths = [task.X.shape[1] for task, _ in shown.values()]
        ours[group] = {
            "performance": float(np.mean(figures["performance"])),
            "variables": float(np.mean(figures["variables"])),
            "mean of ratios": float(
                np.mean([w / max(v, 1) for w, v in zip(widths, figures["variables"], strict=True)])
            ),
            "ratio of means": float(np.mean(widths) / np.mean(figures["variables"])),
        }
    theirs = {group: _printed_reductions(members) for group, members in GROUPS.items()}
    print(f"\nAverages over all tasks; ours are of {', '.join(shown)}\n")
    heads = [f"{group}, {whose}" for group in GROUPS for whose in ("slides", "ours")]
    print(f"| average | {' | '.join(heads)} |\n" + "| --- " * (len(heads) + 1) + "|")
    lines = {
        "performance": (AVERAGES["average performance"], "{:.1f} %", "performance"),
        "number of variables": (AVERAGES["average number of variables"], "{:.1f}", "variables"),
        "reduction, as printed": (AVERAGES["average reduction"], "", ""),
        "reduction, mean of the tasks' ratios": (
            {group: f"x {theirs[group][0]:.1f}" for group in GROUPS},
            "x {:.1f}",
            "mean of ratios",
        ),
        "reduction, ratio of the means": (
            {group: f"x {theirs[group][1]:.1f}" for group in GROUPS},
            "x {:.1f}",
            "ratio of means",
        ),
    }
    for name, (printed, form, key) in lines.items():
        cells = [cell for g in GROUPS for cell in (printed[g], form.format(ours[g][key]) if key else "")]
        print(f"| {name} | {' | '.join(cells)} |")
    print(
        "\nThe slides' x 1124 is the mean of the five tasks' ratios, and their x 8 is nearest to a ratio of means.\n"
        "The last two lines treat all methods alike. The slides' averages of ALL leave out the learners without a\n"
        "figure (N/A). Baselines are the two other selectors of a task."
    )


def _printed_reductions(members: Callable[[list[str]], list[str]]) -> tuple[float, float]:
    """The slides' own sizes: mean of the tasks' ratios, and ratio of the means."""
    sizes = [np.mean([task.sizes[m] for m in members(list(task.sizes))]) for task in FIGURE_3.values()]
    widths = [task.variables for task in FIGURE_3.values()]
    return float(np.mean(np.array(widths) / sizes)), float(np.mean(widths) / np.mean(sizes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.get("RELSPAN_DATA"))
    parser.add_argument("--tables", nargs="+", choices=tuple(STAND_INS), default=list(STAND_INS))
    parser.add_argument("--learners", nargs="+", choices=tuple(SLIDES_LEARNERS), help="those of the task by default")
    parser.add_argument("--columns", type=int, help="only the first columns of a table")
    parser.add_argument("--folds", type=int, help="judge at most this many outer folds")
    parser.add_argument("--units", help="a file of finished units, to go on from")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # twenty-five steps are what the network gets
    warnings.simplefilter("ignore", RelspanWarning)  # a guard that was met is listed below the table
    units, shown = Units(options.units), {}
    print("The slides' first task, thrombin, is not among the public sets here: no figure stands beside its own.")
    for name in options.tables:
        task = slides_task(options.data and Path(options.data), name)
        if task is not None:
            task = replace(task, X=task.X[:, : options.columns], only=tuple(options.learners or ()))
            with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
                rows, targets = run(task, units, options.folds)
            show(task, rows, targets)
            if task.test == "cv":
                show_tests(task, rows)
            shown[name] = (task, rows)
    if len(shown) > 1:
        conclude(shown)


if __name__ == "__main__":
    main()
