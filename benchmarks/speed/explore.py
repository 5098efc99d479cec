"""How live is exploring? Pins and the substitution matrix on breast cancer (569 x 30), beside the `fri` package.

    python -m benchmarks.speed.explore --peer-python PEER/bin/python [--C .1] [--delta .1] [--features 3]
                                       [--columns 30]

The peer runs in an environment of its own (see benchmarks/peers/fri_package.py), on the same standardised table, C and
budgets. One step of the peer is what its `constrained_intervals` does for one pin: all bounds again, and its probes;
the bounds alone are timed too. A pin of relspan is timed with its answer, all intervals under the pin. The peer's
`get_grouping` is 2 d such steps (each feature at its least and largest relevance),
of which a few are measured and scaled. Seconds are CPU seconds of one thread: one run a step for the peer, for relspan
the median over all 30 features. Ratios are printed only if both sides gave the same intervals.

The peer takes the sign of a pin from its best model, so that only features with a weight there can be compared; where
both signs are open relspan answers for both.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np
from sklearn.datasets import load_breast_cancer

from benchmarks.peers import fri_package
from relspan import RelevanceClassifier
from relspan.errors import InfeasiblePins
from relspan.explore import Explorer
from relspan.explore.explorer import history_of

DEMANDS = {
    "min": lambda f: ["min"],
    "half": lambda f: [f.max / 2],
    "half, dragged there from .48": lambda f: [0.48 * f.max, f.max / 2],
    "max": lambda f: ["max"],
    "without": lambda f: ["without"],
}


def seconds_of(work: Callable[[], object]) -> float:
    begin = process_time()
    work()
    return process_time() - begin


def pin_and_answer(explorer: Explorer, feature: str, demand: str | float) -> None:
    explorer.pin(feature, demand).result  # noqa: B018


def pins(explorer: Explorer) -> dict[str, list[tuple[float, int]]]:
    """Seconds and sign branches of every feature's last pin, by kind; pins that no model satisfies are left out."""
    found: dict[str, list[tuple[float, int]]] = {kind: [] for kind in DEMANDS}
    for kind, demand in DEMANDS.items():
        fresh = Explorer(history_of(explorer).problem)  # which does not remember what an earlier kind solved
        history_of(fresh).solver  # noqa: B018
        for feature in explorer.unpinned_result.features:
            *before, last = demand(feature)
            fresh.unpin()
            try:
                for value in before:
                    fresh.pin(feature.name, value)
                # a pin alone is lazy: what a person waits for are the intervals that it leaves
                seconds = seconds_of(partial(pin_and_answer, fresh, feature.name, last))
            except InfeasiblePins:
                continue
            found[kind].append((seconds, len(fresh.branches)))
    return found


def furthest(explorer: Explorer, step: dict, sign: float) -> float:
    """How far apart the two sides' intervals are at one pin, but for the pinned feature, which the peer only echoes."""
    j = step["feature"]
    explorer.unpin().pin(explorer.feature_names[j], step["asked"] if step["asked"] != "half" else step["value"])
    branches = history_of(explorer).current_family().branches
    branch = next(b for b in branches if len(branches) == 1 or sign * sum(b.bounds[j]) > 0)
    apart = np.abs(branch.ranges.relevances / history_of(explorer).problem.mu - np.array(step["bounds"]))
    explorer.unpin()
    return float(np.delete(apart, j, axis=0).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", help="python of an environment that has fri; without it only relspan is timed")
    parser.add_argument("--C", type=float, default=0.1)
    parser.add_argument("--delta", type=float, default=0.1, help="both budgets, relative as the peer's")
    parser.add_argument("--features", type=int, default=2, help="how many features the peer pins")
    parser.add_argument("--columns", type=int, default=30, help="only the first columns of the table")
    options = parser.parse_args()

    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, : options.columns]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = RelevanceClassifier(
            C=options.C,
            delta_norm=options.delta,
            delta_loss=options.delta,
            loss_budget="relative",
            standardize=False,
            n_probes=5,
            random_state=0,
        ).fit(X, y)
    explorer = clf.explore()
    print(f"open the session: {seconds_of(lambda: history_of(explorer).solver) * 1000:.0f} ms")
    ours = pins(explorer)
    every = list(explorer.feature_names)
    matrix = seconds_of(lambda: explorer.substitution(every))
    groups = seconds_of(lambda: explorer.groups(every))

    begin = process_time()
    ambiguous = explorer.predictions().ambiguous
    scores = process_time() - begin

    steps: list[dict] = []
    if options.peer_python:
        used = np.flatnonzero(clf._analysis.baseline.weights)[: options.features]
        peer = fri_package.ask(options.peer_python, "pins", X, np.where(y == 1, 1, -1), options.C, options.delta, *used)
        steps = peer["steps"]

    for step in steps:
        apart = furthest(explorer, step, float(clf._analysis.baseline.weights[step["feature"]]))
        print(f"{every[step['feature']]} {step['asked']}: the two sides differ by {apart:.1e}", file=sys.stderr)
        if apart > 1e-6:
            raise SystemExit("the two sides answer differently; their speed cannot be compared")
    print("\n| pin | relspan, median | slowest | two signs | fri | times faster | fri, bounds only | times faster |")
    print("| --- " * 8 + "|")
    for kind, times in ours.items():
        seconds = np.array([t for t, _ in times])
        two = sum(branches > 1 for _, branches in times)
        theirs = [s for s in steps if s["asked"] == kind.partition(",")[0]]
        line = (
            f"| {kind} | {np.median(seconds) * 1000:.0f} ms | {seconds.max() * 1000:.0f} ms | {two} of {len(times)} |"
        )
        for key in ("seconds", "bounds_seconds"):
            if theirs:
                peer_seconds = float(np.mean([s[key] for s in theirs]))
                line += f" {peer_seconds:.2f} s | {peer_seconds / np.median(seconds):.0f} |"
            else:
                line += " | |"
        print(line)
    print(f"\nsubstitution matrix of all {len(every)} features: {matrix:.2f} s; groups: {groups:.2f} s")
    print(f"score intervals of all {len(X)} samples: {scores:.2f} s, ambiguous: {ambiguous:.1%}")
    if steps:
        ends = [s for s in steps if s["asked"] != "half"]
        for key, word in (("seconds", "get_grouping"), ("bounds_seconds", "its bounds only")):
            whole = 2 * len(every) * float(np.mean([s[key] for s in ends]))
            print(
                f"fri {word}, scaled from {len(ends)} of {2 * len(every)} steps: {whole:.0f} s, {whole / matrix:.0f} x"
            )


if __name__ == "__main__":
    main()
