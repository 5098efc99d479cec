"""``relspan predict``: what all equally good models predict for new rows.

The model is a file that ``Explorer.save`` or ``relspan analyze --save-model`` wrote: a result's JSON is not enough,
since the intervals of new scores need the whole family.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import typer

from relspan.checks import did_you_mean
from relspan.cli.exit_codes import complain
from relspan.cli.options.output import OutputOptions, write_columns
from relspan.cli.options.packs import Only
from relspan.cli.options.table import File, read, refuse_absent
from relspan.cli.proof_check import exit_unproven, exit_unproven_predictions
from relspan.cli.table_fit import first_lines
from relspan.errors import ParameterError
from relspan.explore import Explorer, Prediction, Predictions
from relspan.explore.pins import pin_record
from relspan.result.answer_table import counted
from relspan.tables import Table, TableOptions
from relspan.tables.new_rows import prepare_new_rows
from relspan.tables.table_options import split_names
from relspan.terminal_text import printable

ROW_LABEL = "row"  # the column of the output that has the row labels of the table
OBSTACLE = "obstacle"  # and the one that has why a row was not predicted
ANSWER_COLUMNS = (
    *("line", ROW_LABEL, "label", "certain", "labels", "score", "lo", "hi"),
    *("probability", "probability_lo", "probability_hi", OBSTACLE),
)


def predict_command(
    file: File,
    *,
    model: Annotated[str, typer.Option(metavar="FILE", help="The file that relspan analyze --save-model has written.")],
    identifiers: Annotated[
        list[str],
        typer.Option(
            "--id",
            metavar="NAMES",
            help="Columns to copy to the output, such as an identifier, separated by commas.",
            default_factory=list,
            show_default=False,
        ),
    ],
    uncertain: Annotated[
        bool, typer.Option("--uncertain", help="Show only the rows on whose label equally good models disagree.")
    ] = False,
    output: OutputOptions,
    table: Annotated[TableOptions, Only("separator", "decimal", "encoding", "missing", "sheet")],
) -> None:
    """Report for every new row its label, the interval of its score, and whether all equally good models agree.

    The score is the number that a model computes from a row, and the label follows from it. Over all equally good
    models the score of a row fills an interval. With the logistic loss, the probability of the second class and its
    interval are shown as well. Rows that lack a value, or have one that the model does not know, are marked.
    """
    refuse_absent(file)
    explorer = Explorer.load(model)
    result = explorer.unpinned_result
    if uncertain and "classes" not in result.data:
        raise ParameterError("--uncertain needs a target with classes; the target of this model holds numbers")
    rows = read(file, table)
    copied = copied_columns(rows, identifiers)
    new = prepare_new_rows(rows, explorer.column_names, result.data)
    unused = [name for name in new.unused if name not in copied]
    if unused:
        output.note(f"these columns are unknown to the model and are not used: {', '.join(unused)}")
    for note in new.notes:
        output.note(note)
    found = explorer.predictions(new.X[new.complete])
    if explorer.pins:
        output.note("the pins saved with the model apply: " + ", ".join(map(str, explorer.pins)))
    if "classes" in result.data:
        answered = "" if new.complete.all() else f" {len(found)} predicted"
        output.note(f"equally good models disagree on {found.ambiguous:.1%} of the{answered} rows")
    if not new.complete.all():
        first = int(np.flatnonzero(~new.complete)[0])
        complain(
            f"warning: {counted(int((~new.complete).sum()), 'row')} of {len(rows)} could not be predicted, the first "
            f"in line {rows.lines[first]}: {new.obstacles[first]}"
        )
    answers = iter(found.samples)
    lines = [
        Line(int(line), [values[row] for values in copied.values()], next(answers) if ok else None, new.obstacles[row])
        for row, (line, ok) in enumerate(zip(rows.lines, new.complete, strict=True))
    ]
    if uncertain:
        lines = [line for line in lines if line.prediction is not None and line.prediction.certain is False]
    write(lines, list(copied), found, output, explorer)
    exit_unproven(result)
    exit_unproven_predictions(found)


@dataclass(frozen=True)
class Line:
    """One row of the answer: its line in the file, what is copied, and its prediction or what stands in the way."""

    number: int
    copied: list[Any]
    prediction: Prediction | None
    obstacle: str


def copied_columns(rows: Table, words: Sequence[str]) -> dict[str, Sequence[Any]]:
    """The columns that go into the answer as they are: row labels, and those that were named."""
    names = split_names(words, rows.names)
    for name in names:
        if name not in rows.names:
            raise ParameterError(f"--id: no column {name!r}{did_you_mean(name, rows.names)}")
        if name in ANSWER_COLUMNS:
            raise ParameterError(f"--id: the output has a column {name!r} of its own; rename the one of the table")
    labels = {} if rows.row_labels is None else {ROW_LABEL: rows.row_labels}
    return {**labels, **{name: rows.column(name).tolist() for name in names}}


def write(
    lines: Sequence[Line], copied: Sequence[str], found: Predictions, output: OutputOptions, explorer: Explorer
) -> None:
    """One line per row, with the line of the file it came from; the explorer's pins come first."""
    with output.opened() as stream:
        if output.form == "json":
            record = json.loads(answered(lines, found).to_json())
            predicted = iter(record.pop("samples"))
            samples = [
                {
                    "line": line.number,
                    **dict(zip(copied, line.copied, strict=True)),
                    **({OBSTACLE: line.obstacle} if line.prediction is None else next(predicted)),
                }
                for line in lines
            ]
            version = {"schema_version": record.pop("schema_version")}
            pins = {"pins": [pin_record(pin) for pin in explorer.pins]} if explorer.pins else {}
            stream.write(
                json.dumps({**version, **pins, **record, "ambiguous": found.ambiguous, "samples": samples}, indent=2)
                + "\n"
            )
        elif output.form == "csv":
            write_columns(stream, answer_columns(lines, copied, found))
        else:
            text = [*first_lines(explorer), *answer_text(lines, copied, found)]
            stream.writelines(f"{printable(line)}\n" for line in text)


def answered(lines: Sequence[Line], found: Predictions) -> Predictions:
    """The predictions of those lines that have one."""
    return Predictions(tuple(line.prediction for line in lines if line.prediction), found.probability_of)


def answer_columns(lines: Sequence[Line], copied: Sequence[str], found: Predictions) -> dict[str, list[Any]]:
    """The answer by column; a row that was not predicted has empty cells, and the reason in the last column."""
    predicted = answered(lines, found).columns()
    columns: dict[str, list[Any]] = {"line": [line.number for line in lines]}
    columns |= {name: [line.copied[place] for line in lines] for place, name in enumerate(copied)}
    for name in (name for name in ANSWER_COLUMNS if name in predicted):
        values = iter(predicted[name])
        columns[name] = [None if line.prediction is None else next(values) for line in lines]
    return {**columns, OBSTACLE: [line.obstacle for line in lines]} if any(line.obstacle for line in lines) else columns


def answer_text(lines: Sequence[Line], copied: Sequence[str], found: Predictions) -> list[str]:
    """The answer as lines of text, under a heading."""
    classes = any(p.certain is not None for p in found.samples)  # a number has no label besides its score
    cells = [["" if value is None else str(value) for value in line.copied] for line in lines]
    widths = [max([len(name), *(len(row[k]) for row in cells)]) for k, name in enumerate(copied)]

    def beginning(number: str, values: Sequence[str]) -> str:
        return f"{number:>6}  " + "".join(f"{value:<{width}}  " for value, width in zip(values, widths, strict=True))

    heads = f"{'label':<12} {'certain':<8} " if classes else ""
    chance = "" if found.probability_of is None else f"  P({found.probability_of})"
    text = [f"{beginning('line', copied)}{heads}{'score':>8}  {'interval':<20}{chance}".rstrip()]
    for line, values in zip(lines, cells, strict=True):
        p = line.prediction
        if p is None:
            text.append(beginning(str(line.number), values) + line.obstacle)
            continue
        sure = "" if p.certain is None else "yes" if p.certain else "no"
        label = "" if p.certain is None else "rejected" if p.label is None else str(p.label)
        answer = f"{label:<12} {sure:<8} " if classes else ""
        likely = (
            "" if p.probability is None else f"  {p.probability:.3f} ({p.probability_lo:.3f} to {p.probability_hi:.3f})"
        )
        interval = f"{p.lo:8.3f} .. {p.hi:.3f}"
        text.append(f"{beginning(str(line.number), values)}{answer}{p.score:8.3f}  {interval:<20}{likely}".rstrip())
    return text
