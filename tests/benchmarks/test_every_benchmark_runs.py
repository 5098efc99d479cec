"""Every benchmark whose needs are met here, in a version of seconds: it ends well, with tables of sane figures.

What is checked is shape and sanity, never speed. The versions are smaller than those of `make bench-quick`.
"""

from __future__ import annotations

import importlib
import re
import sys

import pytest
from benchmarks.__main__ import missing
from benchmarks.registry import BENCHMARKS
from benchmarks.running import tables

pytestmark = pytest.mark.slow

ONE_TABLE = ("--seeds", "1", "--noise-seeds", "1", "--patient-seeds", "1")
PARTS = ("kinds", "noise", "patients", "steadiness")
SMALL = {
    "simulated": ("--seeds", "1", "--sets", "II", "xor"),
    "verdicts": (
        *ONE_TABLE,
        "--kind",
        "80 x 16",
        "--design",
        "80 x 8",
        "30 x 5 rows, icc .5, nothing",
        "--part",
        *PARTS,
    ),
    "verdicts-peers": ("--part", "peers", "--seeds", "1", "--kind", "80 x 8", "number, R2 .9"),
    "verdicts-cost": ("--part", "cost", "--repeat", "1", "--sizes", "60x20"),
    "verdicts-probes": (*ONE_TABLE, "--kind", "80 x 16", "--design", "80 x 8", "--part", "probes"),
    "textbook": ("--seeds", "1", "--tables", "nodal", "--without-boruta"),
    "esann-table": ("--draws", "1", "--sets", "II", "--methods", "L2-SVM", "elastic net", "relspan, esann2017"),
    "fri-simulated": ("simulated", "--draws", "2", "--sets", "Sim3", "--methods", "relspan", "elastic net"),
    "fri-real": ("real", "--draws", "1", "--sets", "breast cancer", "--methods", "relspan", "stability selection"),
    "peers-esann": ("--seeds", "1", "--first-seed", "3", "--sets", "I", "--methods", "relspan", "stability selection"),
    "peers-fri": ("--seeds", "1", "--sets", "Sim3", "--methods", "relspan", "L2-SVM"),
    "peers-harder": ("--seeds", "1", "--sets", "60 x 100", "--methods", "relspan", "elastic net"),
    "peers-nonlinear": ("--seeds", "1", "--sets", "xor", "--methods", "relspan", "ensemble", "relspan, products"),
    "real": ("--replicates", "1", "--tables", "breast cancer", "--methods", "all features", "relspan"),
    "real-distinct": ("--rows", "distinct", "--replicates", "1", "--tables", "breast cancer", "--methods", "relspan"),
    "profile": ("--draws", "99"),
    "tasks": ("--seeds", "1", "--noise", "0.1", "--sets", "both", "--tasks", "three classes"),
    "reject": ("--parts", "figure", "decisions", "--seeds", "1", "--tables", "breast cancer"),
    "twins": ("--twins", "adrenal", "t21", "--draws", "1", "--published", "0", "--fresh", "500"),
    "groups": ("--seeds", "1", "--sets", "Sim1", "--time-limit", "5"),
    "panels": ("--seeds", "1", "--irrelevant", "0"),
    "metric": ("--seeds", "1", "--probes", "5", "--learners", "NCA, full", "--parts", "xor"),
    "metric-paper": ("--parts", "paths", "--seeds", "1"),
    "hiton-text-twin": ("--tables", "OHSUMED twin", "--learners", "SBCtc", "--columns", "300"),
    "methods-speed": ("--sizes", "60x10", "--repeat", "1", "--methods", "relspan", "L1-SVM"),
    "growth-speed": ("--growth", "100", "200"),
    "explore-speed": ("--columns", "6"),
    "parallel-speed": ("--case", "100x20:.001:exact", "--repeat", "1"),
    "parallel-fits-speed": ("--table", "60x8", "--repeat", "1"),
    "metric-speed": ("--samples", "100"),
    "independent-speed": ("--table", "20x60", "--mode", "screened"),
}
SHARES = ("precision", "recall", "F1", "three-way", "AUC", "its F1")


def figure(cell: str) -> float:
    """The first number of a cell."""
    return float(re.search(r"-?\d*\.?\d+(e-?\d+)?", cell)[0])


@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.filterwarnings("ignore")
def test_a_small_version_ends_well_with_tables_of_sane_figures(name, tmp_path, monkeypatch, capsys):
    benchmark = BENCHMARKS[name]
    lacks = missing(benchmark, {})
    if lacks:
        pytest.skip(f"needs {', '.join(lacks)}")
    words = [word.format(units=tmp_path / "units.jsonl") for word in SMALL.get(name, benchmark.quick)]
    monkeypatch.setattr(sys, "argv", [benchmark.module, *words])
    importlib.import_module(benchmark.module).main()
    printed = capsys.readouterr().out
    assert tables(printed) or re.search(r"\d+ blankets of \d+ samples", printed)
    for table in tables(printed):
        assert table["rows"]
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
        for column in set(SHARES) & set(table["columns"]):
            cells = [row[table["columns"].index(column)] for row in table["rows"]]
            assert all(0 <= figure(cell) <= 1 for cell in cells if cell), (column, cells)


def test_small_versions_are_of_benchmarks_that_exist():
    assert set(SMALL) <= set(BENCHMARKS)
