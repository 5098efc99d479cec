"""How much faster is a whole fit than the `fri` package's, and how does it grow with the number of samples?

    python -m benchmarks.speed.fits --peer-python PEER/bin/python [--case 500x30 ...] [--repeat 3]
    python -m benchmarks.speed.fits --growth 1000 3000 10000 30000 100000

A whole fit is what a person waits for: C by cross-validation, intervals of all features, 50 probes, classes. Both sides
run with their defaults on the same simulated table (2 % of the labels flipped); each side's F1 against the known truth
is printed, since their budgets and thresholds differ and so do their answers. Every interval of relspan's is certified
to 1e-6 of mu, or the run ends. The growth is measured at 20 features, by the same defaults. CPU seconds of one thread:
one run of the peer, the median of several of relspan's, half of them before it and half after: a machine's speed
drifts.
"""

from __future__ import annotations

import argparse
import warnings
from time import process_time

import numpy as np
from sklearn.metrics import f1_score
from threadpoolctl import threadpool_limits

from benchmarks.peers import fri_package
from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning
from relspan.result import RelevanceResult
from relspan.simulate import Simulated, simulate

CASES = ["500x30", "2000x30", "1000x60", "500x120"]
LARGEST_GAP = 1e-6


def table(n: int, d: int) -> Simulated:
    """Simulated data in the proportions of the papers' Sim1."""
    strong = weak = max(2, round(4 * d / 30))
    return simulate(n, strong, weak, d - strong - weak, flips=0.02, random_state=0)


def fitted(data: Simulated) -> tuple[RelevanceResult, float]:
    begin = process_time()
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        result = RelevanceClassifier(random_state=0).fit(data.X, data.y).result_
    seconds = process_time() - begin
    if result.largest_gap > LARGEST_GAP:
        raise SystemExit(f"{data.X.shape}: an interval is certified to {result.largest_gap:.1e} only")
    return result, seconds


def score(data: Simulated, classes: list[int]) -> float:
    return float(f1_score(np.asarray(data.truth) > 0, np.asarray(classes) > 0))


def compare(n: int, d: int, python: str, repeat: int) -> str:
    data = table(n, d)
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    runs = [fitted(data) for _ in range(repeat)]
    peer = fri_package.ask(python, "fit", X, data.y.astype(int))
    runs += [fitted(data) for _ in range(repeat)]
    ours = float(np.median([seconds for _, seconds in runs]))
    result = min(runs, key=lambda run: abs(run[1] - ours))[0]
    classes = [("irrelevant", "weak", "strong").index(f.relevance) for f in result.features]
    parts = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in result.seconds.items() if seconds >= 0.005)
    return (
        f"| {n} x {d} | {peer['seconds']:.1f} s | {ours:.2f} s | {peer['seconds'] / ours:.0f} "
        f"| {score(data, peer['classes']):.2f} | {score(data, classes):.2f} | {result.engine['name']} | {parts} |"
    )


def grow(sizes: list[int]) -> None:
    print("| samples | seconds | seconds per 1000 samples | engine | of these |\n" + "| --- " * 5 + "|")
    for n in sizes:
        result, seconds = fitted(table(n, 20))
        parts = ", ".join(f"{stage} {part:.1f}" for stage, part in result.seconds.items())
        print(f"| {n:,} | {seconds:.2f} | {1e3 * seconds / n:.3f} | {result.engine['name']} | {parts} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", help="python of an environment that has fri")
    parser.add_argument("--case", nargs="*", default=CASES, help="ROWSxCOLUMNS")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--growth", nargs="*", type=int, help="numbers of samples")
    options = parser.parse_args()
    if options.growth is not None:
        grow(options.growth or [1000, 3000, 10_000, 30_000, 100_000])
        return
    if options.peer_python is None:
        parser.error("--peer-python is needed, or --growth")
    print(
        "| table | fri | relspan | times faster | F1 of fri | F1 of relspan | engine | of these |\n"
        + "| --- " * 8
        + "|"
    )
    for case in options.case:
        n, d = map(int, case.split("x"))
        print(compare(n, d, options.peer_python, options.repeat), flush=True)


if __name__ == "__main__":
    main()
