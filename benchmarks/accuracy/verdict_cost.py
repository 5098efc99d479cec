"""CPU seconds of whole fits: the part `cost` of benchmarks.accuracy.verdicts.

Every fit runs in a process of its own, so that the source folder of another checkout can be measured in the same run,
by turns with this one; the speed of a machine drifts. The other checkout may know no losses: its fits are hinge.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from time import process_time

import numpy as np

import relspan
from benchmarks.accuracy.known_truth.columns import near_copies, null, strong
from benchmarks.accuracy.known_truth.kinds import kind
from benchmarks.accuracy.known_truth.targets import flipped
from benchmarks.accuracy.known_truth.truth_table import TruthTable, generator
from relspan import RelevanceClassifier

ROOT = Path(__file__).parents[2]
OWN_SOURCE = Path(relspan.__file__).parents[1]
SIZES = ("500x30", "500x120")
LOSSES = ("hinge", "logistic")
OLD_LOSS = "hinge"


def table(size: str) -> TruthTable:
    """Two classes, 2 % of the labels flipped; of 30 features 4 are strong, 4 near-copies and 22 noise."""
    rows, columns = map(int, size.split("x"))
    parts = max(1, columns // 30)
    blocks = (strong(4 * parts), near_copies([4] * parts, 0.99), null(columns - 8 * parts))
    return kind(rows, *blocks, target=flipped(0.02)).draw(generator(f"cost {size}", 0))


def fit_seconds(size: str, loss: str) -> float | None:
    """CPU seconds of one fit with this process's relspan; None if it does not know the loss."""
    data, small = table(size), table("60x10")
    options = {"loss": loss} if "loss" in RelevanceClassifier().get_params() else {}
    if not options and loss != OLD_LOSS:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        RelevanceClassifier(random_state=0, **options).fit(small.X, small.y)  # everything that is imported lazily
        begin = process_time()
        RelevanceClassifier(random_state=0, **options).fit(data.X, data.y)
    return process_time() - begin


def measured(source: Path, size: str, loss: str) -> float | None:
    """The same in a process of its own, with the relspan of a source folder."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.accuracy.verdict_cost", size, loss]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source), str(ROOT)])}
    printed = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    answer = json.loads(printed)
    if Path(answer["source"]) != source.resolve():
        raise SystemExit(f"{source} was asked for, but relspan came from {answer['source']}")
    return None if answer["seconds"] is None else float(answer["seconds"])


def show_cost(sizes: list[str], against: str | None, repeat: int) -> None:
    """One row per size and loss: medians over alternating runs."""
    sources = [OWN_SOURCE, *([Path(against).resolve()] if against else [])]
    print(f"\nCPU seconds of a whole fit, medians of {repeat} alternating runs\n")
    print("| table | loss | this checkout | the other | ratio | ratio to hinge |\n" + "| --- " * 6 + "|")
    for size in sizes:
        hinge = np.nan
        for loss in LOSSES:
            runs = [[measured(source, size, loss) for source in sources] for _ in range(repeat)]
            medians = [median([run[place] for run in runs]) for place in range(len(sources))]
            own, other = medians[0], medians[1] if against else np.nan
            hinge = own if loss == OLD_LOSS else hinge
            cells = [figure(value) for value in (own, other, own / other, own / hinge)]
            print(f"| {size.replace('x', ' x ')} | {loss} | {' | '.join(cells)} |", flush=True)


def median(seconds: list[float | None]) -> float:
    """The median; NaN if the loss is not known."""
    known = [value for value in seconds if value is not None]
    return float(np.median(known)) if known else np.nan


def figure(value: float) -> str:
    """A number, or nothing."""
    return "" if np.isnan(value) else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU seconds of one fit, as JSON")
    parser.add_argument("size", help="ROWSxCOLUMNS")
    parser.add_argument("loss", choices=LOSSES)
    options = parser.parse_args()
    seconds = fit_seconds(options.size, options.loss)
    print(json.dumps({"seconds": seconds, "source": str(OWN_SOURCE.resolve())}))


if __name__ == "__main__":
    main()
