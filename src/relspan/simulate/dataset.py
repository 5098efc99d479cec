"""Simulated tables with known truth, for any mix of strong, weak and irrelevant features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats
from relspan.errors import ParameterError
from relspan.simulate.arguments import Task, amount, class_shares, count, generator, group_sizes, known_task
from relspan.simulate.columns import draw_hidden, irrelevant_columns, weak_columns
from relspan.simulate.simulated_targets import class_weights, flip_labels, sort_into_classes


@dataclass(frozen=True, eq=False)
class Simulated:
    """A table, its target, and what is true about them. The arrays are read-only.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        Strong columns first, then the weak ones group by group, then the irrelevant ones.
    y : ndarray of shape (n_samples,)
        Numbers for regression, classes 0, 1, ... for the other tasks.
    truth : ndarray of shape (n_features,)
        2 strong, 1 weak, 0 irrelevant.
    groups : ndarray of shape (n_features,)
        Number of the feature's weak group, -1 where there is none.
    names : tuple of str
        They tell the truth: ``strong1``, ``weak1_2`` (second of the first group), ``irrelevant1``.
    hidden : ndarray of shape (n_samples, n_hidden)
        The features behind the score: the strong ones, then one for every weak group.
    weights : ndarray of shape (n_hidden,)
        Their weights; ``hidden @ weights`` is the score without noise.
    flipped : ndarray of shape (n_samples,)
        True where the label was flipped.
    task : {"classification", "regression", "ordinal"}
        What the target is. With more than two classes that have no order, ``weights`` and the score have a column for
        each.
    """

    X: Floats
    y: Floats | NDArray[np.int64]
    truth: NDArray[np.int64]
    groups: NDArray[np.int64]
    names: tuple[str, ...]
    hidden: Floats
    weights: Floats
    flipped: Bools
    task: Task

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def score(self) -> Floats:
        """The score behind the target, without noise."""
        return self.hidden @ self.weights


def simulate(
    n_samples: int = 500,
    strong: int = 4,
    weak: int = 4,
    irrelevant: int = 22,
    *,
    groups: int | Sequence[int] | None = None,
    noise: float = 0.01,
    copies: int = 0,
    correlated_irrelevant: float = 0.0,
    task: Task = "classification",
    classes: int | Sequence[float] | None = None,
    target_noise: float = 0.0,
    flips: float = 0.0,
    random_state: int | np.random.Generator | None = None,
) -> Simulated:
    """Simulate a table whose strong, weak and irrelevant features are known.

    The model is described in :mod:`relspan.simulate.columns`. With the same ``random_state`` all tasks share columns,
    truth and score, whatever the target's own parameters are.

    Truth is a statement about the population. In a sample a strong feature with a small share of the score may be
    hard to tell from a weak one: with ``m`` hidden features the smallest possible share is about ``.5 / sqrt(m)``, and
    with fewer samples than features any single feature can be done without.

    Parameters
    ----------
    n_samples : int
        Rows.
    strong, weak, irrelevant : int
        Columns of each kind; at least one must be relevant, and weak ones come in groups of at least two.
    groups : int, sequence of int or None
        Number of weak groups (as equal as can be) or the size of each; None is one group.
    noise : float
        Standard deviation of what each weak column adds to its hidden feature, whose own is 1. The columns of a group
        correlate by ``1 / (1 + noise**2)``.
    copies : int
        So many columns of every weak group repeat the group's first column exactly.
    correlated_irrelevant : float
        Correlation of any two irrelevant columns, at least 0 and below 1.
    task : {"classification", "regression", "ordinal"}
        The target: classes, the score itself, or ordered classes. Of more than two classes that have no order each has
        a score of its own, and a sample belongs to the class of the largest.
    classes : int, sequence of float or None
        Number of equally frequent classes, or the share of each in the order of the score. ``(.9, .1)`` is imbalanced.
        None is 2 for classification, and 5 for ordinal. Of more than two classes that have no order only the number
        can be chosen.
    target_noise : float
        Standard deviation of the noise added to the score, as a share of the score's own.
    flips : float
        Share of labels, rounded to whole ones, that are replaced by another class. Not for regression.
    random_state : int, Generator or None
        The same number gives the same data.

    Returns
    -------
    Simulated

    Examples
    --------
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> data.names
    ('strong1', 'weak1_1', 'weak1_2', 'irrelevant1', 'irrelevant2')
    >>> data.truth.tolist()
    [2, 1, 1, 0, 0]
    """
    n_samples = count("n_samples", n_samples, least=2)
    strong, weak, irrelevant = count("strong", strong), count("weak", weak), count("irrelevant", irrelevant)
    sizes = group_sizes(weak, groups)
    if strong + weak == 0:
        raise ParameterError("strong=0 and weak=0 leave no feature the target could depend on")
    copies = count("copies", copies)
    if copies and copies >= min(sizes, default=0):
        raise ParameterError(f"copies={copies} needs weak groups of {copies + 1} features or more, not {list(sizes)}")
    noise = amount("noise", noise, least=0)
    correlation = amount("correlated_irrelevant", correlated_irrelevant, least=0, below=1)
    shares = class_shares(known_task(task), classes)
    target_noise = amount("target_noise", target_noise, least=0)
    flips = amount("flips", flips, least=0, below=1)
    if flips and not shares:
        raise ParameterError(f"flips={flips:g} means nothing for task='regression'; target_noise does")
    rng = generator(random_state)

    hidden = draw_hidden(n_samples, strong + len(sizes), rng)
    blocks = [hidden.values[:, :strong]]
    for group, size in enumerate(sizes):
        blocks.append(weak_columns(hidden.values[:, strong + group], size, noise, copies, rng))
    blocks.append(irrelevant_columns(n_samples, irrelevant, correlation, rng))
    several = task == "classification" and len(shares) > 2
    weights = class_weights(hidden.weights, len(shares)) if several else hidden.weights
    y, flipped = _target(hidden.values @ weights, shares, target_noise, flips, rng)
    return Simulated(
        X=np.hstack(blocks),
        y=y,
        truth=np.repeat([2, 1, 0], [strong, weak, irrelevant]),
        groups=np.concatenate([np.full(strong, -1), np.repeat(np.arange(len(sizes)), sizes), np.full(irrelevant, -1)]),
        names=_names(strong, sizes, irrelevant),
        hidden=hidden.values,
        weights=weights,
        flipped=flipped,
        task=task,
    )


def _target(
    score: Floats, shares: Sequence[float], target_noise: float, flips: float, rng: np.random.Generator
) -> tuple[Floats | NDArray[np.int64], Bools]:
    """The target and where it was flipped; randomness is used last, after that of the columns."""
    noisy = score + target_noise * score.std() * rng.standard_normal(score.shape)
    if not shares:
        return noisy, np.zeros(len(score), dtype=bool)
    labels = sort_into_classes(noisy, shares) if noisy.ndim == 1 else noisy.argmax(axis=1)
    return flip_labels(labels, flips, len(shares), rng)


def _names(strong: int, sizes: Sequence[int], irrelevant: int) -> tuple[str, ...]:
    return (
        *(f"strong{j}" for j in range(1, strong + 1)),
        *(f"weak{g}_{j}" for g, size in enumerate(sizes, start=1) for j in range(1, size + 1)),
        *(f"irrelevant{j}" for j in range(1, irrelevant + 1)),
    )
