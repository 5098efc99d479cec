"""Are the classes right for every task? Tables for regression, ordered classes, a reject option and several classes.

    python -m benchmarks.accuracy.tasks [--tasks regression ordinal] [--seeds 10] [--first-seed 0] [--noise 0 .1 .5]
                                        [--sets Sim1 Sim2] [--engine auto] [--json FILE]
    python -m benchmarks.accuracy.tasks --study --first-seed 100 --seeds 2 ...
    python -m benchmarks.accuracy.tasks --real

The sets are Sim1 to Sim5 of the FRI paper, with the same columns, truth and score for every task, and smaller ones of
three classes; noise is the standard deviation of what is added to the score, as a share of the score's own. For each
the mean over seeds of F1 of "relevant" (strong or weak), three-way accuracy, and the counts of each kind of error.

With --study the loss budget is varied, on seeds of its own: the defaults of the estimators were chosen by it. With
--real the intervals of scikit-learn's iris and wine are shown.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.datasets import load_iris, load_wine

from benchmarks.accuracy.simulated import f1_of_relevant
from relspan import (
    OrdinalRelevanceClassifier,
    RejectRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from relspan.errors import RelspanWarning
from relspan.simulate import PAPER_SETS, Simulated, simulate

ESTIMATORS: dict[str, Any] = {
    "regression": RelevanceRegressor,
    "ordinal": OrdinalRelevanceClassifier,
    "reject": RejectRelevanceClassifier,
    "three classes": RelevanceClassifier,
}
SETS = ("Sim1", "Sim2", "Sim3", "Sim4", "Sim5")
# three classes: samples, strong, weak, irrelevant features, and weak groups
THREE = {"strong": (200, 3, 0, 12, None), "both": (200, 2, 4, 9, 2), "weak": (200, 0, 6, 9, 3)}
BUDGETS = (0.005, 0.01, 0.02, 0.05)
COLUMNS = (
    "F1",
    "three-way",
    "weak called strong",
    "strong called weak",
    "false positives",
    "false negatives",
    "of features",
    "s per fit",
)


def table_of(task: str, name: str, noise: float, seed: int) -> Simulated:
    """The set of that name, with a target for the task."""
    if task == "three classes":
        *sizes, groups = THREE[name]
        return simulate(*sizes, groups=groups, classes=3, target_noise=noise, random_state=seed)
    kind = "classification" if task == "reject" else task
    return simulate(*PAPER_SETS[name], task=kind, target_noise=noise, random_state=seed)


def judge(task: str, name: str, noise: float, seeds: range, **options: Any) -> list[float]:
    """The columns of one row."""
    f1, accuracy, seconds = [], [], []
    confusion = np.zeros((3, 3), dtype=int)
    for seed in seeds:
        data = table_of(task, name, noise, seed)
        begin = perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RelspanWarning)
            found = ESTIMATORS[task](random_state=seed, **options).fit(data.X, data.y).relevance_
        seconds.append(perf_counter() - begin)
        f1.append(f1_of_relevant(data.truth, found))
        accuracy.append(float((found == data.truth).mean()))
        np.add.at(confusion, (data.truth, found), 1)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    errors = [confusion[1, 2], confusion[2, 1], confusion[0, 1:].sum(), confusion[1:, 0].sum(), confusion.sum()]
    return [float(np.mean(f1)), float(np.mean(accuracy)), *map(int, errors), float(np.mean(seconds))]


def header(*first: str) -> str:
    titles = (*first, *COLUMNS)
    return "| " + " | ".join(titles) + " |\n" + "| --- " * len(titles) + "|"


def row(first: Sequence[object], figures: Sequence[float]) -> str:
    f1, accuracy, *counts, seconds = figures
    cells = [*map(str, first), f"{f1:.3f}", f"{accuracy:.3f}", *map(str, counts), f"{seconds:.1f}"]
    return f"| {' | '.join(cells)} |"


def show_real() -> None:
    """Iris and wine, class by class."""
    for load in (load_iris, load_wine):
        data = load(as_frame=True)
        species = data.target_names[data.target]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RelspanWarning)
            found = RelevanceClassifier(random_state=0).fit(data.data, species)
        print(f"\n{load.__name__}: accuracy {found.score(data.data, species):.3f}\n\n{found.result_}\n")
        for feature in found.result_.features:
            parts = ", ".join(f"{name} [{lo:+.2f}, {hi:+.2f}]" for name, (lo, hi) in (feature.parts or {}).items())
            print(f"{feature.name}: {parts}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="*", choices=ESTIMATORS, default=list(ESTIMATORS))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--noise", nargs="*", type=float, default=[0.0, 0.1, 0.5])
    parser.add_argument("--sets", nargs="*", choices=[*SETS, *THREE], default=[*SETS, *THREE])
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--study", action="store_true", help="vary the loss budget")
    parser.add_argument("--budgets", nargs="*", type=float, default=list(BUDGETS))
    parser.add_argument("--json", help="also write the figures here")
    parser.add_argument("--real", action="store_true", help="show iris and wine")
    options = parser.parse_args()
    if options.real:
        show_real()
        return
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    figures: dict[str, list[float]] = {}
    for task in options.tasks:
        print(f"\n{task}, seeds {seeds.start} to {seeds.stop - 1}\n")
        print(header("set", "noise", "delta_loss") if options.study else header("set", "noise"), flush=True)
        for name in [name for name in options.sets if name in (THREE if task == "three classes" else SETS)]:
            for noise in options.noise:
                for budget in options.budgets if options.study else [None]:
                    given = {} if budget is None else {"delta_loss": budget}
                    first = [name, noise, *([] if budget is None else [budget])]
                    found = judge(task, name, noise, seeds, engine=options.engine, **given)
                    figures[" ".join(map(str, [task, *first]))] = found
                    print(row(first, found), flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"seeds": list(seeds), "columns": COLUMNS, "rows": figures}, file, indent=2)


if __name__ == "__main__":
    main()
