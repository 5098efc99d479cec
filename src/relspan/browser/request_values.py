"""Values of a request, checked: whoever sends them may send anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from relspan.errors import ParameterError
from relspan.explore.pins import Demand

LARGEST_NUMBER = 1e300  # larger numbers, which JSON can hold, are refused with infinity


def read_text(payload: Mapping[str, Any], key: str, limit: int = 10_000) -> str:
    """A text that is there and not too long."""
    value = payload.get(key)
    if not isinstance(value, str) or len(value) > limit:
        raise ParameterError(f"{key} must be a text of at most {limit} characters")
    return value


def read_number(given: Any, name: str) -> float:
    """A finite number."""
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not -LARGEST_NUMBER < given < LARGEST_NUMBER:
        raise ParameterError(f"{name} must be a number, not {str(given)[:40]!r}")
    return float(given)


def read_whole(given: Any, name: str) -> int:
    """A whole number."""
    number = read_number(given, name)
    if not number.is_integer():
        raise ParameterError(f"{name} must be a whole number, not {number:g}")
    return int(number)


def read_typed_whole(text: str, name: str) -> int:
    """A whole number as a person types it."""
    try:
        return int(text)
    except ValueError:
        raise ParameterError(f"{name} must be a whole number, not {text[:40]!r}") from None


def read_demand(given: Any) -> Demand | None:
    """A demand as JSON has it: a word, a number, [low, high] with null for no end, or null; a sign may come first."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, list) and given and isinstance(given[0], str):
        rest = read_demand(given[1:] if len(given) > 2 else given[1] if len(given) == 2 else None)
        if rest is None or isinstance(rest, str):
            raise ParameterError("a demand with a sign is [sign, value] or [sign, low, high]")
        return (given[0], *rest) if isinstance(rest, tuple) else (given[0], rest)
    if isinstance(given, list) and len(given) == 2:
        low, high = given
        return (
            0.0 if low is None else read_number(low, "the lower end"),
            np.inf if high is None else read_number(high, "the upper end"),
        )
    return read_number(given, "demand")


def read_costs(given: Any) -> dict[str, float]:
    """Features and what they cost."""
    if not isinstance(given, dict):
        raise ParameterError("costs must map features to numbers")
    costs = {str(name): read_number(value, f"the cost of {name!r}") for name, value in given.items()}
    for name, value in costs.items():
        if value < 0:
            raise ParameterError(f"the cost of {name!r} must be at least 0, not {value:g}")
    return costs


def read_names(given: Any, name: str) -> list[str]:
    """A list of texts."""
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise ParameterError(f"{name} must be a list of names")
    return list(given)
