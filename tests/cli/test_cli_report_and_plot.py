"""relspan report and relspan plot: from a result's JSON to a file, or one line that says why not."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from made_up_results import feature, made_up
from relspan import RelevanceClassifier
from relspan.cli.app import app
from relspan.simulate import simulate


@pytest.fixture
def saved(tmp_path):
    result = made_up(feature("a <b>", 0.1, 0.5, "strong"), feature("c", 0.0, 0.1, "irrelevant"))
    path = tmp_path / "result.json"
    path.write_text(result.to_json())
    return path


def run(*words, **more):
    return CliRunner().invoke(app, [str(word) for word in words], **more)


def test_report_writes_one_file(saved, tmp_path):
    done = run("report", saved, "-o", tmp_path / "report.html", "--title", "Ours")
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    assert done.stderr == f"report in {tmp_path / 'report.html'}\n"
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h1>Ours</h1>" in text
    assert "a &lt;b&gt;" in text


def test_report_from_stdin_to_stdout(saved):
    done = run("report", "-", input=saved.read_text())
    assert done.stdout.startswith("<!doctype html>")
    assert done.stderr == ""


def test_a_table_is_no_result_and_the_way_to_one_is_told(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,0\n")
    wrong = run("report", tmp_path / "t.csv")
    assert wrong.exit_code == 3
    assert "t.csv' is not a result; `relspan analyze TABLE --target COLUMN -o result.json` writes one" in wrong.stderr


def test_report_with_panels(saved, tmp_path):
    panel = {"features": ["c"], "cost": 1.0, "bound": 1.0, "proven": True}
    (tmp_path / "panels.json").write_text(json.dumps({"pins": [], "panels": [panel]}))
    assert "1 feature at a cost of 1." in run("report", saved, "--panels", tmp_path / "panels.json").stdout
    (tmp_path / "panels.json").write_text(json.dumps({"panels": [{"features": []}]}))
    wrong = run("report", saved, "--panels", tmp_path / "panels.json")
    assert wrong.exit_code == 3
    assert "is not the JSON of `relspan panel`" in wrong.stderr


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_a_saved_model_is_reported_with_substitutes_panels_and_the_best_model(tmp_path, ending):
    data = simulate(60, strong=1, weak=2, irrelevant=0, copies=1, random_state=0)
    model = RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(data.X, data.y)
    file = tmp_path / f"model.{ending}"
    model.explore().save(file)
    done = run("report", file, "-o", tmp_path / "report.html")
    assert done.exit_code == 0, done.output
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    for title in ("Features that replace one another", "Panels", "The best model", "Methods"):
        assert f"<h2>{title}</h2>" in text
    drawn = run("plot", file, "-o", tmp_path / "figure.svg")
    assert drawn.exit_code == 0, drawn.output
    assert (tmp_path / "figure.svg").exists()
    (tmp_path / "result.json").write_text(model.result_.to_json())
    assert "none changed class" in run("diff", tmp_path / "result.json", file).stdout
    wrong = run("report", file, "--panels", tmp_path / "panels.json")
    assert wrong.exit_code == 2
    assert "--panels" in wrong.stderr


@pytest.mark.parametrize("command", [["report"], ["plot", "-o", "x.png"]])
def test_what_is_no_result_is_reported_in_one_line(command, tmp_path):
    (tmp_path / "wrong.json").write_text("{}")
    (tmp_path / "wrong.bin").write_bytes(b"\xff\xfe\x00")
    for file, code in (("wrong.json", 3), ("wrong.bin", 3), ("absent.json", 2)):
        done = run(command[0], tmp_path / file, *command[1:])
        assert done.exit_code == code
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["intervals", "signed", "probes"])
@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_plot_writes_a_figure(saved, tmp_path, kind, ending, start):
    pytest.importorskip("matplotlib")
    for name in ("one", "two"):
        done = run("plot", saved, "-o", tmp_path / f"{name}.{ending}", "--kind", kind)
        assert done.exit_code == 0, done.output
        assert done.stderr == f"figure in {tmp_path / name}.{ending}\n"
    first, second = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("one", "two"))
    assert first.startswith(start)
    assert first == second
    if ending == "svg" and kind != "probes":
        assert b"a &lt;b&gt;" in first


@pytest.mark.slow
def test_plot_options(saved, tmp_path):
    pytest.importorskip("matplotlib")
    done = run("plot", saved, "-o", tmp_path / "x.svg", "--earlier", saved, "--sort", "name", "--all", "--title", "T$x")
    assert done.exit_code == 0, done.output
    assert "before" in (tmp_path / "x.svg").read_text()
    done = run("plot", saved, "-o", tmp_path / "p.svg", "--kind", "probes", "--feature", "c")
    assert "c: 0.100" in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "x.jpg"], "ends in .svg, .png, .pdf"),
        (["-o", "x.png", "--kind", "pie"], "kind must be one of"),
        (["-o", "x.png", "--sort", "size"], "sort must be one of"),
        (["-o", "no/such/folder/x.png"], "not a folder"),
        (["-o", "x.png", "--kind", "probes", "--feature", "z"], "no feature 'z'"),
    ],
)
def test_plot_refuses_what_it_cannot_draw(saved, words, said, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    done = run("plot", saved, *words)
    assert done.exit_code == 2
    assert said in done.stderr


def test_samples_are_in_the_report_of_a_model_only_if_asked(saved, tmp_path):
    done = run("report", str(saved), "--samples")
    assert done.exit_code == 2
    assert "a result has no samples" in done.stderr
