"""The options of an analysis, and the analysis itself: from prepared numbers to a result."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Annotated, Any

import typer

from relspan.analysis.settings import Settings
from relspan.cli.exit_codes import complain
from relspan.cli.options.task import Task, ask
from relspan.cli.progress_bar import reported
from relspan.engines import ENGINES
from relspan.errors import ParameterError, RelspanWarning
from relspan.estimators.base import RelevanceEstimator
from relspan.progress import Interrupted
from relspan.result import RelevanceResult
from relspan.tables import PreparedTable
from relspan.tasks import TASKS, RelevanceRegressor, estimator_for

DEFAULTS = Settings()
DEFAULT_OF_REGRESSION = RelevanceRegressor().delta_loss
PANEL = "Analysis"


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=PANEL, **more)


Cost = Annotated[
    float | None, _option("--C", "-C", help="Price of loss in the best model.", show_default="by cross-validation")
]
DeltaNorm = Annotated[float, _option("--delta-norm", help="Norm beyond the best model's that is allowed, as a share.")]
DeltaLoss = Annotated[
    float | None,
    _option(
        "--delta-loss",
        help="Loss beyond the best model's that is allowed, as a share.",
        show_default=f"{DEFAULTS.delta_loss}; regression {DEFAULT_OF_REGRESSION}",
    ),
]
LossBudget = Annotated[
    str,
    _option(
        "--loss-budget",
        metavar="KIND",
        help="Share of what: 'explained' loss, 'relative' to the loss left, or 'combined' with the norm.",
    ),
]
ProbeCount = Annotated[int, _option("--n-probes", help="Permuted columns that tell how far chance reaches.")]
ProbeKind = Annotated[
    str, _option("--probes", metavar="KIND", help="Probes 'append' to the table, or 'replace' a column.")
]
Alpha = Annotated[float, _option("--alpha", help="Chance of a false 'relevant'.")]
Control = Annotated[
    str, _option("--control", metavar="KIND", help="Alpha is for all features, 'familywise', or 'per_feature'.")
]
AsTheyAre = Annotated[bool, _option("--no-standardize", help="Do not scale columns to mean 0 and deviation 1.")]
EngineName = Annotated[
    str, _option("--engine", metavar="NAME", help=f"Solver of the linear programs: auto, {', '.join(ENGINES)}.")
]
Screen = Annotated[
    bool, _option("--screen", help="No programs for features proven irrelevant without: only a bound is told, '<='.")
]
Jobs = Annotated[
    int | None, _option("--jobs", "-j", help="Processes; -1 takes all cores. The answer is the same.", show_default="1")
]
Seed = Annotated[int, _option("--seed", help="Of folds and probes; the same seed gives the same answer.")]
CheckpointFile = Annotated[
    str | None,
    _option(
        "--checkpoint",
        metavar="FILE",
        help="Keep finished blocks in FILE; the same command goes on from it.",
        show_default="none",
    ),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No progress and notes; only warnings and errors.", rich_help_panel="Output"),
]


def check(settings: dict[str, Any]) -> None:
    """Refuse a parameter that means nothing, before a table is read."""
    Settings(**{key: value for key, value in settings.items() if key != "task" and value is not None})


def fit(prepared: PreparedTable, *, quiet: bool = False, **settings: Any) -> RelevanceResult:
    """Analyse a table; what its reader should know goes to stderr, once. Interrupted, the result is partial."""
    return _analysed(prepared, quiet, settings)[1]


def estimate(prepared: PreparedTable, *, quiet: bool = False, **settings: Any) -> RelevanceEstimator:
    """The same, as a fitted estimator that can be explored; an interruption is passed on."""
    estimator, result = _analysed(prepared, quiet, settings, explored=True)
    estimator.result_ = result
    return estimator


def _analysed(
    prepared: PreparedTable, quiet: bool, settings: dict[str, Any], explored: bool = False
) -> tuple[RelevanceEstimator, RelevanceResult]:
    """The setting "task" is what is asked of the target, a Task; all others are the estimator's."""
    asked = settings.pop("task", None) or Task()
    question = ask(prepared, asked, settings)
    if explored:
        refuse_unexplored(question.task, question.reason, asked, question.y)
    if question.reason is not None and not quiet:
        typer.echo(f"task {question.task}: {question.reason}", err=True)
    stage = f"analysing {len(question.X.columns)} features, {len(question.y)} rows"
    with reported(stage, quiet) as progress, warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)  # they are in the result, and told below
        estimator = question.estimator.set_params(progress=progress)
        try:
            result = estimator.fit(question.X, question.y, **question.extra).result_
        except Interrupted as stop:
            if explored:
                raise
            result = stop.partial
    for remark in (*question.notes(), *result.warnings):
        complain(f"warning: {remark}")
    return estimator, replace(result, data={**result.data, **prepared.report.facts(), **question.told})


def refuse_unexplored(task: str, reason: str | None, asked: Task, y: Any) -> None:
    """Pins, panels, paths and predictions need one weight a feature."""
    if asked.privileged:
        raise ParameterError("privileged columns cannot be explored; leave them out with --drop")
    if asked.groups:
        raise ParameterError("--group is answered for the whole family, without --pin, --without and --save-model")
    obstacle = TASKS[task].target_not_explorable(y)
    if obstacle is not None:
        why = "" if reason is None else f" (a guess: {reason})"
        raise ParameterError(f"task {task}{why}: {obstacle}")


def fitted_for(task: str, prepared: PreparedTable, quiet: bool, settings: dict[str, Any]) -> Any:
    """A fitted estimator of any task, with its notes told and its table remembered."""
    about = f"analysing {len(prepared.names)} features, {len(prepared.y)} rows"
    with reported(about, quiet) as progress, warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        given = {key: value for key, value in settings.items() if value is not None}
        fitted = estimator_for(task, progress=progress, **given).fit(prepared.named, prepared.y)
    fitted.progress = None
    for remark in fitted.result_.warnings:
        complain(f"warning: {remark}")
    fitted.result_ = replace(fitted.result_, data={**fitted.result_.data, **prepared.report.facts()})
    return fitted
