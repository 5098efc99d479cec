"""Tables drawn by the authors' own generator: the package arfs_gen, version 1.2.1, which belongs to `fri`.

    python -m benchmarks.accuracy.author_generator --fri-python PYTHON [--draws 10] [--first-seed 7000] [--sets I Sim1]
                                                   [--without-fri] [--units FILE]

The sizes of all sets are the papers'. The generator draws independent normal features, gives a row the sign of their
sum as its class, replaces one feature by shifted copies of it where weak features are asked for, and adds noise to all
columns (of standard deviation .1 over that of the table). relspan.simulate draws the sets of the other pages: with
weights from .5 to 1.5 in place of equal ones.

F1 of the relevant features and the three-way accuracy (strong, weak, irrelevant), means over draws, beside the papers'
F1. `fri` has its defaults and the first draw.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import warnings
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.accuracy.selection import answer
from benchmarks.papers.printed import ESANN_TABLE_1, FRI_TABLE_II
from benchmarks.peers.fri_package import INSTALL
from benchmarks.units import Units
from relspan.simulate import PAPER_SETS

STAGE = Path(__file__).parents[1] / "peers" / "arfs_stage.py"
FRI_DRAWS = 1
PAPER_F1 = {
    **{name: rows["relspan"][2] for name, rows in ESANN_TABLE_1.items()},
    **{name: rows["relspan"][0] for name, rows in FRI_TABLE_II.items()},
}


def tables(python: str, name: str, first_seed: int, draws: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The draws of a set, each with its classes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "tables.npz"
        words = [python, str(STAGE), str(out), *map(str, (*PAPER_SETS[name], first_seed, draws))]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"arfs_gen failed; it comes with: {INSTALL}\n{done.stderr[-2000:]}")
        drawn = np.load(out)
        return list(zip(drawn["X"], drawn["y"], strict=True))


def truth_of(name: str) -> np.ndarray:
    """The generator's columns in their order: strong, weak, irrelevant."""
    size = PAPER_SETS[name]
    return np.repeat([2, 1, 0], [size.strong, size.weak, size.irrelevant])


def judge(method: str, X: np.ndarray, y: np.ndarray, truth: np.ndarray, seed: int, python: str) -> dict[str, float]:
    """The figures of one method on one draw."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, seconds = answer(method, (X - X.mean(axis=0)) / X.std(axis=0), y, seed, python)
    both = int(((truth > 0) & (found > 0)).sum())
    return {
        "F1": 2 * both / int((truth > 0).sum() + (found > 0).sum()),
        "three-way": float((found == truth).mean()),
        "seconds": seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fri-python", required=True, help="python of an environment that has fri and arfs_gen")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=7000)
    parser.add_argument("--sets", nargs="*", choices=PAPER_SETS, default=list(PAPER_SETS))
    parser.add_argument("--without-fri", action="store_true", help="relspan alone")
    parser.add_argument("--units", help="a file of finished units, to go on from")
    options = parser.parse_args()
    units = Units(options.units)
    methods = {"relspan": options.draws, **({} if options.without_fri else {"fri": min(FRI_DRAWS, options.draws)})}
    print(f"\nSets of the papers, drawn by arfs_gen, seeds from {options.first_seed} on\n")
    print("| set | method | draws | F1 | paper: F1 | three-way | CPU s |\n" + "| --- " * 7 + "|")
    for name in options.sets:
        drawn = tables(options.fri_python, name, options.first_seed, options.draws)
        for method, count in methods.items():
            rows = []
            for draw, (X, y) in enumerate(drawn[:count]):
                seed = options.first_seed + draw
                run = partial(judge, method, X, y, truth_of(name), seed, options.fri_python)
                rows.append(units.get(f"{name} {method} {seed}", run))
                print(".", end="", file=sys.stderr, flush=True)
            f1, three_way, seconds = (np.mean([row[key] for row in rows]) for key in ("F1", "three-way", "seconds"))
            cells = f"{f1:.3f} | {PAPER_F1[name]:.2f} | {three_way:.3f} | {seconds:.2f}"
            print(f"| {name} | {method} | {len(rows)} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
