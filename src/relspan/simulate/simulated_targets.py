"""From a score to a target: a number, the class whose share of the sorted scores it falls into, or the class of the
largest of several scores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats
from relspan.errors import ParameterError


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
            f"{n_classes} classes need {n_classes - 1} independent relevant features or more, and strong plus weak "
            f"groups make {len(weights)}: raise strong or groups"
        )
    own = np.arange(len(weights)) % n_classes
    table = np.repeat(-weights[:, None] / (n_classes - 1), n_classes, axis=1)
    table[np.arange(len(weights)), own] = weights
    return table


def flip_labels(
    labels: NDArray[np.int64], flips: float, n_classes: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], Bools]:
    """Give exactly the share ``flips`` of the samples, rounded to whole ones, another class; also say which."""
    flipped = np.zeros(len(labels), dtype=bool)
    flipped[rng.permutation(len(labels))[: round(flips * len(labels))]] = True
    shift = rng.integers(1, n_classes, len(labels))
    changed = np.where(flipped, (labels + shift) % n_classes, labels)
    if len(np.unique(changed)) < n_classes:
        raise ParameterError(f"flips={flips:g} empties a class; use more samples, fewer classes or fewer flips")
    return changed, flipped
