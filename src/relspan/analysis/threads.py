"""Run some steps side by side in threads of this process.

For work that goes on where it was, such as the programs of folds that follow a path of C together: another process, as
in `parallel`, would have to begin anew. Solvers and matrix products let other threads run meanwhile. No step may depend
on another, so the answers are those of one thread, to the last bit. After an interruption nobody waits for the steps
that are left: their solvers are stopped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from joblib import effective_n_jobs

from relspan.engines.solver_runs import abandoned

Answer = TypeVar("Answer")


def side_by_side(steps: Sequence[Callable[[], Answer]], n_jobs: int | None = None) -> list[Answer]:
    """The answers of some steps, in order, up to `n_jobs` of them at a time."""
    workers = min(len(steps), effective_n_jobs(n_jobs), os.cpu_count() or 1)
    if workers <= 1:
        return [step() for step in steps]
    pool = ThreadPoolExecutor(workers)
    try:
        return list(pool.map(lambda step: step(), steps))
    except BaseException:
        with abandoned(pool._threads):
            pool.shutdown(cancel_futures=True)
        raise
    finally:
        pool.shutdown()
