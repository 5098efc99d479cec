"""Are the panels those of exhaustive search?

    python -m benchmarks.accuracy.panels [--seeds 3] [--first-seed 0] [--irrelevant 3]

Tables of 12 features (3 strong, two weak groups of 3, 3 irrelevant; noise and label flips). The truth is every set of
features, from small to large, asked of the reference engine: is there a model of the family that uses no others? Sets
that contain a panel are skipped. Both the smallest panel and the list of all minimal panels are compared.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import combinations
from time import process_time

import numpy as np

from relspan import RelevanceClassifier
from relspan.engines import ReferenceEngine
from relspan.errors import InfeasibleFamily
from relspan.explore.explorer import history_of
from relspan.family import Family
from relspan.simulate import simulate


def feasible(family: Family, panel: tuple[int, ...]) -> bool:
    closed = {j: (0.0, 0.0) for j in range(family.n_features) if j not in panel}
    try:
        ReferenceEngine(family.boxed(closed)).maxima(np.zeros((1, family.n_features + family.n_offsets)))
    except InfeasibleFamily:
        return False
    return True


def minimal_by_exhaustion(family: Family) -> tuple[set[tuple[int, ...]], int]:
    """All minimal panels, and how many sets were asked."""
    found: set[tuple[int, ...]] = set()
    asked = 0
    for size in range(family.n_features + 1):
        for panel in combinations(range(family.n_features), size):
            if any(smaller <= set(panel) for smaller in map(set, found)):
                continue
            asked += 1
            if feasible(family, panel):
                found.add(panel)
    return found, asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--irrelevant", type=int, default=3, help="irrelevant features; each doubles the search")
    options = parser.parse_args()
    print("| seed | minimal panels | smallest | sets asked | same smallest | same list | exhaustive | relspan |")
    print("| --- " * 8 + "|")
    for seed in range(options.first_seed, options.first_seed + options.seeds):
        kinds = {"strong": 3, "weak": 6, "irrelevant": options.irrelevant, "groups": 2}
        data = simulate(80, **kinds, noise=0.3, flips=0.05, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            clf = RelevanceClassifier(C=1.0, delta_loss=0.1, n_probes=5, random_state=seed).fit(data.X, data.y)
        explorer = clf.explore()
        begin = process_time()
        truth, asked = minimal_by_exhaustion(history_of(explorer).problem.analysis.family)
        middle = process_time()
        smallest = explorer.smallest_panel()
        found = {tuple(int(name[1:]) for name in panel.features) for panel in explorer.minimal_panels(limit=10_000)}
        least = min(map(len, truth))
        print(
            f"| {seed} | {len(truth)} | {least} | {asked} | {smallest.proven and smallest.cost == least} "
            f"| {found == truth} | {middle - begin:.1f} s | {process_time() - middle:.1f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
