"""What can be bought, as a person types it: one kit, limit or group per line.

blood = 30: CRP, IL6         a kit, its price, and the features that it provides
1 = CRP, IL6                 at most one of these
CRP, IL6                     bought together, or not at all
"""

from __future__ import annotations

import csv

from relspan.errors import ParameterError


def read_kits(text: str) -> dict[str, tuple[float, list[str]]]:
    """Prices and features of kits, by name."""
    kits = {}
    for line in _lines(text):
        name, sign, rest = line.partition("=")
        price, colon, names = rest.partition(":")
        if not (name.strip() and sign and colon):
            raise ParameterError(f"the kit {line[:60]!r} is not written as in: blood = 30: CRP, IL6")
        kits[name.strip()] = (_number(price, line), _names(names))
    return kits


def read_limits(text: str) -> list[tuple[int, list[str]]]:
    """The most that a panel may hold of certain features, line by line."""
    limits = []
    for line in _lines(text):
        most, sign, names = line.partition("=")
        if not sign:
            raise ParameterError(f"the limit {line[:60]!r} is not written as in: 1 = CRP, IL6")
        value = _number(most, line)
        if not value.is_integer():
            raise ParameterError(f"a limit is a whole number, not {most.strip()[:40]!r}")
        limits.append((int(value), _names(names)))
    return limits


def read_together(text: str) -> list[list[str]]:
    """Groups of features that are bought together."""
    return [_names(line) for line in _lines(text)]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _names(text: str) -> list[str]:
    """Names between commas; one with a comma in it stands in quotation marks."""
    return [name.strip() for name in next(csv.reader([text.strip()], skipinitialspace=True), []) if name.strip()]


def _number(text: str, line: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{text.strip()[:40]!r} in {line[:60]!r} is not a number") from None
