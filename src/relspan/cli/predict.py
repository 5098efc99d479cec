"""``relspan predict``: what all equally good models predict for new rows.

The model is a file that ``Explorer.save`` or ``relspan analyze --save-model`` wrote: a result's JSON is not enough,
since the intervals of new scores need the whole family.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from relspan.cli.options.output import OutputOptions, write_columns
from relspan.cli.options.packs import Only
from relspan.cli.options.table import File, read, refuse_absent
from relspan.cli.table_fit import first_lines
from relspan.explore import Explorer, Predictions
from relspan.explore.pins import pin_record
from relspan.tables import Table, TableOptions
from relspan.tables.new_rows import prepare_new_rows


def predict_command(
    file: File,
    *,
    model: Annotated[str, typer.Option(metavar="FILE", help="The file that relspan analyze --save-model has written.")],
    output: OutputOptions,
    table: Annotated[TableOptions, Only("separator", "decimal", "encoding", "missing", "sheet")],
) -> None:
    """Report for every new row its label, the interval of its score, and whether all equally good models agree.

    The score is the number that a model computes from a row, and the label follows from it. Over all equally good
    models the score of a row fills an interval.
    """
    refuse_absent(file)
    explorer = Explorer.load(model)
    rows = read(file, table)
    result = explorer.unpinned_result
    X, notes = prepare_new_rows(rows, [feature.name for feature in result.features], result.data)
    for note in notes:
        output.note(note)
    found = explorer.predictions(X)
    if explorer.pins:
        output.note("the pins saved with the model apply: " + ", ".join(map(str, explorer.pins)))
    if any(p.certain is not None for p in found.samples):
        output.note(f"equally good models disagree on {found.ambiguous:.1%} of the rows")
    write(found, rows, output, explorer)


def write(found: Predictions, table: Table, output: OutputOptions, explorer: Explorer) -> None:
    """One line per sample, with the line of the file it came from; the explorer's pins come first."""
    columns: dict[str, list[Any]] = {
        "line": table.lines.tolist(),
        "label": [p.label for p in found.samples],
        "certain": [p.certain for p in found.samples],
        "score": [p.score for p in found.samples],
        "lo": [p.lo for p in found.samples],
        "hi": [p.hi for p in found.samples],
    }
    with output.opened() as stream:
        if output.form == "json":
            record = json.loads(found.to_json())
            for line, sample in zip(columns["line"], record["samples"], strict=True):
                sample["line"] = line
            version = {"schema_version": record.pop("schema_version")}
            pins = {"pins": [pin_record(pin) for pin in explorer.pins]} if explorer.pins else {}
            stream.write(json.dumps({**version, **pins, **record}, indent=2) + "\n")
        elif output.form == "csv":
            write_columns(stream, columns)
        else:
            classes = any(p.certain is not None for p in found.samples)  # a number has no label besides its score
            stream.writelines(f"{line}\n" for line in first_lines(explorer))
            heads = f"{'label':<12} {'certain':<8} " if classes else ""
            stream.write(f"{'line':>6}  {heads}{'score':>8}  interval\n")
            for line, p in zip(columns["line"], found.samples, strict=True):
                sure = "" if p.certain is None else "yes" if p.certain else "no"
                label = "" if p.certain is None else "rejected" if p.label is None else str(p.label)
                answer = f"{label:<12} {sure:<8} " if classes else ""
                stream.write(f"{line:>6}  {answer}{p.score:8.3f}  {p.lo:8.3f} .. {p.hi:.3f}\n")
