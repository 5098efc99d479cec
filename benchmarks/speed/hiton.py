"""How fast HITON is: all blankets of alarm against a peer in the same run, and a table of thrombin's size.

    python -m benchmarks.speed.hiton alarm --peer PYTHON
    python -m benchmarks.speed.hiton thrombin

PYTHON is an interpreter that has pyCausalFS (it may live in an environment of its own). Its targets differ much in
cost, so a few, evenly spread, are timed and scaled to all 37 (--peer-targets 37 times them all).
Set OMP_NUM_THREADS=1 for one core.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from relspan.markov import BlanketSearch, TableTest
from relspan.selectors import HITONPC

PEER = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
import pandas
from pyCausalFS.CBD.MBs.HITON.HITON_MB import HITON_MB
data = pandas.read_csv(sys.argv[1]).to_numpy()
seconds = []
for target in json.loads(sys.argv[2]):
    start = time.process_time()
    HITON_MB(data, target, 0.01, True)
    seconds.append(time.process_time() - start)
print(json.dumps(seconds))
"""


def alarm(samples: Path, peer: str | None, peer_targets: int) -> None:
    """Every blanket of the alarm network, alpha .01, k = 3."""
    with samples.open(newline="") as file:
        names = next(csv.reader(file))
    data = np.loadtxt(samples, delimiter=",", skiprows=1, dtype=int)
    ours = []
    for _ in range(3):
        start = time.process_time()
        search = BlanketSearch(TableTest([data]), alpha=0.01, max_k=3)
        for target in range(len(names)):
            search.blanket(target)
        ours.append(time.process_time() - start)
    print(f"{len(names)} blankets of {len(data)} samples, {search.n_tests} tests\n")
    print("| program | CPU s | targets timed | times slower |\n" + "| --- " * 4 + "|")
    print(f"| relspan | {min(ours):.2f} | {len(names)} | 1 |")
    if peer is None:
        print("\npyCausalFS is left out: no --peer given")
        return
    targets = np.unique(np.linspace(0, len(names) - 1, peer_targets).astype(int)).tolist()
    command = [peer, "-c", PEER, str(samples), json.dumps(targets)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"the peer failed: {done.stderr.strip().splitlines()[-1:]}")
    theirs = float(np.mean(json.loads(done.stdout))) * len(names)
    print(f"| pyCausalFS, scaled to all | {theirs:.1f} | {len(targets)} | {theirs / min(ours):.0f} |")


def planted_thrombin(n_samples: int, n_features: int, seed: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Sparse binary columns; four planted causes of y, copies of them with noise, and the rest independent of y.

    P(y = 1) = sigmoid(-2.2 + 2.4 x (causes present)): every cause is direct, and each has 50 noisy copies (a bit is
    flipped with probability .1) that depend on y only through it.
    """
    random = np.random.default_rng(seed)
    X = np.empty((n_samples, n_features), dtype=np.uint8)
    for left in range(0, n_features, 4096):
        part = X[:, left : left + 4096]
        part[:] = random.random(part.shape, dtype=np.float32) < random.uniform(0.02, 0.3, part.shape[1])
    causes = random.choice(n_features, size=4, replace=False)
    X[:, causes] = random.random((n_samples, 4)) < 0.25
    score = -2.2 + 2.4 * X[:, causes].sum(axis=1)
    y = (random.random(n_samples) < 1.0 / (1.0 + np.exp(-score))).astype(np.uint8)
    others = np.setdiff1d(np.arange(n_features), causes)
    for cause in causes:
        copies = random.choice(others, size=50, replace=False)
        X[:, copies] = X[:, [cause]] ^ (random.random((n_samples, 50)) < 0.1)
    return X, y, sorted(int(c) for c in causes)


def thrombin(n_samples: int, n_features: int, alphas: list[float], seed: int) -> None:
    """HITON-PC on a table of thrombin's size: time, memory, and what it finds of what was planted."""
    X, y, causes = planted_thrombin(n_samples, n_features, seed)
    made = _peak_gib()
    print(f"{n_features} variables, {n_samples} samples; {made:.2f} GiB in use before the fit\n")
    print(
        "| alpha | planted causes found | kept | tests | conditional | CPU s | peak memory, GiB |\n"
        + "| --- " * 7
        + "|"
    )
    for alpha in alphas:
        cpu = time.process_time()
        selector = HITONPC(alpha=alpha).fit(X, y)
        cpu = time.process_time() - cpu
        found = np.flatnonzero(selector.support_)
        hits = f"{len(set(causes) & set(found.tolist()))} of {len(causes)}"
        counts = f"{len(found)} | {selector.n_tests_} | {selector.n_conditional_tests_}"
        print(f"| {alpha} | {hits} | {counts} | {cpu:.1f} | {_peak_gib():.2f} |", flush=True)


def _peak_gib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("alarm")
    one.add_argument("--samples", type=Path, default=Path("tests/data/hiton/alarm_n5000_s0.csv"))
    one.add_argument("--peer", help="a Python interpreter with pyCausalFS")
    one.add_argument("--peer-targets", type=int, default=6)
    two = commands.add_parser("thrombin")
    two.add_argument("--samples", type=int, default=2543)
    two.add_argument("--features", type=int, default=139_351)
    two.add_argument("--alpha", type=float, nargs="+", default=[0.01, 0.05])
    two.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.command == "alarm":
        alarm(options.samples, options.peer, options.peer_targets)
    else:
        thrombin(options.samples, options.features, options.alpha, options.seed)


if __name__ == "__main__":
    main()
