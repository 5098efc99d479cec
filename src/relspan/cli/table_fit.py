"""From a table and the options of a command to a result, a fitted estimator, or an open explorer."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relspan.cli.exit_codes import complain
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.pins import PinOptions, refuse_unknown
from relspan.cli.options.table import load
from relspan.cli.options.task import TaskOptions, take_apart
from relspan.cli.progress_bar import reported
from relspan.errors import ParameterError, RelspanWarning
from relspan.explore import Explorer
from relspan.explore.pins import pin_record
from relspan.progress import Interrupted
from relspan.result import RelevanceResult
from relspan.show.account import nothing_called, table_test
from relspan.tables import PreparedTable, TableOptions
from relspan.tables.table_options import split_names
from relspan.tasks import Task, estimator_for


def fit(
    prepared: PreparedTable, task: TaskOptions, analysis: AnalysisOptions, output: OutputOptions
) -> RelevanceResult:
    """Analyse a table; interrupted, the result is partial."""
    try:
        result: RelevanceResult = estimate(prepared, task, analysis, output).result_
    except Interrupted as stop:
        if not isinstance(stop.partial, RelevanceResult):
            raise
        result = stop.partial
    return result


def estimate(
    prepared: PreparedTable,
    options: TaskOptions,
    analysis: AnalysisOptions,
    output: OutputOptions,
    explored: bool = False,
) -> Any:
    """Fit the task's estimator to a table; what its reader should know goes to stderr, once.

    The result records the table and how the task was chosen. `explored` refuses, before any work is done, what could
    not be explored.
    """
    parts = take_apart(prepared, options)
    task, reason = options.chosen(prepared.y)
    task.refuse_target(prepared.y, prepared.report.target)
    if explored:
        refuse_unexplorable(task, reason, prepared.y, options)
    if analysis.settings.get("screen") and (options.group or options.privileged):
        raise ParameterError("--screen skips some intervals that --group and --privileged need; leave out --screen")
    own = options.parameters(prepared.y)
    given = {**analysis.parameters(), **own, **({"feature_groups": parts.groups} if parts.groups else {})}
    given |= {"covariates": [name for each in parts.covariates.values() for name in each]} if parts.covariates else {}
    given |= {"signs": parts.signs} if parts.signs else {}
    given |= {"on_null": "raise"} if explored else {}  # without a feature that helps there is nothing to explore
    estimator = estimator_for(task.name, **given)
    extra = {"sample_weight": parts.weights, "groups": prepared.groups, "privileged": parts.privileged}
    extra = {name: value for name, value in extra.items() if value is not None}
    if reason is not None:
        output.note(f"task {task.name}: {reason}")
    stopped = None
    several_weights = task.target_not_explorable(prepared.y) is not None
    categories = parts.X.categories.values()
    can_screen = not (explored or options.group or options.privileged or several_weights or any(categories))
    spare = sum(len(columns) - 1 for columns in categories)  # a category is one feature
    about = f"analysing {len(parts.X.columns) - spare} features, {len(prepared.y)} rows"
    with (
        reported(about, output.quiet, ways_to_shorten(analysis, can_screen)) as progress,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always", RelspanWarning)  # most of them are in the result, and reported below
        try:
            estimator.set_params(progress=progress).fit(parts.X, prepared.y, **extra)
        except Interrupted as stop:
            stopped = stop
    others = [one for one in caught if not issubclass(one.category, RelspanWarning)]
    for one in others:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    result = estimator.result_ if stopped is None else stopped.partial
    if isinstance(result, RelevanceResult):
        texts = [str(one.message) for one in caught if issubclass(one.category, RelspanWarning)]
        while_running = [text for text in texts if text not in result.warnings]
        for remark in (*task.remarks(prepared.y, own), *while_running, *result.warnings):
            complain(f"warning: {remark}")
        facts = {
            **prepared.report.facts_beside(result.data),
            **({} if reason is None else {"task_guessed": reason}),
            **({} if parts.weights is None else {"weights": options.weights}),
            **({"adjusted_for": list(parts.covariates)} if parts.covariates else {}),
        }
        result = replace(result, data=facts)
    if stopped is not None:
        raise Interrupted(result) from stopped
    estimator.result_, estimator.progress = result, None
    return estimator


def ways_to_shorten(analysis: AnalysisOptions, can_screen: bool) -> str:
    """How a long run becomes shorter, by options that were not given; the first ones cost nothing."""
    given, ways = analysis.settings, []
    if given.get("n_jobs") is None and (os.cpu_count() or 1) > 1:
        ways.append(f"--jobs {os.cpu_count()} uses all cores")
    if can_screen and not given.get("screen"):
        ways.append("--screen skips the exact intervals of features already proven irrelevant")
    if not analysis.checkpoint:
        ways.append("--checkpoint FILE keeps what is finished, so that the run can be stopped and continued")
    return f"To shorten it: {'; '.join(ways)}." if ways else ""


def refuse_unexplorable(task: Task, reason: str | None, y: np.ndarray, options: TaskOptions) -> None:
    """Pins, panels, paths and predictions need one weight per feature."""
    if options.privileged:
        raise ParameterError("privileged columns cannot be explored; leave them out with --drop")
    if options.group:
        raise ParameterError("--group cannot be combined with --pin, --without or --save-model; run it separately")
    obstacle = task.target_not_explorable(y)
    if obstacle is not None:
        guess = "" if reason is None else f" (a guess: {reason})"
        raise ParameterError(f"task {task.name}{guess}: {obstacle}")


def open_explorer(
    file: str,
    target: str,
    table: TableOptions,
    task: TaskOptions,
    analysis: AnalysisOptions,
    pins: PinOptions,
    output: OutputOptions,
    mentioned: Sequence[str] = (),
) -> Explorer:
    """Analyse a table and pin what was asked for; `mentioned` are names of features that the question needs."""
    return explorer_of(load(file, target, table, output), task, analysis, pins, output, mentioned)


def explorer_of(
    prepared: PreparedTable,
    task: TaskOptions,
    analysis: AnalysisOptions,
    pins: PinOptions,
    output: OutputOptions,
    mentioned: Sequence[str] = (),
) -> Explorer:
    """The same of a table that was prepared already."""
    known = prepared.known_names
    demands = pins.demands(known)
    refuse_unknown(split_names(mentioned, known), known)
    explorer: Explorer = estimate(prepared, task, analysis, output, explored=True).explore()
    return explorer.pin_all(demands) if demands else explorer


def first_lines(explorer: Explorer) -> list[str]:
    """The lines that an answer begins with: that no feature is called relevant, where this is so, and the pins."""
    result = explorer.unpinned_result
    lines = [table_test(result).sentence] if nothing_called(result) else []
    return [*lines, *([f"Under these pins: {', '.join(map(str, explorer.pins))}"] if explorer.pins else [])]


def origin(explorer: Explorer) -> dict[str, Any]:
    """Where an explorer's answers come from, for their JSON: versions, table, parameters and pins."""
    result = explorer.result
    return {
        "versions": result.versions,
        "passed": result.passed,
        "data": result.data,
        "parameters": {**result.parameters, "pins": [pin_record(pin) for pin in explorer.pins]},
    }
