"""How much faster are two workers than one, on the bounds of all features?

    python -m benchmarks.speed.parallel [--case 500x120:.1:batched ...] [--repeat 5]

Both runs must give the same answer to the last bit before a ratio is printed. Workers are warm: a first call, which
starts them and lets them import, is not counted. Two ratios are printed, each of medians over alternating runs: that of
elapsed time, which counts on a machine that does nothing else; and that of processor time, all blocks solved by one
process against what the busiest of two workers and the process that waits for them spent, which is what two idle cores
would need.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from dataclasses import dataclass, fields
from time import perf_counter, process_time

import numpy as np

from benchmarks.speed.bounds import table
from relspan.analysis.baseline import best_models
from relspan.analysis.intervals import FEATURES_PER_BLOCK, FeatureBlock
from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.engines import CertifiedMaxima
from relspan.family import Family, build_family, norm_and_loss
from relspan.losses import Hinge

CASES = ["500x120:.001:exact", "500x120:.1:batched"]


@dataclass(frozen=True)
class TimedExtremes:
    """A block's answer, who gave it, and its processor time."""

    found: CertifiedMaxima
    process: int
    seconds: float


@dataclass(frozen=True, eq=False)
class TimedBlock:
    """Solves a block and looks at the clock."""

    solve: FeatureBlock

    def __call__(self, block: range) -> TimedExtremes:
        begin = process_time()
        found = self.solve(block)
        return TimedExtremes(found, os.getpid(), process_time() - begin)


@dataclass(frozen=True)
class Run:
    """One run over all blocks: its answers, elapsed time, and the longest processor time of any of its processes."""

    answers: list[CertifiedMaxima]
    elapsed: float
    busiest: float


def run(within: Family, engine: str, workers: int) -> Run:
    d = within.n_features
    solve = TimedBlock(FeatureBlock(within, engine, np.arange(d)))
    begin, here = perf_counter(), process_time()
    solved = run_blocks("bounds", solve, blocks_of(d, FEATURES_PER_BLOCK), TimedExtremes, workers)
    elapsed, here = perf_counter() - begin, process_time() - here
    spent: dict[int, float] = defaultdict(float)
    for answer in solved:
        spent[answer.process] += answer.seconds
    alone = set(spent) == {os.getpid()}
    return Run([s.found for s in solved], elapsed, here if alone else here + max(spent.values()))


def same(one: Run, other: Run) -> bool:
    return all(
        np.array_equal(getattr(a, f.name), getattr(b, f.name))
        for a, b in zip(one.answers, other.answers, strict=True)
        for f in fields(CertifiedMaxima)
    )


def compare(n: int, d: int, delta: float, engine: str, C: float, repeat: int) -> str:
    X, y = table(n, d)
    rows = Hinge().rows(X, y)
    ((best, _),) = best_models(rows, np.array([C]))
    mu, rho = float(np.abs(best[:d]).sum()), rows.loss(best[:d], best[d:])
    within = build_family(rows, norm_and_loss((1 + delta) * mu, (1 + delta) * rho), anchors=best)
    if not same(run(within, engine, 1), run(within, engine, 2)):
        raise SystemExit(f"{n} x {d}, budgets {delta:g}, {engine}: one and two workers give different answers")
    pairs = [(run(within, engine, 1), run(within, engine, 2)) for _ in range(repeat)]
    one, two = (np.median([[p[i].elapsed, p[i].busiest] for p in pairs], axis=0) for i in (0, 1))
    return (
        f"| {n} x {d} | {delta:g} | {engine} | {one[0]:.2f} s | {two[0]:.2f} s | {one[0] / two[0]:.2f} "
        f"| {one[1]:.2f} s | {two[1]:.2f} s | {one[1] / two[1]:.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", nargs="*", default=CASES, help="ROWSxCOLUMNS:DELTA:ENGINE")
    parser.add_argument("--C", type=float, default=0.2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print("| table | both budgets | engine | elapsed, 1 | 2 workers | ratio | processor, 1 | 2 workers | ratio |")
    print("| --- " * 9 + "|")
    for case in options.case:
        size, delta, engine = case.split(":")
        n, d = map(int, size.split("x"))
        print(compare(n, d, float(delta), engine, options.C, options.repeat), flush=True)
    load = " ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"{os.cpu_count()} cores, load of the last 1, 5 and 15 minutes: {load}")


if __name__ == "__main__":
    from benchmarks.speed import parallel  # workers find the classes above by this name, not as __main__

    parallel.main()
