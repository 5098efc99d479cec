"""Engines: how the range of a linear functional over a family is found. Each answers with certificates."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol

from relspan.arrays import Floats, Matrix
from relspan.engines.auto_choice import EngineChoice, choose_engine, has_gpu
from relspan.engines.certificates import CertifiedMaxima
from relspan.engines.interior.batched_engine import BatchedEngine
from relspan.engines.interior.restricted_engine import RestrictedEngine
from relspan.engines.reference import ReferenceEngine
from relspan.engines.simplex.exact_engine import BlocksInTurn, ExactEngine
from relspan.errors import ParameterError
from relspan.family import Family

__all__ = [
    "ENGINES",
    "BatchedEngine",
    "BlocksInTurn",
    "CertifiedMaxima",
    "Engine",
    "EngineChoice",
    "ExactEngine",
    "MaximaEngine",
    "ReferenceEngine",
    "RestrictedEngine",
    "SharedEngine",
    "choose_engine",
    "engine_for",
    "open_engine",
]


class MaximaEngine(Protocol):
    """Answers for one family, direction by direction."""

    def maxima(self, directions: Floats) -> CertifiedMaxima:
        """The largest value of each direction (a row over (w, b))."""
        ...


class Engine(MaximaEngine, Protocol):
    """Answers for one family, and for the family with one more column."""

    @property
    def name(self) -> str: ...

    @property
    def warm(self) -> bool:
        """Whether an answer depends, within its certified gap, on the questions before it."""
        ...

    def appended(self, columns: Matrix) -> CertifiedMaxima:
        """For each column, appended alone as one more feature, the maxima of +w and -w of that feature."""
        ...


def on_gpu(family: Family) -> BatchedEngine:
    """The batched engine on a CUDA device."""
    if not has_gpu():
        raise ParameterError(
            "engine 'gpu' needs PyTorch and a CUDA device that it can see: pip install 'relspan[gpu]'; "
            "engine 'batched' runs the same method on the CPU"
        )
    from relspan.engines.interior.torch_library import TorchArrays

    return BatchedEngine(family, TorchArrays("cuda"))


ENGINES: dict[str, Callable[[Family], Engine]] = {
    "batched": BatchedEngine,
    "exact": ExactEngine,
    "gpu": on_gpu,
    "reference": ReferenceEngine,
    "restricted": RestrictedEngine,
}


def engine_for(name: str, family: Family) -> EngineChoice:
    """The engine that was asked for, or, for "auto", the one that suits the family."""
    return choose_engine(family) if name == "auto" else EngineChoice(name, "it was asked for")


class SharedEngine:
    """Opens an engine for each block of questions, so that no answer depends on other blocks.

    An engine that keeps nothing from earlier questions is opened once; a warm one is opened for every block. The former
    also serves whoever asks next for the same family, as the probes do after the intervals, until `forget`.
    """

    _kept: ClassVar[tuple[bytes, Engine] | None] = None

    def __init__(self, name: str, family: Family) -> None:
        self._name, self._family = name, family
        self._reused: Engine | None = None

    def open(self) -> Engine:
        if self._reused is not None:
            return self._reused
        key, kept = self._name.encode() + self._family.fingerprint, SharedEngine._kept
        if kept is not None and kept[0] == key:
            self._reused = kept[1]
            return self._reused
        SharedEngine.forget()
        engine = open_engine(self._name, self._family)
        if not engine.warm:
            self._reused = engine
            SharedEngine._kept = key, engine
        return engine

    def maxima(self, directions: Floats) -> CertifiedMaxima:
        """The largest value of each direction (a row over (w, b)), by the engine of this block."""
        return self.open().maxima(directions)

    @staticmethod
    def forget() -> None:
        """Free what an engine has prepared."""
        SharedEngine._kept = None


def open_engine(name: str, family: Family) -> Engine:
    """The engine of that name for that family ("auto": the one that suits it, see `auto_choice`)."""
    name = engine_for(name, family).name
    if name not in ENGINES:
        raise ParameterError(f"no engine {name!r}; there are auto, {', '.join(sorted(ENGINES))}")
    return ENGINES[name](family)
