"""Sentences are plain: nothing is "told" that is reported or shown, and "per" is not written "a"."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_spec = importlib.util.spec_from_file_location("check_wording", ROOT / "tools" / "check_wording.py")
check = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check)


def test_no_file_has_wording_to_avoid():
    assert check.found() == {}


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
