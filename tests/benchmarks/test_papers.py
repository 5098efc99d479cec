"""The papers' claims beside our figures: read from the published runs, judged by rules, and never without a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.pages import load, write_papers
from benchmarks.papers import PAPERS
from benchmarks.papers.claims import (
    ANSWERED,
    BETTER,
    DIFFERS,
    NOT_POSSIBLE,
    NOT_RUN,
    REPRODUCED,
    Cell,
    Claim,
    Line,
    Paper,
    answers,
    begins,
    holds,
    near,
    reaches,
    reads,
    stays_below,
)
from benchmarks.papers.page import papers_page
from benchmarks.registry import BENCHMARKS

from benchmarks import __main__ as entry

CLAIMS = [claim for paper in PAPERS for claim in paper.claims]
NAMES = [f"{paper.title}: {claim.item}: {claim.statement}" for paper in PAPERS for claim in paper.claims]
RUN = {
    "name": "panels",
    "tables": [
        {"title": "I: 150 rows", "columns": ["method", "F1"], "rows": [["relspan", "0.99"], ["Boruta", "0.87"]]},
        {"title": "II: 150 rows", "columns": ["set", "noise", "F1"], "rows": [["a", "0", "1.0"], ["a", ".1", "0.9"]]},
    ],
    "text": "\nlargest gap: 3e-09\n",
}


def test_the_committed_page_is_what_the_published_runs_give(tmp_path):
    made = write_papers(entry.RESULTS / "published", tmp_path / "papers.md")
    assert made.read_text() == entry.PAPERS_PAGE.read_text()


@pytest.mark.parametrize("claim", CLAIMS, ids=NAMES)
def test_every_claim_has_evidence_or_a_reason(claim):
    if not claim.evidence:
        assert claim.because
    elif claim.is_benchmark:
        assert claim.evidence in BENCHMARKS
        assert claim.readings
        assert claim.rule is not None
    else:
        assert (entry.ROOT / claim.evidence).exists()
        assert Path(claim.evidence).parts[0] in ("tests", "examples")
        assert claim.form


def test_what_differs_has_its_reason():
    runs = load(entry.RESULTS / "published")
    unexplained = [claim for claim in CLAIMS if claim.answer(runs)[1] == DIFFERS and not claim.because]
    assert unexplained == []


def test_cells_and_lines_are_found_by_name():
    assert Cell("I:", "relspan", "F1").read(RUN) == "0.99"
    assert Cell("II", ("a", ".1"), "F1").read(RUN) == "0.9"
    assert Line("largest gap:").read(RUN) == "3e-09"


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (Cell("I", "relspan", "F1"), "2 tables"),
        (Cell("I:", "fri", "F1"), "there are .*relspan.*Boruta"),
        (Cell("I:", "relspan", "recall"), "there are .*method.*F1"),
        (Cell("II", "a", "F1"), "2 rows"),
        (Line("smallest gap"), "0 lines"),
    ],
)
def test_a_reading_that_is_not_there_is_refused(reading, words):
    with pytest.raises(LookupError, match=words):
        reading.read(RUN)


@pytest.mark.parametrize(
    ("rule", "words", "verdict"),
    [
        (reaches(0.98), ("0.99",), REPRODUCED),  # the last printed digit is no difference
        (reaches(0.98), ("0.991",), BETTER),
        (reaches(0.98), ("0.969",), DIFFERS),
        (reaches(0.98, 0.9), ("1.00", "0.80"), DIFFERS),  # worse somewhere is not better
        (stays_below(0.29), ("0.14 (3)",), BETTER),
        (stays_below(0.29), ("0.40",), DIFFERS),
        (near(15.6, within=1), ("15.0",), REPRODUCED),
        (near(15.6, within=1), ("27.7",), DIFFERS),
        (reads("10 of 10"), ("10 of 10",), REPRODUCED),
        (reads("10 of 10"), ("9 of 10",), DIFFERS),
        (begins("yes"), ("yes, 0.3",), REPRODUCED),
        (begins("yes"), ("NO, 0.3",), DIFFERS),
        (holds(lambda a, b: a < b), ("+0.1", "2e-1"), REPRODUCED),
        (holds(lambda a, b: a < b), ("0.3", "0.2"), DIFFERS),
        (answers(lambda a: a > 0), ("1",), ANSWERED),
        (answers(lambda a: a > 0), ("0",), DIFFERS),
    ],
)
def test_rules(rule, words, verdict):
    assert rule(words) == verdict


def test_a_rule_needs_a_number():
    with pytest.raises(ValueError, match="no number in 'none'"):
        reaches(1.0)(("none",))


def test_the_page_shows_reasons_links_and_what_was_not_run():
    cell = Cell("I:", "relspan", "F1")
    paper = Paper(
        "A paper",
        "Its authors.",
        (
            Claim("Table 1", "F1", ".99", "panels", cell, reaches(0.99)),
            Claim("Table 2", "F1", ".5", "panels", cell, near(0.5), because="it is | other data"),
            Claim("Table 3", "F1", ".5", "groups", cell, near(0.5)),
            Claim("Figure 1", "a map", "shown", because="the table is not public"),
            Claim("Theorem 1", "a program", "proof", "tests/conftest.py", form="equal", note="By hand"),
            Claim("Outlook", "paths", "later", "tests/conftest.py", rule=answers(lambda: True), form="drawn"),
        ),
    )
    verdicts = [claim.answer({"panels": RUN})[1] for claim in paper.claims]
    assert verdicts == [REPRODUCED, DIFFERS, NOT_RUN, NOT_POSSIBLE, REPRODUCED, ANSWERED]
    page = papers_page((paper,), {"panels": RUN}, {"panels": "quick"})
    assert "| A paper | 6 | 2 | 0 | 1 | 1 | 1 | 1 |" in page
    assert "| Table 1 | F1 | .99 | 0.99 | [`panels`](benchmarks/panels.md) (quick) | **reproduced** |" in page
    assert "**differs** because it is \\| other data |" in page
    assert "| Table 3 | F1 | .5 |  | `groups` | **not run yet** |" in page
    assert "**not possible** because the table is not public |" in page
    assert "| equal | `tests/conftest.py` | **reproduced**. By hand |" in page
