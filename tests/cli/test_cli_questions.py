"""The command line of functionals and audits: the same answers as in Python, and commands that make no sense."""

from __future__ import annotations

import csv
import json
from io import StringIO

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from typer.testing import CliRunner

import relspan
from relspan.cli.app import app
from relspan.simulate import simulate
from relspan.tables import prepare_table, read_table

pytestmark = pytest.mark.filterwarnings("ignore")
pd = pytest.importorskip("pandas")
DATA = simulate(80, strong=2, weak=2, irrelevant=1, random_state=1)
NAMES = [f"x{j}" for j in range(DATA.X.shape[1])]
OPTIONS = ["-t", "y", "--drop", "site", "--n-probes", "5", "-C", "0.3", "-q"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("questions")
    frame = pd.DataFrame(DATA.X, columns=NAMES)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(frame, DATA.y)
    joblib.dump(model, place / "model.joblib")
    frame.assign(site=np.where(np.arange(80) % 2, "A", "B"), y=DATA.y).to_csv(place / "table.csv", index=False)
    return place


@pytest.fixture(scope="module")
def explorer(folder):
    table = prepare_table(read_table(str(folder / "table.csv")), "y", drop=["site"])
    return relspan.RelevanceClassifier(C=0.3, n_probes=5, random_state=0).fit(table.named, table.y).explore()


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def record(folder, command: str, *words):
    done = run(command, folder / "table.csv", *OPTIONS, *words, "-f", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def ends(span) -> tuple[float, float]:
    return (span["lo"], span["hi"]) if isinstance(span, dict) else (span.lo, span.hi)


@pytest.mark.slow
def test_sums_contrasts_and_gaps_are_those_of_a_session(folder, explorer) -> None:
    first, second = record(folder, "span", "--sum", "x0=1,x1=-0.5", "--together", "x2,x3")["spans"]
    assert ends(first) == pytest.approx(ends(explorer.span({"x0": 1.0, "x1": -0.5})), abs=1e-8)
    assert ends(second) == pytest.approx(ends(explorer.combined(["x2", "x3"])), abs=1e-8)
    (pair,) = record(folder, "contrast", "--pair", "x1,x0")["contrasts"]
    assert ends(pair) == pytest.approx(ends(explorer.contrast("x1", "x0")), abs=1e-8)
    assert pair["sign"] == explorer.contrast("x1", "x0").sign
    assert len(record(folder, "contrast")["contrasts"]) == 10
    by_site, by_value = record(folder, "gap", "--subgroup", "site=A", "--subgroup", "x0>0.1")["gaps"]
    assert ends(by_site) == pytest.approx(ends(explorer.gap(np.arange(80) % 2 == 1)), abs=1e-8)
    assert ends(by_value) == pytest.approx(ends(explorer.gap(DATA.X[:, 0] > 0.1)), abs=1e-6)


def test_rankings_and_contributions_are_those_of_a_session(folder, explorer) -> None:
    found = record(folder, "ranking")
    assert {(p["higher"], p["lower"]) for p in found["pairs"]} == {
        (p.higher, p.lower) for p in explorer.ranking().pairs
    }
    assert [tuple(level) for level in found["levels"]] == list(explorer.ranking().levels)
    one = record(folder, "contributions", "--row", "3")["contributions"]
    assert one["lo"] == pytest.approx([f.lo for f in explorer.contributions(2).features], abs=1e-8)
    done = run("contributions", folder / "table.csv", *OPTIONS, "-f", "csv")
    rows = list(csv.DictReader(StringIO(done.stdout)))
    assert len(rows) == 80 * 5
    assert float(rows[12]["hi"]) == pytest.approx(explorer.shap().hi[2, 2], abs=1e-8)


@pytest.mark.slow
def test_answers_in_words(folder) -> None:
    def text(command, *words):
        done = run(command, folder / "table.csv", *OPTIONS, *words)
        assert done.exit_code == 0, done.output
        return done.stdout

    assert "in every equally good model" in text("contrast", "--all")
    assert "agree on the order" in text("ranking")
    assert "site=A - others" in text("gap", "--subgroup", "site=A")
    assert "x2 + x3" in text("span", "--together", "x2,x3")
    assert "Its score is" in text("contributions", "--row", "1")
    assert "Under these pins" in text("contrast", "--pair", "x0,x1", "--without", "x4")


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("span",), 2, "nothing was asked for"),
        (("span", "--sum", "x0"), 2, "names with factors"),
        (("span", "--sum", "x9=1"), 2, "x9"),
        (("contrast", "--pair", "x0"), 2, "two columns"),
        (("contrast", "--pair", "x0,x0"), 2, "twice"),
        (("gap",), 2, "nothing was asked for"),
        (("gap", "--subgroup", "sites=A"), 2, "'site'"),
        (("gap", "--subgroup", "site"), 2, "a comparison"),
        (("gap", "--subgroup", "site>A"), 2, "holds text"),
        (("gap", "--subgroup", "x0>a"), 2, "holds numbers"),
        (("gap", "--subgroup", "site=C"), 3, "none of the samples"),
        (("contributions",), 2, "--row"),
        (("contributions", "--row", "0"), 2, "counted from 1"),
        (("contributions", "--row", "81"), 2, "0 to 79"),
    ],
)
def test_questions_that_make_no_sense_are_refused(folder, words, code: int, reason: str) -> None:
    done = run(words[0], folder / "table.csv", *OPTIONS, *words[1:])
    assert done.exit_code == code, done.output
    assert reason in done.stderr


def test_an_audit_is_that_of_python(folder) -> None:
    model, frame = joblib.load(folder / "model.joblib"), pd.read_csv(folder / "table.csv")
    found = relspan.audit(model, frame[NAMES], frame["y"], delta_loss=0.03)
    words = ("audit", folder / "model.joblib", folder / "table.csv", "-t", "y", "--trust-model")
    said = json.loads(run(*words, "--delta-loss", "0.03", "-f", "json").stdout)
    assert [one["lo"] for one in said["coefficients"]] == pytest.approx([one.lo for one in found.coefficients])
    assert said["uncertain_rows"] == list(found.uncertain_rows)
    assert said["model"]["class"] == "LogisticRegression"
    assert "signs of" in run(*words).stdout
    assert run(*words, "-f", "csv", "--delta-loss", "one_se").stdout.startswith("name,value,lo,hi")


def test_a_pickle_is_not_read_without_trust(folder, tmp_path) -> None:
    done = run("audit", folder / "model.joblib", folder / "table.csv", "-t", "y")
    assert done.exit_code == 2
    assert "runs the code in it" in done.stderr
    (tmp_path / "broken.pkl").write_bytes(b"no pickle")
    done = run("audit", tmp_path / "broken.pkl", folder / "table.csv", "-t", "y", "--trust-model")
    assert done.exit_code == 3
    assert "cannot be read" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("table.csv", "table.csv", "-t", "y"), 2, "no model file"),
        (("absent.joblib", "table.csv", "-t", "y"), 2, "no file"),
        (("model.joblib", "table.csv", "-t", "z", "--trust-model"), 2, "'z'"),
        (("model.joblib", "table.csv", "-t", "site", "--trust-model"), 3, "classes of LogisticRegression"),
        (("model.joblib", "table.csv", "-t", "y", "--trust-model", "--delta-loss", "two_se"), 2, "one_se"),
        (("model.joblib", "table.csv", "-t", "y", "--trust-model", "--budget", "both"), 2, "combined"),
    ],
)
def test_audits_that_make_no_sense_are_refused(folder, words, code: int, reason: str) -> None:
    done = run("audit", *(folder / word if "." in word else word for word in words))
    assert done.exit_code == code, done.output
    assert reason in done.stderr
