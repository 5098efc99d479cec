"""``relspan contrast``: which of two columns has the larger weight in every equally good model."""

from __future__ import annotations

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
from relspan.explore import Spans
from relspan.result.answer_table import counted
from relspan.tables import TableOptions
from relspan.tables.table_options import split_names


def contrast_command(
    file: File,
    target: Target,
    *,
    pair: Annotated[
        list[str],
        typer.Option(
            metavar="NAME,NAME",
            help="Two columns to compare; may be repeated.",
            default_factory=list,
            show_default="all pairs",
        ),
    ],
    everything: Annotated[bool, typer.Option("--all", help="Show pairs without a certain order as well.")] = False,
    pins: PinOptions,
    output: AnswerOutput,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Report which of two columns has the larger weight in every equally good model.

    The range of the difference of two weights is shown, in shares of the best model's norm. Weights have signs; relspan
    ranking compares their sizes. Where the range contains 0, equally good models disagree about the order.
    """
    explorer = open_explorer(file, target, table, task, analysis, pins, output, pair)
    pairs = [split_names([names], [*explorer.feature_names, *explorer.categories]) for names in pair]
    for names, written in zip(pairs, pair, strict=True):
        if len(names) != 2:
            raise ParameterError(f"--pair takes two columns with a comma between them, not {written!r}")
    found = Spans(tuple(explorer.contrast(*names) for names in pairs)) if pairs else explorer.contrasts()
    shown = found.spans if pairs or everything else found.certain
    count = f"{len(found.certain)} of {counted(len(found), 'pair')} have the same order in every equally good model."
    text = "\n".join([*first_lines(explorer), *([] if pairs else [count]), *span_lines(shown)])
    output.write(text, {**origin(explorer), "contrasts": span_records(found.spans)})
    exit_unproven(explorer.unpinned_result)
