"""The `fri` package as a peer, in an environment of its own (it needs an older NumPy)."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
INSTALL = 'python3 -m venv PEER && PEER/bin/pip install fri==9.0.0 importlib_metadata attrs "numpy<1.27"'


def ask(python: str, stage: str, X: np.ndarray, y: np.ndarray, *arguments: float) -> dict[str, Any]:
    """The answer of one stage of the peer."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.npz"
        np.savez(table, X=X, y=y)
        script = Path(__file__).with_name("fri_stage.py")
        command = [python, str(script), stage, str(table), *map(repr, map(float, arguments))]
        alone = {**os.environ, **ONE_THREAD}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=alone)
    answers = [line for line in done.stdout.splitlines() if line.startswith("ANSWER ")]
    if done.returncode or not answers:
        raise RuntimeError(f"the peer failed; install it with: {INSTALL}\n{done.stderr[-2000:]}")
    return dict(json.loads(answers[0].removeprefix("ANSWER ")))
