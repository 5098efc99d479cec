"""Other methods on the tables with known truth: the part `peers` of benchmarks.accuracy.verdicts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time

import numpy as np

from benchmarks.accuracy.known_truth.fits import Ask, fitted, in_processes
from benchmarks.accuracy.known_truth.kinds import KINDS
from benchmarks.accuracy.known_truth.noise_designs import NOISE
from benchmarks.accuracy.known_truth.scores import Scores, mean_scores, scored
from benchmarks.peers.all_relevant import PEERS

RELSPAN = "relspan"
SLOW_STEP = 4  # a slow method sees every fourth kind
CLEAR = 0.02  # a difference of F1 by which a win on a kind is listed


@dataclass(frozen=True)
class Judged:
    """The figures of one method on one table."""

    ask: Ask
    method: str
    scores: Scores
    called: bool
    seconds: float


def judged(pair: tuple[Ask, str], loss: str | None) -> Judged:
    """Run one method on one table."""
    ask, method = pair
    if method == RELSPAN:
        fit = fitted(ask, loss)
        found, seconds, truth = fit.found, fit.seconds, fit.truth
    else:
        table = ask.table()
        begin = process_time()
        found = PEERS[method].mask(table.X, table.y, table.task, ask.seed).astype(np.int64)
        seconds, truth = process_time() - begin, table.truth
    return Judged(ask, method, scored(truth, found), bool(found.any()), seconds)


def takes_part(method: str, ask: Ask, first_seed: int, names: Sequence[str]) -> bool:
    """Whether a method is asked about a table."""
    if method == RELSPAN:
        return True
    peer = PEERS[method]
    task = (KINDS if ask.part == "kinds" else NOISE)[ask.name].task
    seen = not peer.slow or (ask.seed == first_seed and names.index(ask.name) % SLOW_STEP == 0)
    return peer.installed and seen and not (peer.classes_only and task != "classification")


def pairs_of(part: str, names: list[str], options: argparse.Namespace) -> list[tuple[Ask, str]]:
    """The tables that have no weights, each with the methods that are asked about it."""
    registry = KINDS if part == "kinds" else NOISE
    names = [name for name in names if registry[name].reweight is None]
    asks = [Ask(part, name, options.first_seed + number) for name in names for number in range(options.seeds)]
    return [
        (ask, method)
        for ask in asks
        for method in (RELSPAN, *PEERS)
        if takes_part(method, ask, options.first_seed, names)
    ]


def show_peers(options: argparse.Namespace) -> None:
    """One row per method, beside relspan on the same tables; then every kind on which a method is clearly ahead."""
    for name, peer in PEERS.items():
        if not peer.installed:
            print(f"{name} is left out: the package {peer.package} is not installed")
    pairs = pairs_of("kinds", options.kind or list(KINDS), options)
    pairs += [] if options.kind else pairs_of("noise", list(NOISE), options)
    answers = in_processes(partial(judged, loss=options.loss), pairs, options.jobs)
    signal = [answer for answer in answers if answer.ask.part == "kinds"]
    noise = [answer for answer in answers if answer.ask.part == "noise"]
    last = options.first_seed + options.seeds - 1
    print(f"\nrelspan beside other methods, seeds {options.first_seed} to {last}; relspan's F1 on the same tables\n")
    titles = "method | tables | F1 | relspan's F1 there | strict F1 | precision | recall | null called per table"
    print(f"| {titles} | false call | noise: tables | noise: with a call | CPU s per table |\n" + "| --- " * 12 + "|")
    for method in (RELSPAN, *PEERS):
        own = [answer for answer in signal if answer.method == method]
        if own:
            print(method_row(method, own, signal, [answer for answer in noise if answer.method == method]))
    print_wins(signal)


def method_row(method: str, own: list[Judged], signal: list[Judged], noise: list[Judged]) -> str:
    """The figures of one method."""
    asked = {answer.ask for answer in own}
    same = [answer.scores for answer in signal if answer.method == RELSPAN and answer.ask in asked]
    figures = mean_scores([answer.scores for answer in own])
    cells = [figures.f1, mean_scores(same).f1, figures.strict_f1, figures.precision, figures.recall]
    called = sum(answer.called for answer in noise)
    return (
        f"| {method} | {len(own)} | {' | '.join(f'{cell:.3f}' for cell in cells)} | {figures.null_called:.2f} "
        f"| {figures.false_call:.3f} | {len(noise)} | {called} | {np.mean([answer.seconds for answer in own]):.2f} |"
    )


def print_wins(signal: list[Judged]) -> None:
    """The kinds on which a method's F1 is above relspan's on the same tables by more than .02."""
    print(f"\nKinds on which another method's F1 is more than {CLEAR} above relspan's on the same tables\n")
    print(
        "| method | kinds ahead | kinds behind | of kinds | where it is ahead: its F1, relspan's |\n"
        + "| --- " * 5
        + "|"
    )
    ours = {answer.ask: answer.scores.f1 for answer in signal if answer.method == RELSPAN}
    for method in PEERS:
        kinds: dict[str, list[tuple[float, float]]] = {}
        for answer in signal:
            if answer.method == method:
                kinds.setdefault(answer.ask.name, []).append((answer.scores.f1, ours[answer.ask]))
        means = {name: np.mean(values, axis=0) for name, values in kinds.items()}
        ahead = {name: both for name, both in means.items() if both[0] > both[1] + CLEAR}
        behind = sum(both[1] > both[0] + CLEAR for both in means.values())
        if means:
            listed = "; ".join(
                f"{name} {theirs:.2f}, {same:.2f}"
                for name, (theirs, same) in sorted(ahead.items(), key=lambda item: item[1][1] - item[1][0])
            )
            print(f"| {method} | {len(ahead)} | {behind} | {len(means)} | {listed} |")
