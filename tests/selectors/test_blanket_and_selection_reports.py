"""The logic of `relspan blanket` and `relspan select`: values in, a report out."""

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from relspan.errors import DataError, ParameterError
from relspan.markov.explanations import why_in_blanket
from relspan.selectors.blanket_report import blanket_report
from relspan.selectors.selection_report import METHODS, make_selector, selection_report

DATA = Path(__file__).parents[1] / "data" / "hiton"


@pytest.fixture(scope="module")
def asia():
    path = DATA / "asia_n500_s0.csv"
    names = path.read_text().splitlines()[0].split(",")
    data = np.loadtxt(path, delimiter=",", skiprows=1, dtype=int)
    chosen = names.index("either")
    others = [n for n in names if n != "either"]
    return others, np.delete(data, chosen, axis=1), data[:, chosen]


def shown(table):
    page = StringIO()
    Console(width=120, file=page).print(table)
    return page.getvalue()


def test_blanket_report(asia):
    names, X, y = asia
    report, result = blanket_report(names, X, y, "either", alpha=0.01)
    found = {member.name: member.role for member in report.members}
    assert {"lung", "xray"} <= set(found)
    assert report.test == "g2"
    assert report.n_samples == 500
    assert report.n_features == 7
    assert report.n_tests >= 7
    text = shown(report.to_table())
    assert "Markov blanket of either" in text
    assert all(name in text for name in found)
    stored = json.loads(report.to_json())
    assert stored["schema_version"] == 1
    assert [m["name"] for m in stored["members"]] == list(found)
    assert stored["parameters"]["alpha"] == 0.01
    assert stored["stopped"] is None
    for name, reason in stored["dropped"].items():
        why = why_in_blanket(result, names.index(name), [*names, "either"].__getitem__)
        assert all(given in why for given in reason["given"])


def test_a_partial_blanket_says_so(asia):
    names, X, y = asia
    report, _ = blanket_report(names, X, y, "either", max_tests=8)
    assert report.stopped.startswith("max_tests=8 reached")
    assert report.warnings == [f"partial result: {report.stopped}"]
    assert "PARTIAL: max_tests=8 reached" in " ".join(shown(report.to_table()).split())


def test_words_are_levels(asia):
    names, X, y = asia
    words = [np.array(["no", "yes"])[column] for column in X.T]
    plain, _ = blanket_report(names, X, y, "either", alpha=0.01)
    worded, _ = blanket_report(names, words, np.array(["a", "b"])[y], "either", alpha=0.01)
    assert [m.name for m in worded.members] == [m.name for m in plain.members]


@pytest.mark.parametrize("method", [m for m in METHODS if m != "branch-and-bound"])
def test_every_method_runs(asia, method):
    names, X, y = asia
    report = selection_report(names[:5], X[:150, :5], y[:150], "either", method=method, learner="tree", cv=2, alpha=0.1)
    assert set(report.selected) <= set(names)
    assert report.selected
    stored = json.loads(report.to_json())
    assert stored["kind"] == "selection"
    assert stored["method"] == method
    text = shown(report.to_table())
    assert all(name in text for name in report.selected)
    if report.scores is not None:
        values = [report.scores[name] for name in report.selected]
        assert values == sorted(values, reverse=True)


def test_branch_and_bound_takes_a_size(asia):
    names, X, y = asia
    assert len(selection_report(names, X, y, method="branch-and-bound", n_features=2).selected) == 2
    with pytest.raises(ParameterError, match="set n_features"):
        selection_report(names, X, y, method="branch-and-bound")


def test_refusals_name_the_column_or_the_parameter(asia):
    names, X, y = asia
    holes = X.astype(float)
    holes[3, 2] = np.nan
    with pytest.raises(DataError, match=f"column '{names[2]}' has 1 missing"):
        blanket_report(names, holes, y)
    with pytest.raises(DataError, match="column 'either' has 1 missing"):
        blanket_report(names, X, np.where(np.arange(500) == 7, "", "a"), "either")
    with pytest.raises(DataError, match="7 names for 6 columns"):
        blanket_report(names, X[:, 1:], y)
    with pytest.raises(ParameterError, match="method='lasso'"):
        selection_report(names, X, y, method="lasso")
    with pytest.raises(ParameterError, match="learner='forest'"):
        make_selector("forward", learner="forest")
    colours = [np.resize(["red", "green", "blue"], 500), *X.T[1:]]
    with pytest.raises(DataError, match=f"column '{names[0]}' holds words, and 'rfe' needs numbers"):
        selection_report(names, colours, y, method="rfe")
    assert selection_report(names, colours, y, method="hiton-pc").selected
