"""A claim of a paper: what the paper prints, where our figure stands in a published run, and how the two are compared.

A claim names a benchmark and the cells of its tables that answer it. The verdict is computed from these cells by a
rule, so that a run with other figures has another verdict. What the rule cannot know is written by hand: the reason why
our figure differs, and why a claim cannot be tried at all.

    Claim(
        "Table 1, Data I", "F1 of the intervals", "0.98",
        "peers-esann", Cell("I:", "relspan", "F1"), reaches(0.98),
    )
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

REPRODUCED, BETTER, ANSWERED, DIFFERS = "reproduced", "better", "answered", "differs"
NOT_POSSIBLE, NOT_RUN = "not possible", "not run yet"
VERDICTS = (REPRODUCED, BETTER, ANSWERED, DIFFERS, NOT_POSSIBLE, NOT_RUN)
DIGITS = 9  # of a difference of printed figures: what a sum of decimals adds to them is no difference
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")

Rule = Callable[[tuple[str, ...]], str]


@dataclass(frozen=True)
class Cell:
    """A cell of a run: the table by how its title begins, the row by its first cell or cells, the column by name."""

    table: str
    row: str | tuple[str, ...]
    column: str

    def read(self, run: dict[str, Any]) -> str:
        """The cell's words; a LookupError names what the run has instead."""
        tables = [table for table in run["tables"] if table["title"].startswith(self.table)]
        table = _only(tables, f"tables that begin with {self.table!r}", [t["title"] for t in run["tables"]])
        first = (self.row,) if isinstance(self.row, str) else self.row
        rows = [row for row in table["rows"] if tuple(row[: len(first)]) == first]
        row = _only(rows, f"rows {first!r} in {table['title']!r}", [row[0] for row in table["rows"]])
        places = [place for place, name in enumerate(table["columns"]) if name == self.column]
        place = _only(places, f"columns {self.column!r} in {table['title']!r}", table["columns"])
        return str(row[place])


@dataclass(frozen=True)
class Line:
    """What follows the given first words of a line that a run printed outside of its tables."""

    begins: str

    def read(self, run: dict[str, Any]) -> str:
        """The rest of the line; a LookupError if there is not exactly one."""
        lines = [line.strip() for line in run["text"].splitlines() if line.strip().startswith(self.begins)]
        return str(_only(lines, f"lines that begin with {self.begins!r}", [])).removeprefix(self.begins).strip()


@dataclass(frozen=True)
class Claim:
    """One statement of a paper.

    Attributes
    ----------
    item, statement, paper
        Where it stands ("Table II, Sim1"), what it is about, and the paper's own figure as the paper prints it.
    evidence
        What our figure comes from: the name of a benchmark, or a file of this repository (a test or an example) where
        the statement is about programs and not about figures. Empty if it is not possible.
    readings, rule
        The cells of the benchmark's published run, and how they compare with the paper's figure. A file has no
        readings, and needs a rule only where it answers an open question.
    form
        Our figure as a text, with {} for the readings, or a function of them. Of a file: what it shows.
    because
        The reason, shown if our figure differs; of a claim that is not possible, why.
    note
        A remark that is always shown, such as another setting.
    """

    item: str
    statement: str
    paper: str
    evidence: str = ""
    readings: Cell | Line | tuple[Cell | Line, ...] = ()
    rule: Rule | None = None
    form: str | Callable[[tuple[str, ...]], str] = ""
    because: str = ""
    note: str = ""

    @property
    def is_benchmark(self) -> bool:
        """Whether the figure comes from a benchmark's run."""
        return bool(self.evidence) and "/" not in self.evidence

    def answer(self, runs: dict[str, dict[str, Any]]) -> tuple[str, str]:
        """Our figure and the verdict, without its reason."""
        if not self.evidence:
            return "", NOT_POSSIBLE
        if not self.is_benchmark:
            return str(self.form), REPRODUCED if self.rule is None else self.rule(())
        if self.evidence not in runs:
            return "", NOT_RUN
        readings = self.readings if isinstance(self.readings, tuple) else (self.readings,)
        words = tuple(reading.read(runs[self.evidence]) for reading in readings)
        assert self.rule is not None
        shown = self.form(words) if callable(self.form) else (self.form or " / ".join("{}" for _ in words))
        return shown if callable(self.form) else shown.format(*words), self.rule(words)


@dataclass(frozen=True)
class Paper:
    """A paper, in the order of its items."""

    title: str
    source: str
    claims: tuple[Claim, ...]


def number(word: str) -> float:
    """The first number of a cell, such as 0.13 of "0.13 (0.5)"."""
    found = NUMBER.search(word)
    if found is None:
        raise ValueError(f"no number in {word!r}")
    return float(found[0])


def reaches(*figures: float, within: float = 0.01) -> Rule:
    """More is better: at least the paper's figures, up to what their last digit leaves open."""
    return lambda words: _compared([ours - theirs for ours, theirs in _pairs(words, figures)], within)


def stays_below(*figures: float, within: float = 0.01) -> Rule:
    """Less is better: at most the paper's figures, up to what their last digit leaves open."""
    return lambda words: _compared([theirs - ours for ours, theirs in _pairs(words, figures)], within)


def near(*figures: float, within: float = 0.01) -> Rule:
    """Neither more nor less is better: the same figures, within the given distance."""
    return lambda words: (
        REPRODUCED
        if all(round(abs(ours - theirs), DIGITS) <= within for ours, theirs in _pairs(words, figures))
        else DIFFERS
    )


def reads(*expected: str) -> Rule:
    """The very words."""
    return lambda words: REPRODUCED if words == expected else DIFFERS


def begins(word: str) -> Rule:
    """A reading that begins with a word, such as "yes"."""
    return lambda words: REPRODUCED if words[0].startswith(word) else DIFFERS


def holds(condition: Callable[..., bool]) -> Rule:
    """A condition on the numbers of the readings."""
    return lambda words: REPRODUCED if condition(*map(number, words)) else DIFFERS


def answers(condition: Callable[..., bool]) -> Rule:
    """The paper leaves a question open: a condition on the numbers of the readings, under which our answer stands."""
    return lambda words: ANSWERED if condition(*map(number, words)) else DIFFERS


def _pairs(words: tuple[str, ...], figures: tuple[float, ...]) -> list[tuple[float, float]]:
    return list(zip(map(number, words), figures, strict=True))


def _compared(ahead: list[float], within: float) -> str:
    """Behind by more than `within` anywhere: differs. Ahead by more than that somewhere: better."""
    least, most = round(min(ahead), DIGITS), round(max(ahead), DIGITS)
    if least < -within:
        return DIFFERS
    return BETTER if most > within else REPRODUCED


def _only(found: list[Any], what: str, there: list[str]) -> Any:
    if len(found) != 1:
        raise LookupError(f"{len(found)} {what}; there are {there}")
    return found[0]
