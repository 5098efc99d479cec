"""A task: everything that is true of one kind of target, and of no other, in one object.

Each file of this package holds the estimator of one task and an object of a class that is derived from `Task`, which it
registers. The command line, the start page of the explorer, reports, `compare`, saved sessions and `estimator_for` read
the registry; no other file knows a task by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from relspan.errors import ParameterError
from relspan.estimators.base import not_explorable
from relspan.result import RelevanceResult


@dataclass(frozen=True)
class TaskOption:
    """An option that only some tasks have: a parameter of their estimators, and how the command line asks for it.

    Attributes
    ----------
    name : str
        The estimator's parameter. The command line spells it with hyphens, ``--reject-cost``.
    type : type
        What the command line reads: ``float``, ``str``, or ``list[str]`` for a flag that may be repeated.
    help : str
        A whole sentence.
    default : str
        How help describes the value where the option is not given.
    metavar : str, optional
        What stands for the value in help.
    read : callable, optional
        ``read(given, y)`` turns what the command line read into the parameter's value, given the target.
    write : callable, optional
        ``write(value)`` turns the parameter's value into what the command line reads.
    """

    name: str
    type: Any
    help: str
    default: str
    metavar: str | None = None
    read: Callable[[Any, np.ndarray], Any] | None = None
    write: Callable[[Any], Any] | None = None

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"


class Task:
    """What must be known of a task. Derive, fill in, and `register` an object."""

    name: ClassVar[str]
    """The task's name: ``--task NAME``, ``estimator_for(NAME)``, and ``result.task``."""
    target: ClassVar[str]
    """What the target holds, in words: "ordered classes"."""
    estimator: ClassVar[type]
    """The scikit-learn estimator."""
    losses: ClassVar[tuple[type, ...]]
    """The losses it minimises; a saved session may hold any of them."""
    options: ClassVar[Sequence[TaskOption]] = ()
    """The options that this task has beside those of every task."""
    score_name: ClassVar[str]
    """The name of the cross-validated score that C is chosen by: "R2"."""
    privileged: ClassVar[bool] = False
    """Whether `fit` takes privileged columns."""
    simulated: ClassVar[str | None] = None
    """The kind of target that `relspan.simulate` draws for it, one of its KINDS; None where it draws none."""
    class_separator: ClassVar[str] = ", "
    """What stands between the classes where they are listed: " < " where they are ordered."""
    peers_see_numbers: ClassVar[bool] = False
    """Whether other methods, which know classes and numbers only, take the target as a number."""

    def refuse_target(self, y: np.ndarray, name: str) -> None:
        """Raise DataError where the target `name` cannot be of this task, naming a value that shows it."""

    def peer_scoring(self, y: np.ndarray) -> str | None:
        """The scikit-learn scorer by which `compare` judges choices of features; None where it cannot compare."""
        return None

    def target_not_explorable(self, y: np.ndarray) -> str | None:
        """Why no result on this target could be explored, known before the fit, as a sentence; None where it could."""
        return None

    def not_explorable(self, result: RelevanceResult) -> str | None:
        """Why a result of this task cannot be explored, as a sentence; None where it can."""
        return not_explorable(result)

    def sign_meaning(self, result: RelevanceResult) -> str:
        """What a positive weight means, such as "+ raises weight"; the target's and the classes' names as they are."""
        return ""

    def model_facts(self, result: RelevanceResult) -> list[str]:
        """What describes the best model beside C, such as "epsilon = 0.1"."""
        return []

    def remarks(self, y: np.ndarray, options: Mapping[str, Any]) -> list[str]:
        """What a reader of the analysis of this target might not expect, in sentences."""
        return []


def target_name(result: RelevanceResult) -> str:
    """The target's name, or "the target"."""
    return str(result.data.get("target") or "the target")


def loss_parameters(result: RelevanceResult) -> dict[str, Any]:
    """The parameters of the loss in use; with privileged columns, those of the loss inside as well."""
    given = dict(result.baseline.get("loss_function", {}))
    return {**given, **given.get("inner", {})}


TASKS: dict[str, Task] = {}
"""All tasks by name."""


def register(task: Task) -> Task:
    """Add a task to `TASKS`, built in or from outside the package.

    A name that another task has is refused. A module that is loaded again brings its task again.

    Parameters
    ----------
    task : Task
        The task.

    Returns
    -------
    Task
        The same task.

    See Also
    --------
    relspan.losses.register_loss : Adds the loss of a task, so that sessions with it can be saved and loaded.

    Examples
    --------
    >>> from relspan.tasks import TASKS
    >>> TASKS["ordinal"].target
    'ordered classes'
    """
    known, new = type(TASKS.setdefault(task.name, task)), type(task)
    if (known.__module__, known.__qualname__) != (new.__module__, new.__qualname__):
        raise ParameterError(f"a task called {task.name!r} is registered already, by {known.__module__}")
    TASKS[task.name] = task
    return task
