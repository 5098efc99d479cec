"""Tables II to V and Figure 4 of the FRI paper, in the paper's own design, its figures beside ours.

    python -m benchmarks.accuracy.fri_tables simulated|real [--data FOLDER] [--draws 10] [--first-seed 7000]
                                             [--sets Sim1] [--methods relspan] [--at-most Boruta=3] [--units FILE]
                                             [--fri-python PYTHON]

`simulated`: Tables II (F1, precision and recall of the relevant features), III (training accuracy), V (how many
features are selected) and Figure 4 (CPU seconds of one thread) on Sim1 to Sim5, which relspan.simulate draws.

`real`: Tables III to V and Figure 4 on the public tables, each replicate .7 n rows drawn with replacement, prepared as
benchmarks.accuracy.biomedical says, and judged on the rows that were not drawn by the area under the ROC curve of a
logistic regression on the selected features. t21 and flip are not public.

Methods: relspan with its defaults and with the settings of the paper (fri2019), the package `fri`, Boruta, the ensemble
of importances, an elastic net with equal shares of L1 and L2 and the cut-off 1e-5, and stability selection.

Training accuracy is that of the best model of relspan and fri, of a forest on the features that Boruta confirms (as in
the paper), and of a linear SVM on the features that the others select. Of Figure 4 the 95 % interval of the mean is
given; every method runs on one thread, `fri` in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterable
from functools import partial
from importlib.util import find_spec
from time import process_time
from typing import Any

import numpy as np
from scipy.stats import t as student
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import LinearSVC

from benchmarks.accuracy.biomedical import NOT_PUBLIC, TABLES, load, missing_files, replicate
from benchmarks.accuracy.real import area
from benchmarks.accuracy.selection import limits
from benchmarks.accuracy.sets import ESANN, PAPER
from benchmarks.papers.printed import FRI_TABLE_II, FRI_TABLE_III, FRI_TABLE_IV, FRI_TABLE_V, FRI_TABLE_V_CLASSES
from benchmarks.peers import fri_package
from benchmarks.peers.selection import SELECTORS
from benchmarks.units import Units
from relspan import RelevanceClassifier
from relspan.compare import METHODS as REGISTERED

SIMULATED = tuple(name for name in PAPER if name not in ESANN)
SHARE = 0.7  # of the rows of a real table that a replicate draws
PEERS = {
    "Boruta": SELECTORS["Boruta"],
    "ensemble": SELECTORS["ensemble"],
    "elastic net": REGISTERED["elastic-net"],
    "stability selection": SELECTORS["stability selection"],
}
OURS = {"relspan": RelevanceClassifier, "relspan, fri2019": partial(RelevanceClassifier.as_published, "fri2019")}
METHODS = (*OURS, "fri", *PEERS)
Unit = dict[str, Any]
Rows = dict[tuple[str, str], list[Unit]]  # by set and method


def selected(method: str, X: np.ndarray, y: np.ndarray, seed: int, fri_python: str | None) -> Unit:
    """The class of every feature (1 if strong and weak are not distinguished), training accuracy, CPU seconds."""
    if method == "fri":
        assert fri_python is not None
        found = fri_package.ask(fri_python, "fit", X, y)
        return {**found, "classes": np.array(found["classes"])}
    begin = process_time()
    if method in OURS:
        fitted = OURS[method](random_state=seed).fit(X, y)
        classes, seconds = fitted.relevance_, process_time() - begin
        accuracy = float((fitted.predict(X) == y).mean())
    else:
        classes, seconds = PEERS[method].select(X, y, "classification", seed), process_time() - begin
        accuracy = _accuracy_on(method, X[:, classes > 0], y, seed)
    return {"classes": classes, "seconds": seconds, "training_accuracy": accuracy}


def _accuracy_on(method: str, X: np.ndarray, y: np.ndarray, seed: int) -> float | None:
    """Training accuracy on the selected features; of ensemble feature selection the paper has none."""
    if method == "ensemble":
        return None
    if not X.shape[1]:
        return float(np.bincount(np.unique(y, return_inverse=True)[1]).max() / len(y))
    forest = RandomForestClassifier(100, max_depth=5, random_state=seed)
    model = forest if method == "Boruta" else LinearSVC(dual=False, random_state=seed, max_iter=20_000)
    return float(model.fit(X, y).score(X, y))


def figures_of(found: Unit, method: str) -> Unit:
    """What both parts report of a selection."""
    classes, three_way = found["classes"], method in OURS or method == "fri"
    return {
        "size": int((classes > 0).sum()),
        "strong": int((classes == 2).sum()) if three_way else None,
        "weak": int((classes == 1).sum()) if three_way else None,
        "training_accuracy": found["training_accuracy"],
        "seconds": float(found["seconds"]),
    }


def on_simulated(name: str, method: str, seed: int, options: argparse.Namespace) -> Unit:
    """One method on one draw of a set whose truth is known."""
    data = PAPER[name](seed)
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    found = selected(method, X, data.y, seed, options.fri_python)
    both = int(((data.truth > 0) & (found["classes"] > 0)).sum())
    called, true = int((found["classes"] > 0).sum()), int((data.truth > 0).sum())
    scores = {"f1": 2 * both / (called + true), "precision": both / called if called else 0.0, "recall": both / true}
    return {**scores, **figures_of(found, method)}


def on_real(name: str, method: str, seed: int, options: argparse.Namespace) -> Unit:
    """One method on one replicate of a real table."""
    sample = replicate(load(name, options.data), seed, SHARE)
    found = selected(method, sample.X, sample.y, seed, options.fri_python)
    return {"auc": area(sample, found["classes"] > 0, seed), **figures_of(found, method)}


def mean(units: list[Unit], key: str) -> float | None:
    """A figure's mean over the draws; None where a method has no such figure."""
    values = [unit[key] for unit in units if unit[key] is not None]
    return float(np.mean(values)) if values else None


def interval(units: list[Unit]) -> str:
    """The 95 % interval of the mean of the CPU seconds."""
    seconds = np.array([unit["seconds"] for unit in units])
    if len(seconds) < 2:
        return ""
    half = student.ppf(0.975, len(seconds) - 1) * seconds.std(ddof=1) / np.sqrt(len(seconds))
    return f"{max(seconds.mean() - half, 0.0):.2f} to {seconds.mean() + half:.2f}"


def cell(value: float | None, digits: int) -> str:
    """A figure, or nothing."""
    return "" if value is None else f"{value:.{digits}f}"


def table(title: str, columns: Iterable[str], rows: Iterable[list[str]]) -> None:
    """A table under its title."""
    names = list(columns)
    print(f"\n{title}\n\n| {' | '.join(names)} |\n" + "| --- " * len(names) + "|")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def printed(method: str) -> str:
    """The paper's name of a method: relspan and fri are both compared with the row of FRI."""
    return "relspan" if method in (*OURS, "fri") else method


def table_ii(rows: Rows) -> None:
    """F1, precision and recall."""
    keys = ("f1", "precision", "recall")
    names = ("F1", "precision", "recall")
    table(
        "Table II: the relevant features that are found",
        ["set", "method", "draws", *names, *(f"paper: {name}" for name in names)],
        (
            [
                name,
                method,
                str(len(units)),
                *(cell(mean(units, key), 3) for key in keys),
                *(f"{figure:.2f}" for figure in FRI_TABLE_II[name][printed(method)]),
            ]
            for (name, method), units in rows.items()
        ),
    )


def table_iii(rows: Rows) -> None:
    """Training accuracy."""
    table(
        "Table III: accuracy on the training rows",
        ["set", "method", "draws", "training accuracy", "paper"],
        (
            [
                name,
                method,
                str(len(units)),
                cell(mean(units, "training_accuracy"), 3),
                cell(FRI_TABLE_III[name].get(printed(method)), 2),
            ]
            for (name, method), units in rows.items()
        ),
    )


def table_iv(rows: Rows) -> None:
    """The area under the ROC curve on the rows that were not drawn."""
    table(
        "Table IV: area under the ROC curve of a logistic regression on the selected features",
        ["set", "method", "draws", "AUC", "sd", "paper"],
        (
            [
                name,
                method,
                str(len(units)),
                cell(mean(units, "auc"), 3),
                cell(float(np.std([unit["auc"] for unit in units], ddof=1)) if len(units) > 1 else None, 3),
                f"{FRI_TABLE_IV[name][printed(method)]:.3f}",
            ]
            for (name, method), units in rows.items()
        ),
    )


def table_v(rows: Rows) -> None:
    """How many features are selected, strong and weak ones apart."""
    table(
        "Table V: how many features are selected, strong and weak ones apart",
        ["set", "method", "draws", "features", "strong", "weak", "paper: features", "paper: strong", "paper: weak"],
        (
            [
                name,
                method,
                str(len(units)),
                *(cell(mean(units, key), 1) for key in ("size", "strong", "weak")),
                f"{FRI_TABLE_V[name][printed(method)]:.1f}",
                *(f"{figure:.1f}" for figure in FRI_TABLE_V_CLASSES[name] if printed(method) == "relspan"),
                *([] if printed(method) == "relspan" else ["", ""]),
            ]
            for (name, method), units in rows.items()
        ),
    )


def figure_4(rows: Rows) -> None:
    """CPU seconds; the paper prints a picture only."""
    table(
        "Figure 4: CPU seconds of a selection on one thread",
        ["set", "method", "draws", "CPU s", "95 % interval", "times relspan's"],
        (
            [
                name,
                method,
                str(len(units)),
                cell(mean(units, "seconds"), 2),
                interval(units),
                cell(_times(rows, name, method), 1),
            ]
            for (name, method), units in rows.items()
        ),
    )


def _times(rows: Rows, name: str, method: str) -> float | None:
    """How many times as long as relspan a method takes on a set, by their means."""
    ours, theirs = mean(rows.get((name, "relspan"), []), "seconds"), mean(rows[name, method], "seconds")
    return theirs / ours if ours and theirs is not None else None


PARTS = {
    "simulated": (SIMULATED, on_simulated, (table_ii, table_iii, table_v, figure_4)),
    "real": (tuple(TABLES), on_real, (table_iii, table_iv, table_v, figure_4)),
}


def available(part: str, options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """The sets and the methods that can be run here; what cannot is named."""
    methods = []
    for method in options.methods or METHODS:
        if method == "fri" and not options.fri_python:
            print("fri is left out: it needs --fri-python")
        elif method in PEERS and not PEERS[method].installed:
            print(f"{method} is left out: the package {PEERS[method].package} is not installed")
        else:
            methods.append(method)
    sets = [name for name in PARTS[part][0] if not options.sets or name in options.sets]
    if part == "simulated":
        return sets, methods
    print(f"{' and '.join(NOT_PUBLIC)} of the paper are not public and not shown.")
    here = []
    for name in sets:
        absent = missing_files(name, options.data)
        if absent:
            print(f"{name} is left out: no {', '.join(absent)} in the folder of --data or RELSPAN_DATA")
        elif name != "breast cancer" and find_spec("imblearn") is None:
            print(f"{name} is left out: the package imbalanced-learn is not installed")
        else:
            here.append(name)
    return here, methods


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--data", metavar="FOLDER", default=os.environ.get("RELSPAN_DATA"))
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=7000)
    parser.add_argument("--sets", nargs="*", choices=[*SIMULATED, *TABLES])
    parser.add_argument("--methods", nargs="*", choices=METHODS)
    parser.add_argument("--at-most", nargs="*", default=[], metavar="METHOD=COUNT", help="fewer draws of a method")
    parser.add_argument("--units", help="a file of finished units, to go on from")
    parser.add_argument("--fri-python", help="python of an environment that has fri")
    options = parser.parse_args()
    try:
        options.at_most = limits(options.at_most, METHODS)
    except ValueError as wrong:
        parser.error(str(wrong))
    sets, methods = available(options.part, options)
    units, judge = Units(options.units), PARTS[options.part][1]
    rows: Rows = {}
    for name in sets:
        for method in methods:
            rows[name, method] = []
            for draw in range(min(options.draws, options.at_most.get(method, options.draws))):
                seed = options.first_seed + draw
                run = partial(judge, name, method, seed, options)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    rows[name, method].append(units.get(f"{name}, {method}, draw {seed}", run))
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for show in PARTS[options.part][2]:
        show(rows)


if __name__ == "__main__":
    main()
