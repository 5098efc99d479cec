"""``relspan path``: intervals along C or along a budget."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from relspan.cli import exploring
from relspan.cli.options import analysis as fitting
from relspan.cli.options import table as reading
from relspan.cli.options import task as tasks
from relspan.cli.options.analysis import DEFAULTS
from relspan.cli.options.output import Output
from relspan.errors import ParameterError
from relspan.explore import RelevancePath

ALONG = ("C", "delta_norm", "delta_loss", "delta")


def path_command(
    file: reading.File,
    target: reading.Target,
    *,
    along: Annotated[str, typer.Option(metavar="|".join(ALONG), help="What changes.")] = "C",
    values: Annotated[str | None, typer.Option(help="Values with commas.", show_default="a grid")] = None,
    output: Output = "-",
    form: exploring.Format = None,
    quiet: fitting.Quiet = False,
    categorical: reading.Categorical,
    impute: reading.Impute = None,
    drop: reading.Drop,
    separator: reading.Separator = None,
    decimal: reading.Decimal = None,
    encoding: reading.Encoding = "utf-8",
    missing: reading.Missing,
    task: tasks.Name = "auto",
    epsilon: tasks.Epsilon = None,
    reject_cost: tasks.RejectCost = None,
    reject_threshold: tasks.RejectThreshold = None,
    order: tasks.Order,
    class_weight: tasks.ClassWeight = None,
    weights: tasks.Weights = None,
    C: fitting.Cost = DEFAULTS.C,
    delta_norm: fitting.DeltaNorm = DEFAULTS.delta_norm,
    delta_loss: fitting.DeltaLoss = None,
    loss_budget: fitting.LossBudget = DEFAULTS.loss_budget,
    n_probes: fitting.ProbeCount = DEFAULTS.n_probes,
    jobs: fitting.Jobs = DEFAULTS.n_jobs,
    seed: fitting.Seed = 0,
) -> None:
    """Show how the intervals change with C, or with how much worse a model may be."""
    shape, steps = exploring.form_of(output, form), numbers(values)
    if along not in ALONG:
        raise ParameterError(f"a path goes along one of {', '.join(ALONG)}, not {along!r}")
    explorer = exploring.open_explorer(
        exploring.Table(file, target, categorical, impute, drop, separator, decimal, encoding, missing),
        [],
        [],
        quiet,
        seed,
        task=tasks.Task(
            task,
            epsilon,
            reject_cost,
            reject_threshold,
            order,
            class_weight,
            weights=weights,
        ),
        C=C,
        delta_norm=delta_norm,
        delta_loss=delta_loss,
        loss_budget=loss_budget,
        n_probes=n_probes,
        n_jobs=jobs,
    )
    path = explorer.path(along, steps)
    exploring.answer(output, shape, path_text(path), explorer, json.loads(path.to_json()))


def numbers(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise ParameterError(f"values must be numbers with commas, not {text!r}") from None


def path_text(path: RelevancePath) -> str:
    """A row a feature, a column a step; features that never matter are counted."""
    names = list(path.steps[0].intervals) if path.steps else []
    shown = [name for name in names if path.interval(name)[:, 1].max() > 0]
    width = max([len(name) for name in shown] + [len(path.along)])
    lines = [f"{path.along:<{width}}  " + "  ".join(f"{value:>11.4g}" for value in path.values)]
    for name in shown:
        cells = (f"{low:5.3f}-{high:5.3f}" for low, high in path.interval(name))
        lines.append(f"{name:<{width}}  " + "  ".join(cells))
    if path.along == "C":  # a budget does not change the best model, nor its score
        scores = ("" if step.score is None else f"{step.score:.3f}" for step in path.steps)
        lines.append(f"{'score':<{width}}  " + "  ".join(f"{score:>11}" for score in scores))
    if path.skipped:
        lines.append("no feature is used at " + ", ".join(f"{value:.4g}" for value in path.skipped))
    return "\n".join(lines)
