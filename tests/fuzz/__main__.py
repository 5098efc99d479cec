"""Random problems for a given time: `make fuzz`, or ``python tests/fuzz --minutes 30 --jobs 2``.

Every fault is written to a file with its recipe and its traceback; ``python tests/fuzz --case FILE`` makes it again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from multiprocessing import get_context
from pathlib import Path

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from laws import Tally, checked  # noqa: E402
from long_run import summary, worked  # noqa: E402
from recipes import Recipe  # noqa: E402


def main() -> int:
    """Run, and return 1 where a fault was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long")
    parser.add_argument("--problems", type=int, default=10**9, help="at most so many problems per process")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=0, help="other problems")
    parser.add_argument("--laws", type=int, default=1, help="laws of two answers, or of a session, per problem")
    parser.add_argument("--folder", type=Path, default=Path("fuzz-cases"), help="where faults are written")
    parser.add_argument("--case", type=Path, help="a file of such a fault: make it again")
    given = parser.parse_args()
    if given.case is not None:
        recipe = Recipe.from_json(json.dumps(json.loads(given.case.read_text())["recipe"]))
        print(checked(recipe, given.laws))
        return 0
    given.folder.mkdir(parents=True, exist_ok=True)
    work = [
        (number, given.seed, 60 * given.minutes, given.problems, given.folder, given.laws)
        for number in range(given.jobs)
    ]
    with get_context("spawn").Pool(given.jobs) as pool:
        found = pool.starmap(worked, work)
    total = sum((tally for tally, _ in found), Tally())
    print(summary(total, sum(seconds for _, seconds in found)))
    return int(any(ending.startswith("FAULT") for _, ending in total.endings))


if __name__ == "__main__":
    sys.exit(main())
