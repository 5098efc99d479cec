"""What every quick run must show, so that a program that ends well with wrong figures is noticed.

A quick version is too short to compare methods by, but some things are so clear that one draw shows them: the truth of
an easy set is found, an exhaustive search finds the same panels, no answer of an engine is accepted wrongly. A run that
does not show them counts as failed. Bounds are far from what full runs give; nothing here is about speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.papers.claims import Cell, Line, number

Run = dict[str, Any]


@dataclass(frozen=True)
class Expectation:
    """A statement about a run, and whether it holds."""

    statement: str
    holds: Callable[[Run], bool]


def at_least(bound: float, *cell: Any) -> Expectation:
    """A figure of the run is not below a bound; the cell is named by table, row and column."""
    return Expectation(f"{_place(*cell)} is at least {bound:g}", lambda run: number(Cell(*cell).read(run)) >= bound)


def at_most(bound: float, *cell: Any) -> Expectation:
    """A figure of the run is not above a bound."""
    return Expectation(f"{_place(*cell)} is at most {bound:g}", lambda run: number(Cell(*cell).read(run)) <= bound)


def reads(words: str, *cell: Any) -> Expectation:
    """A cell of the run has these very words."""
    return Expectation(f"{_place(*cell)} is {words}", lambda run: Cell(*cell).read(run) == words)


def fewer(column: str, than: str, table: str, row: str) -> Expectation:
    """In one row, a figure is below that of another column."""
    return Expectation(
        f"{row}: {column} is below {than}",
        lambda run: number(Cell(table, row, column).read(run)) < number(Cell(table, row, than).read(run)),
    )


def all_read(words: str, column: str) -> Expectation:
    """All cells of a column have these words, in every table that has the column."""
    return Expectation(
        f"every cell of {column!r} is {words}",
        lambda run: all(
            row[table["columns"].index(column)] == words
            for table in run["tables"]
            if column in table["columns"]
            for row in table["rows"]
        ),
    )


def _place(table: str, row: str | tuple[str, ...], column: str) -> str:
    words = (table.rstrip(":"), *((row,) if isinstance(row, str) else row), column)
    return ", ".join(word for word in words if word)


def _is_whole(run: Run) -> bool:
    """Every table has rows, and every row a cell for each column."""
    return all(
        table["rows"] and all(len(row) == len(table["columns"]) for row in table["rows"]) for table in run["tables"]
    )


def _is_finite(run: Run) -> bool:
    """No cell is a number that is none."""
    words = {word for table in run["tables"] for row in table["rows"] for cell in row for word in cell.split()}
    return not {"nan", "inf", "-inf"} & {word.strip("()%,").lower() for word in words}


EVERY_RUN = (
    Expectation("it prints a table", lambda run: bool(run["tables"])),
    Expectation("every row of a table is complete", _is_whole),
    Expectation("no figure is NaN or infinite", _is_finite),
)

KNOWN, TABLE_II = "Tables with known truth", "Table II:"
EXPECTED: dict[str, tuple[Expectation, ...]] = {
    "simulated": (
        *(at_least(0.9, "The papers' sets", name, "F1") for name in ("II", "III", "Sim1", "Sim3", "Sim5")),
        at_most(0.7, "Nonlinear targets", "xor", "F1"),
    ),
    "verdicts": (
        at_least(0.8, KNOWN, "ALL", "F1"),
        at_most(0.2, "Tables of noise", "ALL", "rate"),
    ),
    "esann-table": (at_least(0.8, "Data I:", "relspan", "F1"),),
    "inspected-tables": (reads("0", "## Tables to the end", "2", "refused or failed"),),
    "peers-esann": (at_least(0.8, "II:", "relspan", "F1"),),
    "fri-simulated": (at_least(0.9, TABLE_II, ("Sim3", "relspan"), "F1"),),
    "fri-real": (at_least(0.95, "Table IV:", ("breast cancer", "relspan"), "AUC"),),
    "fri-figure3": (
        reads("4", "What the paper says", "fri2019", "strong"),
        reads("3", "What the paper says", "fri2019", "weak"),
        at_most(0.0015, "What the paper says", "fri2019", "(c) largest relevance of a copy"),
    ),
    "author-generator": (at_least(0.9, "Sets of the papers", ("I", "relspan"), "F1"),),
    "peers-fri": (at_least(0.9, "Sim1:", "relspan", "F1"),),
    "peers-harder": (at_least(0.8, "flips 10 %:", "relspan", "F1"),),
    "peers-nonlinear": (at_most(0.7, "xor:", "relspan", "F1"),),
    "real": (at_least(0.95, "breast cancer:", "relspan", "AUC"),),
    "real-distinct": (at_least(0.95, "breast cancer:", "relspan", "AUC"),),
    "profile": (
        Expectation(
            "features of one measurement replace one another",
            lambda run: Line("substitutes:").read(run).startswith("yes"),
        ),
    ),
    "tasks": (
        at_least(0.9, "regression", ("Sim1", "0.1"), "F1"),
        at_least(0.9, "ordinal", ("Sim1", "0.1"), "F1"),
        at_least(0.9, "reject", ("Sim1", "0.1"), "F1"),
    ),
    "reject": (
        at_most(0.99, "Figure 1", "1, unequal noise", "maximal"),
        at_most(1.0, "The models at the ends", "1, unequal noise", "flipped classes"),
    ),
    "twins": (
        reads("2 of 2", "Twin of adrenal", "four markers relevant", "defaults, 2 draws"),
        reads("2 of 2", "Twin of t21", "CRL needed with GA-d at its minimum", "defaults, 2 draws"),
    ),
    "groups": (at_least(0.9, "", "Sim1", "Rand index, least"),),
    "panels": (all_read("True", "same smallest"), all_read("True", "same list")),
    "metric": (reads("1 of 1", "xor", "GMLVQ, rank 1", "dimension 3"),),
    "metric-paper": (at_most(0.05, "xor, Figure 1", "3", "test"),),
    "hiton": (at_most(100, "colon:", "HITON-PC", "variables"),),
    "hiton-slides": (fewer("HITON, ours", "ALL, ours", "2. Clinical diagnosis:", "# of variables"),),
    "hiton-spectra": (fewer("HITON, ours", "ALL, ours", "5. Mass-spectrometry", "# of variables"),),
    "hiton-text-twin": (fewer("HITON, ours", "ALL, ours", "3. Text categorization", "# of variables"),),
    "blankets": (at_least(0.6, "alarm_n500_s0", "relspan", "F1"),),
    "bounds-speed": (at_most(1e-5, "", ("500 x 30", "0.001"), "answers differ by"),),
    "fits-speed": (at_least(0.9, "", "500 x 30", "F1 of relspan"),),
    "engines-speed": (all_read("0", "wrong"),),
    "thrombin-speed": (reads("4 of 4", "", "0.01", "planted causes found"),),
    "survival": (at_least(0.6, "", "veterans_lung_cancer", "relspan"),),
}


def unmet(run: Run) -> list[str]:
    """The statements that a quick run should show and does not."""
    return [wanted.statement for wanted in (*EVERY_RUN, *EXPECTED.get(run["name"], ())) if not _holds(wanted, run)]


def _holds(wanted: Expectation, run: Run) -> bool:
    """A cell that is not there shows nothing."""
    try:
        return wanted.holds(run)
    except (LookupError, ValueError):
        return False
