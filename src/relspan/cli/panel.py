"""``relspan panel``: the fewest or cheapest columns from which an equally good model can be made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from time import perf_counter
from typing import Annotated

import numpy as np
import typer

from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import AnswerOutput, OutputOptions
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target, refuse_absent
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven
from relspan.cli.table_fit import first_lines, open_explorer, origin
from relspan.errors import DataError, ParameterError, SolverError
from relspan.explore import Panel
from relspan.progress import Progress
from relspan.show.account import by_key
from relspan.tables import TableOptions, read_table
from relspan.tables.table_options import split_names

SECONDS_BETWEEN_NOTES = 2.0  # bounds creep, and not every step is news


def panel_command(
    file: File,
    target: Target,
    *,
    costs: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A table of names and costs, for the cheapest panel. A third column names the kit that a column comes "
            "in; the row with the kit's own name has its price, which is paid once.",
            show_default="every column costs 1",
        ),
    ] = None,
    kit: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=PRICE:NAMES",
            help="A kit whose price is paid once for all its columns, as in blood=30:CRP,IL6. May be repeated.",
            default_factory=list,
            show_default=False,
        ),
    ],
    at_most: Annotated[
        list[str],
        typer.Option(
            metavar="NUMBER=NAMES",
            help="The largest number of some columns that a panel may hold, as in 1=CRP,IL6. May be repeated.",
            default_factory=list,
            show_default=False,
        ),
    ],
    together: Annotated[
        list[str],
        typer.Option(
            metavar="NAMES",
            help="Columns that are bought together or not at all, separated by commas. May be repeated.",
            default_factory=list,
            show_default=False,
        ),
    ],
    include: Annotated[
        list[str],
        typer.Option(
            metavar="NAMES",
            help="Columns that every panel must include, separated by commas.",
            default_factory=list,
            show_default=False,
        ),
    ],
    limit: Annotated[int, typer.Option(min=1, help="The number of minimal panels to list, the cheapest first.")] = 1,
    time_limit: Annotated[float, typer.Option(min=0.0, help="The seconds that the search may take.")] = 60.0,
    pins: PinOptions,
    output: AnswerOutput,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Find the fewest (or cheapest) columns from which a model as good as the best can be made.

    Kits, limits of groups and columns that come together describe what can be bought; a panel lists the kits to buy.
    A panel is proven if no smaller (or cheaper) one can exist. Where the time does not suffice for a proof, the best
    panel found so far is shown with a lower bound of the cost.
    """
    prices, kits = (None, {}) if costs is None else read_costs(costs)
    kits |= dict(read_kit(word) for word in kit)
    limits = [read_limit(word) for word in at_most]
    rules = [names for _, names in (*kits.values(), *limits)]
    mentioned = [*include, *together, *(prices or ()), *(name for names in rules for name in names)]
    explorer = open_explorer(file, target, table, task, analysis, pins, output, mentioned)
    known = [*explorer.feature_names, *explorer.categories]
    found = explorer.minimal_panels(
        limit,
        costs=prices,
        include=split_names(include, known),
        kits={name: (price, split_names(names, known)) for name, (price, names) in kits.items()},
        at_most=[(most, split_names(names, known)) for most, names in limits],
        together=[split_names([word], known) for word in together],
        time_limit=time_limit,
        progress=search_notes(output),
    )
    if not found:
        raise SolverError(f"no panel was found in {time_limit:g} seconds; allow more with --time-limit")
    text = "\n".join(
        [*first_lines(explorer), *map(str, found), by_key(explorer.unpinned_result)["equally_good"].sentence]
    )
    output.write(text, {**origin(explorer), "panels": list(panel_records(found))})
    if not found[-1].proven:
        complain(
            f"within {time_limit:g} seconds the last panel was not proven to be the best; allow more with --time-limit"
        )
        raise typer.Exit(ExitCode.SOLVER)
    exit_unproven(explorer.unpinned_result)


def search_notes(output: OutputOptions) -> Progress:
    """The progress of a search as notes on stderr, with the seconds it has taken."""
    begun, last = perf_counter(), [-np.inf]

    def report(stage: str, share: float | None, note: str = "") -> None:
        seconds = perf_counter() - begun
        if seconds - last[0] >= SECONDS_BETWEEN_NOTES:
            last[0] = seconds
            output.note(f"{seconds:7.1f} s  {note}")

    return report


def panel_records(panels: Iterable[Panel]) -> Iterable[dict[str, object]]:
    """Panels as JSON has them; a share of a budget that is 0 is infinite, which JSON cannot hold."""
    for panel in panels:
        record = asdict(panel)
        for share in ("share_of_norm_budget", "share_of_loss_budget"):
            record["model"][share] = record["model"][share] if np.isfinite(record["model"][share]) else None
        yield {**record, "gap": panel.gap, "proven": panel.proven}


def read_costs(file: str) -> tuple[dict[str, float], dict[str, tuple[float, list[str]]]]:
    """Names and costs from the first two columns of a table, and the kits of a third one with their prices."""
    refuse_absent(file)
    table = read_table(file)
    if not 2 <= len(table.names) <= 3 or not table.is_numeric(table.names[1]):
        raise DataError(
            f"{file!r} must have two columns, names and costs (numbers), and may have a third one, kits; it has "
            f"{', '.join(table.names)}"
        )
    names, prices, *more = table.columns
    costs: dict[str, float] = {}
    contents: dict[str, list[str]] = {}
    held = more[0] if more else [None] * len(names)
    for name, price, kit in zip(map(str, names), prices, held, strict=True):
        if costs.setdefault(name, float(price)) != float(price):
            raise DataError(f"{file!r} has two costs of {name!r}, {costs[name]:g} and {float(price):g}")
        if kit is not None and str(kit).strip():
            contents.setdefault(str(kit).strip(), []).append(name)
    absent = [kit for kit in contents if kit not in costs]
    if absent:
        raise DataError(f"{file!r} has no row {absent[0]!r} with the price of this kit")
    kits = {kit: (costs.pop(kit), members) for kit, members in contents.items()}
    return costs, kits


def read_kit(word: str) -> tuple[str, tuple[float, list[str]]]:
    """A kit as the command line has it, ``NAME=PRICE:NAMES``: its name, price and columns, as they were written."""
    name, _, rest = word.partition("=")
    price, colon, names = rest.partition(":")
    try:
        paid = float(price)
    except ValueError:
        paid = np.nan
    if not (name and colon and names.strip() and 0 <= paid < np.inf):
        raise ParameterError(f"--kit {word!r} is not NAME=PRICE:NAMES, as in blood=30:CRP,IL6")
    return name, (paid, [names])


def read_limit(word: str) -> tuple[int, list[str]]:
    """A limit as the command line has it, ``NUMBER=NAMES``."""
    most, equals, names = word.partition("=")
    if not (equals and most.strip().isdigit() and names.strip()):
        raise ParameterError(f"--at-most {word!r} is not NUMBER=NAMES, as in 1=CRP,IL6")
    return int(most), [names]
