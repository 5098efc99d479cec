"""How soon does the command line answer? `relspan --version` and `--help` beside what they cannot do without.

    python -m benchmarks.speed.startup [--against OTHER/src] [--repeat 7]

Every start is a process of its own; printed is the median of its CPU seconds, user and system, over alternating runs.
`import typer, rich` is the least that a command line of this kind loads, and an empty script is Python itself.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np

import relspan

OWN_SOURCE = Path(relspan.__file__).parents[1]
STARTS = {
    "an empty script": ["-c", "pass"],
    "import typer, rich": ["-c", "import typer, rich"],
    "import relspan": ["-c", "import relspan"],
    "relspan --version": ["-m", "relspan", "--version"],
    "relspan --help": ["-m", "relspan", "--help"],
    "relspan analyze --help": ["-m", "relspan", "analyze", "--help"],
}


def cpu_seconds(words: list[str], source: Path) -> float:
    """User and system seconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(source)}
    subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="SRC", help="source folder of another checkout, measured in the same run")
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    sides = {"relspan": OWN_SOURCE, **({"other": Path(options.against)} if options.against else {})}
    times: dict[tuple[str, str], list[float]] = {(start, side): [] for start in STARTS for side in sides}
    for _ in range(options.repeat + 1):  # the first round reads the files from the disk, and is not counted
        for (start, side), each in times.items():
            each.append(cpu_seconds(STARTS[start], sides[side]))
    least = float(np.median(times["import typer, rich", "relspan"][1:]))
    header = ["start", *(f"{side}, s" for side in sides), "times import typer, rich"]
    print("| " + " | ".join(header) + " |\n" + "| --- " * len(header) + "|")
    for start in STARTS:
        middle = [float(np.median(times[start, side][1:])) for side in sides]
        print(f"| {start} | " + " | ".join(f"{seconds:.2f}" for seconds in middle) + f" | {middle[0] / least:.1f} |")


if __name__ == "__main__":
    main()
