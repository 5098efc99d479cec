"""How long do the methods take, and how does it grow? (Figure 4 of the FRI paper)

    python -m benchmarks.speed.methods [--sizes 500x30 2000x30] [--methods relspan Boruta] [--repeat 3] [--limit 60]
                                       [--units FILE] [--fri-python PYTHON]

A whole selection with each method's defaults, its own cross-validation included: CPU seconds of one thread, the median
of several runs (of `fri` one), and how many times as long as relspan's in the same run. The tables are simulated, 4
strong and 4 weak features and 2 % of the labels flipped. A method that took longer than the limit is not asked for
larger tables, and the cell says so.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from statistics import median

from threadpoolctl import threadpool_limits

from benchmarks.accuracy.selection import METHODS, answer
from benchmarks.peers.selection import lacking
from benchmarks.units import Units
from relspan.simulate import simulate

SIZES = ("200x30", "500x30", "1000x30", "2000x30", "500x10", "500x60", "500x120")


def seconds(method: str, n: int, d: int, repeat: int, fri_python: str | None) -> float:
    """The median CPU seconds of a method on a table of this size."""
    data = simulate(n, 4, 4, d - 8, flips=0.02, random_state=0)
    with threadpool_limits(limits=1):
        runs = [answer(method, data.X, data.y, seed, fri_python)[1] for seed in range(1 if method == "fri" else repeat)]
    return median(runs)


def ordered(sizes: list[str]) -> list[tuple[int, int]]:
    """Sizes as numbers, the smallest table first."""
    pairs = [tuple(map(int, size.split("x"))) for size in sizes]
    return sorted(((n, d) for n, d in pairs), key=lambda size: (size[0] * size[1], size))


def cell(taken: float | None, ours: float | None) -> str:
    """Seconds, and how many times relspan's."""
    if taken is None:
        return "not asked"
    times = f" ({taken / ours:.1f})" if ours else ""
    return f"{taken:.2f}{times}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="*", default=SIZES, metavar="ROWSxFEATURES", help="at least 8 features")
    parser.add_argument("--methods", nargs="*", choices=[*METHODS, "fri"])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds beyond which no larger table is asked for")
    parser.add_argument("--units", help="a file of finished units, to go on from")
    parser.add_argument("--fri-python", help="python of an environment that has fri")
    options = parser.parse_args()
    methods = options.methods or [*METHODS, *(["fri"] if options.fri_python else [])]
    if "fri" in methods and not options.fri_python:
        parser.error("the method fri needs --fri-python")
    for method, package in lacking(methods).items():
        methods.remove(method)
        print(f"{method} is left out: the package {package} is not installed")
    units, sizes = Units(options.units), ordered(options.sizes)
    taken: dict[str, dict[tuple[int, int], float]] = {method: {} for method in methods}
    for method in methods:
        for n, d in sizes:
            if max(taken[method].values(), default=0.0) > options.limit:
                break
            key = f"{method}, {n} x {d}, median of {options.repeat}"
            run = partial(seconds, method, n, d, options.repeat, options.fri_python)
            taken[method][n, d] = units.get(key, run)
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print("\nCPU seconds of a selection, one thread (in brackets: times relspan's)\n")
    print(f"| method | {' | '.join(f'{n} x {d}' for n, d in sizes)} |\n" + "| --- " * (len(sizes) + 1) + "|")
    for method in sorted(methods, key=lambda method: sum(taken[method].values()) / len(taken[method])):
        cells = [cell(taken[method].get(size), taken.get("relspan", {}).get(size)) for size in sizes]
        print(f"| {method} | {' | '.join(cells)} |")
    if any(len(found) < len(sizes) for found in taken.values()):
        print(f"\nnot asked: the method took more than {options.limit:g} s on a smaller table")


if __name__ == "__main__":
    main()
