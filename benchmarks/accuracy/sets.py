"""Tables whose truth is known: the papers' sets, harder ones of the same linear kind, and nonlinear ones.

In the nonlinear sets the target depends on features that a linear model cannot use. With x of independent N(0, 1):

    xor       y = [x1 x2 > 0]                            no feature helps alone; any linear model only guesses
    radial    y = [x1^2 + x2^2 + x3^2 > its median]      large on both sides, so that all weights cancel
    product   y = [x1 x2 + x3 / 2 > 0]                   a linear model sees x3 and nothing else

Truth says what the target depends on, by whatever function; so the features named are strong, all others irrelevant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from relspan.simulate import PAPER_SETS, simulate, simulate_named

ROWS, FEATURES = 500, 10


@dataclass(frozen=True, eq=False)
class Known:
    """A table, its classes, and what is true of its features: 2 strong, 1 weak, 0 irrelevant."""

    X: np.ndarray
    y: np.ndarray
    truth: np.ndarray


Make = Callable[[int], Known]


def linear(*sizes: int, **more: object) -> Make:
    """A set of relspan.simulate, by its arguments."""

    def make(seed: int) -> Known:
        data = simulate(*sizes, random_state=seed, **more)  # type: ignore[arg-type]
        return Known(data.X, data.y, data.truth)

    return make


def named(name: str) -> Make:
    """A set of the papers."""

    def make(seed: int) -> Known:
        data = simulate_named(name, seed)
        return Known(data.X, data.y, data.truth)

    return make


def nonlinear(score: Callable[[np.ndarray], np.ndarray], strong: int) -> Make:
    """500 rows of 10 features; the score of the first ones decides the class, each class half of the rows."""

    def make(seed: int) -> Known:
        X = np.random.default_rng(seed).standard_normal((ROWS, FEATURES))
        value = score(X)
        return Known(X, (value > np.median(value)).astype(int), np.where(np.arange(FEATURES) < strong, 2, 0))

    return make


PAPER: dict[str, Make] = {name: named(name) for name in PAPER_SETS}
ESANN = ("I", "II", "III")
HARDER: dict[str, Make] = {
    "flips 5 %": linear(500, 4, 4, 22, flips=0.05),
    "flips 10 %": linear(500, 4, 4, 22, flips=0.10),
    "flips 10 %, 12 strong": linear(500, 12, 8, 10, flips=0.10),
    "noisy groups (.3)": linear(500, 4, 8, 18, groups=2, noise=0.3),
    "unequal groups": linear(500, 4, 10, 16, groups=(2, 3, 5)),
    "noisy unequal groups": linear(500, 3, 10, 17, groups=(2, 3, 5), noise=0.2),
    "exact copies": linear(500, 4, 6, 20, groups=2, copies=2),
    "imbalance 90 : 10": linear(500, 4, 4, 22, classes=(0.9, 0.1)),
    "correlated irrelevant (.8)": linear(500, 4, 4, 22, correlated_irrelevant=0.8),
    "40 strong of 60": linear(500, 40, 0, 20),
    "60 x 100": linear(60, 2, 4, 94),
    "100 x 60": linear(100, 3, 4, 53),
}
NONLINEAR: dict[str, Make] = {
    "xor": nonlinear(lambda X: X[:, 0] * X[:, 1], 2),
    "radial": nonlinear(lambda X: (X[:, :3] ** 2).sum(axis=1), 3),
    "product": nonlinear(lambda X: X[:, 0] * X[:, 1] + X[:, 2] / 2, 3),
}
ALL: dict[str, Make] = {**PAPER, **HARDER, **NONLINEAR}


def described(name: str) -> str:
    """Rows and the count of each kind of feature."""
    data = ALL[name](0)
    strong, weak, irrelevant = (int((data.truth == kind).sum()) for kind in (2, 1, 0))
    return f"{name}: {len(data.y)} rows, {strong} strong, {weak} weak, {irrelevant} irrelevant"
