"""``relspan analyze``: the relevance interval and the class of every column of a table."""

from __future__ import annotations

from dataclasses import dataclass

import typer

from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import FeatureOutput, refuse_unwritable
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target, load
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven
from relspan.cli.table_fit import estimate, fit
from relspan.errors import ParameterError
from relspan.options import option
from relspan.result import RelevanceResult
from relspan.show.account import outcome_counts, summary
from relspan.show.terminal.result_table import show
from relspan.tables import TableOptions


@dataclass(frozen=True)
class AnalyzeOutput(FeatureOutput):
    """The result, and the model behind it."""

    save_model: str | None = option(
        None,
        metavar="FILE",
        help="Also save all equally good models, for relspan predict and Explorer.load, as JSON (compressed if FILE "
        "ends in .gz). The file also contains the table.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.save_model:
            refuse_unwritable(self.save_model)


def analyze_command(
    file: File,
    target: Target,
    *,
    output: AnalyzeOutput,
    pins: PinOptions,
    table: TableOptions,
    task: TaskOptions,
    analysis: AnalysisOptions,
) -> None:
    """Report for every column how much it can, and how much it must, matter for the target.

    Many models are as good as the best one. The relevance of a column in a model is its absolute weight, as a share
    of the best model's norm (the sum of all its absolute weights). Over all equally good models it fills an interval. A
    column is relevant if there is evidence that it matters beyond chance: a model can give it more weight than a
    permuted column (a probe), and the target moves with it. A relevant column is strong if no equally good model works
    without it, else weak. It is irrelevant if nothing distinguishes it from chance. If the best model predicts rows
    left out of its fit no better than chance, no column is called relevant.
    """
    explored = bool(pins or output.save_model)
    if explored and analysis.settings.get("screen"):
        raise ParameterError(
            "--screen skips some intervals, but --pin, --without and --save-model need all of them; leave out --screen"
        )
    prepared = load(file, target, table, output)
    demands = pins.demands(prepared.known_names)
    unsaved = ""
    if explored:
        explorer = estimate(prepared, task, analysis, output, explored=True).explore().pin_all(demands)
        if output.save_model:
            try:
                explorer.save(output.save_model)
            except ParameterError as error:  # a full disk, for instance: the answer is written all the same
                unsaved = str(error)
                complain(unsaved)
        result = explorer.result
    else:
        result = fit(prepared, task, analysis, output)
    deliver(result, output)
    if unsaved:
        raise typer.Exit(ExitCode.USAGE)


def deliver(result: RelevanceResult, output: FeatureOutput) -> None:
    """Write the result; one that is partial, or not proven to the usual tolerance, has an exit code of its own."""
    write_result(result, output)
    if output.form == "csv":
        left_out = [word for word in ("privileged", "groups", "details") if getattr(result, word)]
        left_out += ["parts"] if any(f.parts for f in result.features) else []
        if left_out:
            output.note(f"the csv contains only the features; the json also contains: {', '.join(left_out)}")
    if result.partial:
        complain(interruption_sentence(result))
        raise typer.Exit(ExitCode.INTERRUPTED)
    if output.output != "-":
        found = ", ".join(f"{count} {kind}" for kind, count in summary(result).value.items())
        if result.is_pinned:
            done = ", ".join(f"{count} {outcome}" for outcome, count in outcome_counts(result).items())
            found = f"under these pins {done}; without pins {found}"
        output.note(f"{found}: {output.form} in {output.output}")
    exit_unproven(result)


def write_result(result: RelevanceResult, output: FeatureOutput) -> None:
    """Write the whole result; only the table folds irrelevant features."""
    output.write_report(result, lambda console: show(result, console, output.everything))


def interruption_sentence(result: RelevanceResult) -> str:
    """What an interrupted run leaves, and how to continue."""
    done, all_ = len(result.features), len(result.features) + len(result.unfinished)
    file = result.parameters["checkpoint"]
    resume = (
        f"the same command continues from {file}" if file else "with --checkpoint FILE a run can be continued later"
    )
    return f"interrupted: the result is partial, with {done} of {all_} intervals and no classes; {resume}"
