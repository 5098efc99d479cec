"""Pins on the command line: ``--pin CRL=min --pin age=0..0.1 --without NT``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from relspan.errors import ParameterError
from relspan.explore.pins import Demand
from relspan.options import option
from relspan.tables import UnknownColumnError
from relspan.tables.table_options import split_names


@dataclass(frozen=True)
class PinOptions:
    """What is demanded of the relevance of single features."""

    pin: tuple[str, ...] = option(
        (),
        metavar="NAME=WHAT",
        help="Keep only the equally good models in which a feature's relevance is as given: min or max (an end of its "
        "interval), a value such as 0.05, or a range such as 0..0.1. A sign demands that of the weight as well: +, "
        "+0.05, +0.1..0.3, or -, -0.05, -0.1..-0.3. May be repeated.",
    )
    without: tuple[str, ...] = option(
        (), metavar="NAMES", help="Keep only the equally good models without these features, separated by commas."
    )

    def __bool__(self) -> bool:
        return bool(self.pin or self.without)

    def demands(self, names: Sequence[str]) -> dict[str, Demand]:
        """What `Explorer.pin_all` takes; a name that the table does not have is refused before any work is done."""
        demands: dict[str, Demand] = {}
        for word in self.pin:
            name, equals, what = word.rpartition("=")
            if not equals or not name:
                raise ParameterError(f"--pin {word!r} is not NAME=WHAT, as in age=min, age=0.05 or age=0..0.1")
            _add(demands, name, _demand(name, what.strip()))
        for name in split_names(self.without, names):
            _add(demands, name, "without")
        refuse_unknown(demands, names)
        return demands


def refuse_unknown(asked: Iterable[str], names: Sequence[str]) -> None:
    """Refuse the first name that is not one of the features'."""
    for name in asked:
        if name not in names:
            raise UnknownColumnError(name, names)


def _add(demands: dict[str, Demand], name: str, demand: Demand) -> None:
    if name in demands:
        raise ParameterError(f"{name!r} is pinned twice")
    demands[name] = demand


def _demand(name: str, what: str) -> Demand:
    if what in ("min", "max", "+", "-"):
        return what
    sign = what[0] if what[:1] in ("+", "-") else ""
    try:
        if ".." in what:
            low, high = what.split("..")
            if sign == "-" and high[:1] not in ("", "-"):
                raise ParameterError(
                    f"--pin {name}={what} has two meanings: write -0.1..-0.3 for a negative weight of this size, or "
                    "0..0.3 for a size alone"
                )
            if sign:
                ends = sorted([abs(float(low)), abs(float(high or "inf"))])
                return (sign, ends[0], ends[1])
            return (float(low or 0.0), float(high or "inf"))
        return (sign, abs(float(what))) if sign else float(what)
    except ValueError as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(
            f"--pin {name}={what}: {what!r} is not min, max, a number, or a range as in 0..0.1; a sign may stand "
            "before it, as in +0.1..0.3"
        ) from None
