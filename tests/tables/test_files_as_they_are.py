"""Ordinary files are read without help: row labels, booleans, dates, UTF-16, workbooks, odd types of Parquet."""

from __future__ import annotations

import datetime
import io

import numpy as np
import pytest

from relspan.errors import DataError, ParameterError
from relspan.tables import TableOptions, TextColumnError, parse_table, prepare_table
from relspan.tables.new_rows import prepare_new_rows


def table(text, **options):
    return parse_table(text if isinstance(text, bytes) else text.encode(), "data.csv", **options)


@pytest.mark.parametrize(
    "text",
    [
        '"","a","y"\n"1",1.5,0\n"2",2.5,1\n',  # R: write.csv, and pandas: to_csv
        '"a" "y"\n"1" 1.5 0\n"2" 2.5 1\n'.replace(" ", "\t"),  # R: write.table, whose first line has no name for them
        "a,y\nfirst,1.5,0\nsecond,2.5,1\n",
    ],
)
def test_a_first_column_without_a_name_holds_row_labels(text):
    read = table(text)
    assert read.names == ("a", "y")
    assert read.column("a").tolist() == [1.5, 2.5]
    assert len(read.row_labels) == 2
    assert read.description().endswith("; the first column has no name and is taken as row labels")
    assert prepare_table(read, "y").names == ("a",)


def test_only_the_first_column_can_hold_row_labels():
    assert table("a,y\n1,0\n").row_labels is None
    for text in ("a,,y\n1,2,0\n", ",a,\n1,2,0\n", "a,y\n1,2,0\n1,2\n"):
        with pytest.raises(DataError):
            table(text)


def test_row_labels_of_r_do_not_hide_the_separator():
    read = table("a;b\nx,1;1,5;2,5\nx,2;3,5;4,5\n")
    assert (read.names, read.decimal) == (("a", "b"), ",")
    assert read.row_labels == ("x,1", "x,2")


@pytest.mark.parametrize(
    ("false", "true"), [("FALSE", "TRUE"), ("False", "True"), ("no", "yes"), ("No", "Yes"), ("F", "T"), ("n", "y")]
)
def test_words_for_true_and_false_are_booleans(false, true):
    text = f"smoker,y\n{true},0\n{false},1\n{true},1\n"
    prepared = prepare_table(table(text), "y")
    assert prepared.names == ("smoker",)
    assert prepared.X[:, 0].tolist() == [1, 0, 1]
    assert prepared.report.notes() == (f"read 'smoker' as a boolean: {true.lower()!r} is 1",)
    X = prepare_new_rows(table(f"smoker\n{false}\n{false}\n"), prepared.names, prepared.report.facts()).X
    assert X.tolist() == [[0], [0]]
    asked = prepare_table(table(text), "y", categorical=["smoker"])
    assert asked.names == (f"smoker={max(false, true)}",)


def test_a_boolean_target_keeps_its_words():
    assert prepare_table(table("a,y\n1,TRUE\n2,FALSE\n"), "y").y.tolist() == ["TRUE", "FALSE"]


def test_a_boolean_with_gaps_is_filled_or_gets_a_level():
    text = "smoker,y\nyes,0\nno,1\n,1\nyes,0\n"
    assert prepare_table(table(text), "y", impute_text="frequent").X[:, 0].tolist() == [1, 0, 1, 1]
    own = prepare_table(table(text), "y", impute_text="missing")
    assert own.names == ("smoker=missing", "smoker=no", "smoker=yes")


def test_other_words_in_a_boolean_column_of_new_rows_are_marked():
    prepared = prepare_table(table("smoker,y\nyes,0\nno,1\n"), "y")
    rows = prepare_new_rows(table("smoker\nyes\nsometimes\n"), prepared.names, prepared.report.facts())
    assert rows.obstacles == ("", "'smoker' is 'sometimes', which is neither true nor false")


STEPS = {"size": ("small", "medium", "large")}


def test_ordered_categories_are_steps():
    text = "size,y\nlarge,0\nsmall,1\nmedium,1\n"
    prepared = prepare_table(table(text), "y", ordered=STEPS)
    assert prepared.names == ("size>=medium", "size>=large")
    assert prepared.X.tolist() == [[1, 1], [0, 0], [1, 0]]
    assert prepared.report.encoded == {"size": prepared.names}
    assert prepared.report.notes() == ("encoded 'size' as an ordered category: 'size>=medium', 'size>=large'",)
    words = TableOptions(ordered=["size=small<medium<large"])
    assert words.preparing(("size", "y"))["ordered"] == STEPS
    assert prepared.report.options == words
    X = prepare_new_rows(table("size\nmedium\n"), prepared.names, prepared.report.facts()).X
    assert X.tolist() == [[1, 0]]


def test_missing_values_of_an_ordered_category_are_marked_beside_its_steps():
    prepared = prepare_table(table("size,y\nlarge,0\n,1\nmedium,1\n"), "y", ordered=STEPS, impute_text="missing")
    assert prepared.names == ("size>=medium", "size>=large", "size=missing")
    assert prepared.X.tolist() == [[1, 1, 0], [0, 0, 1], [1, 0, 0]]
    X, _, notes, unused = prepare_new_rows(table("size,b\n,1\nlarge,2\n"), prepared.names, prepared.report.facts())
    assert X.tolist() == [[0, 0, 1], [1, 1, 0]]
    assert "filled 1 missing value of 'size' with 'missing'" in notes[0]
    assert unused == ("b",)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"ordered": {"size": ("small", "large")}}, DataError, "'medium', which is not one of its levels"),
        ({"ordered": {"size": ("small",)}}, ParameterError, "two or more different levels"),
        ({"ordered": STEPS, "categorical": ["size"]}, ParameterError, "both name 'size'"),
        ({"ordered": {"sice": ("a", "b")}}, DataError, "did you mean 'size'"),
    ],
)
def test_orders_that_do_not_fit_are_refused(options, error, said):
    with pytest.raises(error, match=said):
        prepare_table(table("size,y\nlarge,0\nsmall,1\nmedium,1\n"), "y", **options)


@pytest.mark.parametrize("word", ["size", "size=small", "=small<large"])
def test_an_order_is_written_with_its_name_and_levels(word):
    with pytest.raises((ParameterError, DataError)):
        prepare_table(table("size,y\nlarge,0\nsmall,1\n"), "y", **TableOptions(ordered=[word]).preparing(("size", "y")))


@pytest.mark.parametrize(
    "date",
    [
        "2024-03-0{}",
        "2024-03-0{}T10:30",
        "2024/3/{} 10:30:15",
        "0{}.03.2024",
        "3/{}/24",
        "Mar {} 2024",
        "{}-Mar-2024",
        "10:0{}",
    ],
)
def test_dates_are_refused_with_what_deals_with_them(date):
    rows = "".join(f"{date.format(1 + i % 4)},{i},{i % 2}\n" for i in range(8))
    read = table(f"when,a,y\n{rows}")
    with pytest.raises(TextColumnError, match="'when' is text") as refused:
        prepare_table(read, "y")
    assert refused.value.labels == ("when",)
    with pytest.raises(TextColumnError, match="'when' holds dates or times, so it cannot be encoded"):
        prepare_table(read, "y", categorical="all")
    assert prepare_table(read, "y", drop=["when"]).names == ("a",)


def test_ranges_and_versions_are_no_dates():
    rows = "".join(f"{'25-34' if i % 2 else '35-44'},{i},{i % 2}\n" for i in range(8))
    assert prepare_table(table(f"age,a,y\n{rows}"), "y", categorical="all").names == ("age=35-44", "a")


def test_utf_16_announces_itself():
    text = "größe,y\n1,0\n2,1\n"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        data = text.encode(encoding) if encoding == "utf-16" else ("\ufeff" + text).encode(encoding)
        read = table(data)
        assert read.names == ("größe", "y")
        assert read.format == "comma separated, UTF-16"


def test_odd_types_of_parquet_can_be_left_out_but_not_used():
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    columns = {
        "when": pa.array([datetime.datetime(2024, 1, day) for day in (1, 2, 3)]),
        "day": pa.array([datetime.date(2024, 1, day) for day in (1, 2, 3)]),
        "list": pa.array([[1], [2], None]),
        "raw": pa.array([b"a", b"b", b"c"]),
        "a": pa.array([1.0, 2.0, 4.0]),
        "y": pa.array([0, 1, 1]),
    }
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    read = table(stream.getvalue())
    assert set(read.other_types) == {"when", "day", "list", "raw"}
    with pytest.raises(
        TextColumnError, match=r"'when' \(timestamp\[us\]\).*leave such columns out with drop"
    ) as refused:
        prepare_table(read, "y")
    assert set(refused.value.labels) == set(read.other_types)
    with pytest.raises(TextColumnError):
        prepare_table(read, "y", categorical="all")
    assert prepare_table(read, "y", drop=list(read.other_types)).X.tolist() == [[1], [2], [4]]


def test_the_index_that_pandas_writes_to_parquet_holds_row_labels():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    stream = io.BytesIO()
    pd.DataFrame({"a": [1.0, 2.0], "y": [0, 1]}, index=["p", "q"]).to_parquet(stream)
    read = table(stream.getvalue())
    assert (read.names, read.row_labels) == (("a", "y"), ("p", "q"))


def workbook(**sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


ROWS = [["a", "when", "y"], [1.5, datetime.datetime(2024, 1, 2), "ill"], [None, None, "well"], [3, None, "ill"]]


def test_a_workbook_is_read_as_the_same_table_in_text():
    read = table(workbook(data=ROWS, notes=[]))
    np.testing.assert_array_equal(read.column("a"), [1.5, np.nan, 3])
    assert read.column("when").tolist() == ["2024-01-02", None, None]
    assert read.column("y").tolist() == ["ill", "well", "ill"]
    assert read.format == "Excel, sheet 'data'"


def test_the_sheet_of_a_workbook_is_never_guessed():
    data = workbook(data=ROWS, more=ROWS)
    with pytest.raises(DataError, match="values in the sheets 'data', 'more'; state which with sheet"):
        table(data)
    assert table(data, sheet="more").format == "Excel, sheet 'more'"
    with pytest.raises(ParameterError, match="no sheet 'mor'; did you mean 'more'"):
        table(data, sheet="mor")
    with pytest.raises(ParameterError, match="sheet applies to Excel workbooks"):
        table("a,y\n1,0\n", sheet="more")


def test_a_workbook_without_openpyxl_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(DataError, match=r"Excel workbook; .*pip install 'relspan\[excel\]'"):
        table(b"PK\x03\x04....")
