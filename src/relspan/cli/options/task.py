"""What is asked of the target: ``--task`` and the options that only some tasks have.

A task that is not named is guessed from the target, and the guess is told with its reason. An option that means nothing
for the task is refused, never ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.errors import DataError, ParameterError
from relspan.tables import NamedMatrix, PreparedTable, UnknownColumnError
from relspan.tables.table_options import split_names
from relspan.tasks import TASKS, estimator_for, guess_task

PANEL = "Task"
NAMES = ("auto", *sorted(TASKS))
CLASSES = ("classification", "ordinal", "reject")
SERVED = {  # the tasks that each option is for, by the name it has in `Task`
    "epsilon": ("regression",),
    "reject_cost": ("reject",),
    "reject_threshold": ("reject",),
    "order": ("ordinal",),
    "class_weight": CLASSES,
    "penalty": ("classification", "reject"),
    "privileged": ("classification", "ordinal", "regression"),
}


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=PANEL, **more)


def _several(*names: str, help: str, **more: Any) -> Any:
    return _option(*names, help=help, default_factory=list, show_default=False, **more)


Name = Annotated[str, _option("--task", metavar="NAME", help=f"What the target asks for: {', '.join(NAMES)}.")]
Epsilon = Annotated[
    float | None,
    _option("--epsilon", help="Regression: deviations up to it cost nothing.", show_default="by cross-validation"),
]
RejectCost = Annotated[
    float | None,
    _option("--reject-cost", help="Reject: price of no answer, up to 0.5; an error costs 1.", show_default="0.25"),
]
RejectThreshold = Annotated[
    float | None,
    _option("--reject-threshold", help="Reject: scores up to it get no answer.", show_default="the reject cost"),
]
Order = Annotated[
    list[str],
    _several("--order", metavar="CLASSES", help="Ordinal: all classes from low to high, with commas; else sorted."),
]
ClassWeight = Annotated[
    str | None,
    _option(
        "--class-weight",
        metavar="balanced|CLASS=W,..",
        help="What the loss of a class is multiplied by.",
        show_default="none",
    ),
]
Penalty = Annotated[
    str | None,
    _option("--penalty", metavar="l1|l2", help="Norm of the best model (classification, reject).", show_default="l1"),
]
Weights = Annotated[
    str | None,
    _option("--weights", metavar="NAME", help="Column that tells how much each row counts.", show_default="none"),
]
PrivilegedColumns = Annotated[
    list[str],
    _several("--privileged", metavar="NAMES", help="Columns known now but not when predicting, with commas."),
]
Groups = Annotated[
    list[str],
    _several(
        "--group",
        metavar="NAME=COLUMNS",
        help="Ask how much columns matter together; the name alone of an encoded column takes its levels.",
    ),
]


@dataclass(frozen=True)
class Task:
    """The options of this file; None or nothing where one was not given."""

    name: str = "auto"
    epsilon: float | None = None
    reject_cost: float | None = None
    reject_threshold: float | None = None
    order: Sequence[str] = ()
    class_weight: str | None = None
    penalty: str | None = None
    weights: str | None = None
    privileged: Sequence[str] = ()
    groups: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Refuse, before a table is read, what no table could make sense of."""
        if self.name not in NAMES:
            raise ParameterError(f"task must be one of {', '.join(NAMES)}, not {self.name!r}")
        if self.name != "auto":
            self.check(self.name)

    def check(self, task: str) -> None:
        """Refuse options that mean nothing for the task."""
        for option, served in SERVED.items():
            if getattr(self, option) not in (None, (), []) and task not in served:
                raise ParameterError(
                    f"--{option.replace('_', '-')} means nothing for the task {task}; it is for {' or '.join(served)}"
                    + (f" (--task {served[0]})" if len(served) == 1 else "")
                )


class Question(NamedTuple):
    """An estimator that is not fitted yet, what to fit it with, and how its task was chosen."""

    estimator: Any
    X: NamedMatrix
    y: NDArray[Any]
    extra: Mapping[str, Any]
    task: str
    reason: str | None
    told: Mapping[str, Any]

    def notes(self) -> list[str]:
        """What a reader might not expect: words have no order but that of the alphabet."""
        if self.task != "ordinal" or self.y.dtype.kind in "iuf" or self.estimator.order is not None:
            return []
        classes = " < ".join(np.unique(self.y).tolist())
        return [f"the classes are words and taken in alphabetical order, {classes}; --order says otherwise"]


def ask(prepared: PreparedTable, task: Task, settings: Mapping[str, Any]) -> Question:
    """The question that a table and the options pose."""
    X, weights, privileged = _split(prepared, task)
    name, reason = (task.name, None) if task.name != "auto" else guess_task(prepared.y)
    task.check(name)
    _refuse_misfit(name, prepared)
    options: dict[str, Any] = {key: value for key, value in settings.items() if value is not None}
    given = {
        "epsilon": task.epsilon,
        "reject_cost": task.reject_cost,
        "reject_threshold": task.reject_threshold,
        "penalty": task.penalty,
        "class_weight": read_class_weight(task.class_weight, prepared.y),
        "order": read_order(task.order, prepared.y) if task.order else None,
        "feature_groups": read_groups(task.groups, X.columns, prepared.report.encoded),
    }
    options |= {key: value for key, value in given.items() if value is not None}
    if options.get("screen") and (task.groups or task.privileged):
        raise ParameterError("--screen leaves intervals out that --group and --privileged need")
    extra = {"sample_weight": weights, "privileged": privileged}
    told = {
        **({} if reason is None else {"task_guessed": reason}),
        **({} if weights is None else {"weights": task.weights}),
    }
    return Question(
        estimator_for(name, **options),
        X,
        prepared.y,
        {key: value for key, value in extra.items() if value is not None},
        name,
        reason,
        told,
    )


def _refuse_misfit(task: str, prepared: PreparedTable) -> None:
    """Words have no distances, and measurements are no classes."""
    y, target = prepared.y, prepared.report.target
    if task == "regression" and y.dtype.kind not in "iuf":
        raise DataError(f"the target {target!r} holds words such as {str(y[0])!r}; regression needs numbers")
    if task != "regression" and y.dtype.kind == "f":
        one = next((value for value in y.tolist() if value % 1), y[0])
        raise DataError(f"the target {target!r} holds numbers such as {one:g}; {task} needs classes")


def _split(prepared: PreparedTable, task: Task) -> tuple[NamedMatrix, Floats | None, NamedMatrix | None]:
    """Features, weights and privileged columns, which the table holds side by side."""
    names = list(prepared.names)
    weights = None
    if task.weights is not None:
        if task.weights not in names or task.weights in prepared.report.encoded:
            raise _not_there(task.weights, prepared, "weights are numbers")
        if task.weights in prepared.report.imputed:
            count, _ = prepared.report.imputed[task.weights]
            raise DataError(f"the weights {task.weights!r} miss {count} values, and a weight cannot be filled")
        weights = prepared.X[:, names.index(task.weights)]
        if (weights < 0).any():
            raise DataError(f"the weights {task.weights!r} hold {weights.min():g}; a weight is 0 or more")
    known: list[str] = []
    for name in split_names(task.privileged, names):
        levels = prepared.report.encoded.get(name, (name,))
        if not set(levels) <= set(names) or name == task.weights:
            raise _not_there(name, prepared, "a privileged column is neither target nor weight")
        known += levels
    public = [j for j, name in enumerate(names) if name not in known and name != task.weights]
    if not public:
        raise DataError("no column is left beside the target, weights and privileged columns")
    hidden = [j for j, name in enumerate(names) if name in known]
    return _columns(prepared, public), weights, _columns(prepared, hidden) if hidden else None


def _columns(prepared: PreparedTable, places: Sequence[int]) -> NamedMatrix:
    return NamedMatrix(prepared.X[:, list(places)], tuple(prepared.names[j] for j in places))


def _not_there(name: str, prepared: PreparedTable, rule: str) -> ParameterError | UnknownColumnError:
    report = prepared.report
    if name in (report.target, *report.dropped_columns, *report.encoded, *prepared.names):
        return ParameterError(f"column {name!r} cannot be used so: {rule}")
    return UnknownColumnError(name, prepared.names)


def read_order(words: Sequence[str], y: NDArray[Any]) -> list[Any]:
    """The classes from low to high, as the target spells them; the estimator compares them with the target's."""
    known = {str(label): label for label in np.unique(y).tolist()}
    return [known.get(word, word) for word in split_names(words, list(known))]


def read_class_weight(text: str | None, y: NDArray[Any]) -> str | dict[Any, float] | None:
    """``balanced``, or ``CLASS=W`` with commas."""
    if text is None or text == "balanced":
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


def read_groups(
    words: Sequence[str], names: Sequence[str], encoded: Mapping[str, Sequence[str]]
) -> dict[str, list[str]] | None:
    """``NAME=COLUMNS``, or the name alone of a column that was encoded; an encoded column stands for its levels."""
    groups: dict[str, list[str]] = {}
    for word in words:
        name, equals, columns = word.partition("=")
        if not equals and word not in encoded:
            raise ParameterError(f"--group {word!r} is not NAME=COLUMNS, as in size=height,width")
        members: list[str] = []
        for column in split_names([columns], names) if equals else [word]:
            members += encoded.get(column, [column])
        unknown = next((member for member in members if member not in names), None)
        if unknown is not None:
            raise UnknownColumnError(unknown, names)
        if name in groups:
            raise ParameterError(f"there are two groups {name!r}")
        groups[name] = members
    return groups or None
