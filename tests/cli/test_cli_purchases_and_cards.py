"""Kits, limits, signs and score cards at the shell: what Python answers, and what is refused."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from relspan import RelevanceClassifier
from relspan.cli import app
from relspan.errors import RelspanWarning
from relspan.simulate import simulate

QUICK = ("-C", "1", "--n-probes", "5", "-q")


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture(scope="module")
def data():
    return simulate(60, strong=1, weak=3, irrelevant=1, noise=0.3, flips=0.05, random_state=0)


@pytest.fixture(scope="module")
def file(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "table.csv"
    rows = [["x0", "x1", "x2", "x3", "x4", "y"], *([*row, y] for row, y in zip(data.X, data.y, strict=True))]
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def explorer(data):
    return RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(data.X, data.y).explore()


COSTS = "name,cost,kit\nx0,2,\nx1,0,blood\nx2,1,blood\nx3,0,saliva\nx1,0,saliva\nx4,9,\nblood,10,\nsaliva,3,\n"


def test_a_costs_file_with_kits_gives_what_python_gives(file, explorer, tmp_path):
    costs = tmp_path / "costs.csv"
    costs.write_text(COSTS)
    done = run("panel", file, "-t", "y", "--costs", costs, *QUICK, "-f", "json")
    assert done.exit_code == 0, done.stderr
    (panel,) = json.loads(done.stdout)["panels"]
    kits = {"blood": (10.0, ["x1", "x2"]), "saliva": (3.0, ["x3", "x1"])}
    expected = explorer.cheapest_panel({"x0": 2, "x1": 0, "x2": 1, "x3": 0, "x4": 9}, kits=kits)
    assert panel["kits"] == list(expected.kits)
    assert panel["cost"] == expected.cost
    shown = run("panel", file, "-t", "y", "--costs", costs, *QUICK)
    assert "with the kit" in shown.stdout


def test_kits_and_rules_as_options(file, explorer):
    words = ("--kit", "blood=2:x1,x2", "--at-most", "1=x1,x2", "--together", "x0,x4", "--include", "x0")
    done = run("panel", file, "-t", "y", *words, *QUICK, "-f", "json")
    assert done.exit_code == 0, done.stderr
    (panel,) = json.loads(done.stdout)["panels"]
    (expected,) = explorer.minimal_panels(
        1,
        kits={"blood": (2.0, ["x1", "x2"])},
        at_most=[(1, ["x1", "x2"])],
        together=[["x0", "x4"]],
        include=["x0"],
    )
    assert panel["features"] == list(expected.features)
    assert {"x0", "x4"} <= set(panel["features"])


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--kit", "blood=30"), 2, "NAME=PRICE:NAMES"),
        (("--kit", "blood=-1:x0"), 2, "NAME=PRICE:NAMES"),
        (("--kit", "blood=3:xx"), 2, "no column 'xx'"),
        (("--at-most", "x0=1"), 2, "NUMBER=NAMES"),
        (("--at-most", "0=x0"), 4, "at most 0 of 'x0'"),
        (("--together", "x0,zz"), 2, "no column 'zz'"),
    ],
)
def test_rules_that_mean_nothing_are_refused(file, words, code, message):
    done = run("panel", file, "-t", "y", *words, *QUICK)
    assert done.exit_code == code
    assert message in done.stderr


def test_a_costs_file_must_price_its_kits(file, tmp_path):
    costs = tmp_path / "costs.csv"
    costs.write_text("name,cost,kit\nx0,1,blood\n")
    done = run("panel", file, "-t", "y", "--costs", costs, *QUICK)
    assert done.exit_code == 3
    assert "no row 'blood'" in done.stderr
    costs.write_text("name,cost\nx0,1\nx0,2\n")
    assert "two costs of 'x0'" in run("panel", file, "-t", "y", "--costs", costs, *QUICK).stderr


def test_signs_at_the_shell(file, data):
    done = run("analyze", file, "-t", "y", "--sign", "x0=-", "--sign", "x1=+", *QUICK, "-f", "json")
    assert done.exit_code == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["parameters"]["signs"] == {"x0": "-", "x1": "+"}
    clf = RelevanceClassifier(C=1.0, n_probes=5, random_state=0, signs={"x0": "-", "x1": "+"})
    with pytest.warns(RelspanWarning):
        clf.fit(data.X, data.y)
    found = [(feature["lo"], feature["hi"]) for feature in answer["features"]]
    assert found == pytest.approx(clf.signed_intervals_, abs=1e-9)
    for wrong in ("x0", "x0=*", "=+"):
        assert "NAME=SIGN" in run("analyze", file, "-t", "y", "--sign", wrong, *QUICK).stderr
    assert "no column 'zz'" in run("analyze", file, "-t", "y", "--sign", "zz=+", *QUICK).stderr


def test_signed_pins_at_the_shell(file):
    done = run("analyze", file, "-t", "y", "--pin", "x0=+0.1..0.6", *QUICK, "-f", "json")
    assert done.exit_code == 0, done.stderr
    (pin,) = json.loads(done.stdout)["parameters"]["pins"]
    assert (pin["sign"], pin["low"], pin["high"]) == ("+", 0.1, 0.6)
    assert run("analyze", file, "-t", "y", "--pin", "x0=-", *QUICK).exit_code == 4


@pytest.mark.slow
def test_a_card_at_the_shell(file, explorer):
    words = ("--largest", "2", "--features", "2", "--unit", "x0=1", "--time-limit", "60", "--delta-loss", "0.2")
    done = run("card", file, "-t", "y", *words, *QUICK)
    assert done.exit_code == 0, done.stderr
    assert "points for 1" in done.stdout
    assert "Proven" in done.stdout
    answer = json.loads(run("card", file, "-t", "y", *words, *QUICK, "-f", "json").stdout)
    (card,) = answer["cards"]
    assert card["proven"]
    assert max(map(abs, card["points"])) <= 2
    assert card["units"][card["features"].index("x0")] == 1


def test_cards_that_cannot_be_are_refused(file):
    assert "NAME=NUMBER" in run("card", file, "-t", "y", "--unit", "x0", *QUICK).stderr
    done = run("card", file, "-t", "y", "--largest", "1", "--features", "1", "--time-limit", "30", *QUICK)
    assert done.exit_code == 4
    assert "no card with at most 1 features" in done.stderr
