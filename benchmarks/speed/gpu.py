"""All ranges of a table as wide as an expression study, on one GPU.

    python -m benchmarks.speed.gpu [--samples 160] [--features 12600] [--delta .1] [--device cuda] [--check 24]

The table is simulated (5 strong, 5 weak, the rest irrelevant), C = 1, both budgets relative. Every range must be
certified to 1e-6 of mu; programs the batched engine hands to the exact engine are counted and included in the time.
The same programs are then timed on the CPU for a few features, and the two sides' answers compared.
"""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

import numpy as np

from relspan.baseline import best_models
from relspan.engines.arrays import Arrays, NumpyArrays
from relspan.engines.batched import BatchedEngine
from relspan.family import Family, family, norm_and_loss, unit_directions
from relspan.losses import Hinge
from relspan.simulate import simulate


def wide_family(n: int, d: int, delta: float, C: float) -> tuple[Family, float]:
    data = simulate(n, 5, 5, d - 10, random_state=0)
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    rows = Hinge().rows(X, np.where(data.y == 1, 1.0, -1.0))
    ((best, _),) = best_models(rows, np.array([C]))
    mu, rho = float(np.abs(best[:d]).sum()), rows.loss(best[:d], best[d:])
    # a separable table leaves no loss to share out: give it the share of the null loss that the default rule gives
    room = delta * rho if rho > 1e-6 else 0.02 * Hinge().null_loss(rows)
    return family(rows, norm_and_loss((1 + delta) * mu, rho + room), anchors=best), mu


def ranges(members: Family, features: range, arrays: Arrays, block: int) -> tuple[np.ndarray, float, int, int, float]:
    """Values, largest gap, retried, handed over, seconds; block by block, so that memory stays bounded."""
    begin = perf_counter()
    engine = BatchedEngine(members, arrays)
    values, gap = [], 0.0
    for first in range(features.start, features.stop, block):
        chosen = range(first, min(first + block, features.stop))
        found = engine.maxima(unit_directions(chosen, members))
        values.append(found.values)
        gap = max(gap, float(found.gaps.max()))
        print(f"{chosen.stop} features, {perf_counter() - begin:.1f} s", file=sys.stderr, flush=True)
    return np.concatenate(values), gap, engine.retried, engine.handed_over, perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=160)
    parser.add_argument("--features", type=int, default=12_600)
    parser.add_argument("--delta", type=float, default=0.1)
    parser.add_argument("--C", type=float, default=1.0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--block", type=int, default=1024)
    parser.add_argument("--check", type=int, default=24, help="features solved on the CPU too")
    options = parser.parse_args()
    from relspan.engines.torch_arrays import TorchArrays

    members, mu = wide_family(options.samples, options.features, options.delta, options.C)
    print(f"{options.samples} x {options.features}, mu {mu:.3f}, budgets {members.budgets}", flush=True)
    arrays = TorchArrays(options.device)
    ranges(members, range(min(64, options.features)), arrays, 64)  # the library's own start-up is not ours
    values, gap, retried, handed, seconds = ranges(members, range(options.features), arrays, options.block)
    programs = len(values)
    print(
        f"{programs} programs on {options.device}: {seconds:.1f} s, {1e3 * seconds / programs:.2f} ms each, "
        f"largest certified gap {gap / mu:.1e} of mu, retried {retried}, handed over {handed}"
    )
    few, few_gap, _, _, few_seconds = ranges(members, range(options.check), NumpyArrays(), options.check)
    apart = float(np.abs(few - values[: len(few)]).max()) / mu
    if apart > 2e-6 or gap > 1e-6 * mu or few_gap > 1e-6 * mu:
        raise SystemExit(f"not certified, or the two sides differ: {apart:.1e} of mu")
    each = few_seconds / len(few)
    print(
        f"CPU (NumPy, {len(few)} programs): {1e3 * each:.1f} ms each, {each * programs / seconds:.0f} times slower; "
        f"answers differ by {apart:.0e} of mu"
    )


if __name__ == "__main__":
    main()
