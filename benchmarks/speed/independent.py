"""Wide tables with independent columns: seconds of a whole fit, beside another version of relspan.

    python -m benchmarks.speed.independent [--against SRC] [--table 300x1000 ...] [--mode exact screened] [--jobs 1 2]

SRC is the folder `src` of another version, such as that of a worktree of an older commit. Every fit runs in a process
of its own, all with the same interpreter, one thread of linear algebra per process, one after the other. The table has
four columns that decide the class together with a hidden one, four noisy copies of the hidden one, and otherwise
independent noise. Printed are CPU seconds (children included), elapsed seconds, the peak memory of the main process,
how many features were solved, how many programs one engine left to another, and, beside the other version, how many
times faster this one is, whether all classes are the same, and the largest difference of ends that both have solved.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed.other_source import ONE_THREAD, OWN_SOURCE

MODES = {"exact": False, "screened": True}

FIT = """
import json, resource, sys, warnings
from time import perf_counter
import numpy as np
from relspan import RelevanceClassifier

n, d, screen, jobs = json.loads(sys.argv[1])
rng = np.random.default_rng(0)
X, hidden = rng.standard_normal((n, d)), rng.standard_normal(n)
X[:, 4:8] = hidden[:, None] + 0.3 * rng.standard_normal((4, n)).T
y = (X[:, :4].sum(axis=1) + hidden > 0).astype(int)
warnings.simplefilter("ignore")
if jobs > 1:  # workers that start and import are not counted
    RelevanceClassifier(C=1.0, n_jobs=jobs, random_state=0).fit(X[:, :10], y)


def spent():
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, kinds))


cpu, begin = spent(), perf_counter()
fitted = RelevanceClassifier(random_state=0, screen=screen, n_jobs=jobs).fit(X, y)
result = fitted.result_
print(json.dumps({
    "cpu": spent() - cpu,
    "elapsed": perf_counter() - begin,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    "engine": result.engine["name"],
    "handed_over": result.engine.get("handed_over"),
    "classes": fitted.relevance_.tolist(),
    "ends": fitted.signed_intervals_.tolist(),
    "solved": [f.solved for f in result.features],
    "gap": result.largest_gap,
}))
"""


def fit(source: Path, n: int, d: int, screen: bool, jobs: int) -> dict[str, Any]:
    """One fit in a process of its own, with relspan from that folder."""
    done = subprocess.run(
        [sys.executable, "-c", FIT, json.dumps([n, d, screen, jobs])],
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def compared(new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    both = np.array(new["solved"]) & np.array(old["solved"])
    apart = np.abs(np.array(new["ends"]) - np.array(old["ends"]))[both].max(initial=0.0)
    same = "the same" if new["classes"] == old["classes"] else "differ"
    return [f"{old['cpu']:.1f}", old["engine"], f"{old['cpu'] / new['cpu']:.1f}", same, f"{apart:.0e}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, help="folder src of another version")
    parser.add_argument("--table", nargs="*", default=["300x1000", "100x2000"], help="ROWSxCOLUMNS")
    parser.add_argument("--mode", nargs="*", choices=MODES, default=list(MODES))
    parser.add_argument("--jobs", nargs="*", type=int, default=[1])
    options = parser.parse_args()
    head = ["table", "mode", "workers", "CPU s", "elapsed s", "GiB", "engine", "solved", "handed over"]
    head += ["other CPU s", "its engine", "times faster", "classes", "ends differ"] if options.against else []
    print("| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|")
    for table in options.table:
        n, d = map(int, table.split("x"))
        for mode in options.mode:
            for jobs in options.jobs:
                new = fit(OWN_SOURCE, n, d, MODES[mode], jobs)
                cells = [f"{n} x {d}", mode, str(jobs), f"{new['cpu']:.1f}", f"{new['elapsed']:.1f}"]
                cells += [f"{new['memory']:.2f}", new["engine"], str(sum(new["solved"])), str(new["handed_over"])]
                if options.against:
                    cells += compared(new, fit(options.against, n, d, MODES[mode], jobs))
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
