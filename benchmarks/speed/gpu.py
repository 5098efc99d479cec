"""All ranges of a table as wide as an expression study, on one GPU.

    python -m benchmarks.speed.gpu [--samples 160] [--features 12600] [--delta .1] [--check 24]

The table is simulated (5 strong, 5 weak, the rest irrelevant), C = 1, both budgets relative. Every range must be
certified to 1e-6 of mu, by the path that an analysis takes. A few of the programs are then timed on the CPU, by both
engines, and the answers compared.
"""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

import numpy as np

from relspan.analysis.baseline import best_models, null_loss
from relspan.analysis.intervals import WeightRanges, feature_ranges
from relspan.engines import BatchedEngine, ExactEngine
from relspan.family import Family, build_family, norm_and_loss, unit_directions
from relspan.losses import Hinge
from relspan.simulate import simulate


def wide_family(n: int, d: int, delta: float, C: float) -> tuple[Family, float]:
    data = simulate(n, 5, 5, d - 10, random_state=0)
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    rows = Hinge().rows(X, np.where(data.y == 1, 1.0, -1.0))
    ((best, _),) = best_models(rows, np.array([C]))
    mu, rho = float(np.abs(best[:d]).sum()), rows.loss(best[:d], best[d:])
    # a separable table leaves no loss to share out: give it the share of the null loss that the default rule gives
    room = delta * rho if rho > 1e-6 else 0.02 * null_loss(rows)
    return build_family(rows, norm_and_loss((1 + delta) * mu, rho + room), anchors=best), mu


def timed(members: Family, engine: str) -> tuple[WeightRanges, float]:
    """All ranges as an analysis finds them, and seconds."""
    begin = perf_counter()
    found = feature_ranges(members, engine, progress=lambda stage, share, note: print(f"{share:.0%}", file=sys.stderr))
    return found, perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=160)
    parser.add_argument("--features", type=int, default=12_600)
    parser.add_argument("--delta", type=float, default=0.1)
    parser.add_argument("--C", type=float, default=1.0)
    parser.add_argument("--check", type=int, default=24, help="features solved on the CPU too")
    options = parser.parse_args()
    timed(wide_family(60, 200, options.delta, options.C)[0], "gpu")  # the library's own start-up is not ours
    members, mu = wide_family(options.samples, options.features, options.delta, options.C)
    print(f"{options.samples} x {options.features}, mu {mu:.3f}, budgets {members.budgets}", flush=True)
    found, seconds = timed(members, "gpu")
    gap, programs = float(found.gaps.max()) / mu, 2 * options.features
    print(
        f"{programs} programs on the GPU: {seconds:.1f} s, {1e3 * seconds / programs:.2f} ms each, "
        f"largest certified gap {gap:.1e} of mu",
        flush=True,
    )
    few = unit_directions(range(options.check), members)
    for name, engine in {"exact": ExactEngine, "batched": BatchedEngine}.items():
        begin = perf_counter()
        answers = engine(members).maxima(few)
        each = (perf_counter() - begin) / len(few)
        ends = np.column_stack([found.hi, -found.lo])[: options.check].ravel()
        apart = float(np.abs(answers.values - ends).max()) / mu
        if apart > 2e-6 or gap > 1e-6:
            raise SystemExit(f"not certified, or the two sides differ: {apart:.1e} of mu")
        print(
            f"CPU, {name}, {len(few)} programs: {1e3 * each:.1f} ms each, the GPU is {each * programs / seconds:.1f} "
            f"times faster; answers differ by {apart:.0e} of mu",
            flush=True,
        )


if __name__ == "__main__":
    main()
