"""Selectors on real tables where the truth is not known: the public tables of the FRI paper.

    python -m benchmarks.accuracy.real [--data FOLDER] [--replicates 50] [--first-seed 0] [--tables SPECTF]
                                       [--methods relspan Boruta] [--at-most Boruta=20] [--rows distinct]
                                       [--units FILE] [--fri-python PYTHON]

Every replicate is a bootstrap sample (benchmarks.accuracy.biomedical says how it is prepared). A method selects
features on the drawn rows; a logistic regression is fitted to these features on the drawn rows, its C tuned by three
folds that keep the copies of a row together; the area under its ROC curve is taken on the rows that were not drawn.
As many rows are drawn as the table has; Tables III to V in the paper's own design, .7 n rows, are those of
benchmarks.accuracy.fri_tables.

Copies of rows and rows made up by SMOTE are counted as evidence by every selector that tests features against chance.
With `--rows drawn` selectors see the drawn rows before they are balanced, with `--rows distinct` each of these once;
the judge is the same as ever.

`relspan` are the strong and weak features: all that can matter, so the set is large by its definition. `relspan panel`
is the set for prediction: a smallest set of features, as far as a quick descent finds it, from which a model as good as
the best can be made. `relspan, strong only` are those that no equally good model can do without; where there are none
the judge can only guess (AUC .5).

A slow method may be given fewer replicates by --at-most: the first ones. Every row says how many it had, and two
methods are compared on the replicates that both had.

FOLDER (or RELSPAN_DATA) holds SPECTF.train, SPECTF.test (UCI 96) and colposcopy.csv (UCI 384, the three files stacked
and the consensus as last column).
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from functools import partial
from importlib.util import find_spec
from time import process_time
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedGroupKFold

from benchmarks.accuracy.biomedical import NOT_PUBLIC, TABLES, Replicate, Table, load, missing_files, replicate
from benchmarks.accuracy.selection import THREE_WAY, answer, limits
from benchmarks.peers.selection import SELECTORS, lacking
from benchmarks.units import Units
from relspan import RelevanceClassifier

PANEL = "relspan panel"
OURS = ("relspan", PANEL)
STRONG = "relspan, strong only"
PEERS = ("L1-SVM", "elastic net", "stability selection", "ensemble", "Boruta")
METHODS = ("all features", *OURS, *SELECTORS, "fri", "fri, slacks .1")
COSTS = np.geomspace(1e-3, 1e2, 6)
ROWS = ("prepared", "drawn", "distinct")
CLOSE = 0.01
WHY = """
Why NO: the relevant features are all that can matter, replaceable ones included, so this set is large by definition.
The panel keeps one of those that replace each other: few features, and what the dropped copies would have averaged out
can be lost on small tables. Copies of drawn rows and rows made up by SMOTE count as evidence for every method that
tests against chance; the benchmark real-distinct shows the sets without them."""


def seen(sample: Replicate, rows: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows that selectors see."""
    if rows == "prepared":
        return sample.X, sample.y
    which = np.unique(sample.origin, return_index=True)[1] if rows == "distinct" else slice(None)
    return sample.drawn[which], sample.drawn_y[which]


def classes(method: str, X: np.ndarray, y: np.ndarray, seed: int, fri_python: str | None) -> tuple[np.ndarray, float]:
    """What a method says of every feature (2 strong, 1 weak or selected, 0 not), and its CPU seconds."""
    if method == "all features":
        return np.ones(X.shape[1], dtype=int), 0.0
    if method != PANEL:
        return answer(method, X, y, seed, fri_python)
    begin = process_time()
    fitted = RelevanceClassifier(random_state=seed).fit(X, y)
    panel = set(fitted.explore().smallest_panel(time_limit=0.0).features)
    found = np.array([int(feature.name in panel) for feature in fitted.result_.features])
    return found, process_time() - begin


def area(sample: Replicate, kept: np.ndarray, seed: int) -> float:
    """ROC-AUC on the held-out rows of a logistic regression on the kept features; with none it can only guess."""
    if not kept.any():
        return 0.5
    folds = StratifiedGroupKFold(3, shuffle=True, random_state=seed)
    judge = GridSearchCV(LogisticRegression(max_iter=5000), {"C": COSTS}, scoring="roc_auc", cv=folds, refit=False)
    judge.fit(sample.drawn[:, kept], sample.drawn_y, groups=sample.origin)
    model = LogisticRegression(max_iter=5000, **judge.best_params_).fit(sample.X[:, kept], sample.y)
    return float(roc_auc_score(sample.test_y, model.decision_function(sample.test[:, kept])))


def judged(table: Table, method: str, seed: int, rows: str, fri_python: str | None) -> dict[str, Any]:
    """One method on one replicate."""
    sample = replicate(table, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, seconds = classes(method, *seen(sample, rows), seed, fri_python)
    three_way = method in THREE_WAY
    return {
        "auc": area(sample, found > 0, seed),
        "size": int((found > 0).sum()),
        "strong": int((found == 2).sum()) if three_way else None,
        "weak": int((found == 1).sum()) if three_way else None,
        "seconds": seconds,
        **({"strong_auc": area(sample, found == 2, seed)} if method == "relspan" else {}),
    }


def strong_only(unit: dict[str, Any]) -> dict[str, Any]:
    """The same fit, its strong features alone."""
    return {**unit, "auc": unit["strong_auc"], "size": unit["strong"], "weak": 0}


def all_judged(
    table: Table, methods: list[str], options: argparse.Namespace, units: Units
) -> dict[str, list[dict[str, Any]]]:
    """All methods on all replicates, those that are known from the file of units."""
    rows: dict[str, list[dict[str, Any]]] = {method: [] for method in methods}
    for draw in range(options.replicates):
        seed = options.first_seed + draw
        for method in methods:
            if draw < options.at_most.get(method, options.replicates):
                key = f"{table.name}, {method}, {options.rows} rows, replicate {seed}"
                run = partial(judged, table, method, seed, options.rows, options.fri_python)
                rows[method].append(units.get(key, run))
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if "relspan" in rows:
        rows[STRONG] = [strong_only(unit) for unit in rows["relspan"]]
    return rows


def column(units: list[dict[str, Any]], key: str) -> np.ndarray:
    """One figure of all replicates; empty where the method has none."""
    return np.array([unit[key] for unit in units if unit[key] is not None], dtype=float)


def show(table: Table, rows: dict[str, list[dict[str, Any]]], seen_rows: str) -> None:
    """One table, the best mean AUC first."""
    n, d = table.X.shape
    balanced = "SMOTE and edited nearest neighbours" if table.imbalanced else "not balanced"
    size = f"{n} rows ({table.y.sum()} of class 1), {d} features, {balanced}"
    print(f"\n{table.name}: {size}; selected on {seen_rows} rows\n")
    columns = "method | replicates | AUC | sd | features | sd | strong | weak | CPU s per selection"
    print(f"| {columns} |\n" + "| --- " * 9 + "|")
    for method in best_first(rows):
        auc, size_of = column(rows[method], "auc"), column(rows[method], "size")
        strong, weak = column(rows[method], "strong"), column(rows[method], "weak")
        cells = [
            str(len(auc)),
            mean(auc, 3),
            spread(auc, 3),
            mean(size_of, 1),
            spread(size_of, 1),
            mean(strong, 1),
            mean(weak, 1),
        ]
        print(f"| {method} | {' | '.join(cells)} | {column(rows[method], 'seconds').mean():.2f} |", flush=True)


def mean(values: np.ndarray, digits: int) -> str:
    """The mean, or nothing."""
    return f"{values.mean():.{digits}f}" if len(values) else ""


def spread(values: np.ndarray, digits: int) -> str:
    """The standard deviation over replicates, which share rows: no standard error."""
    return f"{values.std(ddof=1):.{digits}f}" if len(values) > 1 else ""


def best_first(rows: dict[str, list[dict[str, Any]]]) -> list[str]:
    """The methods by mean AUC."""
    return sorted(rows, key=lambda method: -column(rows[method], "auc").mean())


def behind(method: str, other: str, rows: dict[str, list[dict[str, Any]]]) -> np.ndarray:
    """By how much the other's AUC is higher, in each replicate that both had."""
    ours, theirs = column(rows[method], "auc"), column(rows[other], "auc")
    common = min(len(ours), len(theirs))
    return theirs[:common] - ours[:common]


def verdict(method: str, rows: dict[str, list[dict[str, Any]]]) -> list[str]:
    """How far behind the best AUC a method is, and whose sets are smaller.

    The error is that of the mean paired difference over replicates; they share rows, so it is too small for a test.
    """
    best = max(rows, key=lambda other: (behind(method, other, rows).mean(), other == method))
    gaps = behind(method, best, rows)
    error = f" +- {gaps.std(ddof=1) / np.sqrt(len(gaps)):.3f}" if len(gaps) > 1 else ""
    within = "yes" if gaps.mean() <= CLOSE else "NO"
    sizes = column(rows[method], "size")
    size = sizes.mean()
    cells = [f"{gaps.mean():.3f}{error} ({len(gaps)})", best, within, f"{size:.1f}"]
    for peer in ("Boruta", "elastic net"):
        if peer not in rows:
            cells.append("")
            continue
        others = column(rows[peer], "size")
        common = min(len(sizes), len(others))
        word = "yes" if sizes[:common].mean() < others[:common].mean() else "NO"
        cells.append(f"{word} ({others[:common].mean():.1f})")
    return cells


def conclude(shown: dict[str, dict[str, list[dict[str, Any]]]]) -> None:
    """Where relspan stands, all tables together."""
    print("\nWhere relspan stands, in brackets the number of replicates both had, and the peer's number of features\n")
    columns = (
        "table | set | AUC behind the best | the best | within .01 | features | fewer than Boruta | than elastic net"
    )
    print(f"| {columns} |")
    print("| --- " * 8 + "|")
    lines = [
        f"| {name} | {method} | {' | '.join(verdict(method, rows))} |"
        for name, rows in shown.items()
        for method in OURS
        if method in rows
    ]
    print("\n".join(lines))
    if any("NO" in line for line in lines):
        print(WHY)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="FOLDER", default=os.environ.get("RELSPAN_DATA"))
    parser.add_argument("--replicates", type=int, default=50)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--tables", nargs="*", choices=TABLES, default=list(TABLES))
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=["all features", *OURS, *PEERS])
    parser.add_argument("--at-most", nargs="*", default=[], metavar="METHOD=COUNT", help="fewer replicates of a method")
    parser.add_argument("--rows", choices=ROWS, default="prepared", help="what selectors see")
    parser.add_argument("--units", help="a file of finished units, to go on from")
    parser.add_argument("--fri-python", help="python of an environment that has fri; for the method fri")
    options = parser.parse_args()
    if {"fri", "fri, slacks .1"} & set(options.methods) and not options.fri_python:
        parser.error("the method fri needs --fri-python")
    try:
        options.at_most = limits(options.at_most, METHODS)
    except ValueError as wrong:
        parser.error(str(wrong))
    units, methods = Units(options.units), list(options.methods)
    for method, package in lacking(methods).items():
        methods.remove(method)
        print(f"{method} is left out: the package {package} is not installed")
    print(f"{' and '.join(NOT_PUBLIC)} of the paper are not public and not shown.")
    shown = {}
    for name in options.tables:
        absent = missing_files(name, options.data)
        if absent:
            print(f"{name} is left out: no {', '.join(absent)} in the folder of --data or RELSPAN_DATA")
            continue
        table = load(name, options.data)
        if table.imbalanced and find_spec("imblearn") is None:
            print(f"{name} is left out: the package imbalanced-learn is not installed")
            continue
        shown[name] = all_judged(table, methods, options, units)
        show(table, shown[name], options.rows)
    if any(method in rows for rows in shown.values() for method in OURS):
        conclude(shown)


if __name__ == "__main__":
    main()
