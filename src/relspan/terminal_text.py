"""Text from anywhere, as it may be written to a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text without characters that would steer a terminal: they are written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
