"""Before a long run the command line says how long it will take and how to shorten it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from relspan.analysis import forecast
from relspan.cli.app import app
from relspan.cli.progress_bar import forecast_sentence
from relspan.simulate import simulate


@pytest.fixture
def table(tmp_path: Path) -> Path:
    data = simulate(60, 1, 2, 2, random_state=0)
    file = tmp_path / "table.csv"
    lines = [
        "a,b,c,d,e,y",
        *(",".join(map(str, [*row, int(label)])) for row, label in zip(data.X, data.y, strict=True)),
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.mark.slow
def test_a_long_run_is_announced_on_stderr_with_ways_to_shorten_it(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecast, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(forecast, "CLEARLY_SHORT", 0.0)
    arguments = ["analyze", str(table), "--target", "y", "--n-probes", "5", "--format", "csv"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0
    assert "This will take about" in done.stderr
    assert "--screen" in done.stderr
    assert "--checkpoint FILE" in done.stderr
    assert "This will take" not in done.stdout
    assert "This will take" not in CliRunner().invoke(app, [*arguments, "--quiet"]).stderr


def test_a_screened_run_has_two_figures(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(forecast, "CLEARLY_SHORT", 0.0)
    arguments = ["analyze", str(table), "--target", "y", "--n-probes", "5", "--screen", "--format", "csv"]
    said = CliRunner().invoke(app, arguments).stderr
    assert "for 10 linear programs of probes" in said
    assert "for 20 linear programs if screening settles no feature" in said


@pytest.mark.slow
def test_a_short_run_is_not_announced(table: Path) -> None:
    done = CliRunner().invoke(app, ["analyze", str(table), "--target", "y", "--n-probes", "5", "--format", "csv"])
    assert "This will take" not in done.stderr


def test_the_sentence_ends_with_the_ways() -> None:
    assert forecast_sentence("about 2 hours", "") == "This will take about 2 hours."
    assert forecast_sentence("about 2 hours", "To shorten it: wait.").endswith("To shorten it: wait.")
