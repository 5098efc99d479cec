"""Run some steps side by side in threads of this process.

For work that goes on where it was, such as the programs of folds that follow a path of C together: another process, as
in `parallel`, would have to begin anew. Solvers and matrix products let other threads run meanwhile. No step may depend
on another, so the answers are those of one thread, to the last bit. After an interruption nobody waits for the steps
that are left: their solvers are stopped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TypeVar

from joblib import effective_n_jobs

from relspan.engines.solver_runs import abandoned

Answer = TypeVar("Answer")


def side_by_side(steps: Sequence[Callable[[], Answer]], n_jobs: int | None = None) -> list[Answer]:
    """The answers of some steps, in order, up to `n_jobs` of them at a time."""
    return [answer for (answer,) in rounds_side_by_side(steps, 1, n_jobs)]


def rounds_side_by_side(
    steps: Sequence[Callable[[], Answer]], rounds: int, n_jobs: int | None = None
) -> list[list[Answer]]:
    """The answers of steps that are called so many times each: a list for every step.

    A step that has answered goes to the end of the line, so that no thread waits for the slowest one of a round.
    """
    answers: list[list[Answer]] = [[] for _ in steps]
    workers = min(len(steps), effective_n_jobs(n_jobs), os.cpu_count() or 1)
    if workers <= 1:
        for _ in range(rounds):
            for own, step in zip(answers, steps, strict=True):
                own.append(step())
        return answers
    with ThreadPoolExecutor(workers) as pool:
        waiting = {pool.submit(step): place for place, step in enumerate(steps)}
        try:
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    place = waiting.pop(future)
                    answers[place].append(future.result())
                    if len(answers[place]) < rounds:
                        waiting[pool.submit(steps[place])] = place
        except BaseException:
            with abandoned(pool._threads):
                pool.shutdown(cancel_futures=True)
            raise
    return answers
