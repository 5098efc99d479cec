"""Columns are recognised for what they are, and the plan for them is carried out by its own options."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relspan.tables import (
    COLUMN_KINDS,
    TableOptions,
    UnknownColumnError,
    inspect_table,
    parse_table,
    prepare_table,
    recognise_column,
)
from relspan.tables.known_orders import known_order

ROWS = 24
COLUMNS = {
    "number": lambda i: i * 0.5,
    "boolean": lambda i: ("no", "yes")[i % 2],
    "category": lambda i: ("red", "green", "blue")[i % 3],
    "ordered category": lambda i: ("low", "medium", "high")[i % 3],
    "date": lambda i: f"2024-01-{1 + i:02d}",
    "identifier": lambda i: f"P{i}",
    "constant": lambda i: "same",
    "empty": lambda i: "",
    "text": lambda i: f"word {i % (ROWS - 2)}",
    "numbers with slips": lambda i: f"{i}" if i % 5 else f"about {i}",
}


def table(columns, target=lambda i: i % 2):
    lines = [",".join([*columns, "y"])]
    lines += [",".join(str(make(i)) for make in [*columns.values(), target]) for i in range(ROWS)]
    return parse_table(("\n".join(lines) + "\n").encode(), "data.csv")


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_kind_is_recognised(kind):
    found = recognise_column(table({"a": COLUMNS[kind]}), "a")
    assert found.kind == kind
    assert found.name == "a"
    assert found.missing == (ROWS if kind == "empty" else 0)


def test_all_kinds_are_tried():
    assert set(COLUMN_KINDS) - set(COLUMNS) == {"other type"}  # which only Parquet has


def test_the_plan_is_carried_out_by_its_options():
    kinds = {kind: make for kind, make in COLUMNS.items() if kind != "numbers with slips"}
    read = table(kinds)
    plan = inspect_table(read, "y")
    assert plan.obstacles == ()
    assert plan.options == TableOptions(
        categorical=["category"],
        ordered=["ordered category=low<medium<high"],
        drop=["date,identifier,constant,empty,text"],
    )
    prepared = prepare_table(read, "y", **plan.options.preparing(read.names))
    assert prepared.report.encoded.keys() == {"category", "ordered category"}
    parts = {p.column.name: p.part for p in plan.columns}
    assert {name for name, part in parts.items() if part == "feature"} == {
        *("number", "boolean", "category", "ordered category")
    }
    assert parts["y"] == "target"
    assert [record["name"] for record in plan.records()] == list(read.names)


def test_slips_stand_in_the_way():
    read = table({"a": COLUMNS["numbers with slips"], "b": COLUMNS["number"]})
    (obstacle,) = inspect_table(read, "y").obstacles
    assert "'a'" in obstacle
    assert "'about 0' in line 2" in obstacle
    assert inspect_table(read, "y", TableOptions(drop=["a"])).obstacles == ()


def test_a_word_among_numbers_is_a_mark_of_missing_values():
    read = table({"a": lambda i: "." if i == 3 else i, "b": COLUMNS["number"]})
    plan = inspect_table(read, "y")
    assert plan.options == TableOptions(missing=["."], impute="drop")
    assert plan.incomplete_rows == 1


@pytest.mark.parametrize("kind", ["date", "constant", "empty", "text", "numbers with slips", "identifier"])
def test_what_cannot_be_a_target_stands_in_the_way(kind):
    read = table({"a": COLUMNS[kind], "b": COLUMNS["number"]})
    assert any("target" in obstacle for obstacle in inspect_table(read, "a").obstacles)


def test_a_table_of_only_a_target_stands_in_the_way():
    assert inspect_table(table({"a": COLUMNS["constant"]}), "y").obstacles == (
        "No column is left beside the target 'y'.",
    )


def test_whole_numbers_that_count_the_rows_are_identifiers():
    read = table({"row": lambda i: i + 1, "patient_id": lambda i: 1000 - 7 * i, "size": lambda i: 3 * i})
    assert [recognise_column(read, name).kind for name in read.names[:3]] == ["identifier", "identifier", "number"]


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        ({}, {}),
        ({"number": {1}}, {"impute": "drop"}),
        ({"number": {1, 2, 3}}, {"impute": "median"}),
        ({"category": {1, 2, 3}}, {"impute_text": "missing"}),
        ({"number": {1, 5}, "boolean": {7, 9}}, {"impute": "median", "impute_text": "missing"}),
        ({"y": {1, 2, 3}}, {"impute": "drop"}),
        ({"number": set(range(20))}, {"drop": ("number",)}),
    ],
)
def test_missing_values_are_planned_by_kind_and_number(gaps, expected):
    def with_gaps(name, make):
        return lambda i: "" if i in gaps.get(name, ()) else make(i)

    kinds = ("number", "boolean", "category")
    read = table({k: with_gaps(k, COLUMNS[k]) for k in kinds}, with_gaps("y", lambda i: i % 2))
    plan = inspect_table(read, "y")
    assert plan.options == TableOptions(categorical=["category"], **expected)
    prepare_table(read, "y", **plan.options.preparing(read.names))


def test_what_was_decided_is_kept():
    read = table({"who": lambda i: f"P{i // 3}", "a": COLUMNS["number"], "c": COLUMNS["ordered category"]})
    given = TableOptions(groups="who", categorical=["c"], drop=["a"])
    assert inspect_table(read, "y", given).options == given
    everything = TableOptions(categorical=["all"], groups="who")
    assert inspect_table(read, "y", everything).options.categorical == ("all",)


def test_unknown_targets_are_answered_with_the_nearest():
    with pytest.raises(UnknownColumnError, match="did you mean 'y'"):
        inspect_table(table({"a": COLUMNS["number"]}), "Y")


def test_names_with_commas_are_not_joined():
    read = parse_table(b'"a,b",c,y\nu,p,0\nv,q,1\nu,q,0\nv,p,1\n', "t.csv")
    assert inspect_table(read, "y").options.categorical == ("a,b", "c")


@pytest.mark.parametrize(
    "levels",
    [
        ("25-34", "35-44", "75+"),
        ("<1", "1-4", ">4"),
        ("0-39g/day", "40-79", "80-119", "120+"),
        ("1st", "2nd", "3rd"),
        ("Never", "Sometimes", "Always"),
        ("none", "mild", "severe"),
    ],
)
def test_orders_that_names_give_away(levels):
    assert known_order(sorted(levels)) == levels


@pytest.mark.parametrize("levels", [("red", "green", "blue"), ("1", "2", "3"), ("a", "b"), ("A1", "B2", "C3")])
def test_other_names_give_no_order_away(levels):
    assert known_order(levels) is None


@given(
    st.lists(
        st.lists(
            st.sampled_from(["", "1", "2.5", "x", "yes", "no", "2024-01-01", "NA", "low", "high", "medium"]),
            min_size=12,
            max_size=12,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_a_plan_without_obstacles_prepares_the_table(columns):
    names = [f"c{j}" for j in range(len(columns))]
    rows = [",".join([*cells, str(i % 2)]) for i, cells in enumerate(zip(*columns, strict=True))]
    read = parse_table(("\n".join([",".join([*names, "y"]), *rows]) + "\n").encode(), "t.csv")
    plan = inspect_table(read, "y")
    if plan.obstacles:
        return
    again = parse_table(
        ("\n".join([",".join([*names, "y"]), *rows]) + "\n").encode(), "t.csv", **plan.options.reading()
    )
    assert len(prepare_table(again, "y", **plan.options.preparing(again.names)).names) >= 1
