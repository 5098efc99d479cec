"""``relspan card``: an equally good model with whole points, printed as a score card."""

from __future__ import annotations

from typing import Annotated

import typer

from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import AnswerOutput
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target
from relspan.cli.options.task import TaskOptions
from relspan.cli.panel import search_notes
from relspan.cli.proof_check import exit_unproven
from relspan.cli.table_fit import first_lines, open_explorer, origin
from relspan.errors import ParameterError
from relspan.show.account import by_key
from relspan.tables import TableOptions


def card_command(
    file: File,
    target: Target,
    *,
    largest: Annotated[int, typer.Option(min=1, help="The largest number of points, positive or negative.")] = 5,
    features: Annotated[int, typer.Option(min=1, help="The largest number of columns.")] = 8,
    unit: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=NUMBER",
            help="How much of a column is one unit, for which there are points, as in age=10. May be repeated.",
            default_factory=list,
            show_default="the standard deviation, rounded",
        ),
    ],
    limit: Annotated[int, typer.Option(min=1, help="The number of equally good cards to list, the best first.")] = 1,
    time_limit: Annotated[float, typer.Option(min=0.0, help="The seconds that the search may take.")] = 30.0,
    pins: PinOptions,
    output: AnswerOutput,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group", "adjust")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Make a score card: whole points for each column, a total, and the risk that goes with it.

    A card is a model as good as the best whose weights are whole points times one factor. Of all cards within the
    limits the one with the least loss is searched; where the time does not suffice for a proof, the card shows by how
    much another one could be better. Risks, sensitivities and specificities come from held-out rows.
    """
    units = read_units(unit)
    explorer = open_explorer(file, target, table, task, analysis, pins, output, list(units))
    found = explorer.score_cards(
        limit, largest=largest, features=features, units=units, time_limit=time_limit, progress=search_notes(output)
    )
    text = "\n\n".join(map(str, found))
    text = "\n".join([*first_lines(explorer), text, "", by_key(explorer.unpinned_result)["equally_good"].sentence])
    output.write(text, {**origin(explorer), "cards": [card.record() for card in found]})
    if not found[0].proven:
        complain(f"the card is not proven to be the best within {time_limit:g} seconds; allow more with --time-limit")
        raise typer.Exit(ExitCode.SOLVER)
    exit_unproven(explorer.unpinned_result)


def read_units(words: list[str]) -> dict[str, float]:
    """``NAME=NUMBER``: how much of a column is one unit."""
    units: dict[str, float] = {}
    for word in words:
        name, equals, number = word.rpartition("=")
        try:
            units[name] = float(number)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise ParameterError(f"--unit {word!r} is not NAME=NUMBER, as in age=10")
    return units
