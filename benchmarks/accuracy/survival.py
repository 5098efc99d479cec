"""Survival: is the best model as good as an elastic-net Cox model on rows left out?

    python -m benchmarks.accuracy.survival --peer-python PEER/bin/python [--sets whas500 ...]

PEER is an environment that has scikit-survival, whose data sets are used. Both methods are fitted to the same training
rows of five folds, each choosing its own price by inner cross-validation, and scored by Harrell's concordance on the
rows left out.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np

from relspan import RelevanceSurvival
from relspan.errors import RelspanWarning

SETS = ("veterans_lung_cancer", "whas500", "gbsg2", "breast_cancer")
STAGE = Path(__file__).parents[1] / "peers" / "coxnet_stage.py"


def compared(name: str, peer_python: str) -> tuple[str, float]:
    """One row of the table, and the difference of both means."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "folds.npz"
        subprocess.run([peer_python, str(STAGE), str(path), name], check=True)
        with np.load(path) as data:
            X, y, fold, peer = data["X"], np.column_stack([data["t"], data["e"]]), data["fold"], data["peer"]
    own = []
    for number in range(len(peer)):
        train, test = fold != number, fold == number
        # the intervals are not asked for, so a few probes will do
        model = RelevanceSurvival(n_probes=5, rule="published", random_state=0).fit(X[train], y[train])
        own.append(model.score(X[test], y[test]))
    mean, other = float(np.mean(own)), float(np.mean(peer))
    cells = [name, f"{len(X)} x {X.shape[1]}", f"{int(y[:, 1].sum())}", f"{mean:.3f}", f"{other:.3f}"]
    return f"| {' | '.join(cells)} | {mean - other:+.3f} |", mean - other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", required=True, help="python of an environment that has scikit-survival")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    options = parser.parse_args()
    warnings.simplefilter("ignore", RelspanWarning)
    print("Concordance on rows left out, mean of five folds")
    print()
    print("| data set | size | events | relspan | elastic-net Cox | difference |")
    print("| --- | --- | --- | --- | --- | --- |")
    differences = []
    for name in options.sets:
        row, difference = compared(name, options.peer_python)
        differences.append(difference)
        print(row, flush=True)
    print(f"| mean | | | | | {np.mean(differences):+.3f} |")


if __name__ == "__main__":
    main()
