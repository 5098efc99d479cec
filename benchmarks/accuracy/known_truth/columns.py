"""Blocks of columns: each function describes a block and returns what draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator

from benchmarks.accuracy.known_truth.truth_table import (
    NULL,
    PROXY,
    STRONG,
    WEAK,
    Block,
    Columns,
    Floats,
    no_causes,
    signs,
    unit,
    with_proxies,
)

Shape = Callable[[Generator, tuple[int, int]], Floats]
SHAPES: dict[str, Shape] = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "binary .5": lambda rng, size: (rng.random(size) < 0.5).astype(float),
    "binary .1": lambda rng, size: (rng.random(size) < 0.1).astype(float),
    "lognormal": lambda rng, size: np.exp(rng.standard_normal(size)),
    "heavy tails": lambda rng, size: rng.standard_t(3, size),
    "counts": lambda rng, size: rng.poisson(1.5, size).astype(float),
    "ratings": lambda rng, size: rng.integers(1, 6, size).astype(float),
    "many zeros": lambda rng, size: rng.exponential(size=size) * (rng.random(size) < 0.4),
    "uniform": lambda rng, size: rng.random(size),
}
LINKS: dict[str, Callable[[Floats], Floats]] = {
    "tanh": lambda x: np.tanh(3 * x),
    "cube": lambda x: x**3,
    "step": lambda x: np.sign(x - 0.5),
    "exponential": np.exp,
}


def strong(effects: int | Sequence[float], shape: str = "normal", link: str | None = None) -> Columns:
    """Independent columns that are all causes, with these effects (a count: equal ones), by a link if one is named."""
    sizes = np.ones(effects) if isinstance(effects, int) else np.asarray(effects, dtype=float)

    def draw(rng: Generator, n: int) -> Block:
        X = SHAPES[shape](rng, (n, len(sizes)))
        causes = unit(X if link is None else LINKS[link](X)) * sizes * signs(len(sizes))
        return Block(X, np.full(len(sizes), STRONG), causes)

    return draw


def graded(count: int, smallest: float) -> Columns:
    """Independent causes with effects that fall geometrically from 1."""
    return strong([float(effect) for effect in np.geomspace(1, smallest, count)])


def null(count: int, shape: str = "normal") -> Columns:
    """Independent columns of noise."""
    return lambda rng, n: no_causes(SHAPES[shape](rng, (n, count)))


def near_copies(sizes: Sequence[int], r: float, effects: Sequence[float] = (), signed: bool = False) -> Columns:
    """Groups of columns that measure one hidden cause each, with correlation r; signed: every second one reversed."""
    weights = np.ones(len(sizes)) if not effects else np.asarray(effects, dtype=float)

    def draw(rng: Generator, n: int) -> Block:
        hidden = rng.standard_normal((n, len(sizes)))
        X = np.sqrt(r) * np.repeat(hidden, sizes, axis=1) + np.sqrt(1 - r) * rng.standard_normal((n, sum(sizes)))
        if signed:
            X = X * signs(X.shape[1])
        return Block(X, np.full(sum(sizes), WEAK), hidden * weights * signs(len(sizes)))

    return draw


def null_blocks(count: int, size: int, r: float) -> Columns:
    """Blocks of noise columns that correlate by r within a block."""
    return lambda rng, n: no_causes(near_copies([size] * count, r)(rng, n).X)


def exact_copies(causes: int, times: int, nulls: int) -> Columns:
    """Causes and columns of noise, each of them with further copies of itself, of which every second is reversed."""

    def draw(rng: Generator, n: int) -> Block:
        Z = rng.standard_normal((n, causes + nulls))
        X = np.hstack([Z * sign for sign in signs(times)])
        truth = np.tile(np.repeat([WEAK, NULL], [causes, nulls]), times)
        return Block(X, truth, Z[:, :causes] * signs(causes))

    return draw


def autoregressive(count: int, rho: float, causes: int) -> Columns:
    """A series of columns whose correlation is rho to the power of their distance; causes lie at equal distances."""

    def draw(rng: Generator, n: int) -> Block:
        X = rng.standard_normal((n, count))
        for j in range(1, count):
            X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
        places = np.arange(causes) * (count // max(causes, 1))
        truth = np.where(np.isin(np.arange(count), places), STRONG, NULL)
        distance = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
        return Block(X, with_proxies(truth, rho**distance) if causes else truth, X[:, places] * signs(causes))

    return draw


def proxies(causes: int, each: int, r: float) -> Columns:
    """Causes, and columns that correlate by r with one of them but have no effect of their own."""

    def draw(rng: Generator, n: int) -> Block:
        Z = rng.standard_normal((n, causes))
        P = r * np.repeat(Z, each, axis=1) + np.sqrt(1 - r**2) * rng.standard_normal((n, causes * each))
        truth = np.repeat([STRONG, PROXY], [causes, causes * each])
        return Block(np.hstack([Z, P]), truth, Z * signs(causes))

    return draw


def correlated_causes(count: int, r: float) -> Columns:
    """Causes that correlate with each other by r, all with effects in one direction."""

    def draw(rng: Generator, n: int) -> Block:
        X = near_copies([count], r)(rng, n).X
        return Block(X, np.full(count, STRONG), X)

    return draw


def modules(loadings: Sequence[Sequence[float]], causes: int) -> Columns:
    """A factor model: one factor per module, on which its columns load; the first column of some modules is a cause.

    Columns i and j of a module correlate by the product of their loadings.
    """

    def draw(rng: Generator, n: int) -> Block:
        parts, truths = [], []
        for place, module in enumerate(np.asarray(loads) for loads in loadings):
            noise = rng.standard_normal((n, len(module)))
            parts.append(rng.standard_normal((n, 1)) * module + np.sqrt(1 - module**2) * noise)
            truth = np.full(len(module), NULL)
            if place < causes:
                truth[0] = STRONG
                truth = with_proxies(truth, np.outer(module, module))
            truths.append(truth)
        active = np.column_stack([part[:, 0] for part in parts[:causes]])
        return Block(np.hstack(parts), np.concatenate(truths), active * signs(causes))

    return draw


def dummies(effects: Sequence[Sequence[float]], null_variables: int, drop_first: bool) -> Columns:
    """Categorical variables as indicators of their levels; each level has its own effect.

    With all levels, each indicator is 1 minus the others and can be replaced by them; without the first level, each
    remaining indicator is needed for the difference between its level and the first.
    """
    levels = [*map(len, effects), *([len(effects[0])] * null_variables)]

    def draw(rng: Generator, n: int) -> Block:
        values = [rng.integers(0, count, n) for count in levels]
        first = int(drop_first)
        parts = [np.eye(count)[value][:, first:] for count, value in zip(levels, values, strict=True)]
        relevant = STRONG if drop_first else WEAK
        codes = [relevant] * len(effects) + [NULL] * null_variables
        truth = np.repeat(codes, [count - first for count in levels])
        causes = np.column_stack([np.asarray(effect)[value] for effect, value in zip(effects, values, strict=False)])
        return Block(np.hstack(parts), truth, causes - causes.mean(axis=0))

    return draw


def total_of_parts(parts: int, effect_of: str, effect: float = 1.4) -> Columns:
    """Parts and their exact sum; y depends on the first part, or on the total. Any column follows from the others."""

    def draw(rng: Generator, n: int) -> Block:
        P = rng.standard_normal((n, parts))
        total = P.sum(axis=1, keepdims=True)
        cause = P[:, :1] if effect_of == "part" else total / np.sqrt(parts)
        return Block(np.hstack([total, P]), np.full(parts + 1, WEAK), effect * cause)

    return draw


def difference(r: float, given: bool = False, effect: float = 1.4) -> Columns:
    """Two columns with correlation r, of which the difference is the cause; it may be given as a third column."""

    def draw(rng: Generator, n: int) -> Block:
        X = near_copies([2], r)(rng, n).X
        gap = X[:, :1] - X[:, 1:]
        cause = effect * gap / np.sqrt(2 * (1 - r))
        return Block(np.hstack([X, gap]) if given else X, np.full(2 + given, WEAK if given else STRONG), cause)

    return draw


def suppressor(r: float, substitutes: int = 0, effect: float = 1.3) -> Columns:
    """A cause with noise in it, and a column that correlates with nothing but this noise, by which it is removed.

    The score has x1 - r x2 with corr(x1, x2) = r, so that x2 alone is uncorrelated with the score. Near-copies of x2
    (correlation .98) make it replaceable.
    """

    def draw(rng: Generator, n: int) -> Block:
        x2 = rng.standard_normal((n, 1))
        own = rng.standard_normal((n, 1))
        x1 = r * x2 + np.sqrt(1 - r**2) * own
        again = 0.98 * x2 + np.sqrt(1 - 0.98**2) * rng.standard_normal((n, substitutes))
        truth = [STRONG, WEAK if substitutes else STRONG, *([WEAK] * substitutes)]
        return Block(np.hstack([x1, x2, again]), np.array(truth), effect * own)

    return draw


def product() -> Columns:
    """Two columns with effects of their own and a further effect of their product."""

    def draw(rng: Generator, n: int) -> Block:
        X = rng.standard_normal((n, 2))
        return Block(X, np.full(2, STRONG), np.column_stack([X[:, 0], X[:, 1], X[:, 0] * X[:, 1]]))

    return draw


def noisy_measurements(count: int, reliability: float) -> Columns:
    """Columns that each measure one hidden cause, once, with that correlation to the cause."""

    def draw(rng: Generator, n: int) -> Block:
        hidden = rng.standard_normal((n, count))
        X = reliability * hidden + np.sqrt(1 - reliability**2) * rng.standard_normal((n, count))
        return Block(X, np.full(count, STRONG), hidden * signs(count))

    return draw


def in_units(block: Columns, smallest: float, largest: float) -> Columns:
    """The same columns in other units: multiplied by factors that grow geometrically, and shifted."""

    def draw(rng: Generator, n: int) -> Block:
        drawn = block(rng, n)
        factors = np.geomspace(smallest, largest, drawn.X.shape[1])
        return Block(drawn.X * factors + 3 * factors, drawn.truth, drawn.causes)

    return draw
