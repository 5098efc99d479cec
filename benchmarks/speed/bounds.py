"""How much faster are the bounds of all features than the `fri` package's, on the same table and core?

    python -m benchmarks.speed.bounds --peer-python PEER/bin/python [--case 500x30:.001 ...] [--repeat 5]

The peer runs in an environment of its own: `python3 -m venv PEER && PEER/bin/pip install fri==9.0.0 importlib_metadata
attrs "numpy<1.27"`. Both sides get the same standardised table, C and budgets; a ratio is printed only after the two
sides' intervals agree to 1e-6 of the norm. Seconds are CPU seconds of one thread, so that other work on the machine
counts less: of one run for the peer, the median of several for relspan.
"""

from __future__ import annotations

import argparse
import sys
from time import process_time

import numpy as np

from benchmarks.peers import fri_package
from relspan.analysis.baseline import best_models
from relspan.analysis.intervals import feature_ranges
from relspan.family import build_family, norm_and_loss
from relspan.losses import Hinge
from relspan.simulate import simulate

CASES = ["500x30:.001", "500x30:.1", "500x120:.001", "500x120:.1"]


def table(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Simulated data in the proportions of the papers' Sim1, standardised, targets -1 and +1."""
    strong = weak = max(1, round(4 * d / 30))
    data = simulate(n, strong, max(2, weak), d - strong - max(2, weak), flips=0.02, random_state=0)
    return (data.X - data.X.mean(axis=0)) / data.X.std(axis=0), np.where(data.y == 1, 1.0, -1.0)


def compare(n: int, d: int, delta: float, C: float, python: str, repeat: int, engine: str) -> str:
    X, y = table(n, d)
    peer = fri_package.ask(python, "bounds", X, y.astype(int), C, delta)
    budgets = norm_and_loss(peer["budgets"]["w_l1"], peer["budgets"]["loss"])
    rows = Hinge().rows(X, y)
    ((best, _),) = best_models(rows, np.array([C]))
    seconds = []
    for _ in range(repeat):
        begin = process_time()
        ranges = feature_ranges(build_family(rows, budgets, anchors=best), engine=engine)
        seconds.append(process_time() - begin)
    apart = float(np.abs(ranges.relevances - np.array(peer["bounds"])).max()) / peer["norm"]
    if apart > 1e-6:
        raise SystemExit(f"{n} x {d}, budgets {delta:g}: the two sides differ by {apart:.1e} of the norm")
    ours, gap = float(np.median(seconds)), float(ranges.gaps.max()) / peer["norm"]
    return (
        f"| {n} x {d} | {delta:g} | {peer['seconds']:.2f} s | {ours:.3f} s | {peer['seconds'] / ours:.0f} "
        f"| {apart:.0e} | {gap:.0e} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", required=True, help="python of an environment that has fri")
    parser.add_argument("--case", nargs="*", default=CASES, help="ROWSxCOLUMNS:DELTA")
    parser.add_argument("--C", type=float, default=0.2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--engine", default="auto")
    options = parser.parse_args()
    print("| table | both budgets | fri | relspan | times faster | answers differ by | certified gap |")
    print("| --- " * 7 + "|")
    for case in options.case:
        size, delta = case.split(":")
        n, d = map(int, size.split("x"))
        print(compare(n, d, float(delta), options.C, options.peer_python, options.repeat, options.engine), flush=True)
        print(f"done {case}", file=sys.stderr)


if __name__ == "__main__":
    main()
