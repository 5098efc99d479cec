"""How to get the same result again: the call in Python, and the command line."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Mapping
from typing import Any

from relspan.explore.pins import pin_from_record
from relspan.result import RelevanceResult
from relspan.tasks import TASKS

FLAGS = {
    "C": "--C",
    "delta_norm": "--delta-norm",
    "delta_loss": "--delta-loss",
    "loss_budget": "--loss-budget",
    "n_probes": "--n-probes",
    "probes": "--probes",
    "alpha": "--alpha",
    "control": "--control",
    "engine": "--engine",
    "penalty": "--penalty",
    "epsilon": "--epsilon",
    "reject_cost": "--reject-cost",
    "reject_threshold": "--reject-threshold",
}
EMBEDDED = {
    "scikit-learn: breast cancer Wisconsin (diagnostic)": "breast_cancer",
    "scikit-learn: diabetes": "diabetes",
}
UNASKED = ("n_jobs", "progress", "checkpoint")  # they do not change the answer


def own_settings(result: RelevanceResult) -> dict[str, Any]:
    """The parameters that differ from the estimator's own, and the seed."""
    usual = {name: p.default for name, p in inspect.signature(TASKS[result.task].estimator).parameters.items()}
    told = dict(result.parameters)
    given = {name: value for name, value in told.items() if name in usual and name not in UNASKED}
    return {name: value for name, value in given.items() if value != usual[name] or name == "random_state"}


def table_file(result: RelevanceResult) -> bool:
    """Whether the table was read from a file that can be read again: only a file has a hash."""
    data = result.data
    return bool(data.get("sha256") and data.get("target")) and data.get("file") != "-" and data["format"] != "embedded"


def in_python(result: RelevanceResult) -> str | None:
    """A script; None for a task that has no estimator of its own here."""
    if result.task not in TASKS:
        return None
    data, kind = result.data, TASKS[result.task].estimator.__name__
    given = ", ".join(f"{name}={value!r}" for name, value in own_settings(result).items())
    lines, samples = [f"from relspan import {kind}"], "X, y"
    if table_file(result):
        more = [f"drop={list(data['dropped_columns'])!r}"] if data.get("dropped_columns") else []
        more += [f"categorical={list(data['encoded'])!r}"] if data.get("encoded") else []
        more += ["impute='drop'"] if data.get("dropped_lines") else []
        read = ", ".join([f"read_table({data['file']!r})", repr(data["target"]), *more])
        lines += ["from relspan.tables import prepare_table, read_table", "", f"table = prepare_table({read})"]
        samples = "table.named, table.y"
    elif data.get("file") in EMBEDDED:
        name = EMBEDDED[data["file"]]
        lines += [f"from relspan.tables.examples import {name}", "", f"table = {name}()"]
        samples = "table.named, table.y"
    else:
        lines += ["", "# X, y: the table and the target, as they were given"]
        samples += ", privileged=privileged" if result.privileged else ""
    if table_file(result) and _apart(result):
        lines[1] = "from relspan.tables import NamedMatrix, prepare_table, read_table"
        lines += _set_apart(result)
        samples = "columns(public), table.y, **more"
    lines += [f"model = {kind}({given}).fit({samples})", "print(model.result_)"]
    pins = result.parameters.get("pins", ())
    if pins:
        lines.append("explorer = model.explore()")
        lines += [f"explorer.pin({pin['feature']!r}, {pin_from_record(pin).in_python})" for pin in pins]
        lines.append("print(explorer.result)")
    return "\n".join(lines)


def on_the_command_line(result: RelevanceResult) -> str | None:
    """A command; None where the table did not come from a file."""
    if result.task not in TASKS:
        return None
    data, given = result.data, result.parameters
    seed = ["--seed", str(given["random_state"])] if isinstance(given.get("random_state"), int) else []
    if EMBEDDED.get(data.get("file", "")) == "breast_cancer":
        usual = set(own_settings(result)) <= {"random_state"} and not given.get("pins")
        return shlex.join(["relspan", "demo", *seed]) if usual else None
    if not table_file(result):
        return None
    words = ["relspan", "analyze", data["file"], "--target", str(data.get("target"))]
    words += ["--task", result.task] if result.task != "classification" else []
    own = own_settings(result)
    for name, flag in FLAGS.items():
        words += [flag, str(own[name])] if own.get(name) is not None else []
    words += _of_the_task(result, own)
    words += ["--screen"] if given.get("screen") else []
    words += ["--no-standardize"] if given.get("standardize") is False else []
    for flag, names in (("--drop", data.get("dropped_columns")), ("--categorical", data.get("encoded"))):
        words += [flag, ",".join(names)] if names else []
    words += ["--impute", "drop"] if data.get("dropped_lines") else []
    for pin in given.get("pins", ()):
        words += pin_from_record(pin).on_the_command_line
    return shlex.join([*words, *seed])


def _of_the_task(result: RelevanceResult, own: dict[str, Any]) -> list[str]:
    """The options of a command that hold more than a word or a number."""
    weight, order = own.get("class_weight"), own.get("order")
    if isinstance(weight, Mapping):
        weight = ",".join(f"{label}={value!r}" for label, value in weight.items())
    words = ["--class-weight", weight] if weight else []
    for label in order or ():
        words += ["--order", str(label)]
    words += ["--weights", result.data["weights"]] if "weights" in result.data else []
    for feature in result.privileged:
        words += ["--privileged", feature.name]
    for name, members in (own.get("feature_groups") or {}).items():
        words += ["--group", f"{name}={','.join(map(str, members))}"]
    return words


def _apart(result: RelevanceResult) -> list[str]:
    """Columns of the table that are no features: weights, and what is privileged."""
    return [*filter(None, [result.data.get("weights")]), *(feature.name for feature in result.privileged)]


def _set_apart(result: RelevanceResult) -> list[str]:
    """Lines of a script that take these columns out of the table."""
    weights, privileged = result.data.get("weights"), tuple(feature.name for feature in result.privileged)
    more = [f"'sample_weight': columns([{weights!r}]).values[:, 0]"] if weights else []
    more += [f"'privileged': columns({privileged!r})"] if privileged else []
    return [
        "",
        "",
        "def columns(names):",
        "    return NamedMatrix(table.X[:, [table.names.index(name) for name in names]], tuple(names))",
        "",
        "",
        f"public = [name for name in table.names if name not in {_apart(result)!r}]",
        f"more = {{{', '.join(more)}}}",
    ]


def caveats(result: RelevanceResult) -> list[str]:
    """What the recipes leave open."""
    data, said = result.data, []
    if result.parameters.get("random_state") is None:
        said.append("No seed was given: folds and permuted columns, and so thresholds, differ from run to run.")
    if data.get("imputed"):
        said.append("Missing values were filled before; fill them in the same way.")
    if isinstance(result.parameters.get("class_weight"), Mapping):
        said.append("JSON knows classes as text: in Python, write them in class_weight as the target has them.")
    return said
