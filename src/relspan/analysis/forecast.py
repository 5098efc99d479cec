"""How long will it take? A forecast before the long part of an analysis, from a few programs that are timed.

    seconds  =  (programs of the intervals + programs of the probes) * seconds per program / processes

Each weight has two programs, and so has each weight of a probe. The programs that are timed are some of the first of
these, solved by the same engine. They are solved again afterwards, so no answer depends on a clock, and nothing is
timed where nobody listens. How many features screening settles is not known beforehand, so a screened run has two
figures. Totals, verdicts and the choice of C come on top; they take less.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
from joblib import effective_n_jobs

from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.settings import Settings
from relspan.engines import open_engine
from relspan.engines.auto_choice import batched_cost, restricted_cost
from relspan.engines.simplex.exact_engine import WorkingSet
from relspan.family import Family, unit_directions
from relspan.progress import Progress, silent

LEAST_SECONDS = 30.0  # from which on a forecast is worth a line
CLEARLY_SHORT = 10e6  # microseconds by the formula of `auto_choice` up to which no batch is timed
TRIAL_SECONDS = 0.5  # after which no further program of the exact engine is timed
TRIAL_PROGRAMS = {"exact": 6, "batched": 16, "gpu": 512, "restricted": 16}
GPU_GAIN = 1000.0  # times as many programs of a large wide table as a core of a CPU solves in the same time


def report_forecast(
    problem: LearningProblem, family: Family, engine: str, settings: Settings, progress: Progress
) -> None:
    """Report the stage "forecast", whose note says how long the programs will take, if that is long."""
    if progress is silent:
        return
    count = program_count(problem, family, settings)
    each = seconds_per_program(family, engine, count)
    if each is None:
        return
    each /= max(1, effective_n_jobs(settings.n_jobs))
    if count * each < LEAST_SECONDS:
        return
    note = f"{in_words(count * each)} for {count:,} linear programs"
    if settings.screen:
        probes = count - 2 * family.n_features
        note = f"{in_words(probes * each)} for {probes:,} linear programs of probes, and up to {note} if screening "
        note += "settles no feature"
    progress("forecast", None, note)


def program_count(problem: LearningProblem, family: Family, settings: Settings) -> int:
    """Two programs per weight of the family, and per tested weight of every probe."""
    blocks = problem.blocks
    per_probe = int(blocks.tested.sum()) / max(1, blocks.n_features)
    return round(2 * family.n_features + 2 * settings.n_probes * per_probe)


def seconds_per_program(family: Family, engine: str, count: int) -> float | None:
    """From some programs, spread over the features; None where it is clear that all of them are quick."""
    if engine not in TRIAL_PROGRAMS:
        return None
    d = family.n_features
    some = np.unique(np.linspace(0, 2 * d - 1, TRIAL_PROGRAMS[engine]).astype(int))
    directions = unit_directions(sorted({int(i) // 2 for i in some}), family)[: len(some)]
    if engine == "exact":
        return _of_warm_programs(family, directions)
    cost = restricted_cost(family) if engine == "restricted" else batched_cost(family)
    if engine == "gpu":
        cost /= GPU_GAIN
    if cost * count / max(1, 2 * d) < CLEARLY_SHORT:
        return None
    opened = open_engine(engine, family)
    opened.maxima(directions[:1])  # what all programs share is prepared once
    begin = perf_counter()
    opened.maxima(directions)
    return (perf_counter() - begin) / len(directions)


def _of_warm_programs(family: Family, directions: np.ndarray) -> float:
    """The mean of all programs but the first, which starts far away."""
    work, times, begin = WorkingSet(family), [], perf_counter()
    for direction in directions:
        before = perf_counter()
        work.solve(direction)
        times.append(perf_counter() - before)
        if perf_counter() - begin > TRIAL_SECONDS:
            break
    return float(np.mean(times[1:] or times))


def in_words(seconds: float) -> str:
    """About so long: in seconds, minutes or hours."""
    for unit, length in (("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 1.5 * length:
            return f"about {seconds / length:.{0 if seconds >= 9.5 * length else 1}f} {unit}"
    return f"about {max(10, 10 * round(seconds / 10)):.0f} seconds"
