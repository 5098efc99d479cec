"""Designs of the reject and metric-learning benchmarks: classes of similar size, and a word where data are missing."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from benchmarks.accuracy import metric_paper, reject
from benchmarks.accuracy.spectra import FILES, missing_spectra, terciles

pytestmark = pytest.mark.filterwarnings("ignore")


def run(module, monkeypatch, capsys, *words: str) -> str:
    monkeypatch.delenv("RELSPAN_DATA", raising=False)
    monkeypatch.setattr(sys, "argv", [module.__name__, *words])
    module.main()
    return capsys.readouterr().out


def test_terciles_of_the_given_rows_are_of_similar_size() -> None:
    values = np.random.default_rng(0).standard_normal(91)
    rows = np.arange(30)
    assert sorted(np.bincount(terciles(values, rows)[rows])) == [10, 10, 10]
    assert (np.diff(terciles(values, rows)[np.argsort(values)]) >= 0).all()


def test_spectra_that_are_missing_are_named(monkeypatch, capsys, tmp_path) -> None:
    assert missing_spectra(None) == list(FILES)
    (tmp_path / FILES[0]).touch()
    assert missing_spectra(str(tmp_path)) == [FILES[1]]
    printed = run(metric_paper, monkeypatch, capsys, "--parts", "spectra", "splits")
    assert printed.strip() == "spectra are left out: give --data FOLDER (or RELSPAN_DATA) with " + " and ".join(FILES)


def test_a_real_table_that_is_missing_is_named(monkeypatch, capsys) -> None:
    printed = run(reject, monkeypatch, capsys, "--parts", "real", "--tables", "SPECTF")
    assert printed.strip().startswith("SPECTF is left out: give --data FOLDER (or RELSPAN_DATA) with SPECTF.train")


def test_the_weights_at_a_share_of_a_path_have_about_that_norm() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 4))
    target = X @ np.array([1.0, 0.5, 0.0, -0.2])
    for penalty in metric_paper.PENALTIES:
        weights = metric_paper.path_weights(penalty, X, target)
        half = metric_paper.at_share(weights, 0.5)
        assert half.sum() == pytest.approx(0.5 * weights[:, -1].sum(), rel=0.05)
        np.testing.assert_allclose(weights[:, -1], [1.0, 0.5, 0.0, 0.2], atol=0.01)
