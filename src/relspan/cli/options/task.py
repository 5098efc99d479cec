"""What is asked of the target: ``--task``, the options that only some tasks have, and columns with a part of their own.

The flags of the tasks' own options are made from `relspan.tasks.TASKS`. A task that is not named is guessed from the
target, and a note gives the reason. An option that means nothing for the task is refused, never ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import NDArray

from relspan.analysis.sign_demands import SIGNS
from relspan.arrays import Floats
from relspan.checks import one_of
from relspan.cli.options.packs import Flag, generated
from relspan.errors import DataError, ParameterError
from relspan.options import option
from relspan.tables import NamedMatrix, PreparedTable, UnknownColumnError
from relspan.tables.table_options import split_names
from relspan.tasks import TASKS, Task, TaskOption, guess_task

AUTO = "auto"


def task_names() -> list[str]:
    """What ``--task`` takes."""
    return [AUTO, *TASKS]


def either(words: Sequence[str]) -> str:
    """Words of which one holds: ``a, b or c``."""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def options_of_tasks() -> dict[str, tuple[TaskOption, list[str]]]:
    """Every option that some tasks have, by name, with the names of these tasks."""
    found: dict[str, tuple[TaskOption, list[str]]] = {}
    for task in TASKS.values():
        for own in task.options:
            found.setdefault(own.name, (own, []))[1].append(task.name)
    return found


def task_flags() -> Iterator[Flag]:
    """One flag per option that only some tasks have."""
    for own, tasks in options_of_tasks().values():
        help = f"{own.help} Only for the task {either(tasks)}."
        shown = {"help": help, "metavar": own.metavar, "show_default": own.default, "flag": own.flag}
        several = own.type == list[str]
        yield Flag(own.name, own.type, () if several else None, shown)


@dataclass(frozen=True)
class TaskOptions:
    """The task, its own options as they were given, and the columns that are no features."""

    task: str = option(
        AUTO, metavar="NAME", help="Kind of target to predict; 'auto' guesses it from the values.", choices=task_names
    )
    own: Mapping[str, Any] = generated(task_flags)
    weights: str | None = option(
        None,
        metavar="NAME",
        help="Column with the weight of each row; a weight of 2 equals a repeated row.",
        show_default="none",
    )
    privileged: tuple[str, ...] = option(
        (),
        metavar="NAMES",
        help="Columns that are known now but will not be when predicting, separated by commas. They may explain how "
        "hard a row is to predict.",
    )
    adjust: tuple[str, ...] = option(
        (),
        metavar="NAMES",
        help="Columns to adjust for, such as age,sex,site: every model may use them without a price, and they are not "
        "judged. Other columns count by what they add beyond them.",
    )
    sign: tuple[str, ...] = option(
        (),
        metavar="NAME=SIGN",
        help="Demand that the weight of a column is positive or 0, as in dose=+, or negative or 0, as in age=-, in "
        "every model. May be repeated.",
    )
    group: tuple[str, ...] = option(
        (),
        metavar="NAME=COLUMNS",
        help="Report how relevant several columns are together, as in size=height,width; the name of an encoded column "
        "alone stands for its levels. May be repeated.",
    )

    def __post_init__(self) -> None:
        """Refuse, before a table is read, what no table could make sense of."""
        one_of("task", self.task, task_names())
        if self.task != AUTO:
            self.refuse_idle(TASKS[self.task])

    def refuse_idle(self, task: Task) -> None:
        """Refuse options that mean nothing for the task."""
        known = options_of_tasks()
        served = {known[name][0].flag: known[name][1] for name in self.own}
        if self.privileged:
            served["--privileged"] = [name for name, other in TASKS.items() if other.privileged]
        for flag, tasks in served.items():
            if task.name not in tasks:
                only = f" (--task {tasks[0]})" if len(tasks) == 1 else ""
                raise ParameterError(f"{flag} does not apply to the task {task.name}; it is for {either(tasks)}{only}")

    def chosen(self, y: NDArray[Any]) -> tuple[Task, str | None]:
        """The task, and why it was chosen where it was guessed."""
        name, reason = (self.task, None) if self.task != AUTO else guess_task(y)
        self.refuse_idle(TASKS[name])
        return TASKS[name], reason

    def parameters(self, y: NDArray[Any]) -> dict[str, Any]:
        """The task's own options as parameters of its estimator."""
        known = options_of_tasks()
        readers = {name: known[name][0].read for name in self.own}
        return {name: read(self.own[name], y) if (read := readers[name]) else self.own[name] for name in self.own}


class TableParts(NamedTuple):
    """A table taken apart: the features, and the columns that have another part."""

    X: NamedMatrix
    weights: Floats | None
    privileged: NamedMatrix | None
    covariates: dict[str, list[str]]
    signs: dict[str, str]
    groups: dict[str, list[str]] | None


def take_apart(prepared: PreparedTable, options: TaskOptions) -> TableParts:
    """Features, weights and privileged columns, which the table holds side by side, and groups of features."""
    weights, names = _weights(prepared, options.weights), list(prepared.names)
    private: list[str] = []
    for name in split_names(options.privileged, names):
        levels = prepared.report.encoded.get(name, (name,))
        if not set(levels) <= set(names) or name == options.weights:
            raise _not_usable(name, prepared, "a privileged column is neither target nor weight")
        private += levels
    covariates: dict[str, list[str]] = {}
    for name in split_names(options.adjust, names):
        covariates[name] = list(prepared.report.encoded.get(name, (name,)))
        if not set(covariates[name]) <= set(names) or name == options.weights or set(covariates[name]) & set(private):
            raise _not_usable(name, prepared, "a covariate is neither target, weight nor privileged column")
    public = [name for name in names if name not in private and name != options.weights]
    if not public:
        raise DataError("no column is left beside the target, weights and privileged columns")
    return TableParts(
        _columns(prepared, public),
        weights,
        _columns(prepared, [name for name in names if name in private]) if private else None,
        covariates,
        read_sign_words(options.sign, public, prepared),
        read_groups(options.group, public, prepared.report.encoded),
    )


def _weights(prepared: PreparedTable, name: str | None) -> Floats | None:
    if name is None:
        return None
    if name not in prepared.names or name in prepared.report.encoded:
        raise _not_usable(name, prepared, "weights are numbers")
    if name in prepared.report.imputed:
        count, _ = prepared.report.imputed[name]
        missing = "1 missing value" if count == 1 else f"{count} missing values"
        raise DataError(f"the weights {name!r} have {missing}, and a weight cannot be filled in")
    weights = prepared.X[:, prepared.names.index(name)]
    if (weights < 0).any():
        raise DataError(f"the weights {name!r} contain {weights.min():g}; a weight must be 0 or more")
    return weights


def _columns(prepared: PreparedTable, names: Sequence[str]) -> NamedMatrix:
    places = [prepared.names.index(name) for name in names]
    encoded = {name: columns for name, columns in prepared.report.encoded.items() if set(columns) <= set(names)}
    return NamedMatrix(prepared.X[:, places], tuple(names), encoded)


def _not_usable(name: str, prepared: PreparedTable, rule: str) -> ParameterError | UnknownColumnError:
    report = prepared.report
    if name in (report.target, *report.dropped_columns, *report.encoded, *prepared.names):
        return ParameterError(f"column {name!r} cannot be used so: {rule}")
    return UnknownColumnError(name, prepared.names)


def read_sign_words(words: Sequence[str], names: Sequence[str], prepared: PreparedTable) -> dict[str, str]:
    """``NAME=+`` or ``NAME=-``; an ordered category stands for its steps."""
    signs: dict[str, str] = {}
    for word in words:
        name, equals, sign = word.rpartition("=")
        if not equals or not name or sign.strip() not in SIGNS:
            raise ParameterError(f"--sign {word!r} is not NAME=SIGN, as in dose=+ or age=-")
        if name in names:
            columns = [name]
        elif name in prepared.report.ordered:
            columns = list(prepared.report.encoded[name])
        else:
            rule = "a sign is that of a feature, or of a category with an order; demand it of a level of others"
            raise _not_usable(name, prepared, rule)
        for column in columns:
            if signs.setdefault(column, sign.strip()) != sign.strip():
                raise ParameterError(f"--sign demands both signs of {column!r}")
    return signs


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
