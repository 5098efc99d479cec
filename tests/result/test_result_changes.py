"""Two results side by side: what happened to each feature, and everything recorded that may be the reason."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from made_up_results import feature, made_up
from relspan.cli.app import app
from relspan.result import ResultChanges
from relspan.result.result_changes import CHANGES

OLD = replace(
    made_up(
        feature("turned", 0.0, 0.5, "weak"),
        feature("moved", 0.1, 0.5, "strong"),
        feature("kept", 0.1, 0.5, "strong"),
        feature("gone", 0.1, 0.2, "strong"),
        feature("noise", 0.0, 0.1, "irrelevant"),
    ),
    data={"n_samples": 50, "n_features": 5, "file": "a.csv", "sha256": "a" * 64, "encoded": {}},
    versions={"relspan": "1.0", "numpy": "2.0"},
)
OLD = replace(OLD, parameters={**OLD.parameters, "random_state": 0, "n_jobs": None})
NEW = replace(
    OLD,
    features=(
        feature("new", 0.0, 0.3, "weak"),
        feature("turned", 0.05, 0.5, "strong"),
        feature("moved", 0.1, 0.4, "strong"),
        feature("kept", 0.1, 0.5 + 1e-9, "strong"),
        feature("noise", 0.0, 0.15, "irrelevant"),
    ),
    parameters={**OLD.parameters, "delta_norm": 0.2, "n_jobs": 4},
    data={**OLD.data, "n_samples": 60, "sha256": "b" * 64},
    versions={"relspan": "1.1", "numpy": "2.0"},
    baseline={**OLD.baseline, "C": 2.0},
)


def test_each_feature_has_one_kind_of_change() -> None:
    changes = NEW.changes_since(OLD)
    found = {kind: changes.names(kind) for kind in CHANGES}
    assert found == {
        "class": ["turned"],
        "interval": ["moved", "noise"],
        "added": ["new"],
        "removed": ["gone"],
        "same": ["kept"],
    }
    assert changes.headline == "1 of 6 features changed class, 2 the interval alone, 1 added, 1 removed"


def test_reasons_are_sorted_into_data_settings_and_versions() -> None:
    changes = NEW.changes_since(OLD)
    assert changes.data[0] == "rows: 50 -> 60"
    assert changes.data[1].startswith("content of the file: aaaa")
    assert changes.settings == ("delta_norm: 0.1 -> 0.2",)  # how many processes shared the work changes nothing
    assert changes.versions == ("relspan: 1.0 -> 1.1",)
    assert changes.best_model == ("C: 1 -> 2",)
    assert changes.remarks == ()


@pytest.mark.parametrize("result", [OLD, NEW], ids=["old", "new"])
def test_a_result_does_not_differ_from_itself(result) -> None:
    changes = result.changes_since(result)
    assert changes.names("same") == [f.name for f in result.features]
    assert changes.headline == "5 features, and none changed class or interval"
    reasons = (changes.data, changes.settings, changes.versions, changes.best_model, changes.remarks)
    assert not any(reasons)


@given(st.permutations(range(5)), st.permutations(range(5)))
def test_the_order_of_columns_is_no_change_and_the_way_back_mirrors(one, other) -> None:
    old = replace(OLD, features=tuple(OLD.features[k] for k in one))
    new = replace(NEW, features=tuple(NEW.features[k] for k in other))
    there, back = new.changes_since(old), old.changes_since(new)
    mirrored = {"added": "removed", "removed": "added"}
    for kind in CHANGES:
        assert sorted(there.names(kind)) == sorted(back.names(mirrored.get(kind, kind)))
        assert sorted(there.names(kind)) == sorted(NEW.changes_since(OLD).names(kind))


def test_what_cannot_be_known_is_reported() -> None:
    drawn = replace(OLD, parameters={**OLD.parameters, "random_state": None})
    assert ["seed" in remark for remark in NEW.changes_since(drawn).remarks] == [True]
    in_memory = replace(NEW, data={"n_samples": 60})
    assert "same values is not recorded" in in_memory.changes_since(OLD).remarks[0]
    assert "partial" in replace(NEW, partial=True).changes_since(OLD).remarks[0]
    unexplained = replace(OLD, features=NEW.features)
    assert unexplained.changes_since(OLD).remarks == ("Nothing that the results record explains the differences.",)


def test_the_text_counts_moved_intervals_of_irrelevant_features() -> None:
    text = str(NEW.changes_since(OLD))
    assert "turned   weak       0.000 to 0.500  strong     0.050 to 0.500" in text
    assert "noise" not in text
    assert "1 irrelevant feature changed as well." in text


@pytest.fixture
def files(tmp_path):
    for name, result in (("old.json", OLD), ("new.json", NEW)):
        (tmp_path / name).write_text(result.to_json())
    return tmp_path / "old.json", tmp_path / "new.json"


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_command_writes_text_json_and_csv(files) -> None:
    done = run("diff", *files)
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{NEW.changes_since(OLD)}\n"
    record = json.loads(run("diff", *files, "-f", "json").stdout)
    assert record["settings"] == ["delta_norm: 0.1 -> 0.2"]
    assert record["features"][0] == {
        **{"name": "new", "change": "added", "relevance_before": None, "relevance_after": "weak"},
        **{"min_before": None, "min_after": 0.0, "max_before": None, "max_after": 0.3},
    }
    assert run("diff", *files, "-f", "csv").stdout.splitlines()[1] == "new,added,,weak,,0.0,,0.3"


def test_what_is_no_result_is_refused(files, tmp_path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1,0\n")
    done = run("diff", tmp_path / "t.csv", files[1])
    assert done.exit_code == 3
    assert "is not a result" in done.stderr


def test_changes_compare_as_values() -> None:
    assert isinstance(NEW.changes_since(OLD), ResultChanges)
    assert NEW.changes_since(OLD) == NEW.changes_since(OLD)
