"""The options of an analysis: the settings of `relspan.analysis`, and what an estimator takes beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, get_type_hints

from relspan.analysis.settings import Settings
from relspan.checks import one_of
from relspan.cli.options.packs import Flag, flag_of_field, generated
from relspan.estimators.null_model import ON_NULL
from relspan.options import option
from relspan.tasks import TASKS


def setting_flags() -> Iterator[Flag]:
    """One flag per setting. One that was not given is left to the estimator: its default may depend on the task."""
    hints = get_type_hints(Settings)
    of_tasks = {option.name for task in TASKS.values() for option in task.options}
    for f in fields(Settings):
        if f.name not in of_tasks:
            flag = flag_of_field(f, hints[f.name])
            unset = False if flag.type is bool else None
            kind = str if flag.type == (float | str) else flag.type  # a number or a word; `_read` distinguishes them
            yield Flag(flag.name, kind, unset, {"show_default": _shown_default(f.name), **flag.metadata})


def _read(name: str, value: Any) -> Any:
    """A setting as it was given, as a number where it may be one or a word."""
    if isinstance(value, str) and get_type_hints(Settings)[name] == (float | str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _shown_default(name: str) -> str | bool:
    """How help shows the default of a setting, with the tasks that have another."""
    usual = getattr(Settings(), name)
    own = {task.name: getattr(task.estimator(), name, usual) for task in TASKS.values()}
    others = [f"{task} {value}" for task, value in own.items() if value != usual]
    return False if usual is False else "; ".join([str(usual), *others])


@dataclass(frozen=True)
class AnalysisOptions:
    """The settings that were given, and the estimator's other parameters."""

    settings: Mapping[str, Any] = generated(setting_flags)
    no_standardize: bool = option(False, help="Do not scale the columns to mean 0 and standard deviation 1.")
    seed: int = option(
        0, help="Seed of the folds, probes and other random choices; the same seed gives the same result."
    )
    on_null: str = option(
        ON_NULL[0],
        metavar="|".join(ON_NULL),
        help="What to do where the best model uses no feature: report every feature as irrelevant, with a warning, or "
        "stop with an error.",
    )
    checkpoint: str | None = option(
        None,
        metavar="FILE",
        help="File that keeps finished parts of the analysis; the same command continues from it.",
        show_default="none",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", {name: _read(name, value) for name, value in self.settings.items()})
        Settings(**self.settings)  # refuse what means nothing before a table is read
        one_of("on_null", self.on_null, ON_NULL)

    def parameters(self) -> dict[str, Any]:
        """The parameters of the estimator."""
        return {
            **self.settings,
            "standardize": not self.no_standardize,
            "random_state": self.seed,
            "on_null": self.on_null,
            "checkpoint": self.checkpoint,
        }
