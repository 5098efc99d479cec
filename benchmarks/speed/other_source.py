"""One measurement with the relspan of another source folder: in a process of its own, which prints JSON at its end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import relspan

ROOT = Path(__file__).parents[2]
OWN_SOURCE = Path(relspan.__file__).parents[1]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def answer_of(source: Path, module: str, *arguments: str) -> dict[str, float]:
    """Run a module of this checkout's benchmarks with a relspan from `source`; the last line that it prints."""
    command = [sys.executable, "-W", "ignore", "-m", module, *arguments]
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join([str(source), str(ROOT)])}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))
