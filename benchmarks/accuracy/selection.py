"""relspan beside other selectors where the truth is known: ESANN Data I to III, and Sim1 to Sim5 of the FRI paper.

    python -m benchmarks.accuracy.selection [--seeds 10] [--first-seed 0] [--sets I Sim1] [--methods relspan Boruta]
                                            [--units FILE] [--quick] [--fri-python PYTHON]

Precision, recall and F1 of "relevant" (strong or weak), means over seeds, and CPU seconds a fit. The three-way accuracy
(strong, weak, irrelevant) is told for the methods that tell the three apart. The tables are drawn by relspan.simulate
with the papers' sizes; other draws than the papers', so their printed figures are no yardstick here.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from importlib.util import find_spec
from time import process_time
from typing import Any

import numpy as np

from benchmarks.peers import fri_package
from benchmarks.peers.selection import SELECTORS, selected
from benchmarks.units import Units
from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning
from relspan.simulate import PAPER_SETS, simulate_named

METHODS = ("relspan", *SELECTORS)
THREE_WAY = ("relspan", "fri")
QUICK_SETS = ("I", "II", "III", "Sim1")
FIGURES = ("precision", "recall", "f1")


def answer(method: str, X: np.ndarray, y: np.ndarray, seed: int, fri_python: str | None) -> tuple[np.ndarray, float]:
    """The classes a method finds (0, 1, 2, or 0 and 1 where it does not tell strong from weak), and CPU seconds."""
    if method == "fri":
        assert fri_python is not None
        told = fri_package.ask(fri_python, "fit", X, y)
        return np.array(told["classes"]), float(told["seconds"])
    begin = process_time()
    if method == "relspan":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RelspanWarning)
            found = RelevanceClassifier(random_state=seed).fit(X, y).relevance_
    else:
        found = selected(method, X, y, seed).astype(int)
    return found, process_time() - begin


def judge(name: str, method: str, seed: int, fri_python: str | None) -> dict[str, Any]:
    """The figures of one method on one draw."""
    data = simulate_named(name, seed)
    found, seconds = answer(method, data.X, data.y, seed, fri_python)
    both = int(((data.truth > 0) & (found > 0)).sum())
    said, true = int((found > 0).sum()), int((data.truth > 0).sum())
    return {
        "precision": both / said if said else 0.0,
        "recall": both / true,
        "f1": 2 * both / (said + true),
        "three_way": float((found == data.truth).mean()) if method in THREE_WAY else None,
        "seconds": seconds,
    }


def summary(units: list[dict[str, Any]]) -> dict[str, float | None]:
    """Means over draws; None where a method has no such figure."""
    return {
        key: None if units[0][key] is None else float(np.mean([unit[key] for unit in units]))
        for key in (*FIGURES, "three_way", "seconds")
    }


def show(name: str, rows: dict[str, dict[str, float | None]]) -> None:
    """One table a set, the best F1 first."""
    n, strong, weak, irrelevant = PAPER_SETS[name]
    print(f"\n{name}: {n} rows, {strong} strong, {weak} weak, {irrelevant} irrelevant\n")
    print("| method | precision | recall | F1 | three-way | CPU s a fit |\n" + "| --- " * 6 + "|")
    for method, figures in sorted(rows.items(), key=lambda item: -(item[1]["f1"] or 0.0)):
        cells = ["" if figures[key] is None else f"{figures[key]:.3f}" for key in (*FIGURES, "three_way")]
        print(f"| {method} | {' | '.join(cells)} | {figures['seconds']:.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--sets", nargs="*", choices=PAPER_SETS)
    parser.add_argument("--methods", nargs="*", choices=[*METHODS, "fri"])
    parser.add_argument("--units", help="a file of finished units, to go on from")
    parser.add_argument("--quick", action="store_true", help="fewer sets")
    parser.add_argument("--fri-python", help="python of an environment that has fri")
    options = parser.parse_args()
    units = Units(options.units)
    methods = options.methods or [*METHODS, *(["fri"] if options.fri_python else [])]
    if "Boruta" in methods and find_spec("boruta") is None:
        methods.remove("Boruta")
        print("Boruta is left out: the package boruta is not installed")
    for name in options.sets or (QUICK_SETS if options.quick else PAPER_SETS):
        rows = {}
        for method in methods:
            found = []
            for seed in range(options.first_seed, options.first_seed + options.seeds):
                key = f"{name} {method} {seed}"
                found.append(units.get(key, lambda: judge(name, method, seed, options.fri_python)))  # noqa: B023
                print(".", end="", file=sys.stderr, flush=True)
            rows[method] = summary(found)
        print(file=sys.stderr)
        show(name, rows)


if __name__ == "__main__":
    main()
