"""Tables in which nothing is relevant, for all tasks, and tables with several rows per patient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.accuracy.known_truth.columns import autoregressive, exact_copies, near_copies, null, null_blocks, strong
from benchmarks.accuracy.known_truth.kinds import integer_weights, kind
from benchmarks.accuracy.known_truth.targets import number, ordered, several, threshold
from benchmarks.accuracy.known_truth.truth_table import Block, Columns, Kind, Target, TruthTable, generator

HALVES = threshold()
NUMBER = number(0.5)


def apart(target: Target, hidden: int = 3) -> Target:
    """The same target, drawn from causes that are in no column."""
    return Target(target.task, lambda rng, causes: target.draw(rng, rng.standard_normal((len(causes), hidden))))


def noise(rows: int, *blocks: Columns, target: Target) -> Kind:
    """A kind in which y has nothing to do with the columns."""
    return kind(rows, *blocks, target=apart(target))


NOISE: dict[str, Kind] = {
    "60 x 100": noise(60, null(100), target=HALVES),
    "80 x 8": noise(80, null(8), target=HALVES),
    "100 x 20": noise(100, null(20), target=HALVES),
    "400 x 20": noise(400, null(20), target=HALVES),
    "150 x 40, AR .8": noise(150, autoregressive(40, 0.8, 0), target=HALVES),
    "200 x 30, blocks .9": noise(200, null_blocks(6, 5, 0.9), target=HALVES),
    "150 x 30, exact copies": noise(150, exact_copies(0, 2, 10), null(10), target=HALVES),
    "200 x 30, binary .1": noise(200, null(30, "binary .1"), target=HALVES),
    "150 x 20, heavy tails": noise(150, null(20, "heavy tails"), target=HALVES),
    "200 x 30, minority .1": noise(200, null(30), target=threshold(0.1)),
    "150 x 20, integer weights": Kind(150, (null(20),), apart(HALVES), integer_weights),
    "number, 150 x 20": noise(150, null(20), target=NUMBER),
    "number, 60 x 80": noise(60, null(80), target=NUMBER),
    "number, 200 x 20, heavy tails": noise(200, null(20, "lognormal"), target=number(0.01, tails=3)),
    "ordered, 150 x 20": noise(150, null(20), target=ordered((0.25,) * 4, 0.5)),
    "ordered, 150 x 20, skewed": noise(150, null(20), target=ordered((0.6, 0.3, 0.1), 0.5)),
    "3 classes, 120 x 12": noise(120, null(12), target=several(3, 0.3)),
    "4 classes, 100 x 8": noise(100, null(8), target=several(4, 0.3)),
}


@dataclass(frozen=True)
class PatientDesign:
    """Several rows per patient, who has one label; `icc` is the share of a column's variance between patients.

    A column's mean per patient is drawn by the blocks, the deviations of the rows from it are independent.
    """

    patients: int
    rows_each: int
    icc: float
    blocks: tuple[Columns, ...]
    target: Target = HALVES

    def draw(self, rng: np.random.Generator) -> TruthTable:
        """One table, with the patient of each row as its group."""
        drawn: list[Block] = [block(rng, self.patients) for block in self.blocks]
        means = np.hstack([block.X for block in drawn])
        label = self.target.draw(rng, np.hstack([block.causes for block in drawn]))
        patient = np.repeat(np.arange(self.patients), self.rows_each)
        deviations = rng.standard_normal((len(patient), means.shape[1]))
        X = np.sqrt(self.icc) * means[patient] + np.sqrt(1 - self.icc) * deviations
        truth = np.concatenate([block.truth for block in drawn])
        return TruthTable(self.target.task, X, label[patient], truth, groups=patient)


PATIENTS: dict[str, PatientDesign] = {
    "53 x 3 rows, icc .7, nothing": PatientDesign(53, 3, 0.7, (null(20),), apart(HALVES)),
    "30 x 5 rows, icc .5, nothing": PatientDesign(30, 5, 0.5, (null(20),), apart(HALVES)),
    "80 x 4 rows, icc .5, 3 markers": PatientDesign(80, 4, 0.5, (strong(3), null(17))),
    "120 x 2 rows, icc .7, 2 markers, a group": PatientDesign(
        120, 2, 0.7, (strong(2), near_copies([3], 0.97), null(15)), threshold(noise=0.3)
    ),
}


def draw_noise(name: str, seed: int) -> TruthTable:
    """The table of a design of noise by its seed."""
    return NOISE[name].draw(generator(f"noise {name}", seed))


def draw_patients(name: str, seed: int) -> TruthTable:
    """The table of a design with patients by its seed."""
    return PATIENTS[name].draw(generator(f"patients {name}", seed))
