"""The account of a result says what the result holds, for every task and every kind of budget."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from made_up_results import feature, made_up, made_up_by_evidence, made_up_under_pins, made_up_with_totals
from relspan import GMLVQ, MetricRelevance
from relspan.result.record import plain
from relspan.show.account import NORM_MADE, OUTCOME_MEANINGS, ROUTE_MEANINGS, account, by_key, class_meanings
from relspan.show.html import bundle
from relspan.tasks.task import TASKS, Task


def sentences(result):
    return {key: entry.sentence for key, entry in by_key(result).items()}


@pytest.fixture
def result():
    return made_up(feature("a", 0.1, 0.5, "strong", gap_lo=1e-9), feature("b", 0.0, 0.1, "irrelevant", solved=False))


def test_the_classes_are_counted(result):
    (first, *_) = account(result)
    assert first.key == "summary"
    assert first.value == {"strong": 1, "weak": 0, "irrelevant": 1}
    assert first.sentence == "2 features: 1 strong, 0 weak, 1 irrelevant."


def test_every_entry_is_whole_sentences_with_a_title_and_a_plain_value(result):
    keys = [entry.key for entry in account(result)]
    assert len(keys) == len(set(keys))
    for entry in account(result):
        assert entry.title
        assert entry.sentence.endswith(".")
        assert "  " not in entry.sentence
        json.dumps(plain(entry.value), allow_nan=False)


def test_budgets_come_with_their_numbers(result):
    explained = sentences(result)["equally_good"]
    for part in ("norm is at most 2.2 (10 % more than the best model's 2)", "loss at most 3.12", "from 9 to", "2 % of"):
        assert part in explained
    relative = replace(result, budgets={**result.budgets, "kind": "relative"})
    assert "3.12 (2 % more than the best model's 3)" in sentences(relative)["equally_good"]
    combined = replace(result, budgets={"kind": "combined", "limits": [[1.0, 1.0, 5.5]]})
    assert "norm plus C times its loss is at most 5.5" in sentences(combined)["equally_good"]
    exact = replace(result, baseline={**result.baseline, "loss": 1e-13})
    assert "from 9 to the best model's 0;" in sentences(exact)["equally_good"]  # rounding is no loss


def test_the_best_model_is_chosen_or_given(result):
    assert "C = 1, chosen by cross-validation" in sentences(result)["best_model"]
    assert "0.900" in sentences(result)["best_model"]
    given = replace(result, baseline={**result.baseline, "score": None})
    assert "C = 1, as given" in sentences(given)["best_model"]


def test_how_firm_the_choice_of_C_is(result):
    held_out = {"C_range": [0.5, 4.0], "C_by_repeat": [1.0, 2.0]}
    words = sentences(replace(result, baseline={**result.baseline, **held_out}))["best_model"]
    assert "C = 1, chosen by the loss on rows left out" in words
    assert (
        "C from 0.5 to 4 does as well within the error of the folds; 2 deals of the folds alone would choose" in words
    )
    assert "would choose C from 1 to 2: explore().stability(over='folds') shows which classes depend on that." in words
    firm = {"C_range": [1.0, 1.0], "C_by_repeat": [1.0, 1.0]}
    words = sentences(replace(result, baseline={**result.baseline, **firm}))["best_model"]
    assert "Every other C that was tried is worse beyond the error of the folds" in words
    assert "would choose all 1." not in words
    assert "would choose C = 1 each." in words


def test_groups_of_rows_are_counted_and_named(result):
    grouped = replace(result, data={**result.data, "groups": {"count": 53, "column": "patient"}})
    assert "53 groups of rows by 'patient'" in sentences(grouped)["data"]
    assert "Rows of one group stay together in folds and permutations." in sentences(grouped)["data"]
    unnamed = replace(result, data={**result.data, "groups": {"count": 1}})
    assert "1 group of rows" in sentences(unnamed)["data"]
    assert "group" not in sentences(result)["data"]


def test_chance_and_certificates(result):
    entries = by_key(result)
    assert entries["chance"].value == 0.2
    assert "0.200" in entries["chance"].sentence
    assert "10 probes" in entries["chance"].sentence
    assert "alpha = 0.003 for all features together" in entries["chance"].sentence
    single = replace(result, parameters={**result.parameters, "control": "per_feature"})
    assert "alpha = 0.003 for single features" in sentences(single)["chance"]
    assert entries["certified"].value == 1e-9
    assert "to within 1e-09" in entries["certified"].sentence
    assert "1 feature was proven irrelevant by a bound alone" in entries["certified"].sentence


def test_the_line_that_decides_is_that_of_evidence_and_not_the_reach_of_chance():
    entries = by_key(made_up_by_evidence())
    assert entries["evidence"].value == 0.8
    assert "relevant if its evidence exceeds 0.80" in entries["evidence"].sentence
    assert "is relevant" not in entries["chance"].sentence
    assert "needed" not in entries["evidence"].sentence
    assert "1 is what the most extreme of all features reaches by chance" in entries["evidence"].sentence
    single = made_up_by_evidence()
    single = replace(single, parameters={**single.parameters, "control": "per_feature"})
    assert "1 is what a single feature reaches by chance" in sentences(single)["evidence"]


def test_by_the_papers_rule_the_reach_of_chance_decides(result):
    words = sentences(result)
    assert "A feature is relevant if its max is larger." in words["chance"]
    assert not {"evidence", "route", "norm_made", "test"} & set(words)


def test_a_strong_feature_below_the_line_is_explained():
    result = made_up_by_evidence()
    below = replace(result, features=(replace(result["sure"], evidence=0.7), *result.features[1:]))
    assert "is strong if its association shows that it is needed" in sentences(below)["evidence"]


def test_only_the_routes_in_use_are_explained():
    result = made_up_by_evidence()
    for route in ROUTE_MEANINGS:
        assert f"{route.capitalize()}: how" in sentences(result)["route"]
    one = replace(result, features=result.features[:1])
    assert "Need: how far" in sentences(one)["route"]
    assert "Reach:" not in sentences(one)["route"]


def test_features_that_only_the_norm_budget_makes_needed_are_named():
    entry = by_key(made_up_by_evidence())["norm_made"]
    assert entry.value == ["other; twin"]
    assert "needed only because of the norm budget" in entry.sentence
    assert "at the price of larger weights" in entry.sentence
    assert "norm_made" not in sentences(made_up_by_evidence(passed=False))


def test_a_table_that_fails_its_test_is_described_by_that_first(result):
    failed = account(made_up_by_evidence(passed=False))
    assert failed[0].key == "test"
    assert failed[0].value is False
    assert failed[0].sentence.startswith("No feature is called relevant: ")
    assert "relevant if" not in " ".join(entry.sentence for entry in failed)
    passed = account(made_up_by_evidence())
    assert passed[0].key == "summary"
    assert by_key(made_up_by_evidence())["test"].value is True
    nothing = replace(result, baseline={**result.baseline, "l1_norm": 0.0})
    assert account(nothing)[0].sentence == "No feature is called relevant: the best model uses none of them."


def test_an_irrelevant_feature_is_only_not_distinguished_from_chance(result):
    assert sentences(result)["irrelevant"] == "Nothing here distinguishes the feature from chance."


def test_the_page_explains_the_classes_in_the_same_words(result):
    source = bundle.static("js/relevance_classes.js")
    whole, cut = class_meanings(result), class_meanings(replace(result, partial=True))
    for entry in [*whole, *cut]:
        assert f"{entry.key}: {json.dumps(entry.sentence)}" in source
    for route, meaning in ROUTE_MEANINGS.items():
        assert f"{route}: {json.dumps(meaning)}" in source
    assert json.dumps(NORM_MADE) in source
    for outcome, meaning in OUTCOME_MEANINGS.items():
        key = json.dumps(outcome) if " " in outcome else outcome
        assert f"{key}: {json.dumps(meaning)}" in source


def test_what_was_done_to_the_data(result):
    data = {
        **result.data,
        "target": "ill",
        "classes": {"no": 30, "yes": 20},
        "file": "t.csv",
        "sha256": "ab12",
        "dropped_columns": ["id"],
        "dropped_lines": [4, 9],
        "imputed": {"a": {"count": 3, "value": 1.5}},
        "encoded": {"sex": ["sex=f", "sex=m"]},
    }
    words = sentences(replace(result, data=data, parameters={**result.parameters, "standardize": True}))
    assert words["data"] == "50 rows, 2 features, target 'ill' (no: 30, yes: 20)."
    assert words["source"] == "t.csv, sha256 ab12."
    for part in ("left out: id", "2 rows", "3 missing values of 'a'", "1.5", "'sex=f', 'sex=m'", "mean 0"):
        assert part in words["preparation"]


def test_a_partial_result_says_so():
    partial = replace(made_up(feature("a", 0.0, 0.5, "undecided"), threshold=None), unfinished=("b", "c"))
    words = sentences(partial)
    assert "interrupted" in words["summary"]
    assert "2 have none" in words["summary"]
    assert {"undecided"} == {"strong", "weak", "irrelevant", "undecided", "chance"} & set(words)


def test_the_solver_is_named_with_its_reason(result):
    assert "engine" not in sentences(result)
    known = replace(result, engine={"name": "exact", "reason": "trial programs took few pivots"})
    assert by_key(known)["engine"].value == "exact"
    assert "trial programs took few pivots" in sentences(known)["engine"]


def test_pins_are_named(result):
    pins = [
        {"feature": "a", "low": 0.1, "high": None, "asked": "range"},
        {"feature": "b", "low": 0.0, "high": 0.0, "asked": "without"},
    ]
    pinned = replace(result, parameters={**result.parameters, "pins": pins})
    assert "a >= 0.1, without b" in sentences(pinned)["pins"]


def test_under_pins_comes_first_and_classes_are_those_without():
    known = sentences(made_up_under_pins())
    assert known["summary"] == (
        "Under these pins (without lost): 1 left out, 2 needed, 1 moved, 2 unmoved. "
        "Without pins, 6 features: 1 strong, 3 weak, 2 irrelevant."
    )
    assert list(known)[:2] == ["summary", "pins"]
    assert "no threshold is shown" in known["pins"]
    assert "no verdict" in known["needed"]
    assert known["strong"].startswith("Without pins: ")
    assert "that satisfy the pins" in known["interval"]
    assert "chance" not in known


def test_what_only_one_task_knows_comes_from_the_task(result, monkeypatch):
    class Ranking(Task):
        name, score_name, class_separator = "ranking", "pairs in order", " > "

        def sign_meaning(self, result):
            return f"+ raises {result.data['target']}"

        def model_facts(self, result):
            return ["depth = 3"]

    monkeypatch.setitem(TASKS, "ranking", Ranking())
    data = {**result.data, "target": "rank", "classes": {"first": 20, "second": 30}}
    words = sentences(replace(result, task="ranking", data=data))
    assert "C = 1, depth = 3, chosen by cross-validation (pairs in order 0.900)" in words["best_model"]
    assert words["sign"].startswith("+ raises rank. ±")
    assert "first: 20 > second: 30" in words["data"]


def test_a_result_of_an_unknown_task_is_described_all_the_same(result):
    words = sentences(replace(result, task="from elsewhere", baseline={}, budgets={}, data={}, seconds={}))
    assert "from elsewhere" in words["task"]
    assert {"summary", "interval", "sign", "chance", "certified"} <= set(words)
    assert "<!doctype html>" in replace(result, task="from elsewhere").to_html()


def test_several_weights_per_feature(result):
    parts = {"x": (0.1, 0.2), "y": (-0.1, 0.0), "z": (0.0, 0.0)}
    several = replace(result, features=(feature("a", 0.1, 0.5, "strong", parts=parts),))
    assert "one per class" in sentences(several)["interval"]


def test_chance_is_described_in_the_unit_of_each_bar():
    chance = sentences(made_up_with_totals())["chance"]
    assert "a single weight a size of up to 0.200" in chance
    assert "a total of up to 0.600" in chance
    assert "from 10 probes" in chance  # each of which has several weights
    assert "beside a group" in chance
    assert "total" not in sentences(made_up(feature("a", 0.1, 0.5, "strong")))["chance"]


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_a_metric_is_described_by_its_map():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    model = MetricRelevance(GMLVQ(n_prototypes=1), effective_dimension=2, n_probes=5, probes="fixed", random_state=0)
    result = model.fit(X, X[:, 0] + 0.1 * rng.standard_normal(60) > 0).result_
    entries = by_key(result)
    assert "sign" not in entries
    assert "GMLVQ learned a map" in entries["best_model"].sentence
    assert "effective dimension is 2, as given" in entries["best_model"].sentence
    assert "equally good map" in entries["strong"].sentence
    assert "60 rows, 3 features" in entries["data"].sentence
    assert "5 probes" in entries["chance"].sentence
    assert "<!doctype html>" in result.to_html()
    assert "relspan-result" in result._repr_html_()


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("task", sorted(TASKS))
def test_every_task_is_described(task):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    score = X[:, 0] + 0.1 * rng.standard_normal(60)
    known, y = TASKS[task], None
    for y in (score, score > 0, np.digitize(score, [-0.5, 0.5])):
        try:
            known.refuse_target(np.asarray(y), "y")
            break
        except ValueError:
            continue
    result = known.estimator(C=1.0, n_probes=5, random_state=0).fit(X, y).result_
    words = sentences(result)
    assert {"data", "best_model", "equally_good", "chance", "certified", "sign"} <= set(words)
    assert "60 rows, 3 features" in words["data"]
    assert "<!doctype html>" in result.to_html()
    assert "relspan-result" in result._repr_html_()


def test_an_irrelevant_bar_beyond_the_line_is_explained():
    entry = by_key(made_up_by_evidence())["beyond_line"]
    assert entry.value == ["noise"]
    assert entry.sentence.startswith("This irrelevant feature has a bar beyond the line that chance reaches: noise.")
    assert "beyond_line" not in by_key(made_up_by_evidence(passed=False))  # then no feature is called relevant anyway
    assert "beyond_line" not in by_key(made_up(feature("a", 0.0, 0.1, "irrelevant")))


def test_the_total_of_a_category_has_a_line_of_its_own():
    category = feature("ward", 0.0, 0.9, "irrelevant", levels=("ward=a", "ward=b", "ward=c"), threshold=0.95)
    found = made_up_by_evidence()
    entry = by_key(replace(found, features=(*found.features, category)))["beyond_line"]
    assert entry.value == ["noise"]


def test_a_column_called_seen_is_not_read_as_a_word_of_the_sentence(result):
    columns = {"target": "of", "weights": "per", "event": "seen"}
    data = {"n_samples": 50, "n_features": 2, "target_range": [1, 9], "events": 41, **columns}
    words = sentences(replace(result, data=data, parameters={**result.parameters, "signs": {"none": "+"}}))
    assert words["data"] == "50 rows, 2 features, weights 'per', target 'of' (from 1 to 9, 41 events of 'seen' seen)."
    assert "a positive weight or none of 'none'" in words["demanded_signs"]
