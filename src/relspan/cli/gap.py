"""``relspan gap``: the range of the difference of mean scores between a subgroup of rows and all others."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import typer

from relspan.checks import did_you_mean_or_all
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import AnswerOutput
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target, prepared_from, read
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven
from relspan.cli.span_lines import span_lines, span_records
from relspan.cli.table_fit import explorer_of, first_lines, origin
from relspan.errors import DataError, ParameterError
from relspan.tables import Table, TableOptions

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


def gap_command(
    file: File,
    target: Target,
    *,
    subgroup: Annotated[
        list[str],
        typer.Option(
            metavar="CONDITION",
            help="The rows of the subgroup: a column, one of = != < <= > >=, and a value, such as sex=f or 'age>60'; "
            "may be repeated. The column may be one that --drop leaves out of the models.",
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
    """Report the range of the difference between the mean scores of a subgroup of rows and of all others.

    If the range contains 0, some equally good model treats both alike on average. If not, none does, and the difference
    is no matter of the choice among good models.
    """
    if not subgroup:
        raise ParameterError("nothing was asked for; give --subgroup CONDITION, such as --subgroup sex=f")
    whole = read(file, table)
    inside = {condition: rows_where(whole, condition) for condition in subgroup}
    prepared = prepared_from(whole, file, target, table, output)
    kept = ~np.isin(whole.lines, prepared.report.dropped_lines)
    explorer = explorer_of(prepared, task, analysis, pins, output)
    found = [explorer.gap(rows[kept], name=f"{condition} - others") for condition, rows in inside.items()]
    text = "\n".join([*first_lines(explorer), *span_lines(found)])
    output.write(text, {**origin(explorer), "gaps": span_records(found)})
    exit_unproven(explorer.unpinned_result)


def rows_where(table: Table, condition: str) -> np.ndarray:
    """The rows of a table that satisfy a condition."""
    parts = re.fullmatch(r"\s*(.+?)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*", condition)
    if parts is None:
        raise ParameterError(f"a subgroup is a column, a comparison and a value, such as sex=f, not {condition!r}")
    name, sign, value = parts.groups()
    if name not in table.names:
        raise ParameterError(f"no column {name!r}{did_you_mean_or_all(name, table.names)}")
    column = table.columns[table.names.index(name)]
    if column.dtype == object:
        if sign not in ("=", "!="):
            raise ParameterError(f"column {name!r} holds text, which = and != compare, not {sign}")
        if any(entry is None for entry in column):
            raise DataError(f"column {name!r} has missing values, so the subgroup {condition!r} is not known")
        return np.array([COMPARISONS[sign](str(entry), value) for entry in column], dtype=bool)
    if np.isnan(column).any():
        raise DataError(f"column {name!r} has missing values, so the subgroup {condition!r} is not known")
    try:
        number = float(value)
    except ValueError:
        raise ParameterError(f"column {name!r} holds numbers, and {value!r} is none") from None
    return np.asarray(COMPARISONS[sign](column, number))
