"""The relspan command and its list of commands."""

from __future__ import annotations

from typing import Annotated

import typer

from relspan import __version__
from relspan.cli.alternatives import alternatives_command
from relspan.cli.analyze import analyze_command
from relspan.cli.compare import compare_command
from relspan.cli.demo import demo_command
from relspan.cli.exit_codes import Commands
from relspan.cli.explore import explore_command
from relspan.cli.metric import metric_command
from relspan.cli.panel import panel_command
from relspan.cli.path import path_command
from relspan.cli.plot import plot_command
from relspan.cli.predict import predict_command
from relspan.cli.report import report_command
from relspan.cli.selecting import blanket_command, select_command
from relspan.cli.simulate import simulate_command

app = typer.Typer(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"relspan {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def relspan(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Over all models as good as the best: how much can, and how much must, each feature matter?"""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command("demo")(demo_command)
app.command("analyze")(analyze_command)
app.command("explore")(explore_command)
app.command("panel")(panel_command)
app.command("alternatives")(alternatives_command)
app.command("path")(path_command)
app.command("predict")(predict_command)
app.command("plot")(plot_command)
app.command("report")(report_command)
app.command("metric")(metric_command)
app.command("blanket")(blanket_command)
app.command("select")(select_command)
app.command("compare")(compare_command)
app.command("simulate")(simulate_command)


def main() -> None:
    """Entry point of the ``relspan`` script."""
    app(prog_name="relspan")
