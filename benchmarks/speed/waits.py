"""How long does a person wait for an answer, and how much shorter is that than with another checkout of relspan?

    python -m benchmarks.speed.waits [--against OTHER/src] [--parts predictions substitution ...] [--repeat 3]

On breast cancer (569 x 30): the score intervals of all samples; the substitution matrix of all features; a pin with the
intervals that it leaves (`pin()` alone is lazy, so the answer is read too), the median over four pins of every feature;
stability over ten draws. With several classes: whole fits of a simulated survey, 2,431 x 13 with four answers, and of
60 x 4 with 20 classes; beside them the survey with two answers.

Every part runs in a process of its own, by turns with the other checkout, since the speed of a machine drifts. Seconds
are CPU seconds of one thread, the median over the runs. The number of linear programs that each side solved is printed
beside them: what is not asked takes no time. Both sides' answers are compared by one number, the sum of all ends of
intervals; they may differ by what is certified, 1e-6 of the norm per end.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.datasets import load_breast_cancer

from benchmarks.speed.other_source import OWN_SOURCE, answer_of
from relspan import RelevanceClassifier
from relspan.engines.interior.batched_engine import BatchedEngine
from relspan.engines.simplex.range_program import RangeProgram
from relspan.errors import InfeasiblePins
from relspan.explore.explorer import Explorer, history_of


def survey(answers: int, n: int = 2431) -> tuple[np.ndarray, np.ndarray]:
    """A twin of a survey before a vote: 13 columns of region, town, sex, age, schooling, income and opinion."""
    rng = np.random.default_rng(0)
    region, schooling = rng.choice(5, n, p=[0.22, 0.26, 0.14, 0.28, 0.10]), rng.choice(3, n, p=[0.42, 0.41, 0.17])
    town = np.exp(rng.normal(11.2, 1.4, n)).clip(3750, 250_000)
    sex, age = rng.integers(0, 2, n), rng.integers(18, 71, n)
    income = np.exp(rng.normal(10 + 0.5 * (schooling - 1), 0.9, n)).clip(2500, 200_000)
    split = rng.random(n) < 0.45
    opinion = np.where(split, rng.normal(-1.05, 0.35, n), rng.normal(0.85, 0.65, n)).clip(-1.8, 2.05)
    leaning = np.column_stack(
        [
            -0.1 - 1.8 * opinion - 0.3 * sex + 0.3 * (schooling == 2),
            -0.3 + 1.9 * opinion + 0.01 * (age - 38),
            0.1 + 0.4 * sex + 0.35 * (schooling == 0) - 0.1 * opinion,
            -1.2 + 0.1 * sex - 0.01 * (age - 38) - 0.3 * (schooling == 0),
        ]
    )[:, :answers]
    X = np.column_stack([np.eye(5)[region], town, sex, age, np.eye(3)[schooling], income, opinion])
    return X, (leaning + rng.gumbel(size=leaning.shape)).argmax(axis=1)


def many_classes() -> tuple[np.ndarray, np.ndarray]:
    rng, y = np.random.default_rng(0), np.repeat(np.arange(20), 3)
    X = rng.normal(size=(60, 4))
    X[:, 0] += 0.5 * y
    return X, y


class Counter:
    """Counts linear programs: those of the simplex method one by one, those of a batch together."""

    def __init__(self) -> None:
        self.programs = 0
        one, batch = RangeProgram.solve, BatchedEngine._solve

        def solve(program: RangeProgram, *words: object, **options: object) -> object:
            self.programs += 1
            return one(program, *words, **options)

        def solve_batch(engine: BatchedEngine, directions: np.ndarray, *words: object) -> object:
            self.programs += len(directions)
            return batch(engine, directions, *words)

        RangeProgram.solve, BatchedEngine._solve = solve, solve_batch  # type: ignore[method-assign,assignment]


def opened() -> Explorer:
    explorer = RelevanceClassifier(random_state=0).fit(*load_breast_cancer(return_X_y=True)).explore()
    history_of(explorer).solver  # noqa: B018
    return explorer


def seconds_of(work: Callable[[], float]) -> tuple[float, float]:
    """CPU seconds, and the answer as one number."""
    begin = process_time()
    answer = work()
    return process_time() - begin, answer


def predictions() -> tuple[float, float]:
    explorer = opened()
    return seconds_of(lambda: float(np.abs(explorer.predictions().intervals).sum()))


def substitution() -> tuple[float, float]:
    explorer = opened()
    return seconds_of(lambda: float(explorer.substitution(list(explorer.feature_names)).at_min.sum()))


def pin() -> tuple[float, float]:
    explorer, times, total = opened(), [], 0.0
    for feature in explorer.unpinned_result.features:
        for demand in ("min", "max", feature.max / 2, "without"):
            explorer.unpin()
            begin = process_time()
            try:
                result = explorer.pin(feature.name, demand).result
            except InfeasiblePins:
                continue
            times.append(process_time() - begin)
            total += sum(f.min + f.max for f in result.features) if demand == "without" else 0.0
    return float(np.median(times)), total


def stability() -> tuple[float, float]:
    explorer = opened()
    return seconds_of(lambda: sum(f.max[1] for f in explorer.stability(n_draws=10).features))


def fit(X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    return seconds_of(lambda: float(RelevanceClassifier(random_state=0).fit(X, y).intervals_.sum()))


PARTS: dict[str, Callable[[], tuple[float, float]]] = {
    "predictions": predictions,
    "substitution": substitution,
    "pin": pin,
    "stability": stability,
    "survey, 2 answers": lambda: fit(*survey(2)),
    "survey, 4 answers": lambda: fit(*survey(4)),
    "60 x 4, 20 classes": lambda: fit(*many_classes()),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="SRC", help="source folder of another checkout, measured in the same run")
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", help="measure one part in this process, and print it as JSON")
    options = parser.parse_args()
    if options.only:
        counter = Counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            before = counter.programs
            seconds, answer = PARTS[options.only]()
        print(json.dumps({"seconds": seconds, "answer": answer, "programs": counter.programs - before}))
        return
    sides = {"relspan": OWN_SOURCE, **({"other": Path(options.against)} if options.against else {})}
    print("Seconds (CPU) and linear programs, the fit that opens an explorer included in the programs\n")
    header = [
        "wait",
        *(f"{side}, {what}" for side in sides for what in ("s", "programs")),
        "ratio",
        "answers differ by",
    ]
    print("| " + " | ".join(header) + " |\n" + "| --- " * len(header) + "|")
    for part in options.parts:
        runs: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
        for _ in range(options.repeat):
            for side, source in sides.items():
                runs[side].append(answer_of(source, "benchmarks.speed.waits", "--only", part))
        middle = {side: float(np.median([run["seconds"] for run in each])) for side, each in runs.items()}
        cells = [cell for side in sides for cell in (f"{middle[side]:.3f}", f"{runs[side][0]['programs']:,.0f}")]
        ratio, apart = ("", "")
        if options.against:
            ratio = f"{middle['other'] / middle['relspan']:.1f}"
            answers = [runs[side][0]["answer"] for side in sides]
            apart = f"{abs(answers[0] - answers[1]) / max(1.0, abs(answers[1])):.1e}"
        print(f"| {part} | " + " | ".join([*cells, ratio, apart]) + " |", flush=True)


if __name__ == "__main__":
    main()
