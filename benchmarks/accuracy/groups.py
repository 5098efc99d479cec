"""Are the true groups found, and does the smallest panel take one feature of each?

    python -m benchmarks.accuracy.groups [--seeds 10] [--first-seed 0] [--sets Sim1 Sim2 Sim5]

For every set and seed: the adjusted Rand index of the groups against the simulation's (a strong feature is a group of
its own; irrelevant features are excluded), and whether the smallest panel holds exactly one feature of every weak
group.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.metrics import adjusted_rand_score

from relspan import RelevanceClassifier
from relspan.simulate import PAPER_SETS, Simulated, simulate

SETS: dict[str, Callable[[int], Simulated]] = {
    **{
        name: (lambda seed, name=name: simulate(*PAPER_SETS[name], random_state=seed))
        for name in ("Sim1", "Sim2", "Sim5")
    },
    "Sim2, 3 groups": lambda seed: simulate(*PAPER_SETS["Sim2"], groups=3, random_state=seed),
    "Sim5, 4 groups": lambda seed: simulate(*PAPER_SETS["Sim5"], groups=4, random_state=seed),
    "Sim1, 2 groups, noise .3": lambda seed: simulate(*PAPER_SETS["Sim1"], groups=2, noise=0.3, random_state=seed),
    "Sim2, 2 groups, noise .1, flips 5 %": lambda seed: simulate(
        *PAPER_SETS["Sim2"], groups=2, noise=0.1, flips=0.05, random_state=seed
    ),
}


def judge(data: Simulated, seed: int, time_limit: float) -> tuple[float, bool, bool]:
    """The Rand index, whether the panel takes one of each weak group, and whether it is proven smallest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explorer = RelevanceClassifier(random_state=seed, n_probes=5).fit(data.X, data.y).explore()
    relevant = np.flatnonzero(data.truth > 0)
    truth = np.where(data.groups >= 0, data.groups, 1000 + np.arange(len(data.truth)))[relevant]
    index = adjusted_rand_score(truth, explorer.groups([f"x{j}" for j in relevant]).labels)
    panel = explorer.smallest_panel(time_limit=time_limit)
    members = data.groups[[int(name[1:]) for name in panel.features]]
    weak = range(int(data.groups.max()) + 1)
    return index, all((members == group).sum() == 1 for group in weak), panel.proven


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds for a panel")
    options = parser.parse_args()
    print("| set | Rand index, least | mean | panels with one of each weak group | proven smallest |")
    print("| --- " * 5 + "|")
    for name in options.sets:
        seeds = range(options.first_seed, options.first_seed + options.seeds)
        found = [judge(SETS[name](seed), seed, options.time_limit) for seed in seeds]
        index = [one[0] for one in found]
        one_each, proven = (sum(one[k] for one in found) for k in (1, 2))
        print(
            f"| {name} | {min(index):.3f} | {np.mean(index):.3f} | {one_each} of {len(found)} "
            f"| {proven} of {len(found)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
