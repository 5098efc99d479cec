"""A result on the page with all that a person has done to it; one that is left for another table can be taken up again.

Its pins and scenarios live in its explorer, its costs and stars here.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from relspan.browser.exports import export_kinds
from relspan.browser.live_intervals import LiveIntervals
from relspan.browser.long_questions import LongQuestions
from relspan.browser.revision import Revision
from relspan.explore import Explorer
from relspan.explore.explorer import column_result, history_of
from relspan.result import RelevanceResult


@dataclass(eq=False)
class ShownResult:
    """What is shown: a result, and an explorer or the reason why there is none."""

    result: RelevanceResult
    explorer: Explorer | None
    not_explorable: str | None
    live: LiveIntervals | None
    long_questions: LongQuestions | None
    export_kinds: list[str]
    costs: dict[str, float] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    row_names: tuple[str, ...] = ()  # what the table calls its rows
    identifier: str = field(default_factory=lambda: secrets.token_hex(8))

    @classmethod
    def of_explorer(cls, explorer: Explorer, revision: Revision) -> ShownResult:
        """Work on an explorer."""
        result = column_result(explorer)
        live, questions = LiveIntervals(explorer, revision), LongQuestions(history_of(explorer).problem)
        return cls(result, explorer, None, live, questions, export_kinds(result, True))

    @classmethod
    def of_result(cls, result: RelevanceResult, reason: str) -> ShownResult:
        """Show a result that cannot be explored."""
        return cls(result, None, reason, None, None, export_kinds(result, False))

    def record(self) -> dict[str, Any]:
        """What a page says about a result that was left."""
        data = self.result.data
        source = PurePath(str(data.get("file") or "table").replace("\\", "/")).name
        explorer = self.explorer
        return {
            "session": self.identifier,
            "title": " · ".join(part for part in (source, data.get("target")) if part),
            "pins": len(explorer.pins) if explorer is not None else 0,
            "scenarios": len(explorer.scenarios) if explorer is not None else 0,
            "explorable": explorer is not None,
        }

    def session_file(self) -> bytes:
        """The content of a session file; only of what can be explored."""
        assert self.live is not None
        with self.live.solver() as explorer:
            return explorer.to_bytes(costs=self.costs, stars=self.stars, row_names=list(self.row_names))

    def rest(self) -> None:
        """Stop computing; whatever was asked is asked again when the result is shown again."""
        if self.live is not None:
            self.live.rest()
        if self.long_questions is not None:
            self.long_questions.cancel()

    def close(self) -> None:
        """Stop all threads for good."""
        self.rest()
        if self.live is not None:
            self.live.close()
