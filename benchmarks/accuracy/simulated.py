"""Are the classes right where the truth is known? The papers' sets, harder ones, and nonlinear targets.

    python -m benchmarks.accuracy.simulated [--seeds 10] [--first-seed 0] [--sets Sim1 Sim2] [--json FILE]

The sets are those of benchmarks.accuracy.sets; on nonlinear targets a linear method must fail, and this shows it. For
every set the mean over seeds of F1 of "relevant" (strong or weak), of the three-way accuracy, and the errors.
The papers' F1 beside it is over their own draws of the same sizes; `fri` and other methods on the same draws are on the
pages of benchmarks.accuracy.fri_tables and benchmarks.accuracy.selection.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from time import process_time

import numpy as np

from benchmarks.accuracy.sets import HARDER, NONLINEAR, PAPER, Make
from benchmarks.papers.printed import ESANN_TABLE_1, FRI_TABLE_II
from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning

CLAIMED = {
    **{name: rows["relspan"][2] for name, rows in ESANN_TABLE_1.items()},
    **{name: rows["relspan"][0] for name, rows in FRI_TABLE_II.items()},
}


def f1_of_relevant(truth: np.ndarray, found: np.ndarray) -> float:
    """F1 of relevant (class 1 or 2) against irrelevant."""
    both = int(((truth > 0) & (found > 0)).sum())
    return 2 * both / (int((truth > 0).sum()) + int((found > 0).sum()))


def judge(make: Make, seeds: range) -> dict[str, float]:
    """Means over seeds, and the counts of each kind of error."""
    f1, accuracy, seconds = [], [], []
    confusion = np.zeros((3, 3), dtype=int)
    for seed in seeds:
        data = make(seed)
        begin = process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RelspanWarning)
            found = RelevanceClassifier(random_state=seed).fit(data.X, data.y).relevance_
        seconds.append(process_time() - begin)
        f1.append(f1_of_relevant(data.truth, found))
        accuracy.append(float((found == data.truth).mean()))
        np.add.at(confusion, (data.truth, found), 1)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {
        "f1": float(np.mean(f1)),
        "three_way": float(np.mean(accuracy)),
        "weak_called_strong": int(confusion[1, 2]),
        "strong_called_weak": int(confusion[2, 1]),
        "false_positives": int(confusion[0, 1:].sum()),
        "false_negatives": int(confusion[1:, 0].sum()),
        "features": int(confusion.sum()),
        "seconds": float(np.mean(seconds)),
    }


def row(name: str, figures: dict[str, float]) -> str:
    claimed = f"{CLAIMED[name]:.2f}" if name in CLAIMED else ""
    return (
        f"| {name} | {figures['f1']:.3f} | {figures['three_way']:.3f} | {figures['weak_called_strong']} "
        f"| {figures['strong_called_weak']} | {figures['false_positives']} | {figures['false_negatives']} "
        f"| {figures['features']} | {claimed} | {figures['seconds']:.2f} |"
    )


HEADER = (
    "| set | F1 | three-way | weak called strong | strong called weak | false positives | false negatives | features "
    "| F1 claimed by the paper | CPU s per fit |\n" + "| --- " * 10 + "|"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--sets", nargs="*", help="names of sets; all by default")
    parser.add_argument("--json", help="also write the figures here")
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    figures: dict[str, dict[str, float]] = {}
    for title, table in (("The papers' sets", PAPER), ("Harder sets", HARDER), ("Nonlinear targets", NONLINEAR)):
        chosen = {name: make for name, make in table.items() if not options.sets or name in options.sets}
        if not chosen:
            continue
        print(f"\n{title}, seeds {seeds.start} to {seeds.stop - 1}\n\n{HEADER}")
        for name, make in chosen.items():
            figures[name] = judge(make, seeds)
            print(row(name, figures[name]), flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"seeds": list(seeds), "sets": figures}, file, indent=2)


if __name__ == "__main__":
    main()
