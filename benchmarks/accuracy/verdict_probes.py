"""Do fewer probes change a class? The part `probes` of benchmarks.accuracy.verdicts.

Every table is fitted twice, with as many probes as settle its classes and with all of them. What must agree are the
classes; tables with a false call are counted for both fits.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np

from benchmarks.accuracy.known_truth.fits import Ask, Fitted, fitted, in_processes
from benchmarks.accuracy.known_truth.kinds import KINDS
from benchmarks.accuracy.known_truth.noise_designs import NOISE
from benchmarks.accuracy.known_truth.truth_table import NULL


def both(ask: Ask, loss: str | None) -> tuple[Fitted, Fitted]:
    """The table with as many probes as settle its classes, and with all of them."""
    return fitted(ask, loss), fitted(ask, loss, all_probes=True)


def false_calls(fits: list[Fitted]) -> int:
    """The tables in which a null is called relevant."""
    return sum(bool(((fit.found > 0) & (fit.truth == NULL)).any()) for fit in fits)


def show_probes(options: argparse.Namespace) -> None:
    """One row for the tables with known truth, and one for those of noise."""
    noise = [name for name in NOISE if not options.design or name in options.design]
    parts = {"kinds": (options.kind or list(KINDS), options.seeds), "noise": (noise, options.noise_seeds)}
    print("\nThe same tables with fewer probes and with all of them\n")
    titles = ["tables", "number", "probes drawn", "fits that drew all", "tables with another class"]
    titles += ["features with another class", "false calls", "with all probes", "CPU, share of all probes"]
    print("| " + " | ".join(titles) + " |\n" + "| --- " * len(titles) + "|")
    for part, (names, seeds) in parts.items():
        asks = [Ask(part, name, options.first_seed + number) for name in names for number in range(seeds)]
        pairs = in_processes(partial(both, loss=options.loss), asks, options.jobs)
        fewer, every = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        differing = [int((one.found != other.found).sum()) for one, other in pairs]
        drawn = [(one.probes_drawn, other.probes_drawn) for one, other in pairs if other.probes_drawn]
        share = sum(fit.seconds for fit in fewer) / sum(fit.seconds for fit in every)
        cells = [part, len(pairs), f"{np.mean([few for few, _ in drawn] or [0]):.1f}"]
        cells += [f"{np.mean([few == most for few, most in drawn] or [0]):.3f}", sum(map(bool, differing))]
        cells += [sum(differing), false_calls(fewer), false_calls(every), f"{share:.2f}"]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
