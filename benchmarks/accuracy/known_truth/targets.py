"""Targets: y from the causes of a table, for two classes, numbers, ordered classes and several classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from benchmarks.accuracy.known_truth.truth_table import Floats, Target, unit

STEEPEST = 1e3


def score_of(causes: Floats) -> Floats:
    """The sum of all causes, with mean 0 and deviation 1."""
    score: Floats = unit(causes.sum(axis=1)[:, None])[:, 0]
    return score


def logistic(error: float) -> Target:
    """Two classes, P(y = 1) = 1 / (1 + exp(-k s)), with the slope k at which the best guess errs by `error`."""

    def draw(rng: Generator, causes: Floats) -> NDArray[Any]:
        score = score_of(causes)

        def excess(log_slope: float) -> float:
            return float(expit(-np.exp(log_slope) * np.abs(score)).mean()) - error

        slope = np.exp(brentq(excess, np.log(1 / STEEPEST), np.log(STEEPEST)))
        return (rng.random(len(score)) < expit(slope * score)).astype(int)

    return Target("classification", draw)


def flipped(share: float) -> Target:
    """Two classes of equal size, divided by the score; then a share of the labels is flipped, wherever they lie."""

    def draw(rng: Generator, causes: Floats) -> NDArray[Any]:
        score = score_of(causes)
        y = (score > np.median(score)).astype(int)
        rows = rng.permutation(len(y))[: round(share * len(y))]
        y[rows] = 1 - y[rows]
        return y

    return Target("classification", draw)


def threshold(minority: float = 0.5, noise: float = 0.0) -> Target:
    """Class 1 is the share of the rows with the largest score, after noise of that many deviations is added."""

    def draw(rng: Generator, causes: Floats) -> NDArray[Any]:
        score = score_of(causes)
        score = score + noise * rng.standard_normal(len(score))
        return (score > np.quantile(score, 1 - minority)).astype(int)

    return Target("classification", draw)


def number(explained: float, tails: int | None = None) -> Target:
    """A number of which the score explains that share of the variance; noise is normal, or Student's t of `tails`."""

    def draw(rng: Generator, causes: Floats) -> NDArray[Any]:
        n = len(causes)
        noise = rng.standard_normal(n) if tails is None else rng.standard_t(tails, n) * np.sqrt((tails - 2) / tails)
        return score_of(causes) + np.sqrt((1 - explained) / explained) * noise

    return Target("regression", draw)


def ordered(shares: Sequence[float], noise: float) -> Target:
    """Ordered classes of these shares, cut from the score after noise of that many deviations is added."""

    def draw(rng: Generator, causes: Floats) -> NDArray[Any]:
        score = score_of(causes)
        score = score + noise * rng.standard_normal(len(score))
        return np.searchsorted(np.quantile(score, np.cumsum(shares)[:-1]), score)

    return Target("ordinal", draw)


def several(count: int, noise: float, offsets: Sequence[float] = ()) -> Target:
    """Several classes: cause i speaks for class i and against class i + 1, counted cyclically; the largest sum wins.

    Gumbel noise of that many deviations is added to the sums, so that P(y | x) is a softmax. Offsets, in deviations,
    make classes frequent or rare.
    """

    def draw(rng: Generator, causes: Floats) -> NDArray[Any]:
        places = np.arange(causes.shape[1])
        directions = np.zeros((causes.shape[1], count))
        directions[places, places % count] = 1.0
        directions[places, (places + 1) % count] -= 1.0
        sums = causes @ directions
        deviation = sums.std()
        sums = sums + noise * deviation * rng.gumbel(size=sums.shape)
        sums[:, : len(offsets)] += deviation * np.asarray(offsets)
        return sums.argmax(axis=1)

    return Target("classification", draw)
