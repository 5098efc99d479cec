"""The one progress protocol, and the one interruption.

Whatever takes time calls ``progress(stage, share, note)``, always with three positional arguments:

    stage   what is being done, by name (`STAGES` has the stages of an analysis in words)
    share   how much of the stage is done, from 0 to 1; None where that is not known
    note    a few words of detail that change with every call, such as "3 of 12 blocks"; may be empty

A stage "forecast" comes once, before work that takes long: its note says how long.

A stretch of work that knows nothing of stages, such as the programs of one block, calls `advance(done, count)`. Who
started it listens with `listening`; elsewhere, as in another process, nobody does.

An interruption (Ctrl-C, a cancelled job) is raised as `Interrupted`, whose `partial` is what was finished by then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, Protocol, TypeAlias

from relspan.errors import ParameterError
from relspan.terminal_text import printable

STAGES = {
    "baseline": "choosing C",
    "learner": "learning the metric",
    "dimension": "effective dimension",
    "directions": "needed directions",
    "forecast": "forecast",
    "decisions": "bounds at the thresholds",
    "bounds": "intervals",
    "evidence": "associations with the target",
    "probes": "probes",
    "blocks": "totals of features",
    "groups": "totals of groups",
    "verdicts": "verdicts",
}
"""Stages of an analysis in words."""
SECONDS_BETWEEN_LINES = 2.0  # of a stage that lasts


class Progress(Protocol):
    """Anything that can be called with a stage, the share of it that is done, and a note."""

    def __call__(self, stage: str, share: float | None, note: str = "") -> None: ...


ProgressChoice: TypeAlias = Progress | bool | None
"""What a user may ask for: a callable, True for lines on standard error, None or False for nothing."""


def silent(stage: str, share: float | None, note: str = "") -> None:
    """Report nothing."""


_listener: ContextVar[Callable[[float], None] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(report: Callable[[float], None]) -> Iterator[None]:
    """Let `report` hear of the share that is done, whenever `advance` is called meanwhile."""
    token = _listener.set(report)
    try:
        yield
    finally:
        _listener.reset(token)


def advance(done: int, count: int) -> None:
    """So many of so many equal parts are done."""
    report = _listener.get()
    if report is not None:
        report(done / max(count, 1))


@contextmanager
def part_of(number: int, count: int) -> Iterator[None]:
    """What advances meanwhile is one of so many equal parts, the first of which is number 0."""
    report = _listener.get()
    if report is None:
        yield
        return
    with listening(lambda share: report((number + share) / count)):
        yield


class PrintedProgress:
    """Report to standard error: one line when a stage begins, and further ones at intervals while it lasts."""

    def __init__(self) -> None:
        self._stage, self._last = "", 0.0

    def __call__(self, stage: str, share: float | None, note: str = "") -> None:
        now = monotonic()
        if stage == self._stage and now - self._last < SECONDS_BETWEEN_LINES:
            return
        self._stage, self._last = stage, now
        done = "" if share is None else f" {share:.0%}"
        line = f"relspan: {STAGES.get(stage, stage)}{done}{f', {note}' if note else ''}"
        sys.stderr.write(f"{printable(line)}\n")
        sys.stderr.flush()


def reporter(progress: ProgressChoice) -> Progress:
    """What to call: the given callable, lines on standard error for True, nothing for None; else ParameterError."""
    if progress is True:
        return PrintedProgress()
    if progress is None or progress is False:
        return silent
    if not callable(progress):
        raise ParameterError(
            f"progress must be a callable progress(stage, share, note), True, False or None, not {progress!r}"
        )
    return progress


class Interrupted(KeyboardInterrupt):
    """Work was interrupted.

    Attributes
    ----------
    partial : object
        What was finished by then. Each layer that passes the interruption on puts it into its own terms; what a user
        catches from `fit` holds a partial RelevanceResult.
    """

    def __init__(self, partial: Any = None) -> None:
        super().__init__("interrupted")
        self.partial = partial
