"""Scores of classes by hand-made cases, what is counted over fits, and the methods that relspan is compared with."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks.accuracy import verdict_cost, verdict_peers, verdicts
from benchmarks.accuracy.known_truth import fits
from benchmarks.accuracy.known_truth.fits import Ask, Fitted, first_words
from benchmarks.accuracy.known_truth.noise_designs import PATIENTS
from benchmarks.accuracy.known_truth.scores import all_right, changed_classes, mean_scores, scored
from benchmarks.peers.all_relevant import PEERS, holm, joint_tests, knockoff_filter

from relspan.errors import DegenerateBaseline

TRUTH = np.array([2, 2, 1, 1, 0, 0, 0, -1])


def test_all_right_is_1_and_a_proxy_counts_in_the_strict_f1_alone():
    found = np.array([2, 2, 1, 1, 0, 0, 0, 0])
    scores = scored(TRUTH, found)
    assert (scores.f1, scores.strict_f1, scores.recall, scores.three_way, scores.false_call) == (1, 1, 1, 1, 0)
    found[-1] = 1
    scores = scored(TRUTH, found)
    assert (scores.f1, scores.three_way, scores.proxies_called) == (1, 1, 1)
    assert scores.strict_f1 == pytest.approx(8 / 9)
    assert all_right(TRUTH, found)


def test_every_error_is_counted_once():
    scores = scored(TRUTH, np.array([1, 0, 2, 0, 2, 1, 0, 0]))
    assert scores.f1 == pytest.approx(4 / (4 + 2 + 2))
    assert (scores.precision, scores.recall) == (0.5, 0.5)
    assert scores.three_way == pytest.approx(1 / 7)
    assert (scores.null_called, scores.null_strong, scores.false_call) == (2, 1, 1)
    assert (scores.strong_missed, scores.weak_missed) == (1, 1)
    assert (scores.strong_as_weak, scores.weak_as_strong) == (1, 1)


def test_nothing_relevant_and_nothing_called():
    scores = scored(np.zeros(3), np.zeros(3))
    assert (scores.f1, scores.three_way, scores.false_call) == (1, 1, 0)
    assert np.isnan(scores.recall)
    assert np.isnan(scores.proxies_called)


def test_means_leave_out_what_has_no_meaning():
    means = mean_scores([scored(np.zeros(2), np.array([0, 2])), scored(TRUTH, np.zeros(8))])
    assert means.recall == 0
    assert means.null_strong == 0.5
    assert means.false_call == 0.5


def test_changes_are_counted_among_what_is_relevant_in_either_fit():
    assert changed_classes([2, 1, 0, 0], [1, 1, 0, 2]) == (2, 3)
    assert changed_classes([0, 0], [0, 0]) == (0, 0)


def test_warnings_are_recognised_by_their_first_words():
    assert first_words("Strong or weak is a close call for 3 features") == "Strong or weak is a ..."
    assert first_words("These 12 features") == "These ..."


def test_warnings_are_counted_on_right_and_on_wrong_tables(capsys):
    right = Fitted("a", 0, TRUTH, np.maximum(TRUTH, 0), ("A close call: x.",), 0.1)
    wrong = Fitted("a", 1, TRUTH, np.zeros(8, dtype=int), (), 0.1)
    verdicts.show_warnings([right, wrong, wrong], [])
    printed = capsys.readouterr().out
    assert "right on 0.333 (1 of 3)" in printed
    assert "| A close call: x. ... | 1.000 (1 of 1) | 0.000 (0 of 2) |  |" in printed


def test_a_fit_that_is_refused_has_found_nothing(monkeypatch):
    class Refuses:
        def fit(self, X, y):
            raise DegenerateBaseline("No feature helps.")

    monkeypatch.setattr(fits, "estimator_for", lambda task, **options: Refuses())
    refused = fits.fitted(Ask("noise", "80 x 8", 0), None)
    assert refused.found.tolist() == [0] * 8
    assert refused.warnings == ("No feature helps.",)


@pytest.mark.parametrize(("name", "given"), [("80 x 8", {"loss": "other"}), ("4 classes", {}), ("number, R2 .9", {})])
def test_a_loss_is_for_two_classes_and_rows_carry_what_they_have(monkeypatch, name, given):
    seen = {}

    class Remembers:
        relevance_ = np.zeros(1)
        result_ = SimpleNamespace(probes={}, warnings=())

        def fit(self, X, y, **rows):
            seen["rows"] = sorted(rows)

    monkeypatch.setattr(fits, "estimator_for", lambda task, **options: seen.update(options=options) or Remembers())
    fits.fitted(Ask("kinds", name, 0), "other")
    assert seen == {"options": {"random_state": 0, **given}, "rows": []}
    fits.fitted(Ask("kinds", "integer weights", 0), None)
    assert seen["rows"] == ["sample_weight"]
    fits.fitted(Ask("patients", next(iter(PATIENTS)), 0), None)
    assert seen["rows"] == ["groups"]


def test_another_row_order_has_the_same_rows():
    ask = Ask("kinds", "integer weights", 0, row_order=3)
    mixed, table = ask.table(), Ask("kinds", "integer weights", 0).table()
    order = np.lexsort(mixed.X.T), np.lexsort(table.X.T)
    for name in ("X", "y", "sample_weight"):
        assert np.array_equal(getattr(mixed, name)[order[0]], getattr(table, name)[order[1]])
    assert not np.array_equal(mixed.y, table.y)


def test_an_unknown_kind_is_refused_with_those_there_are(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["verdicts", "--kind", "no such"])
    with pytest.raises(SystemExit):
        verdicts.main()
    assert "no kind 'no such'; there are AR .5" in capsys.readouterr().err


@pytest.mark.slow
def test_records_hold_truth_and_classes(monkeypatch, capsys, tmp_path):
    path = tmp_path / "records.json"
    monkeypatch.setattr(sys, "argv", ["verdicts", "--kind", "80 x 8", "--seeds", "2", "--json", str(path)])
    verdicts.main()
    records = json.loads(path.read_text())
    assert [record["seed"] for record in records] == [0, 1]
    assert records[0]["truth"] == [2, 2, 0, 0, 0, 0, 0, 0]
    assert "| 80 x 8 | 2 |" in capsys.readouterr().out


def test_holm_steps_down_and_stops_at_the_first_failure():
    assert holm(np.array([0.01, 0.04, 0.02]), 0.05).tolist() == [True, True, True]
    assert holm(np.array([0.01, 0.04, 0.03]), 0.05).tolist() == [True, False, False]
    assert holm(np.array([0.02, 0.9]), 0.05).tolist() == [True, False]
    assert holm(np.array([0.9, 0.8]), 0.05).tolist() == [False, False]


def test_the_knockoff_filter_needs_enough_features_ahead_of_their_copies():
    advantage = np.array([5.0, 4.0, 3.0, 2.0, 1.0, -0.5, 0.2, 0.0])
    assert knockoff_filter(advantage, 0.2).tolist() == [True] * 5 + [False] * 3
    assert not knockoff_filter(advantage[:4], 0.2).any()  # (1 + 0) / 4 > .2


def test_a_joint_test_has_no_answer_for_copies_or_too_few_rows():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 4))
    y = X[:, 0] + X[:, 1] + 0.1 * rng.standard_normal(200)
    assert joint_tests(X, y, "regression", 0).tolist() == [True, True, False, False]
    assert joint_tests(np.column_stack([X, X[:, 0]]), y, "regression", 0).tolist() == [False, True, False, False, False]
    assert not joint_tests(X[:4], y[:4], "regression", 0).any()


@pytest.mark.parametrize("task", ["classification", "regression", "ordinal"])
@pytest.mark.parametrize("name", [name for name in PEERS if name not in ("Boruta", "stability selection")])
def test_peers_find_what_is_plain_to_see(name, task):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((200, 12))
    score = X[:, :6] @ np.array([1, -1, 1, -1, 1, -1.0])
    cuts = np.quantile(score, [1 / 3, 2 / 3])
    y = {"classification": (score > 0).astype(int), "regression": score, "ordinal": np.searchsorted(cuts, score)}[task]
    assert PEERS[name].mask(X, y, task, 0)[:6].all()


def test_a_slow_peer_sees_the_first_seed_of_some_kinds():
    names = ["AR .5", "AR .7"]
    assert verdict_peers.takes_part("Lasso-CV", Ask("kinds", "AR .7", 1), 0, names)
    assert not verdict_peers.takes_part("Boruta", Ask("kinds", "AR .7", 0), 0, names)
    assert not verdict_peers.takes_part("Boruta", Ask("kinds", "AR .5", 1), 0, names)
    numbers = ["number, R2 .5"]
    assert not verdict_peers.takes_part("stability selection", Ask("kinds", numbers[0], 0), 0, numbers)


def test_the_table_of_the_cost_has_its_size():
    assert verdict_cost.table("500x30").X.shape == (500, 30)
    assert np.bincount(verdict_cost.table("50x120").truth).tolist() == [88, 16, 16]
