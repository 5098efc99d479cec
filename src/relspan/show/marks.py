"""Marks: the order of features, the mark of each class, and the bar of an interval.

    ● strong    ◐ weak    · irrelevant    ? undecided

Text, terminal, notebook and report draw with them; colours are in `palette`. A mark always stands beside a colour, so
that no two classes differ by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from relspan.result import CLASSES, FeatureRelevance, GroupRelevance, RelevanceResult


def by_relevance(features: Sequence[FeatureRelevance]) -> list[FeatureRelevance]:
    """Strong before weak before irrelevant; in each class the features that reach furthest come first."""
    return sorted(features, key=lambda f: (CLASSES.index(f.relevance), -f.max))


def has_a_row(feature: FeatureRelevance) -> bool:
    """Whether a short table shows the feature: irrelevant ones only where they are pinned, or needed under pins."""
    effect = feature.under_pins
    return feature.relevance != "irrelevant" or (effect is not None and (effect.pinned or effect.outcome == "needed"))


class Glyphs(NamedTuple):
    """The characters that marks and bars are drawn with."""

    strong: str
    weak: str
    irrelevant: str
    undecided: str
    uncertain: str
    full: str
    left: str
    right: str
    empty: str
    threshold: str
    crossed: str
    pointer: str

    def mark(self, relevance: str) -> str:
        """The mark of a class."""
        return str(getattr(self, relevance))

    def signs(self, feature: FeatureRelevance) -> str:
        """The sign of the feature's weight, or of each class's weight in turn; the levels of a category have theirs."""
        if feature.levels:
            return ""
        ends = [(feature.lo, feature.hi)] if feature.parts is None else list(feature.parts.values())
        return "".join("+" if lo > 0 else "-" if hi < 0 else self.uncertain for lo, hi in ends)


UNICODE = Glyphs("●", "◐", "·", "?", "±", "━", "╸", "╺", " ", "┊", "┿", "▾")
ASCII = Glyphs("*", "o", ".", "?", "?", "=", "=", "=", " ", ":", "+", "v")
LINED = UNICODE._replace(left="╾", right="╼", empty="─")
"""Bars on a line, which show where the axis ends."""


def span(low: float, high: float, steps: int, shortest: int = 1) -> tuple[int, int]:
    """Where the bar from low to high starts and stops, on a scale from 0 to 1 that is divided into steps.

    A bar is never empty where high > 0: it has at least `shortest` steps, and stays on the scale.
    """
    start, stop = (min(max(round(steps * end), 0), steps) for end in (low, high))
    if high > 0:
        start = min(start, steps - shortest)
        stop = max(stop, start + shortest)
    return start, stop


def bar(low: float, high: float, width: int, glyphs: Glyphs = UNICODE) -> str:
    """The bar from low to high, on a scale from 0 to 1, in `width` characters; half characters are used."""
    start, stop = span(low, high, 2 * width)
    halves = [start <= half < stop for half in range(2 * width)]
    drawn = {
        (True, True): glyphs.full,
        (True, False): glyphs.left,
        (False, True): glyphs.right,
        (False, False): glyphs.empty,
    }
    return "".join(drawn[pair] for pair in zip(halves[::2], halves[1::2], strict=True))


def has_evidence(result: RelevanceResult) -> bool:
    """Whether the result has evidence; by the papers' own rule, and before classes are known, it has none."""
    return any(f.evidence is not None for f in result.features)


def evidence_text(feature: FeatureRelevance) -> str:
    """The feature's evidence as a number, marked "<=" where it is only a bound; empty where it has none."""
    return "" if feature.evidence is None else ("" if feature.solved else "<=") + f"{feature.evidence:.2f}"


def axis_end(result: RelevanceResult) -> float:
    """The largest value that bars of this result show: where their common axis ends."""
    shown: list[FeatureRelevance | GroupRelevance] = [*result.features, *result.privileged, *result.groups]
    marks = [result.thresholds.get("relevant", 0.0), *(result.threshold_of(f) or 0.0 for f in shown)]
    return max([*marks, *(f.max for f in shown)]) or 1.0
