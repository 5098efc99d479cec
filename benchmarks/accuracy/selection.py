"""relspan beside other selectors where the truth is known: the sets of the two papers, harder and nonlinear ones.

    python -m benchmarks.accuracy.selection [--kind esann|fri|harder|nonlinear] [--sets I Sim1] [--seeds 50]
                                            [--first-seed 0] [--methods relspan] [--at-most Boruta=20] [--units FILE]
                                            [--quick] [--fri-python PYTHON]

The sets are those of benchmarks.accuracy.sets: the two papers' by default, those of one kind, or by name. Precision,
recall and F1 of "relevant" (strong or weak), means over seeds, and CPU seconds per fit. The three-way accuracy
(strong, weak, irrelevant) is given for the methods that distinguish the three. The tables are drawn by relspan.simulate
with the papers' sizes. The papers' own tables, with their cut-offs, folds and printed figures, are those of
benchmarks.accuracy.esann_table and benchmarks.accuracy.fri_tables.

A slow method, a set, or a method on a set ("Sim1 Boruta=2") may be given fewer draws by --at-most: the first ones.
Every row says how many it had, and relspan is compared with a method on the draws that both had.

`fri` is the package with its defaults; `fri, slacks .1` has both of its budgets at .1, as relspan's norm budget is.
`relspan, products` is for the nonlinear sets: relspan on the features, their squares and their products. A feature is
relevant there if a column that it is part of is.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable
from time import process_time
from typing import Any

import numpy as np
from sklearn.preprocessing import PolynomialFeatures

from benchmarks.accuracy.sets import ALL, ESANN, HARDER, NONLINEAR, PAPER, described
from benchmarks.accuracy.standing import stand
from benchmarks.peers import fri_package
from benchmarks.peers.selection import SELECTORS, lacking, selected
from benchmarks.units import Units
from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning

METHODS = ("relspan", *SELECTORS)
FRI = {"fri": (), "fri, slacks .1": (0.1,)}
PRODUCTS = "relspan, products"
THREE_WAY = ("relspan", *FRI)
KINDS: dict[str, Iterable[str]] = {
    "esann": ESANN,
    "fri": [name for name in PAPER if name not in ESANN],
    "harder": HARDER,
    "nonlinear": NONLINEAR,
}
QUICK = ("I", "II", "III", "Sim1", "flips 10 %", "60 x 100", "xor", "product")
FIGURES = ("precision", "recall", "f1")


def answer(method: str, X: np.ndarray, y: np.ndarray, seed: int, fri_python: str | None) -> tuple[np.ndarray, float]:
    """The classes that a method finds (0 and 1 where it does not distinguish strong from weak), and CPU seconds."""
    if method in FRI:
        assert fri_python is not None
        answer = fri_package.ask(fri_python, "fit", X, y, *FRI[method])
        return np.array(answer["classes"]), float(answer["seconds"])
    begin = process_time()
    if method == "relspan":
        found = ours(X, y, seed)
    elif method == PRODUCTS:
        found = with_products(X, y, seed)
    else:
        found = selected(method, X, y, seed).astype(int)
    return found, process_time() - begin


def ours(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """relspan's classes, with its defaults."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        return RelevanceClassifier(random_state=seed).fit(X, y).relevance_


def with_products(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Which features are part of a relevant column, of the features, their squares and their products."""
    more = PolynomialFeatures(2, include_bias=False).fit(X)
    parts = more.powers_[ours(more.transform(X), y, seed) > 0]
    return (parts > 0).any(axis=0).astype(int)


def judge(name: str, method: str, seed: int, fri_python: str | None) -> dict[str, Any]:
    """The figures of one method on one draw."""
    data = ALL[name](seed)
    found, seconds = answer(method, data.X, data.y, seed, fri_python)
    both = int(((data.truth > 0) & (found > 0)).sum())
    called, true = int((found > 0).sum()), int((data.truth > 0).sum())
    return {
        "precision": both / called if called else 0.0,
        "recall": both / true,
        "f1": 2 * both / (called + true),
        "three_way": float((found == data.truth).mean()) if method in THREE_WAY else None,
        "seconds": seconds,
    }


def summary(units: list[dict[str, Any]]) -> dict[str, float | None]:
    """Means over draws; None where a method has no such figure."""
    return {
        key: None if units[0][key] is None else float(np.mean([unit[key] for unit in units]))
        for key in (*FIGURES, "three_way", "seconds")
    }


def show(name: str, rows: dict[str, list[dict[str, Any]]]) -> None:
    """One table a set, the best F1 first."""
    print(f"\n{described(name)}\n")
    print("| method | draws | precision | recall | F1 | three-way | CPU s per fit |\n" + "| --- " * 7 + "|")
    summaries = {method: summary(units) for method, units in rows.items()}
    for method, figures in sorted(summaries.items(), key=lambda item: -(item[1]["f1"] or 0.0)):
        cells = ["" if figures[key] is None else f"{figures[key]:.3f}" for key in (*FIGURES, "three_way")]
        print(f"| {method} | {len(rows[method])} | {' | '.join(cells)} | {figures['seconds']:.2f} |", flush=True)


def limits(words: list[str], known: Iterable[str]) -> dict[str, int]:
    """Counts of draws by name, from NAME=COUNT."""
    found = {}
    for word in words:
        name, equals, count = word.rpartition("=")
        if not equals or name not in known or not count.isdecimal() or not int(count):
            raise ValueError(f"--at-most needs NAME=COUNT, where the name is one that is known, not {word!r}")
        found[name] = int(count)
    return found


def all_judged(name: str, methods: list[str], options: argparse.Namespace, units: Units) -> dict[str, list[Any]]:
    """All methods on the draws of a set, those that are known from the file of units."""
    rows: dict[str, list[Any]] = {method: [] for method in methods}
    for draw in range(min(options.seeds, options.at_most.get(name, options.seeds))):
        for method in methods:
            if draw < options.at_most.get(f"{name} {method}", options.at_most.get(method, options.seeds)):
                seed = options.first_seed + draw
                unit = units.get(f"{name} {method} {seed}", lambda: judge(name, method, seed, options.fri_python))  # noqa: B023
                rows[method].append(unit)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows


def asked(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """The sets and the methods that are asked for."""
    methods = options.methods or [*METHODS, *([] if options.fri_python is None else FRI)]
    left_out = lacking(methods)
    for method, package in left_out.items():
        print(f"{method} is left out: the package {package} is not installed")
    sets = options.sets or [*(KINDS[options.kind] if options.kind else PAPER)]
    if options.quick:
        sets = [name for name in sets if name in QUICK]
    return sets, [method for method in methods if method not in left_out]


def methods_for(name: str, methods: list[str], chosen: bool) -> list[str]:
    """What is asked on a set, where it was not chosen by hand: searches are of ESANN Table 1 alone."""
    if chosen:
        return methods
    kept = [method for method in methods if name in ESANN or method not in ("forward", "backward")]
    return [*kept, PRODUCTS] if name in NONLINEAR else kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--sets", nargs="*", choices=ALL)
    parser.add_argument("--kind", choices=KINDS, help="the sets of one kind; the papers' by default")
    parser.add_argument("--methods", nargs="*", choices=[*METHODS, *FRI, PRODUCTS])
    parser.add_argument("--at-most", nargs="*", default=[], metavar="NAME=COUNT", help="fewer draws of a set or method")
    parser.add_argument("--units", help="a file of finished units, to go on from")
    parser.add_argument("--quick", action="store_true", help="fewer sets")
    parser.add_argument("--fri-python", help="python of an environment that has fri")
    options = parser.parse_args()
    try:
        pairs = [f"{name} {method}" for name in ALL for method in (*METHODS, *FRI)]
        options.at_most = limits(options.at_most, (*ALL, *METHODS, *FRI, PRODUCTS, *pairs))
    except ValueError as wrong:
        parser.error(str(wrong))
    units = Units(options.units)
    sets, methods = asked(options)
    shown = {}
    for name in sets:
        shown[name] = all_judged(name, methods_for(name, methods, bool(options.methods)), options, units)
        show(name, shown[name])
    if "relspan" in methods and len(methods) > 1:
        stand(shown)


if __name__ == "__main__":
    main()
