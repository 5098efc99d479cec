"""The one progress protocol, and the one interruption.

Whatever takes time calls ``progress(stage, share, note)``, always with three positional arguments:

    stage   what is being done, by name (`STAGES` has the stages of an analysis in words)
    share   how much of the stage is done, from 0 to 1; None where that is not known
    note    a few words of detail that change with every call, such as "3 of 12 blocks"; may be empty

An interruption (Ctrl-C, a cancelled job) is raised as `Interrupted`, whose `partial` is what was finished by then.
"""

from __future__ import annotations

from typing import Any, Protocol

from relspan.errors import ParameterError

STAGES = {
    "baseline": "choosing C",
    "learner": "learning the metric",
    "dimension": "effective dimension",
    "directions": "needed directions",
    "bounds": "intervals",
    "probes": "probes",
}
"""Stages of an analysis in words."""


class Progress(Protocol):
    """Anything that can be called with a stage, the share of it that is done, and a note."""

    def __call__(self, stage: str, share: float | None, note: str = "") -> None: ...


def silent(stage: str, share: float | None, note: str = "") -> None:
    """Report nothing."""


def reporter(progress: Progress | None) -> Progress:
    """What to call: the given callable, or nothing for None; else ParameterError."""
    if not (progress is None or callable(progress)):
        raise ParameterError(f"progress must be a callable progress(stage, share, note) or None, not {progress!r}")
    return progress or silent


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
