"""The slides' Figure 3 beside ours: the printed figures agree with themselves, and marks rest on paired tests."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.accuracy import hiton_slides
from benchmarks.accuracy.paired_tests import accuracy_p, area_p, shares
from benchmarks.accuracy.slides_figures import AVERAGES, FIGURE_3
from benchmarks.accuracy.slides_tasks import LEAST_CLASS, arrhythmia, slides_task
from benchmarks.running import tables
from benchmarks.units import Units
from scipy.stats import binom
from sklearn.metrics import roc_auc_score


def test_the_slides_averages_follow_from_their_own_figures():
    hiton = [task.average("HITON") for task in FIGURE_3.values()]
    assert f"{np.mean(hiton):.1f} %" == AVERAGES["average performance"]["HITON"]
    whole = [task.average("ALL") for task in FIGURE_3.values()]
    assert f"{np.mean(whole):.1f} %" == AVERAGES["average performance"]["ALL"]
    ratios = [task.variables / task.sizes["HITON"] for task in FIGURE_3.values()]
    assert f"x {np.mean(ratios):.0f}" == AVERAGES["average reduction"]["HITON"]
    baselines = [np.mean(list(task.sizes.values())[:2]) for task in FIGURE_3.values()]
    assert f"{np.mean(baselines):.0f}" == AVERAGES["average number of variables"]["baselines"]


def test_shares_add_up_to_the_area():
    random = np.random.default_rng(0)
    y, scores = np.repeat([0, 1], [30, 20]), random.integers(0, 8, 50).astype(float)
    below, above = shares(y, scores)
    assert below.mean() == pytest.approx(roc_auc_score(y, scores))
    assert above.mean() == pytest.approx(roc_auc_score(y, scores))


def test_the_area_test_has_its_level_and_sees_a_difference():
    """Two models of equal worth differ at the .05 level in some 5 % of tables; a guess is found out."""
    random = np.random.default_rng(1)
    equal, worse = [], []
    for _ in range(300):
        y = np.repeat([0, 1], 60)
        shared = 2 * y + random.normal(size=120)
        a, b = (shared + 0.7 * random.normal(size=120) for _ in range(2))
        guess = random.normal(size=120)
        parts = [slice(0, None, 2), slice(1, None, 2)]
        equal.append(area_p([y[p] for p in parts], [a[p] for p in parts], [b[p] for p in parts]))
        worse.append(area_p([y[p] for p in parts], [a[p] for p in parts], [guess[p] for p in parts]))
    assert 0.02 < np.mean(np.array(equal) < 0.05) < 0.09
    assert np.mean(np.array(worse) < 0.05) > 0.9
    assert area_p([y], [a], [a]) == 1.0


def test_the_accuracy_test_is_mcnemars():
    right = np.repeat([True, True, False, False], [50, 8, 2, 10])
    other = np.repeat([True, False, True, False], [50, 8, 2, 10])
    assert accuracy_p(right, other) == pytest.approx(2 * binom.cdf(2, 10, 0.5))
    assert accuracy_p(right, right) == 1.0


@pytest.fixture
def folder(tmp_path):
    """A table in the form of arrhythmia's file: three classes, one of them too rare, and a missing value."""
    random = np.random.default_rng(0)
    y = np.repeat([1, 2, 3], [60, 40, 5])
    X = random.normal(size=(105, 8))
    X[:, 2] += 2 * (y == 2)
    lines = [",".join([*(f"{value:.4f}" for value in row), str(label)]) for row, label in zip(X, y, strict=True)]
    lines[0] = "?" + lines[0][lines[0].index(",") :]
    (tmp_path / "arrhythmia.data").write_text("\n".join(lines))
    return tmp_path


def test_arrhythmia_keeps_its_classes_unless_they_are_too_rare(folder):
    task = arrhythmia(folder)
    assert task.X.shape == (100, 8)
    assert np.bincount(task.y).tolist() == [60, 40]
    assert np.isnan(task.X[0, 0])
    assert LEAST_CLASS == task.folds == 10


def test_a_table_that_is_absent_is_named(tmp_path, capsys):
    assert slides_task(tmp_path, "arrhythmia") is None
    assert slides_task(tmp_path, "pcmac") is None
    assert slides_task(None, "arcene") is None
    printed = capsys.readouterr().out
    assert "no file arrhythmia.data" in printed
    assert "no file pcmac.npz" in printed
    assert "no data folder" in printed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_study_prints_the_slides_beside_ours_and_goes_on(folder, monkeypatch, capsys):
    words = [str(folder), "--tables", "arrhythmia", "arcene", "--folds", "2", "--units", str(folder / "units.jsonl")]
    monkeypatch.setattr(sys, "argv", ["hiton_slides", *words])
    hiton_slides.main()
    printed = capsys.readouterr().out
    assert "arcene is left out" in printed
    (task,) = tables(printed)
    assert task["title"].startswith("2. Clinical diagnosis: arrhythmia, 100 rows, 8 variables, accuracy, 2 of 10 folds")
    rows = {row[0]: dict(zip(task["columns"], row, strict=True)) for row in task["rows"]}
    assert rows["DTI"]["HITON, slides"] == "71.87"
    assert float(rows["# of variables"]["ALL, ours"]) == 8
    assert float(rows["# of variables"]["HITON, ours"]) < 8
    assert "*" in rows["best, or not significantly worse"].values()
    monkeypatch.setattr(hiton_slides, "judged", lambda *args: pytest.fail("computed again"))
    hiton_slides.main()
    assert capsys.readouterr().out == printed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_averages_and_independence_tests_are_shown_beside_each_other(folder, capsys):
    """Continuous columns: HITON with each of its two tests, and with the one that the inner folds choose."""
    task = replace(arrhythmia(folder), folds=3, judged=1, test="cv", only=("KNN",))
    task = replace(task, X=np.nan_to_num(task.X))
    rows, targets = hiton_slides.run(task, Units(None), 1)
    hiton_slides.show_tests(task, rows)
    hiton_slides.conclude({"first": (task, rows), "second": (task, rows)})
    by_test, averages = tables(capsys.readouterr().out)
    assert by_test["columns"] == ["learner", "Fisher's z", "G2", "chosen by the inner folds"]
    learner, fisher, g2, chosen = by_test["rows"][0]
    assert learner == "KNN"
    assert chosen in (fisher, g2)
    assert [row[0] for row in averages["rows"][:2]] == ["performance", "number of variables"]
    assert len(targets) == 1
