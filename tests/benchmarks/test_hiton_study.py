"""The study of HITON and the selectors: quick scores are the plain ones, and it goes on where it stopped."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from benchmarks.accuracy import blankets, hiton
from benchmarks.accuracy.hiton_tasks import LEARNERS, FoldScore, area
from benchmarks.running import tables
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from relspan.markov import TableTest
from relspan.selectors.subset_scorer import SubsetScorer


@pytest.fixture
def folder(tmp_path):
    """A table like colon's, but small: two columns tell the class."""
    random = np.random.default_rng(0)
    y = np.repeat([1, 2], 30)
    X = random.integers(-1, 2, size=(60, 12))
    X[:, 3] = np.where(random.random(60) < 0.9, np.sign(y - 1.5), 0)
    X[:, 7] = np.where(random.random(60) < 0.8, np.sign(y - 1.5), 0)
    np.savez(tmp_path / "colon.npz", X=X, y=y)
    return tmp_path


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("learner", LEARNERS)
def test_scaling_once_a_fold_changes_no_score(folder, learner):
    stored = np.load(folder / "colon.npz")
    X, y = stored["X"].astype(float), stored["y"] - 1
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    quick, plain = (
        FoldScore(LEARNERS[learner](), X, y, folds),
        SubsetScorer(LEARNERS[learner](), X, y, folds, "roc_auc"),
    )
    for columns in ([3], [0, 7], [1, 3, 11], list(range(12))):
        assert quick(columns) == pytest.approx(plain(columns), abs=1e-12)


def test_the_area_from_ranks_counts_ties_as_halves():
    random = np.random.default_rng(1)
    y, scores = random.integers(0, 2, 50), random.integers(0, 6, 50)
    assert area(y, scores) == pytest.approx(roc_auc_score(y, scores))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_study_runs_and_goes_on(folder, monkeypatch, capsys):
    words = [str(folder), "--sets", "colon", "arcene", "--learners", "DT", "--outer", "2", "--units"]
    monkeypatch.setattr(sys, "argv", ["hiton", *words, str(folder / "units.jsonl")])
    hiton.main()
    printed = capsys.readouterr().out
    assert "arcene is left out: no file arcene.npz" in printed
    one, everything, beside = tables(printed)
    assert [row[0] for row in one["rows"]] == list(hiton.METHODS)
    assert all(0 <= float(row[1]) <= 1 for row in one["rows"])
    assert float(one["rows"][0][1]) > 0.8
    assert [row[0] for row in everything["rows"]] == list(hiton.METHODS)
    assert beside["columns"][1] == "2003"
    assert "not all public" in printed
    monkeypatch.setattr(hiton, "judged", lambda *args: pytest.fail("computed again"))
    hiton.main()
    assert capsys.readouterr().out == printed


def test_other_rules_for_blankets_are_other_rules():
    """Levels that never occur count by shape alone; ten rows are too few for any table by cells."""
    data = np.random.default_rng(2).integers(0, 3, size=(10, 3))
    every = np.array([1])
    assert not blankets.RowsPerCell([data]).evidence(every, 0, (2,)).reliable.any()
    assert blankets.ByShape([data]).evidence(every, 0, (2,)).df[0] == 12
    assert TableTest([data]).evidence(every, 0, (2,)).df[0] < 12
    truth = {"a": ["b"], "b": ["a"], "c": ["a"]}
    figures = blankets.quality([[], [0], [0, 1]], ["a", "b", "c"], truth)
    assert figures.tolist() == pytest.approx([0.5, 2 / 3, (0 + 1 + 2 / 3) / 3])
