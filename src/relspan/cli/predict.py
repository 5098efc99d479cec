"""``relspan predict``: what all equally good models say of new rows.

The model is a file that ``Explorer.save`` or ``relspan analyze --save-model`` wrote: a result's JSON is not enough,
since the intervals of new scores need the whole family.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import numpy as np
import typer

from relspan.arrays import Bools, Floats
from relspan.cli.options import analysis as fitting
from relspan.cli.options import table as reading
from relspan.cli.options.output import Format, Output, destination, open_output
from relspan.errors import DataError
from relspan.explore import Explorer, Predictions
from relspan.result import RelevanceResult
from relspan.tables import MissingValueError, Table, write_delimited
from relspan.tables.table import absent


def predict_command(
    file: reading.File,
    *,
    model: Annotated[str, typer.Option(metavar="FILE", help="A model saved by relspan analyze --save-model.")],
    output: Output = "-",
    form: Format = None,
    quiet: fitting.Quiet = False,
    separator: reading.Separator = None,
    decimal: reading.Decimal = None,
    encoding: reading.Encoding = "utf-8",
    missing: reading.Missing,
) -> None:
    """Tell for every new row the label, the interval of its score, and whether all good models agree."""
    shape = destination(output, form).format
    reading.refuse_absent(file)
    explorer = Explorer.load(model)
    table = reading.load_table(file, separator=separator, decimal=decimal, encoding=encoding, missing=missing)
    X, notes = as_samples(explorer.unpinned_result, table)
    for note in [] if quiet else notes:
        typer.echo(note, err=True)
    found = explorer.predictions(X)
    if not quiet and explorer.pins:
        typer.echo("at the pins saved with the model: " + ", ".join(map(str, explorer.pins)), err=True)
    if not quiet and any(p.certain is not None for p in found.samples):
        typer.echo(f"not all equally good models agree on {found.ambiguous:.1%} of the rows", err=True)
    write(found, table, output, shape)


def as_samples(result: RelevanceResult, table: Table) -> tuple[Floats, list[str]]:
    """The model's features from a new table, encoded and filled as the first one was; and what was done."""
    notes: list[str] = []
    told = result.data
    names = [feature.name for feature in result.features]
    encoded = {
        column: (name, column[len(name) + 1 :]) for name, made in told.get("encoded", {}).items() for column in made
    }
    used = {encoded[name][0] if name in encoded else name for name in names}
    columns = [
        _category(table, *encoded[name], told["encoded"][encoded[name][0]], told.get("without_column", {}))
        if name in encoded
        else _number(table, name, told.get("imputed", {}), notes)
        for name in names
    ]
    ignored = [name for name in table.names if name not in used and name != told.get("target")]
    if ignored:
        notes.insert(0, f"columns that the model does not know are not used: {', '.join(ignored)}")
    return np.column_stack(columns), notes


def _number(table: Table, name: str, imputed: dict[str, Any], notes: list[str]) -> Floats:
    column = table.column(name)
    if not table.is_numeric(name):
        raise DataError(f"column {name!r} is text; the model was made with numbers there")
    gaps = np.isnan(column)
    if gaps.any():
        if name not in imputed:
            raise _missing(table, name, gaps, "the model's own table missed none, so it does not know what to fill in")
        value = imputed[name]["value"]
        notes.append(f"filled {gaps.sum()} missing values of {name!r} with {value:g}, as in the model's own table")
        column = np.where(gaps, value, column)
    return np.asarray(column, dtype=np.float64)


def _missing(table: Table, name: str, gaps: Bools, why: str) -> MissingValueError:
    """The refusal of gaps. No option of this command mends them."""
    count, line = int(gaps.sum()), table.lines[gaps][0]
    values = "1 value" if count == 1 else f"{count} values"
    return MissingValueError(
        f"{name!r} misses {values}, the first in line {line}; {why}: complete these rows or leave them out",
        {name: count},
        (),
    )


def _category(table: Table, name: str, level: str, made: list[str], without_column: dict[str, str]) -> Floats:
    """1 where the column has this level; any value that the model was not made with is refused."""
    gaps = absent(table.column(name))
    if gaps.any():
        raise _missing(table, name, gaps, "a category is not filled in")
    values = [f"{v:.15g}" if isinstance(v, float) else str(v) for v in table.column(name)]
    known = {column[len(name) + 1 :] for column in made} | ({without_column[name]} if name in without_column else set())
    strange = sorted({value for value in values if value not in known})
    whole = len(made) > 1 or name in without_column  # else a model of an earlier version, or a single value
    if strange and (whole or len(strange) > 1):
        raise DataError(f"column {name!r} holds {strange[0]!r}, which the model does not know beside {sorted(known)}")
    return np.array([value == level for value in values], dtype=np.float64)


def write(found: Predictions, table: Table, output: str, shape: str) -> None:
    """A row a sample, with the line of the file it came from."""
    columns: dict[str, list[Any]] = {
        "line": table.lines.tolist(),
        "label": [p.label for p in found.samples],
        "certain": [p.certain for p in found.samples],
        "score": [p.score for p in found.samples],
        "lo": [p.lo for p in found.samples],
        "hi": [p.hi for p in found.samples],
    }
    with open_output(output) as stream:
        if shape == "json":
            record = json.loads(found.to_json())
            for line, sample in zip(columns["line"], record["samples"], strict=True):
                sample["line"] = line
            stream.write(json.dumps(record, indent=2) + "\n")
        elif shape == "csv":
            write_delimited(stream, list(columns), list(columns.values()))
        else:
            stream.write(f"{'line':>6}  {'label':<12} {'certain':<8} {'score':>8}  interval\n")
            for line, p in zip(columns["line"], found.samples, strict=True):
                sure = "" if p.certain is None else "yes" if p.certain else "no"
                label = "" if p.certain is None else "rejected" if p.label is None else str(p.label)
                stream.write(f"{line:>6}  {label:<12} {sure:<8} {p.score:8.3f}  {p.lo:8.3f} .. {p.hi:.3f}\n")
