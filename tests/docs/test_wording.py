"""Sentences are plain: nothing is "told" that is reported or shown, and "per" is not written "a"."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TO_MEND = (Path(__file__).parent / "wording_to_mend.txt").read_text(encoding="utf-8").split()

_spec = importlib.util.spec_from_file_location("check_wording", ROOT / "tools" / "check_wording.py")
check = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check)

found = cache(check.found)


def test_no_file_has_wording_to_avoid():
    assert {name: lines for name, lines in found().items() if name not in TO_MEND} == {}


def test_the_list_of_files_to_mend_shrinks():
    done = [name for name in TO_MEND if name not in found()]
    assert done == [], "mended by now, or gone: take these names out of tests/docs/wording_to_mend.txt"


def test_exceptions_stay_few():
    assert len(check.ALLOWED) <= 10
    assert all(check.ALLOWED.values())


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("what a result tells", ["tells"]),
        ("def told_rows(tell_all):", ["told", "tell"]),
        ("two programs a feature, one row a sample", ["programs a feature", "row a sample"]),
        (".5 s a fit", ["s a fit"]),
        ("retelling, essay, foretold; two programs per feature; a row of a table; it names a class", []),
    ],
)
def test_the_check_finds_what_it_should(line, wrong):
    assert [words for _, words in check.complaints(line)] == wrong
