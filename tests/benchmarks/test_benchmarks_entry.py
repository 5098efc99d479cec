"""The benchmarks' one entry: what is finished is kept, what it lacks is told, tables become JSON and pages."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.expectations import EXPECTED, unmet
from benchmarks.pages import full_command, kind, left_out, marked, page, write_pages
from benchmarks.peers.selection import SELECTORS, selected
from benchmarks.registry import BENCHMARKS, CLASSES_SINCE, Benchmark
from benchmarks.running import is_done, run, shown_command, tables
from benchmarks.units import Units

from benchmarks import __main__ as entry
from relspan.simulate import simulate

FINE = {"exit_code": 0, "seconds": 0.0, "cpu_seconds": 30.0, "tables": [], "text": ""}
SMALL = replace(
    BENCHMARKS["peers-esann"],
    quick=("--seeds", "1", "--first-seed", "3", "--sets", "I", "--methods", "relspan", "L1-SVM", "--units", "{units}"),
)


def test_every_benchmark_is_a_module_that_exists():
    assert [b.name for b in BENCHMARKS.values() if importlib.util.find_spec(b.module) is None] == []


def test_the_list_says_what_is_lacking(capsys, monkeypatch):
    monkeypatch.delenv("RELSPAN_DATA", raising=False)
    assert entry.main(["--list"]) == 0
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == len(BENCHMARKS)
    assert "[needs data]" in printed


@pytest.mark.parametrize("words", [["no-such"], []])
def test_unknown_names_are_refused(words, capsys):
    assert entry.main(words) == 2
    assert "there are simulated" in capsys.readouterr().err


@pytest.mark.slow
def test_a_small_run_has_the_right_shape_and_sane_figures(tmp_path):
    path = tmp_path / "peers-esann.json"
    result = run(SMALL, True, {}, path)
    assert result["exit_code"] == 0
    kept = json.loads(path.read_text())
    assert kept["seeds"] == {"seeds": "1", "first-seed": "3"}
    assert kept["versions"]["relspan"]
    table, standing = kept["tables"]
    assert table["columns"] == ["method", "draws", "precision", "recall", "F1", "three-way", "CPU s per fit"]
    rows = {cells[0]: cells[1:] for cells in table["rows"]}
    assert set(rows) == {"relspan", "L1-SVM"}
    assert standing["rows"][0][:3] == ["I", f"{rows['relspan'][3]} (1)", "L1-SVM"]
    assert all(0 <= float(cell) <= 1 for cells in rows.values() for cell in cells[1:4])
    assert float(rows["relspan"][3]) > 0.8
    assert str(tmp_path) not in " ".join(kept["command"])
    assert is_done(path, shown_command(SMALL, True, {}))
    assert not is_done(path, shown_command(SMALL, False, {}))
    written = write_pages(tmp_path, tmp_path / "pages")
    assert [file.name for file in written] == ["index.md", "peers-esann.md"]
    assert f"| relspan | {rows['relspan'][0]} |" in written[1].read_text()
    assert kept["resumed_units"] == 0
    again = run(SMALL, True, {}, path)
    assert (again["resumed_units"], again["tables"]) == (2, kept["tables"])
    assert "continued from 2 finished parts" in page(again)
    assert "*quick*" in written[1].read_text()


def test_the_published_pages_are_made_from_the_published_results(tmp_path):
    made = write_pages(entry.RESULTS / "published", tmp_path)
    assert sorted(path.name for path in made) == sorted(path.name for path in entry.PAGES.glob("*.md"))
    assert [path.name for path in made if path.read_text() != (entry.PAGES / path.name).read_text()] == []


def test_a_run_that_is_shorter_than_full_says_so():
    told = {
        "name": "peers-esann",
        "quick": False,
        "command": shown_command(BENCHMARKS["peers-esann"], False, {"fri": "python3"}),
    }
    assert kind(told) == "full"
    assert kind({**told, "quick": True}) == "full"  # a benchmark without a quicker version
    assert kind({**told, "quick": True, "command": ["other"]}) == "quick"
    assert kind({**told, "command": [*told["command"], "--seeds", "3"]}) == "shorter than full"


def test_what_a_run_lacks_is_listed():
    """Fewer draws, a limit of its own, a peer that was not given, and what the program itself left out."""
    command = ["python", "-m", "benchmarks.accuracy.selection", "--kind", "esann", "--seeds", "2", "--sets", "I"]
    text = "Boruta is left out: the package boruta is not installed\n"
    run = {"name": "peers-esann", "quick": False, "command": command, "text": text}
    lacks = left_out(run)
    assert "`--seeds 2`, in a full run `--seeds 50`" in lacks
    assert "with `--sets I`, a limit that a full run does not have" in lacks
    assert "without `--fri-python PEER/bin/python` (a Python that has fri 9.0.0)" in lacks
    assert lacks[-1] == text.strip()
    assert kind(run) == "shorter than full"
    whole = {**run, "command": full_command("peers-esann"), "text": ""}
    assert left_out(whole) == []
    assert kind({**whole, "text": text}) == "shorter than full"


def test_units_of_another_rule_of_classes_are_computed_anew(tmp_path):
    file = tmp_path / "units.jsonl"
    Units(str(file)).get("a", lambda: 1)
    assert Units(str(file)).known == {"a": 1}
    file.write_text(file.read_text().replace(CLASSES_SINCE, "2026-11-15T00:00"))
    assert Units(str(file)).known == {}


def test_a_run_from_before_the_rule_of_classes_is_marked():
    told = {"name": "simulated", "quick": False, "command": shown_command(BENCHMARKS["simulated"], False, {})}
    assert marked({**told, "started": "2026-11-15T23:00:00+00:00"}) == "full, earlier rule of classes"
    assert marked({**told, "started": CLASSES_SINCE + ":30+00:00"}) == "full"
    speed = {**told, "name": "growth-speed", "command": shown_command(BENCHMARKS["growth-speed"], False, {})}
    assert marked({**speed, "started": "2026-11-15T23:00:00+00:00"}) == "full"


def test_arguments_of_ones_own_are_for_one_benchmark(tmp_path, capsys, monkeypatch):
    ran = []
    monkeypatch.setattr(
        entry, "run", lambda benchmark, *rest: ran.append(benchmark.quick) or {**FINE, "name": benchmark.name}
    )
    assert entry.main(["panels", "--out", str(tmp_path), "--", "--seeds", "2"]) == 0
    assert ran == [("--seeds", "2")]
    assert entry.main(["panels", "groups", "--", "--seeds", "2"]) == 2
    assert "for one benchmark" in capsys.readouterr().err


def test_a_benchmark_that_fails_leaves_no_result(tmp_path):
    broken = Benchmark("peers-esann", "?", "benchmarks.no_such_module")
    assert run(broken, True, {}, tmp_path / "peers-esann.json")["exit_code"] != 0
    assert list(tmp_path.glob("*.json")) == []


def test_an_interruption_keeps_what_is_finished(tmp_path, monkeypatch, capsys):
    calls = []

    def fake(benchmark, quick, given, path):
        calls.append(benchmark.name)
        if benchmark.name == "tasks":
            raise KeyboardInterrupt
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"command": shown_command(benchmark, quick, given), "versions": {"relspan": "1"}}))
        return {**FINE, "name": benchmark.name}

    monkeypatch.setattr(entry, "run", fake)
    monkeypatch.setattr("benchmarks.running.version", lambda name: "1")
    monkeypatch.setattr(entry, "write_pages", lambda results, folder: [])
    monkeypatch.setattr(entry, "unmet", lambda run: [])
    words = ["simulated", "tasks", "groups", "--quick", "--out", str(tmp_path)]
    assert entry.main(words) == 130
    assert "continues from there" in capsys.readouterr().err
    assert entry.main(words) == 130
    assert calls == ["simulated", "tasks", "tasks"]


def test_a_quick_run_that_shows_something_else_has_failed(tmp_path, monkeypatch, capsys):
    """A figure out of bounds, a table without rows, a NaN and a cell that is not there are all named."""
    table = {"title": "", "columns": ["set", "Rand index, least"], "rows": [["Sim1", "0.95"]]}
    good = {**FINE, "name": "groups", "tables": [table]}
    assert unmet(good) == []
    assert unmet({**good, "tables": [{**table, "rows": [["Sim1", "0.2"]]}]}) == [
        "Sim1, Rand index, least is at least 0.9"
    ]
    assert "no figure is NaN or infinite" in unmet({**good, "tables": [{**table, "rows": [["Sim1", "nan"]]}]})
    assert "every row of a table is complete" in unmet({**good, "tables": [{**table, "rows": [["Sim1"]]}]})
    assert "it prints a table" in unmet({**good, "tables": []})
    monkeypatch.setattr(entry, "run", lambda *rest: {**good, "tables": []})
    assert entry.main(["groups", "--quick", "--out", str(tmp_path)]) == 1
    printed = capsys.readouterr().err
    assert "groups: not as expected: it prints a table" in printed
    assert "benchmarks: failed: groups" in printed
    monkeypatch.setattr(entry, "run", lambda *rest: good)
    assert entry.main(["groups", "--quick", "--out", str(tmp_path)]) == 0


def test_what_is_skipped_for_want_of_something_is_listed_at_the_end(tmp_path, monkeypatch, capsys):
    for variable in ("RELSPAN_DATA", "RELSPAN_FRI_PYTHON"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(entry, "run", lambda benchmark, *rest: {**FINE, "name": benchmark.name})
    monkeypatch.setattr(entry, "unmet", lambda run: [])
    assert entry.main(["panels", "hiton", "groups", "fits-speed", "hiton-slides", "--out", str(tmp_path)]) == 0
    summary = [line for line in capsys.readouterr().err.splitlines() if line.startswith("benchmarks: ")]
    assert summary[0] == "benchmarks: 2 of 5 done, 1.0 CPU minutes"
    assert summary[1].startswith("benchmarks: skipped hiton, hiton-slides for want of a folder of public data sets")
    assert summary[2].startswith("benchmarks: skipped fits-speed for want of a Python that has fri")


def test_every_expectation_is_of_a_benchmark():
    assert set(EXPECTED) <= set(BENCHMARKS)


def test_tables_are_read_with_their_titles():
    text = "\nfirst\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\nnote\n\n| c |\n| --- |\n| 5 |\n"
    assert tables(text) == [
        {"title": "first", "columns": ["a", "b"], "rows": [["1", "2"], ["3", "4"]]},
        {"title": "note", "columns": ["c"], "rows": [["5"]]},
    ]


def test_units_are_computed_once_even_after_a_torn_line(tmp_path):
    path = tmp_path / "units.jsonl"
    assert Units(str(path)).get("a", lambda: {"x": 1}) == {"x": 1}
    with path.open("a") as file:
        file.write('{"key": "b", "ver')
    again = Units(str(path))
    assert again.get("a", lambda: pytest.fail("computed again")) == {"x": 1}
    assert again.get("b", lambda: {"x": 2}) == {"x": 2}
    assert again.get("c", lambda: {"x": 3}) == {"x": 3}
    assert Units(str(path)).known == {"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 3}}  # none is part of the torn line
    assert Units(None).get("a", lambda: 2) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SELECTORS if name != "Boruta"])
def test_peers_find_what_is_plain_to_see(name):
    pytest.importorskip(SELECTORS[name].package or "sklearn")
    data = simulate(150, 2, 0, 6, random_state=0)
    found = selected(name, data.X, data.y, 0)
    assert found.shape == (8,)
    assert found[:2].all()


@pytest.mark.slow
def test_stability_selection_of_noise_is_empty():
    rng = np.random.default_rng(0)
    assert selected("stability selection", rng.normal(size=(80, 10)), np.repeat([0, 1], 40), 0).sum() <= 1


def test_a_page_names_the_section_that_explains_it_and_the_section_exists():
    headings = (entry.ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8").splitlines()
    explained = {name: one.section for name, one in BENCHMARKS.items() if one.section}
    assert "textbook" in explained
    for name, section in explained.items():
        assert f"### {section}" in headings
        published = entry.PAGES / f"{name}.md"
        assert not published.exists() or f"*{section}*" in published.read_text(encoding="utf-8")
