"""Docstrings are written to be read in a terminal; this lets Sphinx read them too.

In the text before the first section (Parameters, ...) an indented block is a formula or a table in plain characters: it
becomes a literal block. In sentences, |x| and names_ are no markup: they are escaped.
"""

from __future__ import annotations

import re
from typing import Any

OUTSIDE_QUOTES = re.compile(r"(``.*?``|`[^`]*`)")
REFERENCE = re.compile(r"(?<=\w)_(?!\w)")
BLOCK_STARTS = (">>>", "-", "*", "..")


def escaped(line: str) -> str:
    """A sentence in which bars and trailing underscores are plain characters."""
    parts = OUTSIDE_QUOTES.split(line)
    parts[::2] = [REFERENCE.sub(r"\\_", part.replace("|", r"\|")) for part in parts[::2]]
    return "".join(parts)


def with_literal_blocks(lines: list[str]) -> list[str]:
    """The lines, with `::` above every indented block that follows an empty line."""
    told: list[str] = []
    literal = False
    for number, line in enumerate(lines):
        indented = line.startswith("    ") and bool(line.strip())
        if indented and not literal and number and not lines[number - 1].strip():
            literal = not line.strip().startswith(BLOCK_STARTS)
            if literal:
                told += ["::", ""]
        elif line.strip() and not indented:
            literal = False
        told.append(line if literal or indented else escaped(line))
    return told


def sections(lines: list[str]) -> int:
    """Where the first section starts."""
    for number, line in enumerate(lines[1:], 1):
        if line and set(line) <= {"-"} and len(line) > 3:
            return number - 1
    return len(lines)


def process(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Rewrite a docstring before numpydoc reads it."""
    first = sections(lines)
    rest, examples = [], False
    for number, line in enumerate(lines[first:], first):
        if number + 1 < len(lines) and set(lines[number + 1]) == {"-"}:
            examples = line.strip() in ("Examples", "References")
        sentence = line.startswith(" ") or (line and not lines[min(number + 1, len(lines) - 1)].startswith("---"))
        rest.append(escaped(line) if sentence and not examples and " : " not in line else line)
    lines[:] = with_literal_blocks(lines[:first]) + rest


def setup(app: Any) -> dict[str, bool]:
    """Before numpydoc, which has the priority 500."""
    app.connect("autodoc-process-docstring", process, priority=400)
    return {"parallel_read_safe": True}
