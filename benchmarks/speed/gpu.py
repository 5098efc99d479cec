"""Tables as wide as an expression study on one GPU: all ranges, a whole fit, and what keeps a GPU waiting.

    python -m benchmarks.speed.gpu [--part traffic ranges fit] [--device cuda] [--samples 160] [--features 12600]

`traffic` needs no GPU. It counts, per Newton step of one batch, the operations that are started, the bytes that they
write, and how often the host reads a value, which a device would have to be waited for. `ranges` are those of all
features of a simulated table (5 strong, 5 weak, the rest irrelevant; C = 1, both budgets relative), by the path that
an analysis takes; every one must be certified to 1e-6 of mu, and a few programs are solved on the CPU too. `fit` is a
whole analysis, probes and verdicts included, of a simulated table of the size of ALLAML (72 x 7129) with 40 hidden
factors; what the stages take is printed. Each part runs in a process of its own. With --device cpu all parts run on the
CPU, for small tables.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import warnings
from itertools import pairwise
from time import perf_counter

import numpy as np
import torch

from benchmarks.speed.device_traffic import counted
from relspan import RelevanceClassifier
from relspan.analysis.baseline import best_models, null_loss
from relspan.analysis.intervals import WeightRanges, feature_ranges
from relspan.engines import ENGINES, BatchedEngine, ExactEngine
from relspan.engines.interior import batched_engine
from relspan.engines.interior.torch_library import TorchArrays
from relspan.family import Family, build_family, norm_and_loss, unit_directions
from relspan.losses import Hinge
from relspan.simulate import simulate

PARTS = ("traffic", "ranges", "fit")


def wide_family(n: int, d: int, delta: float, C: float) -> tuple[Family, float]:
    data = simulate(n, 5, 5, d - 10, random_state=0)
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    rows = Hinge().rows(X, np.where(data.y == 1, 1.0, -1.0))
    ((best, _),) = best_models(rows, np.array([C]))
    mu, rho = float(np.abs(best[:d]).sum()), rows.loss(best[:d], best[d:])
    # a separable table leaves no loss to share out: give it the share of the null loss that the default rule gives
    room = delta * rho if rho > 1e-6 else 0.02 * null_loss(rows)
    return build_family(rows, norm_and_loss((1 + delta) * mu, rho + room), anchors=best), mu


def correlated_table(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns that share 40 hidden factors, as genes do; two of the factors decide the class."""
    rng = np.random.default_rng(0)
    factors = rng.standard_normal((n, 40))
    X = factors @ rng.standard_normal((40, d)) / 4 + rng.standard_normal((n, d))
    return X, (factors[:, 0] + factors[:, 1] + 0.3 * rng.standard_normal(n) > 0.4).astype(int)


def print_traffic(n: int, d: int, programs: int) -> None:
    """Operations, bytes and reads of one batch."""
    members, mu = wide_family(n, d, 0.1, 1.0)
    engine, steps, maximise = BatchedEngine(members, TorchArrays("cpu")), [], batched_engine.maximise

    def noted(*arguments, **options):  # type: ignore[no-untyped-def]
        found = maximise(*arguments, **options)
        steps.append(found.iterations)
        return found

    batched_engine.maximise = noted
    with counted() as traffic:
        found = engine.maxima(unit_directions(range(programs // 2), members))
    batched_engine.maximise = maximise
    count = sum(steps)
    cells = [f"{n} x {d}", programs, count, f"{traffic.n_kernels / count:.0f}"]
    cells += [
        f"{traffic.bytes_written / count / programs / 1e3:.0f}",
        traffic.n_reads,
        f"{traffic.n_reads / count:.2f}",
    ]
    print_row(*cells, f"{found.gaps.max() / mu:.0e}")


def print_head(*columns: str) -> None:
    print("\n| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|", flush=True)


def print_row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def timed(members: Family) -> tuple[WeightRanges, float]:
    """All ranges as an analysis finds them, and seconds."""
    begin = perf_counter()
    found = feature_ranges(members, "gpu", progress=lambda stage, share, note: print(f"{share:.0%}", file=sys.stderr))
    return found, perf_counter() - begin


def print_ranges(n: int, d: int, check: int) -> None:
    timed(wide_family(60, 200, 0.1, 1.0)[0])  # the library's own start-up is not ours
    members, mu = wide_family(n, d, 0.1, 1.0)
    found, seconds = timed(members)
    gap, programs = float(found.gaps.max()) / mu, 2 * d
    print_head(
        "table", "engine", "programs", "s", "ms each", "largest certified gap, of mu", "by another engine", "apart"
    )
    handed_over = int(found.extremes.handed_over.sum())
    print_row(
        f"{n} x {d}",
        "gpu",
        programs,
        f"{seconds:.1f}",
        f"{1e3 * seconds / programs:.2f}",
        f"{gap:.1e}",
        handed_over,
        "",
    )
    few = unit_directions(range(check), members)
    for name, engine in {"exact": ExactEngine, "batched": BatchedEngine}.items():
        begin = perf_counter()
        answers = engine(members).maxima(few)
        taken = perf_counter() - begin
        ends = np.column_stack([found.hi, -found.lo])[:check].ravel()
        apart = float(np.abs(answers.values - ends).max()) / mu
        if apart > 2e-6 or gap > 1e-6:
            raise SystemExit(f"not certified, or the two sides differ: {apart:.1e} of mu")
        cells = [f"{taken:.1f}", f"{1e3 * taken / len(few):.2f}", f"{answers.gaps.max() / mu:.1e}"]
        print_row(f"{n} x {d}", f"{name}, CPU", len(few), *cells, int(answers.handed_over.sum()), f"{apart:.0e}")


def print_fit(n: int, d: int) -> None:
    """A whole fit, and the seconds until each stage began."""
    timed(wide_family(60, 200, 0.1, 1.0)[0])  # the library's own start-up is not ours
    X, y = correlated_table(n, d)
    began: dict[str, float] = {}
    begin = perf_counter()

    def note(stage: str, share: float | None, note: str) -> None:
        began.setdefault(stage, perf_counter() - begin)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = RelevanceClassifier(engine="gpu", random_state=0, progress=note).fit(X, y).result_
    seconds = perf_counter() - begin
    counts = [sum(f.relevance == name for f in result.features) for name in ("strong", "weak", "irrelevant")]
    names, parts = list(began), list(pairwise([*began.values(), seconds]))
    print_head("whole fit", "s", *(f"{name}, s" for name in names), "strong, weak, irrelevant", "largest gap")
    spent = [f"{until - start:.1f}" for start, until in parts]
    print_row(f"{n} x {d}", f"{seconds:.1f}", *spent, ", ".join(map(str, counts)), f"{result.largest_gap:.0e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", nargs="*", choices=PARTS, default=PARTS)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--samples", type=int, default=160)
    parser.add_argument("--features", type=int, default=12_600)
    parser.add_argument("--check", type=int, default=8, help="features whose ranges are found on the CPU too")
    parser.add_argument("--fit", nargs=2, type=int, default=(72, 7129), help="samples and features of the whole fit")
    options = parser.parse_args()
    if len(options.part) > 1:
        for part in options.part:
            again = [sys.executable, "-m", "benchmarks.speed.gpu", *sys.argv[1:], "--part", part]
            subprocess.run(again, check=True)
        return
    if options.device != "cuda":
        torch.set_num_threads(1)
        ENGINES["gpu"] = lambda family: BatchedEngine(family, TorchArrays(options.device))
    if "traffic" in options.part:
        head = ("table", "programs", "steps", "operations per step", "kB written per program and step", "reads")
        print_head(*head, "reads per step", "largest certified gap, of mu")
        print_traffic(60, 400, 64)
        print_traffic(200, 20, 40)
    if "ranges" in options.part:
        print_ranges(options.samples, options.features, options.check)
    if "fit" in options.part:
        print_fit(*options.fit)


if __name__ == "__main__":
    main()
