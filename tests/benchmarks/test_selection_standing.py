"""Known sets have the truth they claim; relspan is compared on common draws, and a peer's win is told."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from benchmarks.accuracy import selection
from benchmarks.accuracy.sets import ALL, NONLINEAR, described
from benchmarks.accuracy.standing import place, three_way, winners
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score


def units(f1, three_way=None):
    return [{"f1": value, "three_way": three_way} for value in f1]


@pytest.mark.parametrize("name", ALL)
def test_every_set_is_as_described(name):
    data = ALL[name](3)
    assert data.X.shape == (len(data.y), len(data.truth))
    assert set(np.unique(data.y)) == {0, 1}
    assert (data.truth > 0).any()
    assert described(name).startswith(f"{name}: {len(data.y)} rows, ")
    assert np.array_equal(data.X, ALL[name](3).X)
    assert not np.array_equal(data.X, ALL[name](4).X)


@pytest.mark.parametrize("name", ["xor", "radial"])
def test_a_linear_model_guesses_on_a_nonlinear_set(name):
    data = NONLINEAR[name](0)
    assert cross_val_score(LogisticRegression(), data.X, data.y).mean() < 0.58
    assert data.y.mean() == 0.5


@pytest.mark.slow
def test_products_bring_a_nonlinear_set_within_reach():
    data = NONLINEAR["xor"](0)
    assert (selection.ours(data.X, data.y, 0) > 0)[:2].sum() < 2
    assert selection.with_products(data.X, data.y, 0)[:2].tolist() == [1, 1]


def test_methods_are_compared_on_the_draws_both_had():
    rows = {"relspan": units([1.0, 0.5], 0.9), "Boruta": units([1.0]), "fri": units([0.7, 0.7], 0.9)}
    assert place(rows) == ["0.750 (2)", "Boruta", "1.000", "1.000 (1)", "tied"]
    assert three_way(rows, "fri") == ["0.900", "0.900 (2)", "equal"]
    rows["Boruta"] = units([1.0, 0.52])
    assert place(rows)[1:] == ["Boruta", "0.760", "0.750 (2)", "NO"]
    rows["fri"] = units([0.7, 0.7], 0.95)
    assert three_way(rows, "fri")[2] == "NO"
    assert three_way({"relspan": rows["relspan"]}, "fri") == ["", "", ""]


def test_a_win_is_told_and_no_win_is_told():
    rows = {"relspan": units([0.8]), "Boruta": units([0.9]), "relspan, products": units([1.0])}
    (line,) = winners({"xor": rows})
    assert line == "Peers with a higher F1 than relspan on xor: Boruta 0.900 against 0.800 (1)."
    assert "No peer" in winners({"xor": {"relspan": units([0.9]), "Boruta": units([0.9])}})[0]


def test_counts_by_name():
    assert selection.limits(["I=10", "fri, slacks .1=2"], selection.FRI | {"I": ()}) == {"I": 10, "fri, slacks .1": 2}
    for wrong in ("I", "I=0", "I=x", "J=1"):
        with pytest.raises(ValueError, match="NAME=COUNT"):
            selection.limits([wrong], ["I"])


def test_a_run_with_fewer_draws_of_a_method_says_so(monkeypatch, capsys):
    monkeypatch.setattr(selection, "judge", lambda name, method, seed, fri: {**UNIT, "seconds": float(seed)})
    words = ["selection", "--seeds", "3", "--sets", "I", "II", "--methods", "relspan", "L1-SVM"]
    monkeypatch.setattr(sys, "argv", [*words, "--at-most", "L1-SVM=2", "II=1"])
    selection.main()
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| L1-SVM")]
    assert [row.split(" | ")[1] for row in rows] == ["2", "1"]


UNIT = {"precision": 1.0, "recall": 1.0, "f1": 1.0, "three_way": 1.0}
