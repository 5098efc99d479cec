"""Python can end while threads are inside a solver."""

from __future__ import annotations

import subprocess
import sys

import pytest

from relspan.engines import solver_runs

ENDING = """
import atexit, threading, time
import numpy as np

def at_the_end():  # registered before relspan's own handler, so it runs after it, in the main thread
    from relspan import RelevanceClassifier
    data = simulate(30, strong=1, weak=0, irrelevant=1, random_state=0)
    print(len(RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(data.X, data.y).intervals_))

atexit.register(at_the_end)
from relspan import RelevanceClassifier
from relspan.engines import solver_runs
from relspan.simulate import simulate

data = simulate(400, strong=4, weak=10, irrelevant=60, random_state=0)

def work():
    RelevanceClassifier(C=1.0, engine="{engine}", random_state=0).fit(data.X, data.y)

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
while not solver_runs._running:
    time.sleep(0.01)
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["exact", "reference"])
def test_python_ends_while_threads_solve(engine: str) -> None:
    """Before, the process aborted: terminate called without an active exception."""
    ended = subprocess.run(
        [sys.executable, "-c", ENDING.replace("{engine}", engine)], capture_output=True, text=True, timeout=120
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "2\n", "")


def test_a_run_that_fails_is_no_longer_counted() -> None:
    before, counts = solver_runs._running, []

    def fails() -> None:
        with solver_runs.counted_run():
            counts.append(solver_runs._running)
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert counts == [before + 1]
    assert solver_runs._running == before
