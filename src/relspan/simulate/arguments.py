"""What may be asked of the generators; everything else is a ParameterError that names the parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Literal, TypeAlias, get_args

import numpy as np

from relspan.errors import ParameterError

Task: TypeAlias = Literal["classification", "regression", "ordinal"]


def count(name: str, value: object, least: int = 0) -> int:
    """``value`` as a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return int(value)


def amount(name: str, value: object, least: float, below: float = math.inf) -> float:
    """``value`` as a number in ``[least, below)``."""
    ok = isinstance(value, Real) and not isinstance(value, bool) and least <= float(value) < below
    if not ok:
        limit = f"at least {least:g}" if math.isinf(below) else f"at least {least:g} and below {below:g}"
        raise ParameterError(f"{name} must be a number, {limit}, not {value!r}")
    return float(value)  # type: ignore[arg-type]


def known_task(task: object) -> Task:
    """``task`` if it is one of the three."""
    if task not in get_args(Task):
        raise ParameterError(f"task must be one of {', '.join(map(repr, get_args(Task)))}, not {task!r}")
    return task  # type: ignore[return-value]


def generator(random_state: object) -> np.random.Generator:
    """The source of randomness: a seed, a generator, or None for fresh entropy."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None:
        return np.random.default_rng()
    return np.random.default_rng(count("random_state", random_state))


def group_sizes(weak: int, groups: int | Sequence[int] | None) -> tuple[int, ...]:
    """Sizes of the weak groups; a group of one has no substitute, so two is the least."""
    if weak == 0:
        if groups is not None and (not isinstance(groups, Sequence) or len(groups)):
            raise ParameterError(f"groups is {groups!r}, but weak=0 leaves nothing to group")
        return ()
    if weak == 1:
        raise ParameterError("weak=1 means nothing: a weak feature needs another one that replaces it")
    if isinstance(groups, Sequence) and not isinstance(groups, str):
        sizes = tuple(count("every size in groups", size, least=2) for size in groups)
        if sum(sizes) != weak:
            raise ParameterError(f"groups={list(sizes)} add up to {sum(sizes)}, not to weak={weak}")
        return sizes
    parts = 1 if groups is None else count("groups", groups, least=1)
    if 2 * parts > weak:
        raise ParameterError(f"groups={parts} of at least two features each need weak={2 * parts} or more, not {weak}")
    return tuple(weak // parts + (part < weak % parts) for part in range(parts))


def class_shares(task: Task, classes: int | Sequence[float] | None) -> tuple[float, ...]:
    """Share of every class, in their order; the regression task has none."""
    if task == "regression":
        if classes is not None:
            raise ParameterError(f"classes={classes!r} means nothing for task='regression'")
        return ()
    if isinstance(classes, Sequence) and not isinstance(classes, str):
        shares = tuple(amount("every share in classes", share, least=0) for share in classes)
        if not math.isclose(sum(shares), 1, abs_tol=1e-9):
            raise ParameterError(f"classes={list(shares)} must add up to 1, not to {sum(shares):g}")
        if len(shares) < 2:
            raise ParameterError(f"classes must be at least two, not {len(shares)}")
        if task == "classification" and len(shares) > 2:
            raise ParameterError(
                f"classes={list(shares)}: of more than two classes give the number; the shares follow from the scores"
            )
    else:
        default = 2 if task == "classification" else 5
        number = default if classes is None else count("classes", classes, least=2)
        shares = (1 / number,) * number
    return shares
