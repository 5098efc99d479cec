"""RelevanceResult: frozen, told as JSON, frame and text without a number of its own."""

from __future__ import annotations

import dataclasses
import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

from made_up_results import made_up_by_evidence, made_up_with_totals
from problems import two_classes
from relspan import RelevanceClassifier, RelevanceResult
from relspan.errors import DataError, ParameterError
from relspan.result import SCHEMA_VERSION, FeatureRelevance


@pytest.fixture(scope="module")
def fitted() -> RelevanceClassifier:
    X, y = two_classes(60, 5, seed=0, flips=0.05)
    frame = pd.DataFrame(X, columns=["age", "weight", "CRL", "noise", "more noise"])
    return RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(frame, y)


@pytest.fixture(scope="module")
def result(fitted: RelevanceClassifier) -> RelevanceResult:
    return fitted.result_


def test_it_is_frozen(result: RelevanceResult) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.task = "other"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.features[0].max = 2.0  # type: ignore[misc]


def test_it_says_what_the_estimator_says(fitted: RelevanceClassifier, result: RelevanceResult) -> None:
    names = ["irrelevant", "weak", "strong"]
    for j, feature in enumerate(result.features):
        assert (feature.min, feature.max) == tuple(fitted.intervals_[j])
        assert (feature.lo, feature.hi) == tuple(fitted.signed_intervals_[j])
        assert feature.relevance == names[fitted.relevance_[j]]
    assert [f.name for f in result.features] == ["age", "weight", "CRL", "noise", "more noise"]
    assert sorted(n for name in names for n in result.names(name)) == sorted(f.name for f in result.features)


def test_the_classes_follow_from_what_it_keeps(result: RelevanceResult) -> None:
    """Evidence, thresholds, probes and intervals are all there: a reader can draw the line again."""
    line, floor = result.thresholds["evidence"], result.thresholds["strong"]
    assert result.passed is True
    for f in result.features:
        assert f.evidence is not None
        assert f.route in {"reach", "association", "need", "cluster"}
        assert (f.relevance != "irrelevant") == (f.max > floor and (f.evidence > line or f.relevance == "strong"))
        assert f.relevance != "strong" or f.min > floor
        assert f.evidence >= f.max / result.thresholds["relevant"] / 2
    assert len(result.probes["hi"]) == len(result.probes["lo"]) == len(result.probes["sources"]) == 10
    assert result.probes["lost"] == 0
    assert set(result.probes["sources"]) <= {f.name for f in result.features}


def test_certificates_stand_behind_it(result: RelevanceResult) -> None:
    assert result.certificates is not None
    assert result.certificates.verify() <= 1e-6
    assert 0 <= result.largest_gap <= 1e-6
    mu = result.baseline["l1_norm"]
    for j, f in enumerate(result.features):
        assert result.certificates.extremes.values[2 * j] / mu == pytest.approx(f.hi, abs=1e-12)
        assert -result.certificates.extremes.values[2 * j + 1] / mu == pytest.approx(f.lo, abs=1e-12)


def test_json_round_trip(result: RelevanceResult) -> None:
    text = result.to_json()
    assert RelevanceResult.from_json(text) == result
    assert RelevanceResult.from_json(text).to_json() == text
    read = json.loads(text)
    expected = {"schema_version", "task", "data", "parameters", "baseline", "features", "probes", "thresholds"}
    expected |= {
        "budgets",
        "warnings",
        "engine",
        "seconds",
        "versions",
        "partial",
        "unfinished",
        "passed",
        "proofs",
        "extremal_scores",
    }
    assert expected == set(read)
    assert {"name", "min", "max", "lo", "hi", "relevance", "evidence", "route"} <= set(read["features"][0])
    assert {"C", "l1_norm", "loss", "score"} <= set(read["baseline"])
    assert {"baseline", "bounds", "probes", "total"} <= set(read["seconds"])


@pytest.mark.parametrize("passed", [True, False])
def test_what_a_class_rests_on_comes_back_from_json(passed: bool) -> None:
    result = made_up_by_evidence(passed)
    again = RelevanceResult.from_json(result.to_json())
    assert again == result
    assert again.passed is passed
    assert again["twin"].cluster == ("other; twin",)
    assert isinstance(again["sure"].cluster, tuple)
    records = {record["name"]: record for record in json.loads(result.to_json())["features"]}
    assert "cluster" not in records["sure"]  # what most features do not have is left out
    assert records["constant"]["evidence"] is None
    assert records["other; twin"].get("norm_made", False) is passed


def test_by_the_papers_rule_there_is_no_evidence_and_no_test(fitted: RelevanceClassifier) -> None:
    X, y = two_classes(60, 5, seed=0, flips=0.05)
    result = RelevanceClassifier(C=1.0, n_probes=10, rule="published", random_state=0).fit(X, y).result_
    assert result.passed is None
    assert "evidence" not in result.thresholds
    assert {(f.evidence, f.route, f.cluster) for f in result.features} == {(None, None, ())}
    assert RelevanceResult.from_json(result.to_json()) == result


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "not json",
        "[]",
        "3",
        "{}",
        '{"schema_version": SCHEMA}',
        '{"schema_version": SCHEMA, "features": []}',
        '{"schema_version": SCHEMA, "features": [{"name": "a"}], "warnings": []}',
        '{"schema_version": SCHEMA, "features": [{"name": "a", "surprise": 1}], "warnings": []}',
        '{"schema_version": SCHEMA, "features": [{"name": "a", "under_pins": {"b": 1}}], "warnings": []}',
        '{"schema_version": SCHEMA, "features": null, "warnings": []}',
    ],
)
def test_what_is_no_result_is_refused(wrong: str) -> None:
    wrong = wrong.replace("SCHEMA", str(SCHEMA_VERSION))
    with pytest.raises(DataError, match="not the JSON of a relspan result"):
        RelevanceResult.from_json(wrong)


@pytest.mark.parametrize("part", ["task", "features", "warnings", "baseline", "thresholds"])
def test_a_result_with_a_part_missing_is_refused_by_its_name(result: RelevanceResult, part: str) -> None:
    read = json.loads(result.to_json())
    del read[part]
    with pytest.raises(DataError, match=part):
        RelevanceResult.from_json(json.dumps(read))


def test_another_schema_is_named(result: RelevanceResult) -> None:
    later = json.dumps({**json.loads(result.to_json()), "schema_version": 99})
    with pytest.raises(DataError, match=f"schema_version 99, not {SCHEMA_VERSION}"):
        RelevanceResult.from_json(later)


def test_frames(result: RelevanceResult) -> None:
    by_default, pandas, polars, plain = (result.to_frame(kind) for kind in (None, "pandas", "polars", "dict"))
    assert isinstance(by_default, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    assert isinstance(plain, dict)
    assert list(pandas.columns) == polars.columns == list(plain)
    assert list(pandas.columns)[:6] == ["name", "relevance", "min", "max", "lo", "hi"]
    np.testing.assert_array_equal(pandas["max"], [f.max for f in result.features])
    assert polars["name"].to_list() == plain["name"] == [f.name for f in result.features]
    for key in ("evidence", "route"):
        assert pandas[key].tolist() == polars[key].to_list() == plain[key] == [getattr(f, key) for f in result.features]
    with pytest.raises(ParameterError, match="one of pandas, polars, dict"):
        result.to_frame("os")


def test_a_frame_has_substitutes_as_one_text() -> None:
    frame = made_up_by_evidence().to_frame("pandas").set_index("name")
    assert frame.loc["twin", "cluster"] == "other; twin"
    assert frame.loc["sure", "cluster"] == ""
    assert frame["norm_made"].tolist() == [False, False, True, False, False]
    assert np.isnan(frame.loc["constant", "evidence"])
    assert made_up_by_evidence().to_frame("polars")["evidence"].to_list()[-1] is None


def test_a_threshold_is_in_the_unit_of_its_interval() -> None:
    result = made_up_with_totals()
    (size,) = result.features
    assert result.threshold_of(size) == 0.6
    assert [result.threshold_of(weight) for weight in size.by_class] == [0.2, 0.2]
    assert [result.threshold_of(group) for group in result.groups] == [0.8, None]
    assert result.columns()["threshold"] == [0.6]
    assert RelevanceResult.from_json(result.to_json()) == result
    assert dataclasses.replace(result, thresholds={}).threshold_of(size) is None


def test_a_frame_without_any_library_is_a_plain_table(result: RelevanceResult, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("relspan.result.answer_table.import_module", absent)
    assert result.to_frame() == result.columns()
    with pytest.raises(ModuleNotFoundError):
        result.to_frame("pandas")


def test_features_are_found_by_name(result: RelevanceResult) -> None:
    assert result["CRL"].name == "CRL"
    with pytest.raises(KeyError, match="no feature 'crl'"):
        result["crl"]
    with pytest.raises(ParameterError, match="not 'stong'"):
        result.names("stong")


def feature(name: str, low: float, high: float, relevance: str) -> FeatureRelevance:
    return FeatureRelevance(name, low, high, low, high, relevance)


def some_result(*features: FeatureRelevance) -> RelevanceResult:
    return RelevanceResult("classification", features, {}, {}, {}, {}, {}, {})


def test_text_shows_the_relevant_and_counts_the_rest() -> None:
    shown = some_result(
        feature("noise", 0.0, 0.1, "irrelevant"),
        feature("weak one", 0.0, 0.5, "weak"),
        feature("strong one", 0.5, 1.0, "strong"),
        feature("hum", 0.0, 0.1, "irrelevant"),
    )
    lines = shown.to_text(width=10).splitlines()
    assert lines[0].split() == ["feature", "class", "min", "max"]
    assert lines[1].endswith("─────━━━━━")
    assert lines[1].startswith("strong one  ● strong")
    assert lines[2].endswith("━━━━━─────")
    assert lines[3] == "and 2 irrelevant features"
    assert len(lines) == 4
    everything = shown.to_text(width=10, everything=True)
    assert "noise" in everything
    assert "and" not in everything
    assert str(shown) == shown.to_text()


def test_text_of_one_and_of_none() -> None:
    assert some_result(feature("a", 0, 0.1, "irrelevant")).to_text().endswith("and 1 irrelevant feature")
    assert some_result().to_text().splitlines() == [some_result().to_text()]
    assert "━" not in some_result(feature("a", 0, 0, "irrelevant")).to_text(everything=True)


def test_the_sign_is_certain_or_not() -> None:
    for lo, hi, sign in ((0.1, 1.0, "+"), (-1.0, -0.1, "-"), (-1.0, 1.0, "±"), (0.0, 1.0, "±")):
        assert FeatureRelevance("a", 0.0, 1.0, lo, hi, "weak").direction == sign


def test_a_pickled_result_leaves_the_table_behind(fitted: RelevanceClassifier, result: RelevanceResult) -> None:
    """It holds what the JSON holds; certificates and session hold the rows of the table."""
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.certificates is None
    assert again.session is None
    assert len(pickle.dumps(result)) < 2 * len(result.to_json())
    assert result.certificates is not None


def test_names_cannot_steer_the_terminal() -> None:
    assert "a\\x1b[31mb" in str(some_result(feature("a\x1b[31mb", 0.1, 0.2, "weak")))


def test_an_interrupted_result_names_what_is_missing() -> None:
    text = str(dataclasses.replace(some_result(feature("a", 0, 0.1, "undecided")), partial=True, unfinished=("b", "c")))
    assert "interrupted" in text
    assert "2" in text.splitlines()[-1]
