"""Ranges of linear functionals in words and as records, for the commands that ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from relspan.explore import Span

WORDS = {1: "above 0 in every equally good model", -1: "below 0 in every equally good model", 0: "can be 0"}


def span_line(span: Span, width: int = 0) -> str:
    """One range in words."""
    name = f"{span.name}:".ljust(width + 1)
    return f"{name} {span.lo:.4g} to {span.hi:.4g}, {span.best:.4g} in the best model; {WORDS[span.sign]}"


def span_lines(spans: Iterable[Span]) -> list[str]:
    """Several ranges, one line each."""
    shown = list(spans)
    width = max((len(span.name) for span in shown), default=0)
    return [span_line(span, width) for span in shown]


def span_records(spans: Iterable[Span]) -> list[dict[str, Any]]:
    """Several ranges as JSON has them."""
    return [{**asdict(span), "sign": span.sign} for span in spans]
