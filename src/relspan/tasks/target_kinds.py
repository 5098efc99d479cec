"""Targets of classes and targets of numbers: what the tasks on each kind share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relspan.errors import DataError, ParameterError
from relspan.result import RelevanceResult
from relspan.tasks.task import Task, TaskOption, target_name


class ClassTask(Task):
    """A task whose target holds classes."""

    def refuse_target(self, y: np.ndarray, name: str) -> None:
        refuse_events(y, name, self.name)
        if y.dtype.kind == "f":
            one = next((value for value in y.tolist() if value % 1), y[0])
            raise DataError(f"the target {name!r} contains numbers such as {one:g}; {self.name} needs classes")

    def sign_meaning(self, result: RelevanceResult) -> str:
        classes = list(result.data.get("classes", {}))
        return f"+ speaks for {target_name(result)} = {classes[-1]}" if classes else ""


class NumberTask(Task):
    """A task whose target holds numbers."""

    peers_see_numbers = True

    def refuse_target(self, y: np.ndarray, name: str) -> None:
        refuse_events(y, name, self.name)
        if y.dtype.kind not in "iuf":
            raise DataError(f"the target {name!r} contains text such as {str(y[0])!r}; {self.name} needs numbers")

    def sign_meaning(self, result: RelevanceResult) -> str:
        return f"+ raises {target_name(result)}"

    def peer_scoring(self, y: np.ndarray) -> str | None:
        return "r2"


def refuse_events(y: np.ndarray, name: str, task: str) -> None:
    """Refuse a time with events, which only survival takes."""
    if y.dtype.names is not None:
        raise DataError(f"the target {name!r} is a time with a column of events; {task} has no events: leave it out")


def read_class_weight(text: str, y: np.ndarray) -> str | dict[Any, float]:
    """``balanced``, or ``CLASS=W`` with commas, as the parameter `class_weight` has it."""
    if text == "balanced":
        return text
    known = {str(label): label for label in np.unique(y).tolist()}
    weights: dict[Any, float] = {}
    for part in text.split(","):
        name, _, number = part.strip().rpartition("=")
        if name not in known:
            raise ParameterError(
                f"--class-weight {part.strip()!r} is not 'balanced' or CLASS=W; the classes are {', '.join(known)}"
            )
        try:
            weights[known[name]] = float(number)
        except ValueError:
            raise ParameterError(f"--class-weight {name}={number}: {number!r} is not a number") from None
    return weights


def write_class_weight(value: str | Mapping[Any, float]) -> str:
    """What `read_class_weight` reads."""
    return value if isinstance(value, str) else ",".join(f"{label}={weight!r}" for label, weight in value.items())


def read_classes_in_order(words: Sequence[str], y: np.ndarray) -> list[Any]:
    """The classes from low to high, as the target spells them; a word may name several, with commas."""
    known = {str(label): label for label in np.unique(y).tolist()}
    names: list[str] = []
    for word in words:
        names += [word] if word in known else [part.strip() for part in word.split(",") if part.strip()]
    return [known.get(name, name) for name in names]


CLASS_WEIGHT = TaskOption(
    name="class_weight",
    type=str,
    help="Factor on the loss of each class; 'balanced' makes rare classes count as much as frequent ones.",
    default="none",
    metavar="balanced|CLASS=W,..",
    read=read_class_weight,
    write=write_class_weight,
)
PENALTY = TaskOption(
    name="penalty",
    type=str,
    help="Norm that the best model minimises: 'l1', the sum of the absolute weights, or 'l2', half the sum of their "
    "squares, as in the first paper (ESANN 2017).",
    default="l1",
    metavar="l1|l2",
)
