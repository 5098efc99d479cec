r"""What simulated data are drawn from: columns, the score behind the target, and the target itself.

Hidden features :math:`z_1, \dots, z_m` are independent standard normal, and the score is

.. math:: s = \sum_k v_k z_k, \qquad .5 \le |v_k| \le 1.5 .

* A *strong* column is a hidden feature itself. It is independent of every other column, so nothing replaces it, and
  its weight is bounded away from zero, so the score cannot do without it.
* The *weak* columns of a group are linear combinations of one hidden feature that no column shows,
  :math:`x_l = a_l (z_k + \text{noise} \cdot e_l)` with own standard normal :math:`e_l` and
  :math:`.5 \le |a_l| \le 1.5`: any of them stands in for the others, and one of them is needed.
* An *irrelevant* column is independent of all the hidden features. Irrelevant columns may correlate with one another,
  :math:`x = \sqrt{c} f + \sqrt{1 - c}\, e`, through a common factor :math:`f`. They never correlate with a relevant
  one: such a column would carry information about the target, and be weakly relevant.

The idea is that of Göpfert, Pfannschmidt and Hammer, "Feature relevance bounds for linear classification", ESANN 2017,
and of their later papers: replace a feature by correlated linear combinations of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats
from relspan.checks import whole
from relspan.errors import ParameterError
from relspan.survival_times import survival_target


def generator(random_state: object) -> np.random.Generator:
    """The source of randomness: a seed, a generator, or None for fresh entropy."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None:
        return np.random.default_rng()
    return np.random.default_rng(whole("random_state", random_state, at_least=0))


@dataclass(frozen=True)
class Hidden:
    """Hidden features ``values`` (one column each) and their ``weights`` in the score."""

    values: Floats
    weights: Floats

    @property
    def score(self) -> Floats:
        """The noise-free score s."""
        score: Floats = self.values @ self.weights
        return score


def bounded_weights(size: int, rng: np.random.Generator) -> Floats:
    """Random signs times sizes between .5 and 1.5."""
    signs: Floats = rng.choice([-1.0, 1.0], size)
    return signs * rng.uniform(0.5, 1.5, size)


def draw_hidden(n_samples: int, size: int, rng: np.random.Generator) -> Hidden:
    """Hidden features with weights bounded away from zero."""
    return Hidden(rng.standard_normal((n_samples, size)), bounded_weights(size, rng))


def weak_columns(hidden: Floats, size: int, noise: float, copies: int, rng: np.random.Generator) -> Floats:
    """Columns of one weak group; the last ``copies`` of them repeat the first exactly."""
    own = rng.standard_normal((len(hidden), size))
    columns: Floats = bounded_weights(size, rng) * (hidden[:, None] + noise * own)
    columns[:, size - copies :] = columns[:, :1]
    return columns


def irrelevant_columns(n_samples: int, size: int, correlation: float, rng: np.random.Generator) -> Floats:
    """Columns that carry nothing about the target, with pairwise ``correlation``."""
    factor = rng.standard_normal((n_samples, 1))
    own = rng.standard_normal((n_samples, size))
    columns: Floats = np.sqrt(correlation) * factor + np.sqrt(1 - correlation) * own
    return columns


def sort_into_classes(score: Floats, shares: Sequence[float]) -> NDArray[np.int64]:
    """Class of every score: 0 for the smallest ones, then 1, and so on, in the stated shares.

    Classes follow the score, so there are cut points (thresholds) that separate them exactly.
    """
    n_samples = len(score)
    cuts = np.rint(np.cumsum([0.0, *shares]) * n_samples).astype(int)
    for k, (start, stop) in enumerate(pairwise(cuts)):
        if stop - start < 1:
            raise ParameterError(f"classes: class {k} with share {shares[k]:g} is empty among {n_samples} samples")
    classes = np.empty(n_samples, dtype=np.int64)
    classes[np.argsort(score, kind="stable")] = np.repeat(np.arange(len(shares)), np.diff(cuts))
    return classes


def class_weights(weights: Floats, n_classes: int) -> Floats:
    r"""Weights of the hidden features in the score of each class, (n_hidden, n_classes).

    Hidden feature m speaks for or against one class, :math:`k = m \bmod K`, with its weight :math:`v_m`, and against or
    for all others with :math:`-v_m / (K - 1)`: no class's score can do without it.
    """
    if len(weights) < n_classes - 1:
        raise ParameterError(
            f"{n_classes} classes need {n_classes - 1} or more independent relevant features, but strong features and "
            f"weak groups are only {len(weights)}: raise strong or groups"
        )
    own = np.arange(len(weights)) % n_classes
    table = np.repeat(-weights[:, None] / (n_classes - 1), n_classes, axis=1)
    table[np.arange(len(weights)), own] = weights
    return table


def flip_labels(
    labels: NDArray[np.int64], flips: float, n_classes: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], Bools]:
    """Give exactly the share ``flips`` of the samples, rounded to whole ones, another class; also return which."""
    flipped = np.zeros(len(labels), dtype=bool)
    flipped[rng.permutation(len(labels))[: round(flips * len(labels))]] = True
    shift = rng.integers(1, n_classes, len(labels))
    changed = np.where(flipped, (labels + shift) % n_classes, labels)
    if len(np.unique(changed)) < n_classes:
        raise ParameterError(f"flips={flips:g} empties a class; use more samples, fewer classes or fewer flips")
    return changed, flipped


def censored_times(score: Floats, share: float, rng: np.random.Generator) -> NDArray[Any]:
    """Times exp(-s / sd(s)) of events, exactly the share of them, rounded, censored.

    Observation ends at exponential times that have nothing to do with the events; their common scale gives the share.
    """
    times = np.exp(-score / (score.std() or 1.0))
    ends = rng.exponential(size=len(times))
    order = np.argsort(-times / ends, kind="stable")  # those whose observation ends first, whatever the scale
    lost = round(share * len(times))
    censored = np.zeros(len(times), dtype=bool)
    censored[order[:lost]] = True
    if lost:
        last = times[order[lost - 1]] / ends[order[lost - 1]]
        following = times[order[lost]] / ends[order[lost]]
        ends = ends * np.sqrt(last * following)
    return survival_target(np.where(censored, ends, times), ~censored)
