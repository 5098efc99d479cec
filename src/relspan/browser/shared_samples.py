"""The samples of a page to share, for an author who asks for them: all that the page shows of them is computed now.

A page to share has no rows of the table otherwise. With them it has, for every sample, the score interval and the true
class, and for the least certain ones the features that can contribute most to the score, with their values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relspan.browser.long_questions import LongQuestions
from relspan.explore import Pin
from relspan.progress import Progress, silent

MOST_DETAILS = 2000  # samples whose contributions are in the file: the least certain ones
MOST_CONTRIBUTIONS = 14  # features of each, those that can contribute most: as many as the page draws
DIGITS = 6  # of the numbers in the file


def shared_samples(questions: LongQuestions, pins: tuple[Pin, ...], progress: Progress = silent) -> dict[str, Any]:
    """What the page shows of all samples, and of each one that is chosen."""
    found = questions.samples(pins)
    order = sorted(range(len(found["rows"])), key=lambda place: _certainty(found["rows"][place]))[:MOST_DETAILS]
    details = {}
    for done, place in enumerate(order):
        progress("samples", done / len(order), "")
        one = questions.sample(pins, place, "")
        details[place] = {**one, "features": one["features"][:MOST_CONTRIBUTIONS]}
    left_out = f"This file has the details of the {len(order)} least certain samples only."
    whole: dict[str, Any] = _rounded({**found, "details": details, "left_out": left_out})
    return whole


def _certainty(row: Mapping[str, Any]) -> float:
    """How far an interval is from the border between two labels; without labels, the widest come first."""
    return float(row["lo"] - row["hi"]) if row["certain"] is None else float(max(row["lo"], -row["hi"]))


def _rounded(value: Any) -> Any:
    """A record with shorter numbers: a page shows three digits of them."""
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
