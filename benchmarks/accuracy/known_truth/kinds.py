"""The kinds of tables with a signal: rows, blocks of columns, target.

Most are tables of two classes; the last ones are numbers, ordered and several classes. STEADY are the kinds on which
it is measured whether another seed or another order of the rows changes a class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from benchmarks.accuracy.known_truth.columns import (
    autoregressive,
    correlated_causes,
    difference,
    dummies,
    exact_copies,
    graded,
    in_units,
    modules,
    near_copies,
    noisy_measurements,
    null,
    null_blocks,
    product,
    proxies,
    strong,
    suppressor,
    total_of_parts,
)
from benchmarks.accuracy.known_truth.targets import flipped, logistic, number, ordered, several, threshold
from benchmarks.accuracy.known_truth.truth_table import Columns, Floats, Kind, Reweight, Target, TruthTable, generator


def kind(rows: int, *blocks: Columns, target: Target, reweight: Reweight | None = None) -> Kind:
    """A kind of table."""
    return Kind(rows, blocks, target, reweight)


def integer_weights(rng: Generator, y: NDArray[Any]) -> tuple[NDArray[Any], Floats]:
    """Weights 1, 2 and 3 that have nothing to do with the target."""
    return y, rng.integers(1, 4, len(y)).astype(float)


def doubtful_rows(rng: Generator, y: NDArray[Any]) -> tuple[NDArray[Any], Floats]:
    """A third of the rows has labels drawn at random, and weight .1."""
    doubtful = rng.random(len(y)) < 1 / 3
    return np.where(doubtful, rng.permutation(y), y), np.where(doubtful, 0.1, 1.0)


MIXED = (strong(2), strong(1, "binary .5"), strong(1, "lognormal"), strong(1, "counts"))
MIXED_NULLS = (null(6), null(5, "binary .5"), null(5, "lognormal"), null(5, "counts"))
SIGNAL = (strong(4), near_copies([4], 0.99), null(22))
SMALL = (strong(3), near_copies([3], 0.97), null(10))
GENES = [[0.9, 0.8, 0.7, 0.6, 0.5, 0.4]] * 4 + [[0.8] * 8] * 4
LEVELS = [(-1.5, -0.5, 0.5, 1.5), (0.5, -1.5, 1.5, -0.5)]

CLASSES: dict[str, Kind] = {
    # Correlated columns
    "AR .5": kind(200, autoregressive(30, 0.5, 5), target=logistic(0.15)),
    "AR .7": kind(200, autoregressive(35, 0.7, 5), target=logistic(0.15)),
    "AR .9": kind(250, autoregressive(40, 0.9, 3), target=logistic(0.15)),
    "null blocks .7": kind(160, strong(5), null_blocks(5, 4, 0.7), null(5), target=logistic(0.15)),
    "null blocks .9": kind(160, strong(4), null_blocks(3, 6, 0.9), null(6), target=logistic(0.15)),
    "null near-copies .98, 150 rows": kind(150, strong(4), null_blocks(4, 3, 0.98), null(8), target=logistic(0.15)),
    "proxies .5": kind(200, proxies(5, 2, 0.5), null(15), target=logistic(0.15)),
    "proxies .7": kind(200, proxies(4, 3, 0.7), null(14), target=logistic(0.15)),
    "proxies .85": kind(250, proxies(4, 2, 0.85), null(16), target=logistic(0.15)),
    "causes correlate .5": kind(200, correlated_causes(5, 0.5), null(20), target=logistic(0.15)),
    "causes correlate .7": kind(350, correlated_causes(4, 0.7), null(20), target=logistic(0.15)),
    "blocks .6, one cause each": kind(200, modules([[0.775] * 5] * 6, 4), target=logistic(0.15)),
    "blocks .8, one cause each": kind(250, modules([[0.894] * 4] * 8, 4), target=logistic(0.15)),
    "factor model, 8 modules": kind(160, modules(GENES, 4), target=logistic(0.15)),
    "factor model, 100 x 110": kind(100, modules([[0.85] * 11] * 10, 3), target=logistic(0.05)),
    "pathways as causes": kind(200, near_copies([6, 6], 0.85), null_blocks(4, 6, 0.85), target=logistic(0.15)),
    # Kinds of columns
    "binary .5": kind(200, strong(6, "binary .5"), null(24, "binary .5"), target=logistic(0.15)),
    "binary .1": kind(250, strong(5, "binary .1"), null(20, "binary .1"), target=logistic(0.15)),
    "lognormal": kind(200, strong(5, "lognormal"), null(25, "lognormal"), target=logistic(0.15)),
    "heavy tails": kind(200, strong(5, "heavy tails"), null(25, "heavy tails"), target=logistic(0.15)),
    "counts": kind(200, strong(5, "counts"), null(20, "counts"), target=logistic(0.15)),
    "ratings 1 to 5": kind(160, strong(5, "ratings"), null(20, "ratings"), target=logistic(0.15)),
    "many zeros": kind(200, strong(5, "many zeros"), null(20, "many zeros"), target=logistic(0.15)),
    "mixed columns": kind(200, *MIXED, *MIXED_NULLS, target=logistic(0.15)),
    "mixed columns, 120 rows": kind(120, *MIXED, *MIXED_NULLS, target=logistic(0.15)),
    "units from .001 to 1000": kind(
        200, in_units(strong(4), 1e-3, 1e3), in_units(null(20), 1e3, 1e-3), target=logistic(0.15)
    ),
    "dummies, first level dropped": kind(200, dummies(LEVELS, 3, True), strong(2), null(5), target=logistic(0.15)),
    "dummies of three levels": kind(
        250, dummies([(-1.2, 0.0, 1.2)], 4, True), strong(3), null(8), target=logistic(0.15)
    ),
    "dummies, all levels": kind(200, dummies(LEVELS, 3, False), strong(2), null(5), target=logistic(0.1)),
    # Noise of the labels
    "flips .05": kind(120, *SIGNAL, target=flipped(0.05)),
    "flips .1": kind(200, *SIGNAL, target=flipped(0.1)),
    "flips .2": kind(200, *SIGNAL, target=flipped(0.2)),
    "flips .3": kind(300, *SIGNAL, target=flipped(0.3)),
    "logistic error .05": kind(100, *SIGNAL, target=logistic(0.05)),
    "logistic error .2": kind(200, *SIGNAL, target=logistic(0.2)),
    "logistic error .25": kind(250, *SIGNAL, target=logistic(0.25)),
    "logistic error .3": kind(400, *SIGNAL, target=logistic(0.3)),
    "probit, noise as large as the score": kind(250, *SIGNAL, target=threshold(noise=1.0)),
    "minority .3": kind(200, *SIGNAL, target=threshold(0.3, 0.3)),
    "minority .15": kind(250, *SIGNAL, target=threshold(0.15, 0.3)),
    "minority .08, noisy": kind(350, *SIGNAL, target=threshold(0.08, 0.5)),
    # Sizes
    "80 x 8": kind(80, strong(2), null(6), target=logistic(0.2)),
    "80 x 16": kind(80, *SMALL, target=logistic(0.15)),
    "100 x 16, error .2": kind(100, *SMALL, target=logistic(0.2)),
    "120 x 50": kind(120, strong(4), null(46), target=logistic(0.1)),
    "1000 x 16, error .4": kind(1000, *SMALL, target=logistic(0.4)),
    "2000 x 12, error .43": kind(2000, strong(3), null(9), target=logistic(0.43)),
    "1000 x 40, error .3": kind(1000, strong(8), near_copies([4], 0.95), null(28), target=logistic(0.3)),
    "60 x 100": kind(60, strong(3), null(97), target=threshold()),
    "80 x 120, groups": kind(80, strong(2), near_copies([4, 4], 0.98), null(110), target=threshold()),
    "100 x 200": kind(100, strong(3), null(197), target=logistic(0.03)),
    "100 x 110, AR .6": kind(100, autoregressive(110, 0.6, 3), target=logistic(0.05)),
    # Groups of near-copies and copies
    "groups .99, sizes 2, 3, 5": kind(200, strong(3), near_copies([2, 3, 5], 0.99), null(17), target=logistic(0.05)),
    "groups .95": kind(200, strong(2), near_copies([3, 3], 0.95), null(20), target=logistic(0.15)),
    "groups .9": kind(200, strong(3), near_copies([4, 4], 0.9), null(20), target=logistic(0.15)),
    "groups .8": kind(200, strong(2), near_copies([3, 3], 0.8), null(20), target=logistic(0.15)),
    "groups .95, reversed": kind(
        160, strong(3), near_copies([4, 4], 0.95, signed=True), null(15), target=flipped(0.05)
    ),
    "groups of 2 and 10": kind(200, strong(2), near_copies([2, 10], 0.95), null(16), target=logistic(0.15)),
    "groups of effects 1 and .5": kind(
        250, strong(2), near_copies([3, 3], 0.95, effects=[1.0, 0.5]), null(18), target=logistic(0.15)
    ),
    "only groups, five of them": kind(200, near_copies([3] * 5, 0.97), null(20), target=logistic(0.15)),
    "one group of 12": kind(150, near_copies([12], 0.9), null(18), target=logistic(0.15)),
    "exact copies": kind(200, strong(2), exact_copies(2, 2, 3), null(12), target=logistic(0.15)),
    "exact copies, three of each": kind(200, strong(3), exact_copies(2, 3, 2), null(10), target=logistic(0.1)),
    # Linear relations and suppressors
    "total of 2 parts, effect of a part": kind(
        200, strong(3), total_of_parts(2, "part"), null(18), target=logistic(0.15)
    ),
    "total of 3 parts, effect of the total": kind(
        200, strong(3), total_of_parts(3, "total"), null(18), target=logistic(0.15)
    ),
    "difference of two columns": kind(200, strong(3), difference(0.7), null(18), target=logistic(0.15)),
    "difference given as a column": kind(200, strong(3), difference(0.7, True), null(18), target=logistic(0.15)),
    "suppressor .6": kind(200, strong(2), suppressor(0.6), null(18), target=logistic(0.15)),
    "suppressor .8": kind(200, strong(2), suppressor(0.8), null(18), target=logistic(0.1)),
    "suppressor .7, 2 substitutes": kind(200, strong(2), suppressor(0.7, 2), null(18), target=logistic(0.1)),
    # Many, graded and curved effects
    "20 of 30": kind(250, strong(20), null(10), target=logistic(0.05)),
    "12 of 24, 150 rows": kind(150, strong(12), null(12), target=logistic(0.05)),
    "30 of 50": kind(350, strong(30), null(20), target=logistic(0.03)),
    "6 graded to .4": kind(200, graded(6, 0.4), null(18), target=logistic(0.15)),
    "8 graded to .2": kind(350, graded(8, 0.2), null(20), target=logistic(0.15)),
    "tanh": kind(200, strong(5, link="tanh"), null(22), target=logistic(0.15)),
    "cube": kind(200, strong(4, link="cube"), null(22), target=logistic(0.15)),
    "steps": kind(200, strong(5, link="step"), null(22), target=logistic(0.15)),
    "exponential": kind(200, strong(4, link="exponential"), null(20), target=logistic(0.15)),
    "product beside effects": kind(200, strong(3), product(), null(20), target=logistic(0.15)),
    "noisy measurements": kind(200, noisy_measurements(5, 0.8), null(20), target=logistic(0.05)),
    # Weights of rows
    "integer weights": kind(200, *SIGNAL, target=logistic(0.15), reweight=integer_weights),
    "doubtful rows of weight .1": kind(200, *SIGNAL, target=logistic(0.15), reweight=doubtful_rows),
}
OTHER_TARGETS: dict[str, Kind] = {
    "number, R2 .2": kind(300, *SIGNAL, target=number(0.2)),
    "number, R2 .5": kind(150, *SIGNAL, target=number(0.5)),
    "number, R2 .9": kind(100, *SIGNAL, target=number(0.9)),
    "number, R2 .5, noise of heavy tails": kind(200, strong(5), null(20), target=number(0.5, tails=3)),
    "number, R2 .7, groups .9": kind(
        200, strong(2), near_copies([3, 5], 0.9), null_blocks(2, 4, 0.9), target=number(0.7)
    ),
    "number, 80 x 100": kind(80, strong(4), null(96), target=number(0.8)),
    "number, binary columns": kind(160, strong(5, "binary .5"), null(20, "binary .1"), target=number(0.4)),
    "ordered, 4 levels": kind(160, *SIGNAL, target=ordered((0.25,) * 4, 0.5)),
    "ordered, 3 levels, skewed": kind(200, strong(4), null(16), target=ordered((0.6, 0.3, 0.1), 0.5)),
    "ordered, 5 levels, groups": kind(
        160, strong(3), near_copies([4], 0.95), null(18), target=ordered((0.2,) * 5, 0.7)
    ),
    "3 classes": kind(120, strong(2), near_copies([2], 0.97), null(6), target=several(3, 0.3)),
    "3 classes, one rare": kind(120, strong(3), null(7), target=several(3, 0.3, offsets=(0.0, 0.0, -1.5))),
    "4 classes": kind(120, strong(4), null(4), target=several(4, 0.3)),
}
KINDS: dict[str, Kind] = {**CLASSES, **OTHER_TARGETS}
STEADY = (
    "AR .7",
    "null blocks .9",
    "binary .1",
    "mixed columns, 120 rows",
    "flips .2",
    "logistic error .25",
    "minority .15",
    "80 x 16",
    "groups .9",
    "suppressor .8",
    "8 graded to .2",
    "number, R2 .2",
)


def draw(name: str, seed: int) -> TruthTable:
    """The table of a kind by its seed."""
    return KINDS[name].draw(generator(name, seed))
