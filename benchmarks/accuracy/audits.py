"""Audits of one fitted logistic model: relspan beside rashomon-py, on the same family and with both defaults.

    python -m benchmarks.accuracy.audits --peer-python PEER/bin/python [--sets "breast cancer" ...]

PEER is an environment that has rashomon-py. Its family is a level set of the penalised loss that the model minimises:
relspan's combined budget. So both are given the same model and the same room, and should find the same ranges; where
they do not, the certified gap of relspan bounds its part of the difference. *Profile* is the room 1.92 / n of an
unpenalised model, whose ranges are the 95 % profile-likelihood intervals. The admissions table is a simulated twin of
the one that UCLA's pages on logistic regression analyse: 400 applicants, GRE, GPA and the rank of their school, with
the coefficients that are printed there; the table itself is not part of any package. Times are CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from relspan import audit

STAGE = Path(__file__).parents[1] / "peers" / "rashomon_stage.py"
PROFILE_ROOM = 1.9207294103470620  # half of the 95 % quantile of chi squared with one degree of freedom
EXPLAINED_SHARE = 0.02


def admissions() -> tuple[np.ndarray, np.ndarray]:
    """A twin of UCLA's admissions: means, spreads, shares of ranks and coefficients as printed there."""
    rng = np.random.default_rng(0)
    n = 400
    both = rng.multivariate_normal([0.0, 0.0], [[1.0, 0.38], [0.38, 1.0]], n)
    gre = np.clip(np.round((587.7 + 115.5 * both[:, 0]) / 20) * 20, 220, 800)
    gpa = np.clip(np.round(3.39 + 0.38 * both[:, 1], 2), 2.26, 4.0)
    rank = rng.choice(4, n, p=[61 / 400, 151 / 400, 121 / 400, 67 / 400])
    levels = (rank[:, None] == [1, 2, 3]).astype(float)
    score = -3.99 + 0.00226 * gre + 0.804 * gpa + levels @ [-0.675, -1.340, -1.551]
    return np.column_stack([gre, gpa, levels]), (rng.random(n) < 1 / (1 + np.exp(-score))).astype(int)


SETS: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "admissions twin": admissions,
}


def timed(question: Callable[[], object]) -> tuple[object, float]:
    begin = time.process_time()
    answer = question()
    return answer, time.process_time() - begin


def cases(name: str) -> list[tuple[str, float]]:
    """The penalties and rooms of a data set; breast cancer is separable, so it has no unpenalised model."""
    return [("L2, C = 1", 1.0)] + ([("no penalty, profile", np.inf)] if name == "admissions twin" else [])


def compared(name: str, words: str, C: float, peer_python: str) -> tuple[list[str], list[list[str]]]:
    """One row of the first table, and two of the second."""
    X, y = SETS[name]()
    model = make_pipeline(StandardScaler(), LogisticRegression(C=C, tol=1e-10, max_iter=100_000)).fit(X, y)
    usual, seconds_usual = timed(lambda: audit(model, X, y))
    explained = usual.budgets["null_loss"] - usual.budgets["loss"]
    share = PROFILE_ROOM / explained if np.isinf(C) else EXPLAINED_SHARE
    budget = "separate" if np.isinf(C) else "combined"  # without a penalty they are the same
    same, seconds_ranges = timed(lambda: audit(model, X, y, delta_loss=share, budget=budget, predictions=False))
    with_labels, seconds_both = timed(lambda: audit(model, X, y, delta_loss=share, budget=budget))
    one_se, seconds_se = timed(lambda: audit(model, X, y, delta_loss="one_se", budget=budget))
    peer = asked_of_peer(X, y, C, share * explained / len(y), peer_python)
    ours = np.array([[one.lo, one.hi] for one in same.coefficients])
    theirs = np.array(peer["ranges"])
    width = np.diff(ours, axis=1)
    difference = float((np.abs(ours - theirs) / width).max())
    gap = float((np.array([one.gap for one in same.coefficients]) / width[:, 0]).max())
    flips = np.zeros(len(y), dtype=bool)
    flips[list(with_labels.uncertain_rows)] = True
    first = [
        *(name, f"{len(y)} x {X.shape[1]}", words, f"{difference:.1e}", f"{gap:.1e}"),
        f"{flips.sum()} / {sum(peer['flips'])}",
        f"{(flips != np.array(peer['flips'])).sum()}",
        f"{seconds_ranges:.2f} / {peer['seconds'][0]:.2f}",
        f"{max(0.0, seconds_both - seconds_ranges):.2f} / {peer['seconds'][1]:.2f}",
    ]
    d, theirs_usual = X.shape[1], peer["usual"]
    rows = [
        [
            name,
            words,
            "relspan, 2 % of the explained loss",
            *certainties(usual, d),
            "all proven",
            f"{seconds_usual:.2f}",
        ],
        [name, words, "relspan, one standard error", *certainties(one_se, d), "all proven", f"{seconds_se:.2f}"],
        [
            *(name, words, "rashomon-py, its default (one standard error)"),
            *(f"{theirs_usual['gap'] * len(y):.2f}", f"{theirs_usual['signs']} of {d}"),
            f"{len(y) - theirs_usual['flipped']} of {len(y)}",
            f"ranges {theirs_usual['ranges']}, labels {theirs_usual['flips']}, sampler {theirs_usual['reliability']}",
            f"{peer['seconds'][2]:.2f}",
        ],
    ]
    return first, rows


def certainties(found, d: int) -> list[str]:
    """The room of an audit, its certain signs and its certain labels."""
    room = found.budgets["loss_limit"] - found.budgets["loss"]
    certain = f"{found.n_rows - len(found.uncertain_rows)} of {found.n_rows}"
    return [f"{room:.2f}", f"{len(found.certain_signs)} of {d}", certain]


def asked_of_peer(X: np.ndarray, y: np.ndarray, C: float, gap: float, peer_python: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        table, answer = Path(folder) / "table.npz", Path(folder) / "answer.json"
        np.savez(table, X=X, y=y, C=C, gap=gap)
        subprocess.run([peer_python, str(STAGE), str(table), str(answer)], check=True)
        return dict(json.loads(answer.read_text(encoding="utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", required=True, help="python of an environment that has rashomon-py")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    answers = [compared(name, words, C, options.peer_python) for name in options.sets for words, C in cases(name)]
    print("The same model and the same room: the largest difference of an end, as a share of its range; relspan / peer")
    print()
    print(
        "| data set | size | model | difference | certified gap | uncertain labels | of them different | "
        "CPU s, ranges | CPU s, labels |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for first, _ in answers:
        print(f"| {' | '.join(first)} |")
    print()
    print("Defaults, and the same reason for the room: what is certain")
    print()
    print("| data set | model | audit | room in log loss | signs certain | labels certain | how | CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for _, rows in answers:
        for row in rows:
            print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
