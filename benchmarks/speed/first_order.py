"""The same programs by a batched first-order method: MPAX (restarted Halpern PDHG on JAX), to the same certified gap.

    python -m benchmarks.speed.first_order [--table 60x400] [--programs 16] [--tolerance 1e-4 1e-6 1e-8] [--gpu]

The programs are ends of intervals of one family. MPAX gets all of them at once (`jax.vmap` over the objective, dense
matrix, double precision), with tighter and tighter tolerances. Its models and multipliers are certified by the same
formula as those of relspan's engines, after models that stick out have been moved inside: what counts is the gap that
is proven, as a share of mu. Printed are the
iterations (a batch runs until its last program is done), seconds without compilation, and the certified gaps; then the
same for the batched engine. Seconds are those of the processor or, with --gpu, which puts both methods on a GPU, those
that have elapsed. Needs mpax and jax, which relspan does not use otherwise.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter, process_time

import jax
import numpy as np
from mpax import create_lp, r2HPDHG

from benchmarks.speed.gpu import wide_family
from relspan.engines import BatchedEngine
from relspan.engines.certificates import certify
from relspan.engines.interior.torch_library import TorchArrays
from relspan.family import Family, unit_directions

MOST_ITERATIONS = 400_000


def rows_of(family: Family) -> tuple[np.ndarray, np.ndarray]:
    """G and g of  G (p, q, b, x) >= g:  the hinge rows, then the budgets."""
    rows, m, d = family.rows, family.rows.n_rows, family.n_features
    hinge = np.hstack([rows.features, -rows.features, rows.offsets, np.eye(m)])
    budgets = [
        np.concatenate([np.full(2 * d, b.norm_price), np.zeros(family.n_offsets), b.loss_price * rows.costs])
        for b in family.budgets
    ]
    return np.vstack([hinge, -np.array(budgets)]), np.concatenate([rows.heights, [-b.limit for b in family.budgets]])


def by_mpax(
    family: Family, directions: np.ndarray, tolerance: float, clock: Callable[[], float]
) -> tuple[float, int, np.ndarray, np.ndarray]:
    """Seconds, iterations of the slowest program, models and multipliers."""
    d, k, m = family.n_features, family.n_offsets, family.rows.n_rows
    G, g = rows_of(family)
    low = np.concatenate([np.zeros(2 * d), np.full(k, -np.inf), np.zeros(m)])
    high = np.full(len(low), np.inf)
    nothing, none = np.zeros((0, len(low))), np.zeros(0)
    solver = r2HPDHG(eps_abs=tolerance, eps_rel=tolerance, iteration_limit=MOST_ITERATIONS)
    costs = np.hstack([-directions[:, :d], directions[:, :d], -directions[:, d:], np.zeros((len(directions), m))])

    def one(cost: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        found = solver.optimize(create_lp(cost, nothing, none, G, g, low, high, use_sparse_matrix=False))
        return found.primal_solution, found.dual_solution, found.iteration_count

    together = jax.jit(jax.vmap(one)).lower(costs).compile()
    begin = clock()
    primal, dual, count = (np.asarray(part) for part in together(costs))
    seconds = clock() - begin
    models = np.hstack([primal[:, :d] - primal[:, d : 2 * d], primal[:, 2 * d : 2 * d + k]])
    return seconds, int(count.max()), models, dual[:, :m]


def drawn_inside(family: Family, models: np.ndarray) -> np.ndarray:
    """The models, moved as far towards the middle of the family as it takes: what they attain is then proven."""
    rooms = -family.excess(family.anchors)
    out = np.maximum(family.excess(models), 0.0)[:, None]
    share = np.where(out > 0, 1.001 * out / (out + rooms.max()) + 1e-15, 0.0)
    return np.asarray(models + np.minimum(share, 1.0) * (family.anchors[int(np.argmax(rooms))] - models))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", nargs="*", default=["60x400"])
    parser.add_argument("--programs", type=int, default=16)
    parser.add_argument("--tolerance", nargs="*", type=float, default=[1e-4, 1e-6, 1e-8])
    parser.add_argument("--gpu", action="store_true", help="both methods on a GPU, and seconds that have elapsed")
    options = parser.parse_args()
    clock = perf_counter if options.gpu else process_time
    jax.config.update("jax_enable_x64", True)
    print("| table | method | tolerance | iterations | s | certified gap of mu, median | largest | <= 1e-6 |")
    print("| --- " * 8 + "|")
    for table in options.table:
        members, mu = wide_family(*map(int, table.split("x")), 0.1, 1.0)
        directions = unit_directions(range(options.programs // 2), members)
        engine = BatchedEngine(members, TorchArrays("cuda") if options.gpu else None)
        if options.gpu:
            engine.maxima(directions[:2])  # the library's own start-up is not ours
        begin = clock()
        answers = engine.maxima(directions)
        print_line(table, "batched engine", "", "", clock() - begin, answers.gaps / mu)
        for tolerance in options.tolerance:
            seconds, count, models, a = by_mpax(members, directions, tolerance, clock)
            found = certify(members, directions, drawn_inside(engine._inside, models), a, np.zeros((len(models), 0)))
            gaps = np.where(found.violations > 0, np.inf, found.gaps) / mu
            print_line(table, "MPAX", f"{tolerance:.0e}", f"{count:,}", seconds, gaps)


def print_line(table: str, name: str, tolerance: str, iterations: str, seconds: float, gaps: np.ndarray) -> None:
    cells = [table, name, tolerance, iterations, f"{seconds:.2f}", f"{np.median(gaps):.1e}", f"{gaps.max():.1e}"]
    print("| " + " | ".join([*cells, f"{(gaps <= 1e-6).sum()} of {len(gaps)}"]) + " |", flush=True)


if __name__ == "__main__":
    main()
