"""How accurate are blankets where the network is known? HITON-MB on samples of alarm, all 37 targets.

    python -m benchmarks.accuracy.blankets [--peer PYTHON] [--samples FILE ...]

alpha = .01, at most three conditions. Precision, recall and F1 of a target's blanket against the true one; an empty
blanket counts as 0 (every true one has members); then the mean over the targets. PYTHON is an interpreter that has
pyCausalFS 0.23. Samples of 500 rows differ by a tenth in F1, so single files show little: the mean of the three is
printed too.

Besides relspan's own rules there are two others. "5 rows a cell" calls a test reliable by the cells of its table, not
by its degrees of freedom. "degrees of freedom by shape" counts them as (levels - 1)(levels - 1) times the number of
strata, empty or not, and calls every test reliable: what pyCausalFS does.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

from relspan.markov import BlanketSearch, Evidence, TableTest
from relspan.markov.log_tails import chi2_log_tail

DATA = Path(__file__).parents[2] / "tests" / "data" / "hiton"
SAMPLES = ("alarm_n500_s0", "alarm_n500_s1", "alarm_n500_s2", "alarm_n5000_s0")
PEER = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
import pandas
from pyCausalFS.CBD.MBs.HITON.HITON_MB import HITON_MB
data = pandas.read_csv(sys.argv[1]).to_numpy()
start = time.process_time()
found = [[int(x) for x in HITON_MB(data, target, 0.01, True)[0]] for target in range(data.shape[1])]
print(json.dumps([found, time.process_time() - start]))
"""


class RowsPerCell(TableTest):
    """Reliable with five rows for every cell of the table, empty or not."""

    def evidence(self, candidates: np.ndarray, target: int, given: Sequence[int]) -> Evidence:
        levels = self.columns.levels
        cells = levels[candidates] * float(np.prod(levels[[target, *given]]))
        return replace(super().evidence(candidates, target, given), reliable=5 * cells <= self.columns.n_samples)


class ByShape(TableTest):
    """Degrees of freedom from the numbers of levels alone; every test counts."""

    def evidence(self, candidates: np.ndarray, target: int, given: Sequence[int]) -> Evidence:
        levels, found = self.columns.levels, super().evidence(candidates, target, given)
        df = (levels[candidates] - 1.0) * (levels[target] - 1) * float(np.prod(levels[list(given)]))
        log_p = chi2_log_tail(found.statistic, df)
        return Evidence(log_p, found.statistic, df, np.ones(len(candidates), dtype=bool))


WAYS: dict[str, tuple[type[TableTest], dict[str, object]]] = {
    "relspan": (TableTest, {}),
    "relspan, symmetric": (TableTest, {"symmetric": True}),
    "relspan, the algorithm of 2003": (TableTest, {"variant": "interleaved"}),
    "5 rows a cell": (RowsPerCell, {}),
    "degrees of freedom by shape": (ByShape, {}),
}


def found_by(way: str, data: np.ndarray) -> tuple[list[list[int]], float]:
    """Blankets of all columns, and CPU seconds."""
    test, more = WAYS[way]
    begin = process_time()
    search = BlanketSearch(test([data]), alpha=0.01, max_k=3, **more)
    return [search.blanket(target).members for target in range(data.shape[1])], process_time() - begin


def found_by_peer(python: str, file: Path) -> tuple[list[list[int]], float]:
    """The same by pyCausalFS."""
    done = subprocess.run([python, "-c", PEER, str(file)], capture_output=True, text=True, check=True)
    found, seconds = json.loads(done.stdout.splitlines()[-1])
    return found, seconds


def quality(found: Iterable[Sequence[int]], names: Sequence[str], truth: dict[str, list[str]]) -> np.ndarray:
    """Mean precision, recall and F1 over the targets."""
    figures = []
    for target, members in zip(names, found, strict=True):
        found, true = {names[x] for x in members}, set(truth[target])
        hits = len(found & true)
        figures.append((hits / max(len(found), 1), hits / len(true), 2 * hits / (len(found) + len(true))))
    return np.mean(figures, axis=0)


def show(name: str, figures: np.ndarray, seconds: str) -> None:
    print(f"| {name} | {' | '.join(f'{figure:.3f}' for figure in figures)} | {seconds} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="a Python interpreter with pyCausalFS")
    parser.add_argument("--samples", nargs="+", choices=SAMPLES, default=list(SAMPLES))
    options = parser.parse_args()
    truth = json.loads((DATA / "alarm_truth.json").read_text(encoding="utf-8"))["mb"]
    small: dict[str, list[np.ndarray]] = {}
    for sample in options.samples:
        file = DATA / f"{sample}.csv"
        with file.open(newline="") as stream:
            names = next(csv.reader(stream))
        data = np.loadtxt(file, delimiter=",", skiprows=1, dtype=int)
        print(f"\n{sample}: {len(data)} rows\n\n| method | precision | recall | F1 | CPU s |\n" + "| --- " * 5 + "|")
        answers = {way: found_by(way, data) for way in WAYS}
        if options.peer:
            answers["pyCausalFS"] = found_by_peer(options.peer, file)
        for way, (found, seconds) in answers.items():
            figures = quality(found, names, truth)
            show(way, figures, f"{seconds:.2f}")
            if len(data) == 500:
                small.setdefault(way, []).append(figures)
    count = len(next(iter(small.values()), []))
    if count > 1:
        print(
            f"\nMean of the {count} samples of 500 rows\n\n| method | precision | recall | F1 |  |\n"
            + "| --- " * 5
            + "|"
        )
        for way, figures in small.items():
            show(way, np.mean(figures, axis=0), str(count))
    if not options.peer:
        print("\npyCausalFS is left out: no --peer given")


if __name__ == "__main__":
    main()
