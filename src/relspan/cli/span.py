"""``relspan span``: the range of weighted sums of weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import AnswerOutput
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven
from relspan.cli.span_lines import span_lines, span_records
from relspan.cli.table_fit import first_lines, open_explorer, origin
from relspan.errors import ParameterError
from relspan.tables import TableOptions
from relspan.tables.table_options import split_names


def span_command(
    file: File,
    target: Target,
    *,
    sums: Annotated[
        list[str],
        typer.Option(
            "--sum",
            metavar="NAME=FACTOR,...",
            help="A weighted sum of weights, such as age=1,weight=-0.5; may be repeated.",
            default_factory=list,
            show_default=False,
        ),
    ],
    together: Annotated[
        list[str],
        typer.Option(
            "--together",
            metavar="NAMES",
            help="Columns whose weights are added, with their signs, separated by commas; may be repeated.",
            default_factory=list,
            show_default=False,
        ),
    ],
    pins: PinOptions,
    output: AnswerOutput,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Report the range of any weighted sum of weights over all equally good models.

    Weights are those of standardised columns, in shares of the best model's norm. A group of substitutes exchanges
    weight, but the sum of its weights, which --together asks for, does not change by that.
    """
    directions = [read_sum(text) for text in sums]
    if not (directions or together):
        raise ParameterError("nothing was asked for; give --sum NAME=FACTOR,... or --together NAMES")
    mentioned = [name for direction in directions for name in direction]
    explorer = open_explorer(file, target, table, task, analysis, pins, output, [*mentioned, *together])
    known = [*explorer.feature_names, *explorer.categories]
    found = [explorer.span(direction) for direction in directions]
    found += [explorer.combined(split_names([names], known)) for names in together]
    text = "\n".join([*first_lines(explorer), *span_lines(found)])
    output.write(text, {**origin(explorer), "spans": span_records(found)})
    exit_unproven(explorer.unpinned_result)


def read_sum(text: str) -> dict[str, float]:
    """A weighted sum as it is written: ``age=1,weight=-0.5``."""
    return dict(_term(part, text) for part in _parts(text))


def _parts(text: str) -> Iterable[str]:
    return [part for part in text.split(",") if part.strip()]


def _term(part: str, text: str) -> tuple[str, float]:
    name, sign, factor = part.rpartition("=")
    try:
        if not sign:
            raise ValueError
        return name.strip(), float(factor)
    except ValueError:
        raise ParameterError(
            f"--sum takes names with factors, such as age=1,weight=-0.5, not {part!r} in {text!r}"
        ) from None
