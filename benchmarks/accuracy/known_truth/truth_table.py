"""A table with known truth, and how it is put together: blocks of columns, whose causes make a score, and a target.

Every column has one of four truths. Let S be the columns on which P(y | x) depends.

    strong    in S, and no other column or sum of columns can stand in for it
    weak      replaceable: near-copies of one hidden cause, exact copies, columns of an exact linear relation with S
    null      y is independent of it given S, and its correlation with every column of S is below .3
    proxy     y is independent of it given S, but it correlates with a column of S by .3 or more; it cannot stand in

A block draws its columns and the causes among them: columns of mean 0 which already carry their effect. A target draws
y from the causes of all blocks. So a kind of table is one line: rows, blocks, target.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

STRONG, WEAK, NULL, PROXY = 2, 1, 0, -1
PROXY_CORRELATION = 0.3

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TruthTable:
    """A table, its target and the truth of its columns; weights and patients of the rows where the kind has them."""

    task: str
    X: Floats
    y: NDArray[Any]
    truth: Codes
    sample_weight: Floats | None = None
    groups: Codes | None = None


@dataclass(frozen=True, eq=False)
class Block:
    """Columns, the truth of each, and the causes (n, k) that they add to the score."""

    X: Floats
    truth: Codes
    causes: Floats


Columns = Callable[[Generator, int], Block]
Reweight = Callable[[Generator, NDArray[Any]], tuple[NDArray[Any], Floats]]


@dataclass(frozen=True)
class Target:
    """How y is drawn from the causes, and the task it belongs to."""

    task: str
    draw: Callable[[Generator, Floats], NDArray[Any]]


@dataclass(frozen=True)
class Kind:
    """A kind of table: its rows, its blocks of columns, its target, and weights of rows if it has any."""

    rows: int
    blocks: tuple[Columns, ...]
    target: Target
    reweight: Reweight | None = None

    @property
    def task(self) -> str:
        """The name of the task."""
        return self.target.task

    def draw(self, rng: Generator) -> TruthTable:
        """One table."""
        blocks = [block(rng, self.rows) for block in self.blocks]
        X = np.hstack([block.X for block in blocks])
        truth = np.concatenate([block.truth for block in blocks])
        y = self.target.draw(rng, np.hstack([block.causes for block in blocks]))
        weights = None
        if self.reweight is not None:
            y, weights = self.reweight(rng, y)
        return TruthTable(self.task, X, y, truth, weights)


def generator(name: str, seed: int) -> Generator:
    """The random numbers of a kind's draw: the same for the same name and seed, and independent between kinds."""
    return np.random.default_rng([zlib.crc32(name.encode()), seed])


def no_causes(X: Floats, truth: int = NULL) -> Block:
    """A block of columns that add nothing to the score."""
    return Block(X, np.full(X.shape[1], truth), np.empty((len(X), 0)))


def signs(count: int) -> Floats:
    """1, -1, 1, -1, ...: effects in both directions."""
    return 1.0 - 2.0 * (np.arange(count) % 2)


def unit(X: Floats) -> Floats:
    """Columns of mean 0 and deviation 1 on these rows; constant columns become 0."""
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)


def with_proxies(truth: Codes, correlation: Floats) -> Codes:
    """Nulls that correlate with a relevant column by .3 or more are proxies; the correlation is the population's."""
    largest = np.abs(correlation[:, truth > 0]).max(axis=1)
    return np.where((truth == NULL) & (largest >= PROXY_CORRELATION), PROXY, truth)
