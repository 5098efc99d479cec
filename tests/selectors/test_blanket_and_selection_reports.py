"""The logic of `relspan blanket` and `relspan select`: values in, a report out."""

import itertools
import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from relspan.errors import DataError, ParameterError
from relspan.markov.explanations import blanket_reason
from relspan.result import SCHEMA_VERSION
from relspan.selectors.blanket_report import blanket_report
from relspan.selectors.branch_and_bound import explained_variance
from relspan.selectors.discrete_features import refuse_new_levels
from relspan.selectors.selection_report import SELECTION_METHODS, make_selector, selection_report
from relspan.tables import MissingValueError, UnknownColumnError, parse_table, prepare_table

DATA = Path(__file__).parents[1] / "data" / "hiton"


def table(text, target="either"):
    return prepare_table(parse_table(text.encode(), "asia.csv"), target, encode="codes")


@pytest.fixture(scope="module")
def text():
    return (DATA / "asia_n500_s0.csv").read_text()


@pytest.fixture(scope="module")
def asia(text):
    return table(text)


def shown(table):
    page = StringIO()
    Console(width=120, file=page).print(table)
    return page.getvalue()


def test_blanket_report(asia):
    names = list(asia.names)
    report, result = blanket_report(asia, alpha=0.01)
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
    assert stored["schema_version"] == SCHEMA_VERSION
    assert [m["name"] for m in stored["members"]] == list(found)
    assert stored["parameters"]["alpha"] == 0.01
    assert stored["stopped"] is None
    for name, reason in stored["dropped"].items():
        why = blanket_reason(result, names.index(name), [*names, "either"].__getitem__)
        assert all(given in why for given in reason["given"])


def test_a_partial_blanket_says_so(asia):
    report, _ = blanket_report(asia, max_tests=8)
    assert report.stopped.startswith("max_tests=8 reached")
    assert report.warnings == [f"partial result: {report.stopped}"]
    assert "PARTIAL: max_tests=8 reached" in " ".join(shown(report.to_table()).split())


def test_words_are_levels(asia, text):
    head, *rows = text.splitlines()
    words = table("\n".join([head, *(row.replace("0", "no").replace("1", "yes") for row in rows)]))
    assert words.y.dtype.kind == "U"
    plain, _ = blanket_report(asia, alpha=0.01)
    worded, _ = blanket_report(words, alpha=0.01)
    assert [m.name for m in worded.members] == [m.name for m in plain.members]


@pytest.mark.parametrize("method", [m for m in SELECTION_METHODS if m != "branch-and-bound"])
@pytest.mark.slow
def test_every_method_runs(asia, method):
    small = asia._replace(X=asia.X[:150, :5], y=asia.y[:150], names=asia.names[:5])
    report = selection_report(small, method=method, learner="tree", cv=2, alpha=0.1)
    assert set(report.selected) <= set(small.names)
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
    assert len(selection_report(asia, method="branch-and-bound", n_features=2).selected) == 2
    with pytest.raises(ParameterError, match="n_features"):
        selection_report(asia, method="branch-and-bound")


def test_the_fewest_features_that_reach_a_value(asia):
    two = selection_report(asia, method="branch-and-bound", n_features=2)
    explained = explained_variance(asia.X, asia.y)([asia.names.index(name) for name in two.selected])
    found = selection_report(asia, method="branch-and-bound", reach=explained)
    assert found.selected == two.selected
    assert found.parameters["reach"] == explained
    with pytest.raises(ParameterError, match=r"reach=0.5 does not apply to method='rfe': use one of exhaustive"):
        selection_report(asia, method="rfe", reach=0.5)


def test_refusals_name_the_column_or_the_parameter(asia):
    with pytest.raises(UnknownColumnError, match="'lungs'"):
        blanket_report(asia, why=["lungs"])
    with pytest.raises(ParameterError, match="'lasso'"):
        selection_report(asia, method="lasso")
    with pytest.raises(ParameterError, match="'forest'"):
        make_selector("forward", learner="forest")


def test_three_words_are_levels_for_methods_that_count_and_refused_by_others(text):
    colours = itertools.cycle(["red", "green", "blue"])
    head, *rows = text.splitlines()
    painted = table("\n".join([head + ",colour", *(f"{row},{next(colours)}" for row in rows)]))
    with pytest.raises(DataError, match="'colour'"):
        selection_report(painted, method="rfe")
    assert selection_report(painted, method="hiton-pc").selected


def test_a_filled_value_that_is_no_level_is_refused(text):
    head, *rows = text.splitlines()
    holes = parse_table("\n".join([head, "," + rows[0].split(",", 1)[1], *rows[1:]]).encode(), "asia.csv")
    name = head.split(",")[0]
    with pytest.raises(MissingValueError, match=repr(name)):
        refuse_new_levels(prepare_table(holes, "either", impute="mean", encode="codes"))
    refuse_new_levels(prepare_table(holes, "either", impute="median", encode="codes"))
