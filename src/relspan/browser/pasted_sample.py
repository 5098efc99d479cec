"""One sample as a person types or pastes it: names with values, a row under its names, or a row alone.

    age: 61            age,size,grade            61,2.3,1
    size: 2.3          61,2.3,1

A category goes by its name and a level, as in island: A. Features that are not named stay at their mean, and the answer
lists them.
"""

from __future__ import annotations

import re

import numpy as np

from relspan.arrays import Floats
from relspan.checks import quoted
from relspan.errors import DataError
from relspan.explore.fitted_problem import FittedProblem

SEPARATORS = ("\t", ";", ",")


def read_sample(problem: FittedProblem, text: str, means: Floats) -> tuple[Floats, list[str]]:
    """The values of all columns in the order of the table, and the names of those that stay at their mean."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise DataError("There is no value yet. Enter names with values, or paste a row of the table.")
    cells, known = [_cells(line) for line in lines], problem.table_names
    names = (*known, *problem.encoded)
    if len(cells) == 1 and len(cells[0]) == len(known):
        given = dict(zip(known, cells[0], strict=True))
    elif len(cells) == 2 and len(cells[0]) == len(cells[1]) > 1 and all(name in names for name in cells[0]):
        given = dict(zip(*cells, strict=True))
    else:
        given = dict(_named(line, names) for line in lines)
    numbers: dict[str, float] = {}
    for name, value in given.items():
        levels = {} if name in known else _levels(name, value, problem.encoded[name])
        numbers |= levels or {name: _number(name, value)}
    absent = [name for name in known if name not in numbers]
    return np.array([numbers.get(name, mean) for name, mean in zip(known, means, strict=True)]), absent


def _cells(line: str) -> list[str]:
    separator = next((sign for sign in SEPARATORS if sign in line), None)
    return [cell.strip().strip('"') for cell in (line.split(separator) if separator else [line])]


def _named(line: str, names: tuple[str, ...]) -> tuple[str, str]:
    """The longest name that the line begins with, and the value after it."""
    found = [name for name in names if re.match(rf"{re.escape(name)}\s*[:=\t,; ]", line)]
    if not found:
        raise DataError(
            f"The line {line[:60]!r} does not begin with the name of a feature. Write one line per feature, as in "
            f"{names[0] + ': 1.5'!r}, or paste one row with {len(names)} values; the table has {quoted(names)}."
        )
    name = max(found, key=len)
    return name, line[len(name) :].lstrip(" \t:=,;")


def _levels(name: str, level: str, columns: tuple[str, ...]) -> dict[str, float]:
    """The columns of a category that has a level."""
    if f"{name}={level}" not in columns:
        known = [column.removeprefix(f"{name}=") for column in columns]
        raise DataError(f"The category {name!r} has no level {level[:40]!r}; it has {quoted(known)}.")
    return {column: float(column == f"{name}={level}") for column in columns}


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise DataError(f"The value of {name!r} must be a number, not {text[:40]!r}.") from None
    if not np.isfinite(value):
        raise DataError(f"The value of {name!r} must be finite, not {text!r}.")
    return value
