"""Which engine is the faster one for a family, and does "auto" find it? And is any answer accepted wrongly?

    python -m benchmarks.speed.engines [--table NAME ...] [--json FILE]

A grid of families: tables (breast cancer at three C, simulated ones with exact copies, separable, fewer rows than
columns, from 30 to 120 columns) times budgets (both 0, .001, .01, .1; explained .02). For each family and engine: CPU
seconds for all 2 d programs, how many answers are certified to 1e-6 of mu, how many were retried and handed over, and
how many are *wrong*: two engines' answers contradict each other where one attains more than the other has proven
possible. Timings are of one thread; "auto" is reported as the seconds of its choice over those of the faster engine.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import process_time
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from threadpoolctl import threadpool_limits

from relspan.analysis.baseline import Baseline, best_models, null_loss
from relspan.engines import (
    BatchedEngine,
    CertifiedMaxima,
    Engine,
    ExactEngine,
    ReferenceEngine,
    RestrictedEngine,
    choose_engine,
)
from relspan.family import Family, unit_directions
from relspan.family.budgets import family_of
from relspan.losses import Hinge
from relspan.simulate import simulate

Table = tuple[np.ndarray, np.ndarray, float]
BUDGETS = [(0.0, 0.0, "relative"), (1e-3, 1e-3, "relative"), (0.01, 0.01, "relative"), (0.1, 0.1, "relative")]
BUDGETS += [(0.1, 0.02, "explained")]
CERTIFIED = 1e-6  # of mu
ROUNDING = 1e-9  # of mu, between what is attained and what is proven
SLOW = 60  # features beyond which the reference engine is not asked


def _standardised(X: np.ndarray, y: np.ndarray, C: float) -> Table:
    return (X - X.mean(axis=0)) / X.std(axis=0), np.where(y == y.max(), 1.0, -1.0), C


def _breast_cancer(C: float) -> Callable[[], Table]:
    return lambda: _standardised(*load_breast_cancer(return_X_y=True), C)


def _simulated(n: int, strong: int, weak: int, irrelevant: int, C: float, **more: Any) -> Callable[[], Table]:
    def table() -> Table:
        data = simulate(n, strong, weak, irrelevant, random_state=0, **more)
        return _standardised(data.X, data.y, C)

    return table


TABLES: dict[str, Callable[[], Table]] = {
    "breast cancer, C .1": _breast_cancer(0.1),
    "breast cancer, C 2.8": _breast_cancer(2.8),
    "breast cancer, C 30": _breast_cancer(30.0),
    "copies 200 x 20": _simulated(200, 4, 6, 10, 1.0, copies=4),
    "separable 150 x 30": _simulated(150, 4, 4, 22, 10.0),
    "flips 500 x 30": _simulated(500, 4, 4, 22, 0.2, flips=0.02),
    "flips 2000 x 30": _simulated(2000, 4, 4, 22, 0.05, flips=0.1),
    "flips 300 x 60": _simulated(300, 8, 8, 44, 0.3, flips=0.05),
    "flips 1000 x 60": _simulated(1000, 8, 8, 44, 0.1, flips=0.02),
    "flips 500 x 120": _simulated(500, 16, 16, 88, 0.2, flips=0.02),
    "few rows 60 x 100": _simulated(60, 4, 6, 90, 1.0),
    "few rows 60 x 300": _simulated(60, 4, 6, 290, 1.0),
    "tall 5000 x 10": _simulated(5000, 3, 3, 4, 0.02, flips=0.1),
}


@dataclass(frozen=True)
class Row:
    """One engine on one family."""

    table: str
    budget: str
    engine: str
    seconds: float
    programs: int
    certified: int
    retried: int
    handed_over: int
    wrong: int


def family_and_norm(table: Table, delta_norm: float, delta_loss: float, kind: str) -> tuple[Family, float]:
    X, y, C = table
    rows = Hinge().rows(X, y)
    ((model, multipliers),) = best_models(rows, np.array([C]))
    weights, offsets = model[: rows.n_features], model[rows.n_features :]
    norm, loss = float(np.abs(weights).sum()), rows.loss(weights, offsets)
    best = Baseline(Hinge(), C, weights, offsets, norm, loss, null_loss(rows), multipliers)
    return family_of(rows, best, delta_norm, delta_loss, kind), norm


def solved(engine: Callable[[Family], Engine], family: Family) -> tuple[Engine, CertifiedMaxima, float]:
    begin = process_time()
    engine_at_work = engine(family)
    found = engine_at_work.maxima(unit_directions(range(family.n_features), family))
    return engine_at_work, found, process_time() - begin


def contradictions(answers: dict[str, CertifiedMaxima], norm: float) -> dict[str, int]:
    """For each engine, the answers that attain more than another has proven possible, or prove less than attained."""
    wrong = dict.fromkeys(answers, 0)
    for one, mine in answers.items():
        others = [theirs for other, theirs in answers.items() if other != one]
        against = [
            (mine.values > theirs.bounds + ROUNDING * norm) | (mine.bounds < theirs.values - ROUNDING * norm)
            for theirs in others
        ]
        wrong[one] = int(np.any(against, axis=0).sum())
    return wrong


def measure(name: str, delta_norm: float, delta_loss: float, kind: str) -> list[Row]:
    family, norm = family_and_norm(TABLES[name](), delta_norm, delta_loss, kind)
    engines: dict[str, Callable[[Family], Engine]] = {"exact": ExactEngine, "batched": BatchedEngine}
    if family.rows.n_scores < family.n_features:
        engines["restricted"] = RestrictedEngine
    if family.n_features <= SLOW and family.rows.n_rows <= 600:
        engines["reference"] = ReferenceEngine
    done = {engine: solved(make, family) for engine, make in engines.items()}
    begin = process_time()
    choice = choose_engine(family)
    choosing = process_time() - begin
    wrong = contradictions({engine: found for engine, (_, found, _) in done.items()}, norm)
    rows = [
        Row(
            name,
            f"{kind} {delta_norm:g}, {delta_loss:g}",
            engine,
            seconds,
            len(found),
            int((found.gaps <= CERTIFIED * norm).sum()),
            getattr(at_work, "retried", 0),
            getattr(at_work, "handed_over", 0),
            wrong[engine],
        )
        for engine, (at_work, found, seconds) in done.items()
    ]
    chosen = next(row for row in rows if row.engine == choice.name)
    return [*rows, Row(**{**asdict(chosen), "engine": f"auto: {choice.name}", "seconds": chosen.seconds + choosing})]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", nargs="*", default=list(TABLES), help="some of the tables, by name")
    parser.add_argument("--json", help="where to write the rows as JSON")
    options = parser.parse_args()
    rows: list[Row] = []
    lost = []
    print("| table | budgets | engine | seconds | programs | certified | retried | handed over | wrong |")
    print("| --- " * 9 + "|")
    with threadpool_limits(limits=1):
        for name in options.table:
            for budget in BUDGETS:
                here = measure(name, *budget)
                for row in here:
                    leading = [row.table, row.budget, row.engine, f"{row.seconds:.3f}", row.programs, row.certified]
                    cells = [*leading, row.retried, row.handed_over, row.wrong]
                    print(f"| {' | '.join(map(str, cells))} |", flush=True)
                best = min(row.seconds for row in here if row.engine in ("exact", "batched", "restricted"))
                lost.append(here[-1].seconds / best)
                rows += here
    print(f"\n{len(lost)} families; auto takes {np.median(lost):.2f} times the faster engine's seconds in the median, ")
    print(f"{max(lost):.2f} at worst, {np.mean(np.array(lost) > 2):.0%} of families above 2")
    for engine in ("exact", "batched", "restricted", "reference"):
        mine = [row for row in rows if row.engine == engine]
        total = {key: sum(getattr(row, key) for row in mine) for key in ("programs", "certified", "wrong")}
        also = {key: sum(getattr(row, key) for row in mine) for key in ("retried", "handed_over")}
        print(engine, total | also)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump([asdict(row) for row in rows], stream, indent=1)


if __name__ == "__main__":
    main()
