"""How much faster are two workers than one, on whole fits?

    python -m benchmarks.speed.parallel_fits [--table 500x120 300x1000:screen ...] [--repeat 3]

500 x 120 is the simulated table of `bounds`; wider tables have the independent columns of `independent`. After
":screen", fits have ``screen=True``. Both fits must give the same answer to the last bit before a ratio is printed.
Workers are warm: a first fit, which starts them and lets them import, is not counted. Two ratios are printed, each of
medians over alternating runs. That of elapsed time counts on a machine that does nothing else. That of processor time
compares one process with the longest chain of two workers: what the process spends alone, the busiest thread of every
part that runs in threads, and the busiest worker of every part that runs in processes. Two idle cores would need that,
if no thread waited for the interpreter. (Linux only, which counts the processor time of other processes.)
"""

from __future__ import annotations

import argparse
import os
import threading
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time, thread_time
from typing import Any

import numpy as np

from benchmarks.speed.bounds import table
from relspan import RelevanceClassifier
from relspan.analysis import baseline, parallel, threads

TABLES = ["500x120", "300x1000:screen", "300x1000"]
TICKS = os.sysconf("SC_CLK_TCK")


def independent_columns(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Four columns that matter, four copies of a hidden one, and noise."""
    rng = np.random.default_rng(0)
    X, hidden = rng.standard_normal((n, d)), rng.standard_normal(n)
    X[:, 4:8] = hidden[:, None] + 0.3 * rng.standard_normal((4, n)).T
    return X, (X[:, :4].sum(axis=1) + hidden > 0).astype(int)


def worker_seconds() -> dict[str, float]:
    """The processor time of every child of this process so far."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state = entry.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(state[1]) == os.getpid():
            found[entry.parent.name] = (int(state[11]) + int(state[12])) / TICKS
    return found


class Chain:
    """Adds up what two idle cores would need, beside what this process spends alone."""

    def __init__(self) -> None:
        self.beside = 0.0
        self._dispatch, self._rounds = parallel._dispatch, threads.rounds_side_by_side
        parallel._dispatch = self.dispatch
        baseline.rounds_side_by_side = threads.rounds_side_by_side = self.rounds  # type: ignore[attr-defined]

    def dispatch(self, solve: Callable[[range], Any], blocks: Sequence[range], n_jobs: int | None) -> Iterator[Any]:
        before = worker_seconds() if n_jobs == 2 else {}
        yield from self._dispatch(solve, blocks, n_jobs)
        if n_jobs == 2:
            self.beside += max(now - before.get(process, 0.0) for process, now in worker_seconds().items())

    def rounds(self, steps: Sequence[Callable[[], Any]], rounds: int, n_jobs: int | None = None) -> list[list[Any]]:
        spent: dict[int, float] = defaultdict(float)

        def timed(step: Callable[[], Any]) -> Callable[[], Any]:
            def work() -> Any:
                begin = thread_time()
                answer = step()
                spent[threading.get_ident()] += thread_time() - begin
                return answer

            return work

        answers = self._rounds([timed(step) for step in steps], rounds, n_jobs)
        self.beside += max(spent.values()) - sum(spent.values())
        return answers


@dataclass(frozen=True)
class Run:
    """One fit: its ends and classes, elapsed time, and the processor time of the longest chain."""

    ends: np.ndarray
    classes: np.ndarray
    elapsed: float
    chain: float


def run(X: np.ndarray, y: np.ndarray, screen: bool, workers: int, chain: Chain) -> Run:
    chain.beside, begin, here = 0.0, perf_counter(), process_time()
    fitted = RelevanceClassifier(random_state=0, screen=screen, n_jobs=workers).fit(X, y)
    elapsed, here = perf_counter() - begin, process_time() - here
    return Run(fitted.signed_intervals_, fitted.relevance_, elapsed, here + chain.beside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", nargs="*", default=TABLES, help="ROWSxCOLUMNS or ROWSxCOLUMNS:screen")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | elapsed, 1 | 2 workers | ratio | processor, 1 | longest chain of 2 | ratio |")
    print("| --- " * 7 + "|")
    chain = Chain()
    for name in options.table:
        size, _, mode = name.partition(":")
        n, d = map(int, size.split("x"))
        X, y = table(n, d) if d <= 120 else independent_columns(n, d)
        RelevanceClassifier(C=1.0, n_jobs=2, random_state=0).fit(X[:60], y[:60])
        pairs = [
            tuple(run(X, y, mode == "screen", workers, chain) for workers in (1, 2)) for _ in range(options.repeat)
        ]
        for one, two in pairs:
            if not (np.array_equal(one.ends, two.ends) and np.array_equal(one.classes, two.classes)):
                raise SystemExit(f"{n} x {d}: one and two workers give different answers")
        one, two = (np.median([[p[i].elapsed, p[i].chain] for p in pairs], axis=0) for i in (0, 1))
        print(
            f"| {n} x {d}{', screened' if mode else ''} | {one[0]:.2f} s | {two[0]:.2f} s | {one[0] / two[0]:.2f} "
            f"| {one[1]:.2f} s | {two[1]:.2f} s | {one[1] / two[1]:.2f} |",
            flush=True,
        )
    load = " ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"{os.cpu_count()} cores, load of the last 1, 5 and 15 minutes: {load}")


if __name__ == "__main__":
    main()
