"""Pinned ranges in the reader's units: a RelevanceResult like any other, and two of them side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from relspan.analysis.classes import NAMES, classify
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pinned_family import Pinned
from relspan.explore.pins import Pin
from relspan.result import Certificates, RelevanceResult


def result_under(problem: FittedProblem, pinned: Pinned) -> RelevanceResult:
    """The result with intervals and classes under the pins, measured by the unpinned analysis's thresholds."""
    if not pinned.pins:
        return problem.result
    mu, analysis = problem.mu, problem.analysis
    classes = np.zeros(len(problem.names), dtype=np.int64)
    classes[problem.varies] = classify(pinned.relevances, analysis.own_thresholds, analysis.floor, analysis.needed)
    table = np.column_stack([pinned.relevances / mu, pinned.signed / mu, pinned.gaps / mu])
    features = tuple(
        replace(f, min=least, max=most, lo=lo, hi=hi, relevance=NAMES[kind], gap_lo=gap_lo, gap_hi=gap_hi)
        for f, (least, most, lo, hi, gap_lo, gap_hi), kind in zip(
            problem.result.features,
            problem.everywhere(table).tolist(),
            classes,
            strict=True,
        )
    )
    alone = pinned.branches[0] if len(pinned.branches) == 1 else None
    return replace(
        problem.result,
        features=features,
        groups=(),  # these and the details are answers about the family without pins
        details={},
        parameters={**problem.result.parameters, "pins": [pin_record(pin) for pin in pinned.pins]},
        certificates=Certificates(alone.family, alone.ranges.extremes, problem.columns) if alone else None,
    )


def pin_record(pin: Pin) -> dict[str, Any]:
    """A pin as JSON has it; None where a range has no upper end."""
    record = asdict(pin)
    return {**record, "high": record["high"] if np.isfinite(record["high"]) else None}


def read_pin_record(record: Mapping[str, Any]) -> Pin:
    """The pin of such a record."""
    high = np.inf if record["high"] is None else float(record["high"])
    return Pin(record["feature"], float(record["low"]), high, record["asked"])


def read_pin_records(problem: FittedProblem, records: Iterable[Mapping[str, Any]]) -> tuple[Pin, ...]:
    """Pins of a saved session, on features that the problem has."""
    pins = tuple(read_pin_record(record) for record in records)
    for pin in pins:
        problem.known(pin.feature)
    return pins


@dataclass(frozen=True)
class ScenarioComparison:
    """Two scenarios: each feature's interval in both. `moved` holds those that differ by more than rounding."""

    first: str
    second: str
    intervals: Mapping[str, tuple[tuple[float, float], tuple[float, float]]]

    @property
    def moved(self) -> dict[str, tuple[tuple[float, float], tuple[float, float]]]:
        return {
            name: both for name, both in self.intervals.items() if np.abs(np.subtract(both[0], both[1])).max() > 1e-6
        }

    def __str__(self) -> str:
        width = max([len(name) for name in self.moved] + [7])
        lines = [f"{'feature':<{width}}  {self.first:>15}  {self.second:>15}"]
        for name, (a, b) in self.moved.items():
            lines.append(f"{name:<{width}}  {a[0]:7.3f} {a[1]:7.3f}  {b[0]:7.3f} {b[1]:7.3f}")
        still = len(self.intervals) - len(self.moved)
        return "\n".join([*lines, f"and {still} that do not move"] if still else lines)


def compare(first: str, a: RelevanceResult, second: str, b: RelevanceResult) -> ScenarioComparison:
    """The intervals of two results over the same features."""
    pairs = {f.name: ((f.min, f.max), (g.min, g.max)) for f, g in zip(a.features, b.features, strict=True)}
    return ScenarioComparison(first, second, pairs)
