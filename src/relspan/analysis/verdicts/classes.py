"""The classes of features."""

from __future__ import annotations

IRRELEVANT, WEAK, STRONG = 0, 1, 2
CLASS_NAMES = ("irrelevant", "weak", "strong")
