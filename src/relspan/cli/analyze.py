"""``relspan analyze``: the relevance interval and the class of every column of a table."""

from __future__ import annotations

from typing import Any

import typer

from relspan.analysis.pipeline import TOLERANCE
from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options import analysis as fitting
from relspan.cli.options import pins as pinning
from relspan.cli.options import table as reading
from relspan.cli.options import task as tasks
from relspan.cli.options.analysis import DEFAULTS, estimate, fit
from relspan.cli.options.output import Destination, Everything, Format, Output, SaveModel, destination, writable
from relspan.errors import ParameterError
from relspan.result import RelevanceResult


def analyze_command(
    file: reading.File,
    target: reading.Target,
    *,
    output: Output = "-",
    form: Format = None,
    everything: Everything = False,
    save_model: SaveModel = None,
    quiet: fitting.Quiet = False,
    pin: pinning.Pins,
    without: pinning.Without,
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
    penalty: tasks.Penalty = None,
    weights: tasks.Weights = None,
    privileged: tasks.PrivilegedColumns,
    group: tasks.Groups,
    C: fitting.Cost = DEFAULTS.C,
    delta_norm: fitting.DeltaNorm = DEFAULTS.delta_norm,
    delta_loss: fitting.DeltaLoss = None,
    loss_budget: fitting.LossBudget = DEFAULTS.loss_budget,
    n_probes: fitting.ProbeCount = DEFAULTS.n_probes,
    probes: fitting.ProbeKind = DEFAULTS.probes,
    alpha: fitting.Alpha = DEFAULTS.alpha,
    control: fitting.Control = DEFAULTS.control,
    no_standardize: fitting.AsTheyAre = False,
    engine: fitting.EngineName = DEFAULTS.engine,
    screen: fitting.Screen = False,
    jobs: fitting.Jobs = DEFAULTS.n_jobs,
    seed: fitting.Seed = 0,
    checkpoint: fitting.CheckpointFile = None,
) -> None:
    """Tell for every column how much it can, and how much it must, matter for the target."""
    where = destination(output, form)
    if save_model:
        writable(save_model)
    settings: dict[str, Any] = {
        "task": tasks.Task(
            task,
            epsilon,
            reject_cost,
            reject_threshold,
            order,
            class_weight,
            penalty,
            weights,
            privileged,
            group,
        ),
        "C": C,
        "delta_norm": delta_norm,
        "delta_loss": delta_loss,
        "loss_budget": loss_budget,
        "n_probes": n_probes,
        "probes": probes,
        "alpha": alpha,
        "control": control,
        "engine": engine,
        "screen": screen,
        "n_jobs": jobs,
    }
    fitting.check(settings)
    explored = bool(pin or without or save_model)
    if explored and screen:
        raise ParameterError("--screen leaves intervals out, and --pin, --without and --save-model need all of them")
    prepared = reading.load(
        file,
        target,
        categorical=categorical,
        impute=impute,
        drop=drop,
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        missing=missing,
        quiet=quiet,
    )
    demands = pinning.read_pins(pin, without, prepared.names)
    settings |= {"standardize": not no_standardize, "random_state": seed, "checkpoint": checkpoint}
    if explored:
        explorer = estimate(prepared, quiet=quiet, **settings).explore().pin_all(demands)
        if save_model:
            explorer.save(save_model)
        result = explorer.result
    else:
        result = fit(prepared, quiet=quiet, **settings)
    deliver(result, where, everything, quiet)


def deliver(result: RelevanceResult, where: Destination, everything: bool, quiet: bool) -> None:
    """Write the result; one that is partial, or not proven to the usual tolerance, has an exit code of its own."""
    where.write(result, everything)
    if where.format == "csv":
        left_out = [word for word in ("privileged", "groups", "details") if getattr(result, word)]
        left_out += ["parts"] if any(f.parts for f in result.features) else []
        if left_out and not quiet:
            typer.echo(f"the csv holds the features; the json also has: {', '.join(left_out)}", err=True)
    if result.partial:
        complain(interruption(result))
        raise typer.Exit(ExitCode.INTERRUPTED)
    if where.path != "-" and not quiet:
        found = ", ".join(f"{len(result.names(kind))} {kind}" for kind in ("strong", "weak", "irrelevant"))
        found += f", {len(result.left_out)} left out" if result.left_out else ""
        typer.echo(f"{found}: {where.format} in {where.path}", err=True)
    if result.largest_gap > TOLERANCE:
        raise typer.Exit(ExitCode.SOLVER)


def interruption(result: RelevanceResult) -> str:
    """What an interrupted run leaves, and how to go on."""
    done, all_ = len(result.features), len(result.features) + len(result.unfinished)
    file = result.parameters["checkpoint"]
    resume = f"the same command goes on from {file}" if file else "with --checkpoint FILE a run can go on later"
    return f"interrupted: the result is partial, with {done} of {all_} intervals and no classes; {resume}"
