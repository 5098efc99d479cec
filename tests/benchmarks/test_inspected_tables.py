"""The benchmark of real tables runs what relspan inspect prints, and reports refusals as such."""

from __future__ import annotations

import pytest
from benchmarks.accuracy import shipped_tables
from benchmarks.accuracy.inspected_tables import last_line, tried
from benchmarks.accuracy.shipped_tables import READERS, TABLES, ShippedTable

pytestmark = pytest.mark.slow


def test_thirty_different_tables_of_known_packages_are_named():
    assert len({(table.package, table.name) for table in TABLES}) == 30
    assert {table.package for table in TABLES} == set(READERS) == set(shipped_tables.PACKAGES)


def test_a_table_is_analysed_to_the_end_or_refused_with_the_reason(tmp_path, monkeypatch):
    rows = "".join(f'"{i}",{i % 7},{"abc"[i % 3]},{"no" if i % 7 < 3 else "yes"}\n' for i in range(60))
    monkeypatch.setitem(READERS, "made", lambda name: f'"","a","kind","y"\n{rows}'.encode())
    done = tried(ShippedTable("small", "made", "y"), tmp_path, 300)
    assert (done.finished, done.rows, done.columns) == (True, 60, 3)
    assert done.options == "--categorical kind"
    assert done.outcome.startswith("classification: 1 strong")
    refused = tried(ShippedTable("small", "made", "z"), tmp_path, 300)
    assert not refused.finished
    assert refused.outcome.startswith("refused: no column 'z'")


def test_the_last_line_of_errors_is_the_reason():
    assert last_line("a note\nrelspan: no file 'x'\n\n") == "no file 'x'"
    assert last_line("") == "no reason given"


def test_a_package_that_is_not_there_is_named():
    with pytest.raises(SystemExit, match="package no_such_package, which is not installed"):
        shipped_tables.folder_of("no_such_package")
