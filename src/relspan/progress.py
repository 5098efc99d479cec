"""The one progress protocol, and the one interruption.

Whatever takes time calls ``progress(stage, share, note)``: the stage by name, the share of it that is done (None where
that is not known), and a note that changes with it. An interruption (Ctrl-C, a cancelled job) is raised as
`Interrupted`, whose `partial` is what was finished by then.
"""

from __future__ import annotations

from typing import Any, Protocol

STAGES = {"baseline": "choosing C", "bounds": "intervals", "probes": "probes"}
"""Stages of an analysis in words."""


class Progress(Protocol):
    """Anything that can be called with a stage, the share of it that is done, and a note."""

    def __call__(self, stage: str, share: float | None, note: str = "") -> None: ...


def silent(stage: str, share: float | None, note: str = "") -> None:
    """Report nothing."""


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
