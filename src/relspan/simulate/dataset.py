"""Simulated tables with known truth, for any mix of strong, weak and irrelevant features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats
from relspan.checks import MOST_ENTRIES, number, one_of, whole
from relspan.errors import ParameterError
from relspan.simulate.draws import (
    censored_times,
    class_weights,
    draw_hidden,
    flip_labels,
    generator,
    irrelevant_columns,
    sort_into_classes,
    weak_columns,
)
from relspan.tolerances import SHARES_SUM

CLASSES, ORDERED_CLASSES, NUMBERS, TIMES = "classes", "ordered classes", "numbers", "times"
TARGET_KINDS = (CLASSES, ORDERED_CLASSES, NUMBERS, TIMES)
"""The kinds of targets that can be drawn; a task names one of them as ``Task.simulated``."""
USUAL_CENSORED = 0.3
USUAL_CLASSES = {CLASSES: 2, ORDERED_CLASSES: 5}


@dataclass(frozen=True, eq=False)
class Simulated:
    """A table, its target, and what is true about them. The arrays are read-only.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        Strong columns first, then the weak ones group by group, then the irrelevant ones.
    y : ndarray of shape (n_samples,)
        Numbers, classes 0, 1, ..., or an array with the fields "time" and "event".
    truth : ndarray of shape (n_features,)
        2 strong, 1 weak, 0 irrelevant.
    groups : ndarray of shape (n_features,)
        Number of the feature's weak group, -1 where there is none.
    names : tuple of str
        Names that state the truth: ``strong1``, ``weak1_2`` (second of the first group), ``irrelevant1``.
    hidden : ndarray of shape (n_samples, n_hidden)
        The features behind the score: the strong ones, then one for every weak group.
    weights : ndarray of shape (n_hidden,) or (n_hidden, n_classes)
        The weights of the hidden features in the score. With more than two classes that have no order there is one
        score, and one column of weights, for each class.
    flipped : ndarray of shape (n_samples,)
        True where the label was flipped.
    task : str or None
        The task that the target was drawn for, as it was given.

    See Also
    --------
    simulate : Draw such a table.

    Examples
    --------
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> data.X.shape, data.y.shape, data.score.shape
    ((100, 5), (100,), (100,))
    """

    X: Floats
    y: NDArray[Any]
    truth: NDArray[np.int64]
    groups: NDArray[np.int64]
    names: tuple[str, ...]
    hidden: Floats
    weights: Floats
    flipped: Bools
    task: str | None

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
    task: str | None = None,
    classes: int | Sequence[float] | None = None,
    target_noise: float = 0.0,
    flips: float = 0.0,
    censored: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> Simulated:
    """Simulate a table whose strong, weak and irrelevant features are known.

    The model is described in :mod:`relspan.simulate.draws`. With the same ``random_state`` all tasks share columns,
    truth and score, whatever the target's own parameters are.

    Truth is a statement about the population. In a sample a strong feature with a small share of the score may be
    hard to distinguish from a weak one: with ``m`` hidden features the smallest possible share is about
    ``.5 / sqrt(m)``, and with fewer samples than features any single feature can be done without.

    Parameters
    ----------
    n_samples : int, default=500
        The number of rows.
    strong : int, default=4
        The number of features that nothing can replace.
    weak : int, default=4
        The number of features that can replace each other; they come in groups of at least two.
    irrelevant : int, default=22
        The number of features that carry nothing about the target.
    groups : int or sequence of int, default=None
        Number of weak groups (as equal as can be) or the size of each; None is one group.
    noise : float, default=0.01
        Standard deviation of what each weak column adds to its hidden feature, whose own is 1. The columns of a group
        correlate by ``1 / (1 + noise**2)``.
    copies : int, default=0
        How many columns of every weak group repeat the group's first column exactly.
    correlated_irrelevant : float, default=0.0
        Correlation of any two irrelevant columns, at least 0 and below 1.
    task : str, default=None
        The task that the target is drawn for, such as "regression" or "ordinal": classes, ordered classes, the score
        itself, or times of events, which are the earlier, the higher the score. None draws two classes, or more if
        `classes` asks for them. Of more than two classes that have no order each has a score of its own, and a sample
        belongs to the class of the largest.
    classes : int or sequence of float, default=None
        Number of equally frequent classes, or the share of each in the order of the score. ``(.9, .1)`` is imbalanced.
        None is 2 classes, or 5 that are ordered. Of more than two classes that have no order only the number can be
        chosen.
    target_noise : float, default=0.0
        Standard deviation of the noise added to the score, as a share of the score's own.
    flips : float, default=0.0
        Share of labels, rounded to whole ones, that are replaced by another class. Not for numbers.
    censored : float, default=None
        Share of samples, of a target of times, that are observed no longer before their event; None is 0.3.
    random_state : int, Generator or None, default=None
        The same number gives the same data.

    Returns
    -------
    Simulated
        The table, its target, and the truth about them.

    See Also
    --------
    simulate_named : The simulated sets of the papers.

    Examples
    --------
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> data.names
    ('strong1', 'weak1_1', 'weak1_2', 'irrelevant1', 'irrelevant2')
    >>> data.truth.tolist()
    [2, 1, 1, 0, 0]
    """
    n_samples = whole("n_samples", n_samples, at_least=2, at_most=MOST_ENTRIES)
    strong = whole("strong", strong, at_least=0, at_most=MOST_ENTRIES)
    weak = whole("weak", weak, at_least=0, at_most=MOST_ENTRIES)
    irrelevant = whole("irrelevant", irrelevant, at_least=0, at_most=MOST_ENTRIES)
    sizes = group_sizes(weak, groups)
    if strong + weak == 0:
        raise ParameterError("strong=0 and weak=0 leave no feature the target could depend on")
    copies = whole("copies", copies, at_least=0, at_most=MOST_ENTRIES)
    if copies and copies >= min(sizes, default=0):
        raise ParameterError(f"copies={copies} needs weak groups of {copies + 1} features or more, not {list(sizes)}")
    noise = number("noise", noise, at_least=0)
    correlation = number("correlated_irrelevant", correlated_irrelevant, at_least=0, below=1)
    kind = target_kind(task)
    shares = class_shares(kind, classes)
    target_noise = number("target_noise", target_noise, at_least=0)
    flips = number("flips", flips, at_least=0, below=1)
    lost = _censored_share(kind, censored)
    if flips and not shares:
        raise ParameterError(f"flips={flips:g} does not apply to a target of {kind}; use target_noise")
    rng = generator(random_state)

    hidden = draw_hidden(n_samples, strong + len(sizes), rng)
    blocks = [hidden.values[:, :strong]]
    for group, size in enumerate(sizes):
        blocks.append(weak_columns(hidden.values[:, strong + group], size, noise, copies, rng))
    blocks.append(irrelevant_columns(n_samples, irrelevant, correlation, rng))
    several = kind == CLASSES and len(shares) > 2
    weights = class_weights(hidden.weights, len(shares)) if several else hidden.weights
    y, flipped = _target(hidden.values @ weights, shares, target_noise, flips, rng)
    if kind == TIMES:
        y = censored_times(np.asarray(y, dtype=np.float64), lost, rng)
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


def simulated_tasks() -> dict[str, str]:
    """The tasks that a target can be drawn for, and the kind of their targets."""
    tasks = import_module("relspan.tasks").TASKS
    return {name: task.simulated for name, task in tasks.items() if task.simulated is not None}


def target_kind(task: str | None) -> str:
    """The kind of target that a task has; classes where no task is named."""
    if task is None:
        return CLASSES
    known = simulated_tasks()
    return known[one_of("task", task, known)]


def group_sizes(weak: int, groups: int | Sequence[int] | None) -> tuple[int, ...]:
    """Sizes of the weak groups; a group of one has no substitute, so two is the least."""
    if weak == 0:
        if groups is not None and (not isinstance(groups, Sequence) or len(groups)):
            raise ParameterError(f"groups is {groups!r}, but weak=0 leaves nothing to group")
        return ()
    if weak == 1:
        raise ParameterError("weak=1 is not possible: a weak feature needs another one that can replace it")
    if isinstance(groups, Sequence) and not isinstance(groups, str):
        sizes = tuple(whole("every size in groups", size, at_least=2) for size in groups)
        if sum(sizes) != weak:
            raise ParameterError(f"groups={list(sizes)} add up to {sum(sizes)}, not to weak={weak}")
        return sizes
    parts = 1 if groups is None else whole("groups", groups, at_least=1, at_most=MOST_ENTRIES)
    if 2 * parts > weak:
        raise ParameterError(f"groups={parts} of at least two features each need weak={2 * parts} or more, not {weak}")
    return tuple(weak // parts + (part < weak % parts) for part in range(parts))


def class_shares(kind: str, classes: int | Sequence[float] | None) -> tuple[float, ...]:
    """Share of every class, in their order; numbers have none."""
    if kind in (NUMBERS, TIMES):
        if classes is not None:
            raise ParameterError(f"classes={classes!r} does not apply to a target of {kind}")
        return ()
    if not isinstance(classes, Sequence) or isinstance(classes, str):
        count = USUAL_CLASSES[kind] if classes is None else whole("classes", classes, at_least=2, at_most=MOST_ENTRIES)
        return (1 / count,) * count
    shares = tuple(number("every share in classes", share, at_least=0) for share in classes)
    if not math.isclose(sum(shares), 1, abs_tol=SHARES_SUM):
        raise ParameterError(f"classes={list(shares)} must add up to 1, not to {sum(shares):g}")
    if len(shares) < 2:
        raise ParameterError(f"classes must be at least two, not {len(shares)}")
    if kind == CLASSES and len(shares) > 2:
        raise ParameterError(
            f"classes={list(shares)}: for more than two classes give their number; the shares follow from the scores"
        )
    return shares


def _censored_share(kind: str, censored: float | None) -> float:
    """The share of censored samples; only times can be censored."""
    if kind != TIMES and censored is not None:
        raise ParameterError(f"censored={censored!r} does not apply to a target of {kind}")
    return USUAL_CENSORED if censored is None else number("censored", censored, at_least=0, below=1)


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
