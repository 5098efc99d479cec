"""relspan's classes of a table with known truth, its warnings, and what the fit cost."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from time import process_time
from typing import Any, TypeVar

import numpy as np

from benchmarks.accuracy.known_truth.kinds import draw
from benchmarks.accuracy.known_truth.noise_designs import draw_noise, draw_patients
from benchmarks.accuracy.known_truth.truth_table import Codes, TruthTable
from relspan import estimator_for
from relspan.errors import DegenerateBaseline, RelspanWarning

DRAWS: dict[str, Callable[[str, int], TruthTable]] = {"kinds": draw, "noise": draw_noise, "patients": draw_patients}
FIRST_WORDS = 5
Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class Fitted:
    """The classes of one table beside its truth. A fit that was refused has drawn no probes."""

    name: str
    seed: int
    truth: Codes
    found: Codes
    warnings: tuple[str, ...]
    seconds: float
    probes_drawn: int = 0


@dataclass(frozen=True)
class Ask:
    """A table by part, name and seed; the seed of the fit, and that of an order of the rows if they are mixed."""

    part: str
    name: str
    seed: int
    random_state: int = 0
    row_order: int | None = None

    def table(self) -> TruthTable:
        """The table, its rows in the order asked for."""
        table = DRAWS[self.part](self.name, self.seed)
        if self.row_order is None:
            return table
        order = np.random.default_rng(self.row_order).permutation(len(table.y))
        weights = None if table.sample_weight is None else table.sample_weight[order]
        return replace(table, X=table.X[order], y=table.y[order], sample_weight=weights)


def fitted(ask: Ask, loss: str | None, **others: Any) -> Fitted:
    """Fit relspan with its defaults and these options; `loss` is for two classes and for them alone.

    A fit that is refused because no model is better than none has found nothing relevant.
    """
    table = ask.table()
    options: dict[str, Any] = {"random_state": ask.random_state, **others}
    if loss is not None and table.task == "classification" and len(np.unique(table.y)) == 2:
        options["loss"] = loss
    rows = {"sample_weight": table.sample_weight, "groups": table.groups}
    given = {name: values for name, values in rows.items() if values is not None}
    model = estimator_for(table.task, **options)
    begin = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        try:
            model.fit(table.X, table.y, **given)
        except DegenerateBaseline as refusal:
            found, texts, drawn = np.zeros(len(table.truth), dtype=np.int64), (str(refusal),), 0
        else:
            found, texts = np.asarray(model.relevance_), model.result_.warnings
            drawn = int(model.result_.probes.get("drawn", 0))
    return Fitted(ask.name, ask.seed, table.truth, found, tuple(texts), process_time() - begin, drawn)


def all_fitted(asks: Sequence[Ask], loss: str | None, jobs: int) -> list[Fitted]:
    """All fits, in the order of the questions."""
    return in_processes(partial(fitted, loss=loss), asks, jobs)


def in_processes(answer: Callable[[Item], Answer], items: Iterable[Item], jobs: int) -> list[Answer]:
    """The answers in order, from this process or from several; a dot on stderr per answer."""
    if jobs == 1:
        return with_dots(map(answer, items))
    with ProcessPoolExecutor(jobs) as pool:
        return with_dots(pool.map(answer, items))


def with_dots(answers: Iterable[Answer]) -> list[Answer]:
    """The answers, each shown as a dot when it comes."""
    kept = []
    for answer in answers:
        kept.append(answer)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return kept


def first_words(text: str) -> str:
    """By what a kind of warning is recognised: its first words, without a number and what follows it."""
    words = text.split()[:FIRST_WORDS]
    number = next((place for place, word in enumerate(words) if any(letter.isdigit() for letter in word)), len(words))
    return " ".join(words[: max(number, 1)]) + " ..."
