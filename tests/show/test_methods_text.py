"""The methods text: items of TRIPOD+AI that a result fills, in whole sentences, and those it leaves to the authors."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.show.methods_text import methods
from relspan.tables import NamedMatrix

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    site, mass, noise = rng.integers(3, size=80), rng.standard_normal(80), rng.standard_normal(80)
    levels = tuple(f"site={level}" for level in "ABC")
    X = NamedMatrix(
        np.column_stack([mass, site[:, None] == np.arange(3), noise]), ("mass", *levels, "noise"), {"site": levels}
    )
    y = np.where(mass + 2.0 * (site == 1) > 0.7, "ill", "well")
    return RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(X, y)


def by_item(result):
    return {entry.key: entry.sentence for entry in methods(result)}


def test_every_item_is_whole_sentences_under_a_number_of_the_statement(model):
    found = methods(model.result_)
    assert all(re.fullmatch(r"\d+[a-g]?|open", entry.key) for entry in found)
    assert all(entry.sentence.endswith(".") and entry.title for entry in found)
    assert [entry.key for entry in found][-1] == "open"
    open_items = found[-1].sentence
    assert not any(f"({entry.key})" in open_items for entry in found)  # an item is filled or left open, not both


def test_what_was_done_comes_from_what_the_result_holds(model):
    items = by_item(model.result_)
    assert items["9b"] == "3 candidate predictors: mass, site (3 columns), noise."
    assert "C was given" in items["12a"]
    assert "site is encoded as several columns and judged as one predictor." in items["12b"]
    assert "Classes were not weighted" in items["13"]
    assert items["11"] == "The analysed rows have no missing values."
    assert "20a" not in items


def test_rows_left_out_and_values_filled_are_counted(model):
    data = {
        **model.result_.data,
        "dropped_lines": [3, 9],
        "imputed": {"mass": {"count": 2, "value": 0.1}},
        "table_options": {"impute": "median"},
    }
    items = by_item(replace(model.result_, data=data))
    assert items["20a"] == "The table has 82 rows; 2 were left out, and 80 were analysed."
    assert "2 rows with missing values left out; 2 missing values filled (median)" in items["11"]
    weighted = replace(model.result_, parameters={**model.result_.parameters, "class_weight": "balanced"})
    assert "weighted (balanced)" in by_item(weighted)["13"]


def test_warnings_are_limitations_and_a_partial_result_has_no_methods(model):
    warned = replace(model.result_, warnings=("Few rows.",))
    assert by_item(warned)["26"] == "Few rows."
    assert methods(replace(model.result_, partial=True)) == []


def test_the_report_has_the_methods_and_the_best_model(model):
    ex = model.explore()
    text = model.result_.to_html(model=ex.model())
    assert "TRIPOD+AI" in text
    assert "The best model" in text
    best = ex.model()
    for name in best.features:
        assert f"{best.weights[name]:.4g}</td>" in text
    assert "The best model uses" not in model.result_.to_html()


@pytest.mark.slow
def test_an_explorer_writes_a_page_with_all_it_knows_and_without_the_table(model):
    ex = model.explore()
    text = ex.to_html("Handed on", n_panels=1)
    panel = ex.smallest_panel()
    for words in ("Handed on", "Features that replace one another", ", ".join(panel.features)):
        assert words in text
    values = ex._problem.X[:5].ravel()
    assert not any(f"{value:.6f}" in text for value in values if value)
    assert 'id="relspan-budgets"' in text
    assert 'id="relspan-budgets"' not in ex.without("noise").to_html(n_panels=0)
