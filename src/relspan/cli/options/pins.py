"""Pins on the command line: ``--pin CRL=min --pin age=0..0.1 --without NT``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from relspan.errors import ParameterError
from relspan.explore.pins import Demand
from relspan.tables import UnknownColumnError
from relspan.tables.table_options import split_names

PANEL = "Pins"


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=PANEL, default_factory=list, show_default=False, **more)


Pins = Annotated[
    list[str],
    _option(
        "--pin",
        metavar="NAME=WHAT",
        help="Demand of a feature's relevance: min, max, a value, or a range 0..0.1; may be repeated.",
    ),
]
Without = Annotated[list[str], _option("--without", metavar="NAMES", help="Use only models without these features.")]


def read_pins(pins: Sequence[str], without: Sequence[str], names: Sequence[str]) -> dict[str, Demand]:
    """What `Explorer.pin_all` takes; a name that the table does not have is refused before any work is done."""
    demands: dict[str, Demand] = {}
    for word in pins:
        name, equals, what = word.rpartition("=")
        if not equals or not name:
            raise ParameterError(f"--pin {word!r} is not NAME=WHAT, as in CRL=min, age=0.05 or age=0..0.1")
        _add(demands, name, _demand(name, what.strip()))
    for name in split_names(without, names):
        _add(demands, name, "without")
    known_names(demands, names)
    return demands


def known_names(asked: Iterable[str], names: Sequence[str]) -> None:
    """Refuse the first name that is not one of the features'."""
    for name in asked:
        if name not in names:
            raise UnknownColumnError(name, names)


def _add(demands: dict[str, Demand], name: str, demand: Demand) -> None:
    if name in demands:
        raise ParameterError(f"{name!r} is pinned twice")
    demands[name] = demand


def _demand(name: str, what: str) -> Demand:
    if what in ("min", "max"):
        return what
    try:
        if ".." in what:
            low, high = what.split("..")
            return (float(low or 0.0), float(high or "inf"))
        return float(what)
    except ValueError:
        raise ParameterError(
            f"--pin {name}={what}: {what!r} is not min, max, a number, or a range as in 0..0.1"
        ) from None
