"""Does the command that `relspan inspect` prints analyse real tables to the end, with no other help?

    python -m benchmarks.accuracy.inspected_tables [--tables COUNT/titanic MASS/birthwt] [--timeout 900] [--jobs 2]

Every table of benchmarks.accuracy.shipped_tables is written to a file, ``relspan inspect FILE --target NAME`` is run on
it, and then the very command that it prints; both in processes of their own. Per table:

    table       the package and the table's name there; rows and columns of the file
    kinds       how many columns of each kind were recognised
    command     the options of the command, without the file
    outcome     strong, weak and irrelevant features, or why the table was refused

"to the end" means that both processes end with exit code 0 and the second one prints a result.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.shipped_tables import TABLES, ShippedTable

CLASSES = ("strong", "weak", "irrelevant")


@dataclass(frozen=True)
class Trial:
    """What became of one table."""

    table: ShippedTable
    rows: int
    columns: int
    kinds: str
    options: str
    outcome: str
    finished: bool


def run(words: list[str], timeout: float) -> tuple[int, str, str]:
    """Exit code, output and errors of a relspan command; 124 where the time is over."""
    command = [sys.executable, "-m", "relspan", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False, env=os.environ)
    except subprocess.TimeoutExpired:
        return 124, "", f"not finished in {timeout:g} seconds"
    return done.returncode, done.stdout, done.stderr


def tried(table: ShippedTable, folder: Path, timeout: float) -> Trial:
    """Inspect one table and run the command."""
    file = table.write(folder)
    _, text, errors = run(["inspect", str(file), "--target", table.target, "--format", "json"], timeout)
    if not text:
        return Trial(table, 0, 0, "", "", f"refused: {last_line(errors)}", False)
    found = json.loads(text)
    kinds = Counter(column["kind"] for column in found["columns"])
    shown = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    size = found["rows"], len(found["columns"])
    if found["command"] is None:
        return Trial(table, *size, shown, "", f"refused: {found['obstacles'][0]}", False)
    words = shlex.split(found["command"])
    options = shlex.join(words[5:]) or "none"
    code, text, errors = run([*words[1:], "--format", "json"], timeout)
    if code or not text:
        return Trial(table, *size, shown, options, f"exit code {code}: {last_line(errors)}", False)
    result = json.loads(text)
    classes = Counter(feature["relevance"] for feature in result["features"])
    outcome = ", ".join(f"{classes[kind]} {kind}" for kind in CLASSES)
    outcome += "" if result["passed"] is not False else "; the table did not pass its test"
    return Trial(table, *size, shown, options, f"{result['task']}: {outcome}", True)


def last_line(errors: str) -> str:
    """The last line on standard error, without the name of the program."""
    lines = [line for line in errors.splitlines() if line.strip()]
    return lines[-1].removeprefix("relspan: ") if lines else "no reason given"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", choices=[table.name for table in TABLES], metavar="NAME")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds per process")
    parser.add_argument("--jobs", type=int, default=1, help="tables at a time")
    options = parser.parse_args()
    chosen = [table for table in TABLES if options.tables is None or table.name in options.tables]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        started = [pool.submit(tried, table, Path(folder), options.timeout) for table in chosen]
        trials = [future.result() for future in started]
    print("\n## Tables to the end\n")
    print("| tables | to the end | refused or failed |")
    print("| --- | --- | --- |")
    finished = sum(trial.finished for trial in trials)
    print(f"| {len(trials)} | {finished} | {len(trials) - finished} |")
    print("\n## Each table\n")
    print("| table | rows | columns | kinds | command | outcome |")
    print("| --- | --- | --- | --- | --- | --- |")
    for t in trials:
        command = f"`--target {t.table.target}{'' if t.options in ('', 'none') else ' ' + t.options}`"
        name = f"{t.table.package}: {t.table.name}"
        print(f"| {name} | {t.rows} | {t.columns} | {t.kinds} | {command} | {t.outcome} |")


if __name__ == "__main__":
    main()
