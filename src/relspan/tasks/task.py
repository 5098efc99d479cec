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
    metavar : str, default=None
        What stands for the value in help.
    read : callable, default=None
        ``read(given, y)`` turns what the command line read into the parameter's value, given the target.
    write : callable, default=None
        ``write(value)`` turns the parameter's value into what the command line reads.

    See Also
    --------
    Task : What else is true of one kind of target.

    Examples
    --------
    >>> from relspan.tasks import TASKS
    >>> [option.flag for option in TASKS["quantile"].options]
    ['--quantile']
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
        """The spelling on the command line, such as ``--reject-cost``."""
        return f"--{self.name.replace('_', '-')}"


class Task:
    """Everything that is true of one kind of target. Derive a class, fill it in, and `register` an object of it.

    Attributes
    ----------
    name : str
        The task's name: ``--task NAME``, ``estimator_for(NAME)``, and ``result.task``.
    target : str
        What the target contains, in words: "ordered classes".
    estimator : type
        The class of the scikit-learn estimator.
    losses : tuple of type
        The losses it minimises; a saved session may hold any of them.
    options : sequence of TaskOption
        The options that this task has beside those of every task.
    score_name : str
        The name of the cross-validated score by which C is chosen: "R2".
    privileged : bool
        Whether `fit` takes privileged columns.
    simulated : str or None
        The kind of target that `relspan.simulate` draws for it, one of its TARGET_KINDS; None where it draws none.
    class_separator : str
        What stands between the classes where they are listed: " < " where they are ordered.
    peers_see_numbers : bool
        Whether other methods, which know classes and numbers only, take the target as a number.

    See Also
    --------
    register : Adds a task to those that are known.

    Examples
    --------
    >>> from relspan.tasks import TASKS
    >>> {name: task.target for name, task in TASKS.items()}["ordinal"]
    'ordered classes'
    """

    name: ClassVar[str]
    target: ClassVar[str]
    estimator: ClassVar[type]
    losses: ClassVar[tuple[type, ...]]
    options: ClassVar[Sequence[TaskOption]] = ()
    score_name: ClassVar[str]
    privileged: ClassVar[bool] = False
    simulated: ClassVar[str | None] = None
    class_separator: ClassVar[str] = ", "
    peers_see_numbers: ClassVar[bool] = False

    def refuse_target(self, y: np.ndarray, name: str) -> None:
        """Refuse a target that cannot be of this task, naming a value that shows it.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            The target.
        name : str
            The name of its column.

        Raises
        ------
        DataError
            If the target does not fit.
        """

    def peer_scoring(self, y: np.ndarray) -> str | None:
        """Name the scikit-learn scorer by which `compare` judges choices of features.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            The target.

        Returns
        -------
        str or None
            The name of the scorer; None where other methods cannot be compared.
        """
        return None

    def target_not_explorable(self, y: np.ndarray) -> str | None:
        """Explain why no result on a target could be explored, as known before the fit.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            The target.

        Returns
        -------
        str or None
            The reason as a sentence; None where a result could be explored.
        """
        return None

    def not_explorable(self, result: RelevanceResult) -> str | None:
        """Explain why a result of this task cannot be explored.

        Parameters
        ----------
        result : RelevanceResult
            The result.

        Returns
        -------
        str or None
            The reason as a sentence; None where it can be explored.
        """
        return not_explorable(result)

    def sign_meaning(self, result: RelevanceResult) -> str:
        """Explain what a positive weight means.

        Parameters
        ----------
        result : RelevanceResult
            The result, which names the target and its classes.

        Returns
        -------
        str
            The meaning, such as "+ raises weight", with names as they are; empty where there is nothing to explain.
        """
        return ""

    def model_facts(self, result: RelevanceResult) -> list[str]:
        """List what describes the best model beside C.

        Parameters
        ----------
        result : RelevanceResult
            The result.

        Returns
        -------
        list of str
            The facts, such as "epsilon = 0.1".
        """
        return []

    def remarks(self, y: np.ndarray, options: Mapping[str, Any]) -> list[str]:
        """List what a reader of the analysis of a target might not expect.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            The target.
        options : mapping of str to object
            The options of the task, by name.

        Returns
        -------
        list of str
            The remarks, as sentences.
        """
        return []


def target_name(result: RelevanceResult) -> str:
    """The target's name, or "the target"."""
    return str(result.data.get("target") or "the target")


def loss_parameters(result: RelevanceResult) -> dict[str, Any]:
    """The parameters of the loss in use, and of the losses inside it: privileged columns, covariates and signs wrap."""
    found: dict[str, Any] = {}
    given = result.baseline.get("loss_function", {})
    while given:
        found |= given
        given = given.get("inner", {})
    return found


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
