"""A long run over random problems: each is tried, and every fault is written down so that it can be made again.

A result that states that its ends are not proven to 1e-6 is no fault of the library, but neither is it what the run has
to show: it is written down as well.
"""

from __future__ import annotations

import json
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from laws import Tally, checked
from recipes import Recipe, random_recipe

SLOW = 60.0  # seconds of processor time beyond which a problem is reported as slow: small problems take far less
ENDLESS = 240.0  # and beyond which it is stopped
REFUSED = ("DataError", "SolverError", "DegenerateBaseline", "ParameterError", "InfeasibleFamily")
UNPROVEN = "not proven, and stated"
ENDINGS = ("proven", "null", "total bracketed, and stated", UNPROVEN, *REFUSED)


class Endless(Exception):
    """A problem takes longer than any problem may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `Endless` where this takes more processor time; solvers of compiled code are stopped through callbacks."""

    def stop(*_: object) -> None:
        raise Endless(f"stopped after {seconds:.0f} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def tried(recipe: Recipe, folder: Path | None, more: int, tally: Tally) -> str:
    """Check one problem; a fault is written to the folder. Returns how it ended."""
    begun = time.process_time()
    try:
        with at_most(ENDLESS):
            ending = checked(recipe, more, tally)
    except Exception as fault:
        text = f"{type(fault).__name__}: {fault}"
        trace = traceback.format_exc()
    else:
        if time.process_time() - begun < SLOW and ending in ENDINGS:
            if ending == UNPROVEN:
                written(folder, "unproven", recipe, ending)
            return ending
        text, trace = f"slow, or of a kind of its own: {ending}, {time.process_time() - begun:.0f} seconds", ""
    written(folder, "case", recipe, text, trace)
    return f"FAULT {text.split(':')[0]}"


def written(folder: Path | None, kind: str, recipe: Recipe, text: str, trace: str = "") -> None:
    """Write a problem down, and print what was wrong with it."""
    if folder is not None:
        case = {"fault": text, "recipe": json.loads(recipe.to_json()), "traceback": trace.splitlines()}
        (folder / f"{kind}-{recipe.seed}.json").write_text(json.dumps(case, indent=2) + "\n")
    print(f"seed {recipe.seed}: {text}", flush=True)


def worked(number: int, seed: int, seconds: float, most: int, folder: Path, more: int) -> tuple[Tally, float]:
    """What one process finds in its time, and the processor seconds that this took."""
    rng, tally, end = np.random.default_rng([seed, number]), Tally(), time.monotonic() + seconds
    begun = time.process_time()
    while time.monotonic() < end and tally.endings.total() < most:
        recipe = random_recipe(rng)
        tally.endings[recipe.task, tried(recipe, folder, more, tally)] += 1
        if tally.endings.total() % 250 == 0:
            print(f"process {number}: {tally.endings.total()} problems", flush=True)
    return tally, time.process_time() - begun


def summary(tally: Tally, seconds: float) -> str:
    """The figures of a run as text: how problems ended, in all and by task, and what was checked."""
    totals: dict[str, int] = {}
    for (_, ending), count in tally.endings.items():
        totals[ending] = totals.get(ending, 0) + count
    order = sorted(totals, key=lambda ending: -totals[ending])
    lines = [f"{tally.endings.total()} problems in {seconds:.0f} processor seconds"]
    lines += [f"  {totals[ending]:6d} {ending}" for ending in order]
    lines.append("by task")
    for task in sorted({task for task, _ in tally.endings}):
        parts = [f"{tally.endings[task, ending]} {ending}" for ending in order if tally.endings[task, ending]]
        lines.append(f"  {task}: {', '.join(parts)}")
    lines.append("checked (ends of intervals for the first three, problems for the others)")
    first = ("certified", "twin_agrees", "proven_in_fractions")
    for law in (*first, *sorted(set(tally.checks) - set(first))):
        lines.append(f"  {tally.checks[law]:6d} {law.replace('_', ' ')}")
    return "\n".join(lines)
