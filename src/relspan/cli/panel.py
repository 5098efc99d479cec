"""``relspan panel``: the fewest or cheapest columns from which an equally good model can be made."""

from __future__ import annotations

from dataclasses import asdict
from time import perf_counter
from typing import Annotated

import numpy as np
import typer

from relspan.cli import exploring
from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options import analysis as fitting
from relspan.cli.options import pins as pinning
from relspan.cli.options import table as reading
from relspan.cli.options import task as tasks
from relspan.cli.options.analysis import DEFAULTS
from relspan.cli.options.output import Output
from relspan.errors import DataError, SolverError
from relspan.explore import Panel
from relspan.show.account import by_key
from relspan.tables import read_table
from relspan.tables.table_options import split_names


def panel_command(
    file: reading.File,
    target: reading.Target,
    *,
    costs: Annotated[str | None, typer.Option(metavar="FILE", help="Names and costs; else all cost 1.")] = None,
    must: Annotated[
        list[str], typer.Option(metavar="NAMES", help="In every panel.", default_factory=list, show_default=False)
    ],
    limit: Annotated[int, typer.Option(min=1, help="How many minimal panels to list, the cheapest first.")] = 1,
    time_limit: Annotated[float, typer.Option(min=0.0, help="Seconds for the search.")] = 60.0,
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
    """Find the fewest (or cheapest) columns from which a model as good as the best can be made."""
    shape = exploring.form_of(output, form)
    prices = None if costs is None else read_costs(costs)
    explorer = exploring.open_explorer(
        exploring.Table(file, target, categorical, impute, drop, separator, decimal, encoding, missing),
        pin,
        without,
        quiet,
        seed,
        [*must, *(prices or ())],
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
    needed = split_names(must, explorer.feature_names)

    begun, last = perf_counter(), [-np.inf]

    def report(stage: str, share: float | None, note: str = "") -> None:
        seconds = perf_counter() - begun
        if not quiet and seconds - last[0] >= 2:  # bounds creep: not every step is news
            last[0] = seconds
            typer.echo(f"{seconds:7.1f} s  {note}", err=True)

    found = explorer.minimal_panels(limit, costs=prices, include=needed, time_limit=time_limit, progress=report)
    if not found:
        raise SolverError(f"no panel was found in {time_limit:g} seconds; allow more with --time-limit")
    text = "\n".join([*map(str, found), by_key(explorer.unpinned_result)["equally_good"].sentence])
    exploring.answer(output, shape, text, explorer, {"panels": [panel_record(panel) for panel in found]})
    if not found[-1].proven:
        complain(f"the last panel is not proven in {time_limit:g} seconds; allow more with --time-limit")
        raise typer.Exit(ExitCode.SOLVER)


def panel_record(panel: Panel) -> dict[str, object]:
    """A panel as JSON has it."""
    record = asdict(panel)
    for room in (
        "share_of_norm_budget",
        "share_of_loss_budget",
    ):  # infinite where there is no room at all, which JSON cannot say
        record["model"][room] = record["model"][room] if np.isfinite(record["model"][room]) else None
    return {**record, "gap": panel.gap, "proven": panel.proven}


def read_costs(file: str) -> dict[str, float]:
    """Names and costs from the first two columns of a table."""
    reading.refuse_absent(file)
    table = read_table(file)
    if len(table.names) != 2 or not table.is_numeric(table.names[1]):
        raise DataError(f"{file!r} must have two columns, names and costs (numbers), not {', '.join(table.names)}")
    names, prices = table.columns
    return {str(name): float(price) for name, price in zip(names, prices, strict=True)}
