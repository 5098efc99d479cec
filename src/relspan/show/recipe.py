"""How to repeat a result: a command, and a script in Python. Nothing else writes either.

Both are made from what the result records: how its table was read and prepared (`relspan.tables.TableOptions`), the
parameters that differ from the estimator's defaults, the options of its task, weights, groups, privileged columns and
pins. So what the options describe of themselves (their flags) is all that is known here of the command line.
"""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from relspan.analysis.settings import NOT_IN_THE_ANSWER, Settings
from relspan.analysis.sign_demands import SIGNS
from relspan.explore import Pin
from relspan.explore.pins import pin_from_record
from relspan.options import flag_of, flags_of, words_of
from relspan.result import RelevanceResult
from relspan.show.example_tables import DEMO_TABLE, EXAMPLE_TABLES, ExampleTable
from relspan.tables import TableOptions
from relspan.tasks.task import TASKS, Task


def command(result: RelevanceResult, verb: str = "analyze") -> str | None:
    """The command that gives the same result again.

    Parameters
    ----------
    result : RelevanceResult
        What is to be repeated.
    verb : {"analyze", "explore"}, default="analyze"
        Whether the command prints the result, or opens the explorer on it.

    Returns
    -------
    str or None
        The command, quoted for a shell; None where the table is not in a file, or the task is not registered.

    See Also
    --------
    script : The same in Python.
    """
    task, example = TASKS.get(result.task), _example(result)
    if task is None:
        return None
    seed = result.parameters.get("random_state")
    seeded = ["--seed", str(seed)] if isinstance(seed, int) else []
    if example is not None and verb == "analyze":
        usual = not _changed(result, task) and not result.parameters.get("pins")
        chosen = [] if example is DEMO_TABLE else ["--example", example.name]
        return shlex.join(["relspan", "demo", *chosen, *seeded]) if usual else None
    if example is not None:
        source = ["--example", example.name]
    elif _file(result) is not None:
        table = flags_of(TableOptions(**result.data.get("table_options", {})))
        source = [str(_file(result)), "--target", str(result.data["target"]), *table]
    else:
        return None
    words = ["relspan", verb, *source, "--task", task.name, *_flags(result, task)]
    for pin in _pins(result):
        words += pin.on_the_command_line
    return shlex.join([*words, *seeded])


def script(result: RelevanceResult) -> str | None:
    """The script in Python that gives the same result again.

    Parameters
    ----------
    result : RelevanceResult
        What is to be repeated.

    Returns
    -------
    str or None
        The script, which leaves the fitted estimator in `model`, and an explorer with the same pins in `explorer` if
        there are pins; None where the task is not registered.

    See Also
    --------
    command : The same on the command line.
    caveats : What the script cannot know.
    """
    task, example = TASKS.get(result.task), _example(result)
    if task is None:
        return None
    lines, samples = [f"from relspan import {task.estimator.__name__}"], "table.named, table.y"
    if example is not None:
        lines += example.lines
        samples = example.samples
    elif _file(result) is not None:
        lines += _reading(result)
        if _apart(result):
            lines += _taken_apart(result)
            samples = "columns(features), table.y, **more"
        samples += ", groups=table.groups" if result.data.get("groups") else ""
    else:
        lines += ["", "# X, y: the table and the target that were given"]
        samples = "X, y"
        samples += ", groups=groups" if result.data.get("groups") else ""
        samples += ", privileged=privileged" if result.privileged else ""
    given = ", ".join(f"{name}={value!r}" for name, value in _arguments(result, task).items())
    lines.append(f"model = {task.estimator.__name__}({given}).fit({samples})")
    pins = _pins(result)
    if pins:
        lines.append("explorer = model.explore()")
        lines += [f"explorer.pin({pin.feature!r}, {pin.in_python})" for pin in pins]
    lines.append("print(explorer.result)" if pins else "print(model.result_)")
    return "\n".join(lines)


def caveats(result: RelevanceResult) -> list[str]:
    """What the command and the script cannot repeat, in sentences.

    Parameters
    ----------
    result : RelevanceResult
        What is to be repeated.

    Returns
    -------
    list of str
        Empty where both repeat everything.
    """
    sentences = []
    if result.parameters.get("random_state") is None:
        sentences.append(
            "No seed was given, so random draws, such as the probes, and with them the thresholds, differ from run to "
            "run."
        )
    if result.data.get("file") == "-":
        sentences.append("The table came from standard input.")
    if isinstance(result.parameters.get("class_weight"), Mapping) and _file(result) is None:
        sentences.append("JSON holds class names as text; write them in class_weight as the target has them.")
    return sentences


# -- what the result records ---------------------------------------------------------------------------------------


def _example(result: RelevanceResult) -> ExampleTable | None:
    return next((example for example in EXAMPLE_TABLES if example.source == result.data.get("file")), None)


def _file(result: RelevanceResult) -> str | None:
    """The file that the table was read from; only a file has a hash, and standard input cannot be read again."""
    data = result.data
    if not (data.get("sha256") and data.get("target")) or data["file"] == "-" or _example(result) is not None:
        return None
    file = str(data["file"])
    return f"./{file}" if file.startswith("-") else file


def _pins(result: RelevanceResult) -> list[Pin]:
    return [pin_from_record(record) for record in result.parameters.get("pins", ())]


def _changed(result: RelevanceResult, task: Task) -> dict[str, Any]:
    """The parameters that differ from the estimator's defaults, without the seed."""
    usual = {name: p.default for name, p in inspect.signature(task.estimator).parameters.items()}
    return {
        name: value
        for name, value in result.parameters.items()
        if name in usual and name not in (*NOT_IN_THE_ANSWER, "random_state") and value != usual[name]
    }


# -- as flags ------------------------------------------------------------------------------------------------------


def _flags(result: RelevanceResult, task: Task) -> list[str]:
    """The words that give the parameters of the analysis and of the task."""
    own, options = _changed(result, task), {option.name: option for option in task.options}
    words: list[str] = []
    for f in fields(Settings):
        if f.name in own and f.name not in options:
            words += words_of(flag_of(f.name, f.metadata), own[f.name])
    for name, option in options.items():
        if own.get(name) is not None:
            words += words_of(option.flag, option.write(own[name]) if option.write is not None else own[name])
    words += ["--no-standardize"] if own.get("standardize") is False else []
    words += words_of("--weights", result.data.get("weights"))
    words += words_of("--adjust", result.data.get("adjusted_for"))
    signs = own.get("signs") or {}
    words += words_of("--sign", [f"{name}={'+' if SIGNS[sign] > 0 else '-'}" for name, sign in signs.items()])
    words += words_of("--privileged", [feature.name for feature in result.privileged])
    groups = own.get("feature_groups") or {}
    return words + words_of("--group", [f"{name}={','.join(map(str, members))}" for name, members in groups.items()])


# -- as Python -----------------------------------------------------------------------------------------------------


def _arguments(result: RelevanceResult, task: Task) -> dict[str, Any]:
    """The arguments of the estimator."""
    given = _changed(result, task)
    weight, classes = given.get("class_weight"), list(result.data.get("classes", {}))
    if isinstance(weight, Mapping) and _file(result) is not None:
        whole = all(name.lstrip("-").isdigit() for name in classes)  # then the table's target holds numbers
        given["class_weight"] = {int(name) if whole else name: value for name, value in weight.items()}
    seed = result.parameters.get("random_state")
    return {**given, "random_state": seed} if isinstance(seed, int) else given


def _reading(result: RelevanceResult) -> list[str]:
    """The lines that read the table and prepare it."""
    options = TableOptions(**result.data.get("table_options", {}))
    record = options.record()
    imports = ["prepare_table", "read_table"]
    reading = [f"{name}={record[name]!r}" for name in ("separator", "decimal", "encoding", "sheet") if name in record]
    if options.missing:
        reading.append(f"missing=MISSING | {set(options.missing)!r}")
        imports.insert(0, "MISSING")
    categorical = {"categorical": "all"} if record.get("categorical") == ["all"] else {}
    order = {name: tuple(levels) for name, levels in result.data.get("ordered", {}).items()}
    chosen = {**record, **categorical, **({"ordered": order} if order else {})}
    asked = ("categorical", "ordered", "impute", "impute_text", "drop", "groups", "event")
    preparing = [f"{name}={chosen[name]!r}" for name in asked if name in chosen]
    if _apart(result):
        imports.insert(imports.index("prepare_table"), "NamedMatrix")
    source = ", ".join([repr(str(_file(result))), *reading])
    return [
        f"from relspan.tables import {', '.join(imports)}",
        "",
        f"table = prepare_table({', '.join([f'read_table({source})', repr(result.data['target']), *preparing])})",
    ]


def _apart(result: RelevanceResult) -> list[str]:
    """The columns of the table that are not features: weights, and privileged columns."""
    return [*filter(None, [result.data.get("weights")]), *(feature.name for feature in result.privileged)]


def _taken_apart(result: RelevanceResult) -> list[str]:
    """The lines that take these columns out of the table."""
    weights, privileged = result.data.get("weights"), [feature.name for feature in result.privileged]
    more = [f"'sample_weight': columns([{weights!r}]).values[:, 0]"] if weights else []
    more += [f"'privileged': columns({privileged!r})"] if privileged else []
    return [
        "",
        "",
        "def columns(names):",
        "    return NamedMatrix(table.X[:, [table.names.index(name) for name in names]], tuple(names))",
        "",
        "",
        f"features = [name for name in table.names if name not in {_apart(result)!r}]",
        f"more = {{{', '.join(more)}}}",
    ]
