"""Orders that the names of levels give away: ranges such as 25-34 and 75+, ordinals such as 1st, and usual scales.

An order found here is a suggestion: it is shown to a person, and nothing is encoded by it unless it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection

SCALES = (
    ("very low", "low", "medium", "high", "very high"),
    ("low", "moderate", "high"),
    ("low", "middle", "high"),
    ("lower", "middle", "upper"),
    ("extra small", "small", "medium", "large", "extra large"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("none", "mild", "moderate", "severe"),
    ("none", "some", "marked"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("bad", "average", "good"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("first", "second", "third", "fourth", "fifth"),
    ("primary", "secondary", "tertiary"),
)
_NUMBER = r"[0-9]+(?:[.,][0-9]+)?"
_RANGE = re.compile(rf"(?P<sign>[<>]=?)? ?(?P<from>{_NUMBER})(?P<rest> ?(?:-|–|to|\+|/).*)?[^0-9]*")
_ORDINAL = re.compile(r"(?P<from>[0-9]+)(?:st|nd|rd|th)\b.*", re.IGNORECASE)


def known_order(levels: Collection[str]) -> tuple[str, ...] | None:
    """The levels from low to high, where their names give an order away; else None."""
    if len(levels) < 3:
        return None
    folded = {level.casefold().strip(): level for level in levels}
    for scale in SCALES:
        if len(folded) == len(levels) and set(folded) <= set(scale):
            return tuple(folded[word] for word in scale if word in folded)
    return _by_numbers(levels, _ORDINAL) or _by_numbers(levels, _RANGE)


def _by_numbers(levels: Collection[str], pattern: re.Pattern[str]) -> tuple[str, ...] | None:
    """The levels sorted by the number that each begins with, if these differ and most levels are ranges."""
    matches = {level: pattern.fullmatch(level.strip()) for level in levels}
    keys: dict[str, tuple[float, int]] = {}
    ranges = 0
    for level, match in matches.items():
        if match is None:
            return None
        parts = match.groupdict()
        ranges += pattern is _ORDINAL or bool(parts.get("sign") or parts.get("rest"))
        side = {"<": -1, ">": 1}.get((parts.get("sign") or " ")[0], 0)
        keys[level] = (float(parts["from"].replace(",", ".")), side)
    if len(set(keys.values())) < len(keys) or 2 * ranges <= len(keys):
        return None
    return tuple(sorted(keys, key=keys.__getitem__))
