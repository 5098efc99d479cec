"""``relspan alternatives``: what could take a column's place."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from relspan.cli import exploring
from relspan.cli.options import analysis as fitting
from relspan.cli.options import pins as pinning
from relspan.cli.options import table as reading
from relspan.cli.options import task as tasks
from relspan.cli.options.analysis import DEFAULTS
from relspan.cli.options.output import Output
from relspan.explore.substitutes import LEAST_EXCHANGE


def alternatives_command(
    file: reading.File,
    target: reading.Target,
    *,
    feature: Annotated[str, typer.Option(help="The column to replace.")],
    most: Annotated[int, typer.Option(min=1, help="How many alternatives to list.")] = 10,
    pin: pinning.Pins,
    without: pinning.Without,
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
    """Say in plain words what could take a column's place, the likeliest first."""
    shape = exploring.form_of(output, form)
    explorer = exploring.open_explorer(
        exploring.Table(file, target, categorical, impute, drop, separator, decimal, encoding, missing),
        pin,
        without,
        quiet,
        seed,
        [feature],
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
    found = explorer.alternatives(feature)[:most]
    competing = [a.sentence for a in found if a.exchange >= LEAST_EXCHANGE]
    text = "\n".join(competing) or f"No other relevant feature could take the place of {feature}."
    record = {
        "feature": feature,
        "alternatives": [{**asdict(a), "sentence": a.sentence} for a in found],
    }
    exploring.answer(output, shape, text, explorer, record)
