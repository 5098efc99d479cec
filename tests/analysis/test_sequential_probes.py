"""Probes are drawn until no class can change any more: the classes are those of all probes, and the result says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from relspan import RelevanceClassifier, RelevanceRegressor, RelevanceResult
from relspan.analysis.sequential_probes import FIRST_LOOK, classes_settled, looks, threshold_range
from relspan.errors import RelspanWarning
from relspan.simulate import simulate

TABLES = {
    "clear": simulate(200, strong=2, weak=2, irrelevant=6, random_state=0),
    "noisy": simulate(80, strong=2, weak=4, irrelevant=8, flips=0.15, random_state=3),
    "wide": simulate(60, strong=2, weak=2, irrelevant=76, random_state=1),
}


def fit(table: str, **options: object) -> RelevanceClassifier:
    data = TABLES[table]
    return RelevanceClassifier(C=1.0, random_state=0, **options).fit(data.X, data.y)


@pytest.mark.parametrize("n_probes", [5, 10, 11, 20, 50, 100])
def test_looks_double_and_end_with_all_probes(n_probes: int) -> None:
    counts = looks(n_probes)
    assert counts == sorted(set(counts))
    assert counts[-1] == n_probes
    assert all(count == FIRST_LOOK * 2**i for i, count in enumerate(counts[:-1]))


def test_the_range_of_the_threshold_shrinks_to_a_point() -> None:
    ranges = [threshold_range(1.0, drawn, 50) for drawn in (10, 20, 40, 50)]
    widths = [most - least for least, most in ranges]
    assert widths == sorted(widths, reverse=True)
    assert ranges[-1] == (1.0, 1.0)
    assert all(least <= 1.0 <= most for least, most in ranges)


def test_classes_that_change_within_the_range_are_not_settled() -> None:
    least, most = threshold_range(1.0, 10, 50)
    for line, settled in ((0.9 * least, True), (1.1 * least, False), (0.9 * most, False), (1.1 * most, True)):
        assert classes_settled(1.0, 10, 50, lambda tau, line=line: np.array([tau > line, True])) is settled


@pytest.mark.parametrize("table", TABLES)
def test_the_classes_are_those_of_all_probes(table: str) -> None:
    few, every = fit(table), fit(table, all_probes=True)
    np.testing.assert_array_equal(few.relevance_, every.relevance_)
    drawn = few.result_.probes["drawn"]
    assert every.result_.probes["drawn"] == 50
    assert few.result_.probes["sources"] == every.result_.probes["sources"][:drawn]
    # each end is proven to 1e-6 of the norm
    np.testing.assert_allclose(few.result_.probes["hi"], every.result_.probes["hi"][:drawn], atol=2e-6)


def test_the_result_says_how_many_were_drawn_and_why_no_more() -> None:
    result = fit("clear").result_
    probes = result.probes
    assert probes["drawn"] < probes["planned"] == 50
    least, most = probes["threshold_range"]
    assert least <= result.thresholds["relevant"] <= most
    assert len(probes["hi"]) == probes["drawn"]
    assert "No more of the 50 planned probes were drawn" in result.to_html()
    assert RelevanceResult.from_json(result.to_json()).probes == probes


@pytest.mark.filterwarnings("ignore:.*replaced probes left no equally good model")
def test_all_probes_are_drawn_where_that_is_asked_for_or_the_threshold_must_be_exact() -> None:
    for options in ({"all_probes": True}, {"rule": "published"}, {"probes": "replace"}, {"screen": True}):
        probes = fit("clear", **options).result_.probes
        assert probes["drawn"] == 50
        assert "planned" not in probes


def test_a_table_that_fails_its_test_needs_no_more_than_the_first_probes() -> None:
    rng = np.random.default_rng(0)
    with pytest.warns(RelspanWarning, match="No feature is called relevant"):
        model = RelevanceClassifier(C=1.0, random_state=0).fit(rng.normal(size=(60, 8)), rng.integers(0, 2, 60))
    result = model.result_
    assert result.passed is False
    assert result.probes["drawn"] == FIRST_LOOK
    assert "no class depends on them" in result.to_html()


@pytest.mark.slow
def test_neither_workers_nor_an_earlier_run_change_the_number_of_probes(tmp_path: Path) -> None:
    once = fit("noisy").result_
    shared = fit("noisy", n_jobs=2).result_
    journal = tmp_path / "journal"
    fit("noisy", checkpoint=journal)
    lines = journal.read_bytes().splitlines(keepends=True)
    for kept in (len(lines) - 1, len(lines) // 2):  # as if the run had been killed
        journal.write_bytes(b"".join(lines[:kept]))
        again = fit("noisy", checkpoint=journal).result_
        assert again.probes == once.probes
        assert again.thresholds == once.thresholds
    assert shared.probes == once.probes
    assert shared.thresholds == once.thresholds


def test_several_weights_per_feature_stop_too() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5))
    y = np.argmax(X[:, :3] + 0.3 * rng.normal(size=(150, 3)), axis=1)
    few = RelevanceClassifier(C=1.0, random_state=0).fit(X, y)
    every = RelevanceClassifier(C=1.0, all_probes=True, random_state=0).fit(X, y)
    np.testing.assert_array_equal(few.relevance_, every.relevance_)
    assert few.result_.probes["drawn"] < 50
    assert len(few.result_.probes["totals"]) == few.result_.probes["drawn"]
    assert few.result_.thresholds["total"] > 0


def test_a_repeated_analysis_draws_as_many_probes() -> None:
    data = TABLES["clear"]
    score = data.X @ np.arange(10.0) + np.random.default_rng(0).normal(size=200)
    model = RelevanceRegressor(C=1.0, random_state=0).fit(data.X, score)
    model.result_.verify(data.X, score)
    other = RelevanceRegressor(C=1.0, n_probes=7, random_state=0).fit(data.X, score)
    assert other.result_.probes["drawn"] == 7


def test_classes_at_the_own_budget_are_those_of_the_analysis() -> None:
    model = fit("noisy")
    names = [feature.name for feature in model.result_.features]
    step = model.explore().path("delta_loss", [model.delta_loss], classes=True).steps[0]
    assert [step.classes[name] for name in names] == [feature.relevance for feature in model.result_.features]
