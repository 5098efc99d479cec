"""The current session as code: the same pins on the same table, in Python or on the command line."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from relspan.explore.pins import Pin
from relspan.show.recipe import FLAGS
from relspan.tasks import TASKS

EMBEDDED = {"breast cancer": "breast_cancer", "diabetes": "diabetes"}


def as_python(
    source: str,
    sample: str | None,
    task: str,
    choice: dict[str, Any],
    settings: dict[str, Any],
    pins: Sequence[Pin],
) -> str:
    """A script that gives the same intervals."""
    estimator = TASKS[task].estimator.__name__
    given = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    lines = [f"from relspan import {estimator}"]
    if sample in EMBEDDED:
        lines += [f"from relspan.tables.examples import {EMBEDDED[sample]}", "", f"table = {EMBEDDED[sample]}()"]
    elif sample is not None:
        lines += ["from relspan.browser.open_table import open_sample", "", f"table = open_sample({sample!r}).prepared"]
    else:
        lines += ["from relspan.tables import prepare_table, read_table", "", _prepare(source, choice)]
    lines += [f"ex = {estimator}({given}).fit(table.named, table.y).explore()"]
    if pins:
        lines += [f"ex.pin_all({{{', '.join(f'{pin.feature!r}: {pin.in_python}' for pin in pins)}}})"]
    return "\n".join([*lines, "print(ex.result)", ""])


def as_command(
    source: str,
    sample: str | None,
    task: str,
    choice: dict[str, Any],
    settings: dict[str, Any],
    pins: Sequence[Pin],
) -> str:
    """The command that opens the explorer at the same place."""
    words = ["relspan", "explore", *(["--sample", sample] if sample else [source, "--target", str(choice["target"])])]
    words += ["--task", task] if task != "classification" else []
    if choice.get("impute"):
        words += ["--impute", choice["impute"]]
    for name in choice.get("drop") or []:
        words += ["--drop", name]
    if choice.get("text") == "encode":
        words += ["--categorical", "all"]
    for name, value in settings.items():
        words += [FLAGS[name], str(value)] if name in FLAGS else []
    if settings.get("random_state"):
        words += ["--seed", str(settings["random_state"])]
    for pin in pins:
        words += pin.on_the_command_line
    return shlex.join(words)


def _prepare(source: str, choice: dict[str, Any]) -> str:
    more = [f"impute={choice['impute']!r}"] if choice.get("impute") else []
    more += [f"drop={choice['drop']!r}"] if choice.get("drop") else []
    more += ["categorical='all'"] if choice.get("text") == "encode" else []
    return f"table = prepare_table({', '.join([f'read_table({source!r})', repr(choice['target']), *more])})"
