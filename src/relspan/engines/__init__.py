"""Engines: how the range of a linear functional over a family is found. Each answers with certificates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from relspan.engines.auto import AutoEngine
from relspan.engines.batched import BatchedEngine
from relspan.engines.certify import Extremes
from relspan.engines.exact import ExactEngine
from relspan.engines.reference import ReferenceEngine
from relspan.errors import ParameterError
from relspan.family import Family
from relspan.losses import Floats, Matrix

__all__ = [
    "ENGINES",
    "AutoEngine",
    "BatchedEngine",
    "Engine",
    "ExactEngine",
    "Extremes",
    "ReferenceEngine",
    "open_engine",
]


class Engine(Protocol):
    """Answers for one family."""

    @property
    def name(self) -> str: ...

    def maxima(self, directions: Floats) -> Extremes:
        """The largest value of each direction (a row over (w, b))."""
        ...

    def appended(self, columns: Matrix) -> Extremes:
        """For each column, appended alone as one more feature, the maxima of +w and -w of that feature."""
        ...


ENGINES: dict[str, Callable[[Family], Engine]] = {
    "batched": BatchedEngine,
    "exact": ExactEngine,
    "reference": ReferenceEngine,
}


def open_engine(name: str, family: Family) -> Engine:
    """The engine of that name, at work on that family ("auto": the one that suits it)."""
    if name == "auto":
        return AutoEngine(family)
    if name not in ENGINES:
        raise ParameterError(f"no engine {name!r}; there are auto, {', '.join(sorted(ENGINES))}")
    return ENGINES[name](family)
