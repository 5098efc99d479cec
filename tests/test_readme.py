"""The README's examples run, one after the other, and print what the README says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")  # they go to stderr
def test_the_examples_print_what_the_readme_shows():
    pytest.importorskip("pandas")
    names: dict[str, object] = {}  # as in one session: later examples use the names of earlier ones
    assert len(blocks("python")) == len(blocks("text")) >= 2
    for code, shown in zip(blocks("python"), blocks("text"), strict=True):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), names)
        assert printed.getvalue() == shown


def test_every_file_the_readme_points_to_is_there():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) >= 4
    assert [link for link in links if not (ROOT / link).exists()] == []
