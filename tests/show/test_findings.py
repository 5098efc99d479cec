"""Findings: what is needed, what can be exchanged, what is like chance, in words that hold for the result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from made_up_results import feature, made_up, made_up_by_evidence
from relspan.show.findings import equally_good_line, exchange_groups, findings, one_division_sentence, used_by_all


def sentences(result):
    return {entry.key: entry.sentence for entry in findings(result)}


def test_every_feature_is_in_the_finding_of_its_class():
    found = {entry.key: entry for entry in findings(made_up_by_evidence())}
    assert found["needed"].sentence == "1 feature is needed: sure. No equally good model works without it."
    assert found["exchange"].value == [["twin", "other; twin"]]
    assert (
        "Columns so similar that they may stand in for one another: twin and other; twin." in found["exchange"].sentence
    )
    assert found["chance"].sentence == "2 features cannot be distinguished from chance: noise and constant."
    assert "the weighted F1 of the best model is 0.900" in found["score"].sentence


def test_groups_do_not_overlap_and_hold_relevant_features_only():
    result = made_up(
        feature("a", 0, 0.5, "weak", cluster=("b", "c")),
        feature("b", 0, 0.5, "weak", cluster=("a",)),
        feature("c", 0, 0.5, "weak", cluster=("a", "d")),
        feature("d", 0, 0.1, "irrelevant", cluster=("c",)),
    )
    assert exchange_groups(result) == [["a", "b", "c"]]


def test_nothing_is_found_where_no_feature_is_called_relevant():
    found = sentences(made_up_by_evidence(passed=False))
    assert set(found) == {"test", "score"}
    assert found["test"].startswith("No feature is called relevant")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("explained", "gives up at most 2 % of what the features gain and has a norm at most 10 % larger"),
        ("relative", "has a loss at most 2 % above the best model's and has a norm at most 10 % larger"),
        ("combined", "norm plus C times loss at most 10 % above the best model's"),
    ],
)
def test_equally_good_in_one_line(kind, words):
    result = made_up(feature("a", 0.1, 0.5, "strong"))
    result = replace(result, budgets={**result.budgets, "kind": kind})
    assert words in equally_good_line(result)
    assert "8 %" in equally_good_line(result, 0.08)


def test_long_lists_are_cut():
    many = [f"f{k}" for k in range(40)]
    assert used_by_all(many).endswith("f0, f1, f2, f3, f4, f5 and 34 more.")
    assert used_by_all([]) == "At this budget, no feature is used by every equally good model."


def test_two_scores_of_one_model_are_explained_where_they_differ():
    result = made_up(feature("age", 0.1, 0.5, "strong"))
    scored = replace(result, baseline={**result.baseline, "score": 0.9681})
    assert "0.968" in one_division_sentence(scored, 0.9702)
    assert one_division_sentence(scored, 0.9679) == ""  # a reader sees the same number
    assert one_division_sentence(replace(result, baseline={**result.baseline, "score": None}), 0.97) == ""
