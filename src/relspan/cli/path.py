"""``relspan path``: intervals along C or along a budget."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from relspan.checks import one_of
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import AnswerOutput
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven, exit_unproven_path
from relspan.cli.table_fit import first_lines, open_explorer, origin
from relspan.errors import ParameterError
from relspan.explore import RelevancePath, Step
from relspan.explore.paths import PATH_PARAMETERS
from relspan.tables import TableOptions


def path_command(
    file: File,
    target: Target,
    *,
    along: Annotated[
        str,
        typer.Option(
            metavar="|".join(PATH_PARAMETERS),
            help="What changes along the path: C, the budget of the norm, the budget of the loss, or both budgets.",
        ),
    ] = "C",
    values: Annotated[
        str | None,
        typer.Option(metavar="NUMBERS", help="The values to visit, separated by commas.", show_default="a grid"),
    ] = None,
    classes: Annotated[
        bool,
        typer.Option(
            "--classes",
            help="Judge the features anew at every budget, and show the classes behind the intervals: s for strong, w "
            "for weak, i for irrelevant.",
        ),
    ] = False,
    output: AnswerOutput,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Show how the intervals change with C, or with how much worse than the best a model may be.

    C is the price of loss (prediction errors) in the best model. The budgets --delta-norm and --delta-loss state how
    much more norm (size of the weights) and loss an equally good model may have. Along C, the last row shows the score
    by which cross-validation judges the best model.
    """
    one_of("along", along, PATH_PARAMETERS)
    steps = numbers(values)
    explorer = open_explorer(file, target, table, task, analysis, PinOptions(), output)
    path = explorer.path(along, steps, classes=classes)
    output.write(
        "\n".join([*first_lines(explorer), path_text(path)]), {**origin(explorer), **json.loads(path.to_json())}
    )
    exit_unproven(explorer.unpinned_result)
    exit_unproven_path(path)


def numbers(text: str | None) -> list[float] | None:
    """Numbers with commas."""
    if text is None:
        return None
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise ParameterError(f"values must be numbers separated by commas, not {text!r}") from None


def path_text(path: RelevancePath) -> str:
    """One row per feature, one column per step; features that never matter are left out."""
    names = list(path.steps[0].intervals) if path.steps else []
    shown = [name for name in names if path.interval(name)[:, 1].max() > 0]
    width = max([len(name) for name in shown] + [len(path.along)])
    column = 13 if any(step.classes for step in path.steps) else 11
    lines = [f"{path.along:<{width}}  " + "  ".join(f"{value:>{column}.4g}" for value in path.values)]
    for name in shown:
        ends = zip(path.interval(name), path.steps, strict=True)
        cells = (f"{low:5.3f}-{high:5.3f}{class_letter(step, name)}" for (low, high), step in ends)
        lines.append(f"{name:<{width}}  " + "  ".join(cells))
    if path.along == "C":  # a budget does not change the best model, nor its score
        scores = ("" if step.score is None else f"{step.score:.3f}" for step in path.steps)
        lines.append(f"{'score':<{width}}  " + "  ".join(f"{score:>11}" for score in scores))
    if path.skipped:
        lines.append("no feature is used at " + ", ".join(f"{value:.4g}" for value in path.skipped))
    return "\n".join(lines)


def class_letter(step: Step, name: str) -> str:
    """The first letter of a feature's class at a step, after a space; nothing where it was not asked for."""
    return f" {step.classes[name][0]}" if step.classes else ""
