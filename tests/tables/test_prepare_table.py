"""Nothing is dropped, filled or encoded unless it was asked for, and what was done is told."""

from __future__ import annotations

import json

import numpy as np
import pytest

from relspan.errors import DataError, ParameterError, RelspanError
from relspan.options import flags_of
from relspan.tables import (
    MissingValueError,
    TableOptions,
    TextColumnError,
    UnknownColumnError,
    parse_table,
    prepare_table,
)

CLEAN = "age,NT,y\n30,1.5,1\n41,2,0\n35,,1\n"


def table(text):
    return parse_table(text.encode(), "data.csv")


def test_numbers_pass_unchanged():
    X, y, names, report, _ = prepare_table(table("a,y,b\n1,0,2.5\n-3,1,1e3\n"), "y")
    np.testing.assert_array_equal(X, [[1, 2.5], [-3, 1000]])
    assert y.tolist() == [0, 1]
    assert y.dtype == np.int64
    assert names == ("a", "b")
    assert report.notes() == ()
    assert report.target == "y"
    assert report.source == "data.csv"
    assert len(report.sha256) == 64
    assert report.format == "comma separated"


def test_targets_keep_their_kind():
    assert prepare_table(table("a,y\n1,0.5\n2,1\n"), "y").y.tolist() == [0.5, 1]
    assert prepare_table(table("a,y\n1,ill\n2,well\n"), "y").y.tolist() == ["ill", "well"]


@pytest.mark.parametrize(
    ("impute", "column"), [("mean", [1, 2, 6, 3, 3]), ("median", [1, 2, 6, 2, 2]), ("drop", [1, 2, 6])]
)
def test_missing_values_are_filled_or_dropped_as_asked(impute, column):
    X, y, names, report, _ = prepare_table(table("a,b,y\n1,1,0\n2,2,1\n6,3,0\n,4,1\nNA,5,0\n"), "y", impute=impute)
    assert X[:, 0].tolist() == column
    assert X[:, 1].tolist() == [1, 2, 3, 4, 5][: len(column)]
    assert y.tolist() == [0, 1, 0, 1, 0][: len(column)]
    assert names == ("a", "b")
    if impute == "drop":
        assert report.dropped_lines == (5, 6)
        assert report.imputed == {}
        assert report.notes() == ("left out 2 rows with missing values",)
    else:
        assert report.dropped_lines == ()
        assert report.imputed == {"a": (2, column[-1])}
        assert report.notes() == (f"filled 2 missing values of 'a' with {column[-1]}",)


def test_missing_values_are_counted_for_each_column():
    with pytest.raises(MissingValueError) as refused:
        prepare_table(table("a,b,c,y\n,1,,0\nNA,2,3,1\n5,6,7,1\n"), "y")
    assert str(refused.value) == "missing values: 'a' 2, 'c' 1; set impute to 'mean', 'median' or 'drop'"
    assert refused.value.counts == {"a": 2, "c": 1}


@pytest.mark.parametrize(
    "options", [{"impute": "mean"}, {"impute": "median"}, {"impute": "drop"}, {"impute_text": "missing"}]
)
def test_a_missing_target_is_never_filled_but_its_row_left_out_and_counted(options):
    text = "a,y\n1,0\n2,\n3,1\n"
    with pytest.raises(MissingValueError, match=r"target 'y' .*any value of impute"):
        prepare_table(table(text), "y")
    prepared = prepare_table(table(text), "y", **options)
    assert (prepared.X.tolist(), prepared.y.tolist()) == ([[1], [3]], [0, 1])
    assert (prepared.report.dropped_lines, prepared.report.dropped_targets) == ((3,), 1)
    assert prepared.report.notes() == ("left out 1 row without a value of the target 'y'",)


def test_a_target_without_any_value_is_refused():
    with pytest.raises(MissingValueError, match="the target 'y' has no value at all"):
        prepare_table(table("a,y\n1,\n2,\n"), "y", impute="mean")


def test_a_column_without_any_value_cannot_be_filled():
    text = "a,b,y\n,1,0\n,2,1\n"
    with pytest.raises(MissingValueError, match="'a' has no value at all"):
        prepare_table(table(text), "y", impute="mean")
    with pytest.raises(MissingValueError, match=r"'a'.* 2 rows"):
        prepare_table(table(text), "y", impute="drop")
    assert prepare_table(table(text), "y", drop=["a"]).names == ("b",)


def test_missing_values_of_columns_left_out_do_not_matter():
    prepared = prepare_table(table(CLEAN), "y", drop=["NT"])
    assert len(prepared.X) == 3
    assert prepared.report.dropped_columns == ("NT",)
    assert prepared.report.notes() == ("left out: 'NT'",)
    assert len(prepare_table(table(CLEAN), "y", drop=["NT"], impute="drop").X) == 3


def test_text_is_encoded_only_when_asked():
    text = "sex,city,a,y\nm,Ulm,1,0\nf,Bonn,2,1\nm,Köln,3,0\nf,Ulm,4,1\n"
    with pytest.raises(TextColumnError) as refused:
        prepare_table(table(text), "y")
    assert refused.value.columns == ("sex", "city")
    assert "'sex' ('m' in line 2), 'city' ('Ulm' in line 2)" in str(refused.value)
    with pytest.raises(TextColumnError, match="column 'city' is text: 'Ulm' in line 2; encode text with categorical"):
        prepare_table(table(text), "y", categorical=["sex"])
    for categorical in ("all", ["city", "sex"]):
        X, _, names, report, _ = prepare_table(table(text), "y", categorical=categorical)
        assert names == ("sex=m", "city=Bonn", "city=Köln", "city=Ulm", "a")
        np.testing.assert_array_equal(X.T, [[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1], [1, 2, 3, 4]])
        assert report.encoded == {"sex": ("sex=m",), "city": ("city=Bonn", "city=Köln", "city=Ulm")}
        assert report.notes()[0] == "encoded 'sex' as a category: 'sex=m'"


def test_one_slip_in_a_column_of_numbers_is_pointed_at():
    text = "a;y\n" + "1,5;0\n" * 5 + "1o;1\n"
    with pytest.raises(
        TextColumnError, match="column 'a' is text: '1o' in line 7, while 5 of its 6 values are numbers"
    ):
        prepare_table(table(text), "y")


def test_a_column_that_names_its_rows_is_told_apart_from_words_and_from_slips():
    rows = "".join(f"P{i},{'<5' if i == 3 else i},{'mf'[i % 2]},{i % 2}\n" for i in range(6))
    with pytest.raises(
        TextColumnError, match=r"'a' \('<5' in line 5, while 5 of its 6 values are numbers\)"
    ) as refused:
        prepare_table(table("id,a,sex,y\n" + rows), "y")
    assert refused.value.columns == ("id", "a", "sex")
    assert refused.value.labels == ("id",)


def test_numbers_can_be_categories():
    prepared = prepare_table(table("a,y\n1,0\n2.5,1\n3,0\n3,1\n"), "y", categorical=["a"])
    assert prepared.names == ("a=1", "a=2.5", "a=3")
    np.testing.assert_array_equal(prepared.X.sum(axis=1), 1)


def test_missing_words_are_filled_or_become_a_level_as_asked():
    text = "c,y\nu,0\n,1\nv,1\nu,0\n"
    with pytest.raises(MissingValueError, match=r"text columns: 'c' 1; set impute_text .*impute to 'drop'") as refused:
        prepare_table(table(text), "y", categorical="all", impute="mean")
    assert (refused.value.ways, refused.value.text_ways) == (("drop",), ("frequent", "missing"))
    often = prepare_table(table(text), "y", categorical="all", impute_text="frequent")
    assert (often.names, often.X[:, 0].tolist()) == (("c=v",), [0, 0, 1, 0])
    assert often.report.imputed == {"c": (1, "u")}
    assert often.report.notes()[0] == "filled 1 missing value of 'c' with u"
    own = prepare_table(table(text), "y", categorical="all", impute_text="missing")
    assert own.names == ("c=missing", "c=u", "c=v")
    assert own.X[:, 0].tolist() == [0, 1, 0, 0]
    assert prepare_table(table(text), "y", categorical="all", impute="drop").X.tolist() == [[0], [1], [0]]


def test_one_value_gives_one_constant_column():
    prepared = prepare_table(table("c,y\nu,0\nu,1\n"), "y", categorical="all")
    assert prepared.names == ("c=u",)
    assert prepared.X.tolist() == [[1], [1]]


def test_identifiers_are_not_encoded():
    with pytest.raises(DataError, match=r"'id' .*drop"):
        prepare_table(table("id,a,y\nu,1,0\nv,2,1\nw,3,0\n"), "y", categorical="all")


def test_encoded_names_may_not_collide():
    with pytest.raises(DataError, match="duplicate column names: 'c=v'"):
        prepare_table(table("c,c=v,y\nu,1,0\nv,2,1\nv,3,1\n"), "y", categorical="all")


def test_infinities_are_refused_with_their_line():
    with pytest.raises(DataError, match="column 'a' is infinite in line 4"):
        prepare_table(table("a,y\n,0\n1,0\n-inf,1\n"), "y", impute="drop")
    with pytest.raises(DataError, match="column 'y' is infinite in line 2"):
        prepare_table(table("a,y\n1,1e999\n2,1\n"), "y")


def test_columns_that_are_not_there():
    with pytest.raises(UnknownColumnError, match=r"no column 'Y'; did you mean 'y'\?"):
        prepare_table(table(CLEAN), "Y")
    with pytest.raises(UnknownColumnError, match=r"no column 'nt'; did you mean 'NT'\?"):
        prepare_table(table(CLEAN), "y", drop=["nt"])
    with pytest.raises(UnknownColumnError, match="no column 'Age'"):
        prepare_table(table(CLEAN), "y", categorical=["Age"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"impute": "mode"}, "impute must be one of mean, median, drop, not 'mode'"),
        ({"drop": ["y"]}, "the target 'y'"),
        ({"categorical": ["y"]}, "categorical must not include the target 'y'"),
        ({"drop": "NT"}, "drop must be a list"),
        ({"categorical": "NT"}, "categorical must be a list"),
    ],
)
def test_options_that_mean_nothing_are_named(options, said):
    with pytest.raises(ParameterError) as refused:
        prepare_table(table(CLEAN), "y", **options)
    assert said in str(refused.value)


def test_a_table_of_only_a_target_is_refused():
    with pytest.raises(DataError, match="no column is left beside the target 'y'"):
        prepare_table(table(CLEAN), "y", drop=["age", "NT"])


def test_text_is_numbered_by_its_sorted_values():
    read = table("size,colour,y\n1.5,red,a\n,blue,b\n2.5,red,a\n")
    X, y, names, report, _ = prepare_table(read, "y", impute="mean", encode="codes")
    np.testing.assert_array_equal(X, [[1.5, 1], [2, 0], [2.5, 1]])
    assert (names, y.tolist()) == (("size", "colour"), ["a", "b", "a"])
    assert report.levels == {"colour": ("blue", "red")}
    assert report.encoded == {}
    with pytest.raises(ParameterError, match="categorical"):
        prepare_table(read, "y", categorical="all", encode="codes")
    with pytest.raises(MissingValueError, match="'c'"):
        prepare_table(table("c,y\nu,0\n,1\n"), "y", impute="mean", encode="codes")


def test_the_options_are_recorded_and_give_the_same_numbers_again():
    text = b"a;b;c,d;sex;y\n1,5;-999;1;m;0\n2,5;3;2;f;1\n4,5;5;3;m;1\n"
    options = TableOptions(
        categorical=["sex"], impute="median", drop=["c,d"], separator=";", decimal=",", missing=["-999"]
    )
    read = parse_table(text, "t.csv", **options.reading())
    prepared = prepare_table(read, "y", **options.preparing(read.names))
    record = json.loads(json.dumps(prepared.report.facts()))["table_options"]
    assert record == prepared.report.facts()["table_options"]
    assert record == {
        "categorical": ["sex"],
        "impute": "median",
        "drop": ["c,d"],
        "separator": ";",
        "decimal": ",",
        "missing": ["-999"],
    }
    again = TableOptions(**record)
    assert again == options
    read = parse_table(text, "t.csv", **again.reading())
    np.testing.assert_array_equal(prepare_table(read, "y", **again.preparing(read.names)).X, prepared.X)
    assert flags_of(TableOptions(categorical=["all"], drop=["a", "c,d"], separator="\t")) == (
        ["--categorical", "all", "--drop", "a", "--drop", "c,d", "--separator", "tab"]
    )


def test_several_names_may_stand_in_one_word():
    options = TableOptions(categorical=["all"], drop=["a, b", "c,d"])
    chosen = options.preparing(["a", "b", "c,d"])
    assert (chosen["categorical"], chosen["drop"]) == ("all", ["a", "b", "c,d"])


def test_the_column_of_groups_is_taken_out_of_the_features() -> None:
    read = table("who,a,y\nanna,1,0\nanna,2,1\nbert,3,0\n")
    prepared = prepare_table(read, "y", groups="who")
    assert prepared.names == ("a",)
    assert prepared.groups.tolist() == ["anna", "anna", "bert"]
    assert prepared.report.notes() == ("rows with the same 'who' stay together",)
    assert prepared.report.facts()["table_options"] == {"groups": "who"}
    assert prepared.report.facts_beside({"groups": {"count": 2}})["groups"] == {"count": 2, "column": "who"}
    assert prepare_table(read, "y", drop=["who"]).groups is None


def test_a_missing_group_is_refused_with_its_line_or_its_row_dropped() -> None:
    read = table("who,a,y\nanna,1,0\n,2,1\nbert,3,0\n")
    with pytest.raises(DataError, match=r"'who' names no group in line 3 \(1 missing in all\)"):
        prepare_table(read, "y", groups="who", impute="mean")
    assert prepare_table(read, "y", groups="who", impute="drop").groups.tolist() == ["anna", "bert"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": "whom"}, "no column 'whom'"),
        ({"groups": "y"}, "groups must not include the target 'y'"),
        ({"groups": "who", "drop": ["who"]}, "groups and drop both name 'who'"),
    ],
)
def test_a_column_of_groups_that_cannot_be_one_is_refused(options, message) -> None:
    with pytest.raises(RelspanError, match=message):
        prepare_table(table("who,a,y\nanna,1,0\nbert,3,1\n"), "y", **options)
