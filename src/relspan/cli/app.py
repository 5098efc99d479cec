"""The relspan command and its list of commands."""

from __future__ import annotations

from typing import Annotated, ClassVar

import typer

from relspan import __version__
from relspan.cli.command_group import CommandGroup


class Commands(CommandGroup):
    """All commands. The summary of each is the first paragraph of its own help."""

    summaries: ClassVar = {
        "demo": "Analyse a table that is built in: 10 measurements of 442 diabetes patients, some needed, some "
        "replaceable.",
        "inspect": "Describe what each column of a table is, what would be done with it, and which command analyses "
        "it.",
        "analyze": "Report for every column how much it can, and how much it must, matter for the target.",
        "explore": "Explore a table in the browser: pin features, see what moves, find panels. "
        "Nothing leaves this machine.",
        "panel": "Find the fewest (or cheapest) columns from which a model as good as the best can be made.",
        "card": "Make a score card: whole points for each column, a total, and the risk that goes with it.",
        "alternatives": "Describe which columns could take a column's place, the best one first.",
        "span": "Report the range of any weighted sum of weights over all equally good models.",
        "contrast": "Report which of two columns has the larger weight in every equally good model.",
        "ranking": "Report which columns rank above which others, by absolute weight, in every equally good model.",
        "gap": "Report the range of the difference between the mean scores of a subgroup of rows and of all others.",
        "contributions": "Report how far each column can push the score of each row, over all equally good models.",
        "path": "Show how the intervals change with C, or with how much worse than the best a model may be.",
        "predict": "Report for every new row its label, the interval of its score, and whether all equally good "
        "models agree.",
        "verify": "Check that a result follows from a table: analyse it again, check the proofs, and compare every "
        "value.",
        "plot": "Draw the intervals of a result, or the permuted columns behind its threshold.",
        "report": "Write a result as a report to read, print and pass on: one HTML file with everything in it.",
        "diff": "Compare two results: which features changed class or interval, and what differs in data, settings and "
        "versions.",
        "audit": "Report how much the coefficients of a fitted scikit-learn model can change among models as good as "
        "it.",
        "metric": "Learn a metric for the target, and report how much each column can, and must, weigh in it.",
        "blanket": "Find the Markov blanket of the target: the smallest set of columns that makes all others "
        "superfluous.",
        "select": "Select columns by HITON, a filter, recursive elimination, or a wrapper.",
        "compare": "Compare relspan with other selectors: what each selects, how well it predicts new rows, and which "
        "agree.",
        "simulate": "Simulate a table whose strong, weak and irrelevant features are known.",
    }


app = typer.Typer(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"relspan {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def relspan(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find out how much each feature can, and how much it must, matter in all models that are as good as the best."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Entry point of the ``relspan`` script."""
    app(prog_name="relspan")
