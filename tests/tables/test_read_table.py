"""Files as people have them, and files that cannot be read."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relspan.errors import DataError, ParameterError
from relspan.tables import MISSING, EncodingError, UnknownColumnError, parse_table, read_table, write_delimited
from relspan.tables.delimited import _typed, as_number


def table(text, **options):
    return parse_table(text.encode() if isinstance(text, str) else text, "data.csv", **options)


names = st.lists(st.text("abcXYZ ,;\"'é", min_size=1, max_size=5), min_size=2, max_size=5, unique_by=str.strip).filter(
    lambda words: all(word.strip() and word.strip() == word for word in words)
)


@given(names=names, n=st.integers(1, 6), data=st.data())
@pytest.mark.slow
def test_what_was_written_is_read_back(names, n, data):
    numbers = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=n, max_size=n)
    columns = [data.draw(numbers) for _ in names]
    stream = io.StringIO()
    write_delimited(stream, names, columns)
    read = table(stream.getvalue(), separator=",")
    assert read.names == tuple(names)
    for column, written in zip(read.columns, columns, strict=True):
        np.testing.assert_array_equal(column, written)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_separator_is_guessed_and_said(separator, newline):
    text = newline.join(["a,b,c", "1,2.5,x", "-3,4e2,", ""]).replace(",", separator)
    read = table(text)
    assert read.names == ("a", "b", "c")
    assert read.column("a").tolist() == [1, -3]
    assert read.column("b").tolist() == [2.5, 400]
    assert read.column("c").tolist() == ["x", None]
    assert read.is_numeric("b")
    assert not read.is_numeric("c")
    assert read.lines.tolist() == [2, 3]
    assert read.format == {",": "comma", ";": "semicolon", "\t": "tab"}[separator] + " separated"
    assert len(read) == 2


def test_quoted_values_may_hold_separators_quotes_and_newlines():
    read = table('name, "a, b"\n"x, ""y""\nz", 1\nw, 2\n')
    assert read.names == ("name", "a, b")
    assert read.column("name").tolist() == ['x, "y"\nz', "w"]
    assert read.lines.tolist() == [3, 4]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_comma_is_guessed_where_the_separator_is_another(separator):
    read = table(separator.join("ab") + "\n" + separator.join(["1,5", "2"]) + "\n" + separator.join(["-,5e1", "x"]))
    assert read.column("a").tolist() == [1.5, -5]
    assert "decimal comma" in read.format


def test_decimal_comma_in_a_comma_file_must_be_said():
    text = 'a,b\n"1,5",2\n'
    assert table(text).column("a").tolist() == ["1,5"]
    assert table(text, decimal=",").column("a").tolist() == [1.5]


def test_decimal_comma_and_point_together_are_refused():
    with pytest.raises(DataError, match=r"'1,5' in line 2.*'2\.5' in line 3.*decimal"):
        table("a;b\n1,5;1\n2;2.5\n")
    assert table("a;b\n1,5;1\n2;2.5\n", decimal=".").column("b").tolist() == [1, 2.5]


@pytest.mark.parametrize("mark", sorted(MISSING))
def test_missing_marks(mark):
    read = table(f"a,b\n1,2\n{mark},x\n")
    assert np.isnan(read.column("a")[1])
    assert table(f"a,b\n{mark},2\nx,1\n").column("a").tolist() == [None, "x"]


def test_missing_marks_can_be_chosen():
    read = table("a,b\n-999,NA\n1,x\n", missing={"-999"})
    assert np.isnan(read.column("a")[0])
    assert read.column("b").tolist() == ["NA", "x"]


@pytest.mark.parametrize("word", ["1_000", "0x1", "1.5.2", "1,5", "one", "--1", "1e", "true", "١"])
def test_only_plain_numbers_are_numbers(word):
    assert table(f"a;b\n1;2\n{word};3\n", decimal=".").column("a").tolist() == ["1", word]


def test_blank_lines_are_passed_over_and_counted():
    assert table("a,b\n\n1,2\n  \n3,4\n\n").lines.tolist() == [3, 5]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("\n\n", "empty"),
        ("a,b\n", "no rows"),
        ("a,b,a,c,b\n1,2,3,4,5\n", "'a', 'b'"),
        ("a,,c\n1,2,3\n", "column 2 of 3 without a name"),
        (",b,\n1,2,3\n", "columns 1, 3 of 3 without a name"),
        ("a,b\n1,2\n3\n4,5\n", "line 3 has 1 values, but the first line names 2"),
        ("a,b\n1,2\n\n3,4,5\n", "line 4 has 3 values"),
        ("a|b\n1,5|2,5\n", "set separator"),
        ("1,2\n3,4\n", "column names, not numbers such as '1'"),
        ('a,b\n"1,2\n', "line 2 cannot be split"),
        ("a,b;c\n1,2;3\n", "comma or semicolon"),
        (b"a,b\n1\x00,2\n", "zero bytes"),
        (b"PK\x03\x04....", "not a readable Excel workbook"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], "damaged gzip"),
        (b"PAR1nonsense", "not a readable Parquet file"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_place(text, said):
    with pytest.raises(DataError) as refused:
        table(text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_long_lists_of_names_are_cut():
    header = ",".join(f"x{j % 40}" for j in range(80))
    with pytest.raises(DataError, match="'x2' and 37 more"):
        table(header + "\n")


def test_encodings():
    text = "naïve,b\né,1\n"
    assert table(text.encode("utf-8-sig")).names == ("naïve", "b")
    with pytest.raises(EncodingError, match=r"not text in utf-8 \(line 1\).*latin-1"):
        table(text.encode("latin-1"))
    assert table(text.encode("latin-1"), encoding="latin-1").column("naïve").tolist() == ["é"]
    assert table(text.encode("utf-16"), encoding="utf-16").names == ("naïve", "b")
    with pytest.raises(ParameterError, match="encoding 'klingon'"):
        table(text, encoding="klingon")


@pytest.mark.parametrize("options", [{"separator": ", "}, {"separator": ""}, {"separator": '"'}, {"decimal": "·"}])
def test_options_that_mean_nothing(options):
    with pytest.raises(ParameterError, match=next(iter(options))):
        table("a,b\n1,2\n", **options)


def test_another_separator_can_be_said():
    assert table("a|b\n1|2\n", separator="|").format == "'|' separated"


def test_files_plain_and_compressed(tmp_path):
    plain, packed = tmp_path / "t.csv", tmp_path / "t.csv.gz"
    plain.write_bytes(b"a,b\n1,2\n")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    for path in (plain, packed):
        read = read_table(path)
        assert read.column("b").tolist() == [2]
        assert read.source == str(path)
        assert read.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert read_table(str(plain)).names == ("a", "b")


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a\tb\n1\t2\n")))
    read = read_table("-")
    assert read.names == ("a", "b")
    assert read.source == "-"


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match=r"nothing\.csv'.*No such file"):
        read_table(tmp_path / "nothing.csv")
    with pytest.raises(DataError, match="cannot read"):
        read_table(tmp_path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Y", "no column 'Y'; did you mean 'y'?"),
        ("tartget", "no column 'tartget'; did you mean 'target'?"),
        ("zzz", "no column 'zzz'; there are 'y', 'target', 'age'"),
    ],
)
def test_unknown_columns_are_answered_with_the_nearest(name, said):
    with pytest.raises(UnknownColumnError) as refused:
        table("y,target,age\n1,2,3\n").column(name)
    assert str(refused.value) == said


def test_parquet(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    columns = {
        "whole": pa.array([1, None, 3]),
        "real": pa.array([0.5, float("nan"), None]),
        "text": pa.array(["x", "", None]),
        "flag": pa.array([True, False, None]),
        "kind": pa.array(["u", "v", "u"]).dictionary_encode(),
        "nothing": pa.array([None, None, None]),
    }
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(columns), path)
    read = read_table(path)
    assert read.names == tuple(columns)
    np.testing.assert_array_equal(read.column("whole"), [1, np.nan, 3])
    np.testing.assert_array_equal(read.column("real"), [0.5, np.nan, np.nan])
    assert read.column("text").tolist() == ["x", "", None]
    assert read.column("flag").tolist() == ["True", "False", None]
    assert read.column("kind").tolist() == ["u", "v", "u"]
    assert np.isnan(read.column("nothing")).all()
    assert read.format == "Parquet"
    assert read.lines.tolist() == [1, 2, 3]


def test_parquet_without_pyarrow_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r"pip install 'relspan\[parquet\]'"):
        table(b"PAR1....PAR1")


@given(
    cells=st.lists(st.text("0123456789+-.,eEinfa_ ٣x", max_size=6).map(str.strip), max_size=5),
    decimal=st.sampled_from(".,"),
)
def test_a_column_of_numbers_is_one_whose_every_cell_is(cells, decimal):
    """The quick reading of whole columns reads what reading cell by cell reads."""
    column = _typed(cells, decimal, MISSING)
    numbers = [np.nan if cell in MISSING else as_number(cell, decimal) for cell in cells]
    if None in numbers:
        assert column.dtype == object
        assert column.tolist() == [None if cell in MISSING else cell for cell in cells]
    else:
        np.testing.assert_array_equal(column, np.array(numbers, dtype=float))


def test_a_table_records_how_it_was_read():
    read = table("a\tb\n1,5\t-999\n", separator="tab", decimal=",", encoding="latin-1", missing=MISSING | {"-999"})
    assert read.options.record() == {"separator": "tab", "decimal": ",", "encoding": "latin-1", "missing": ["-999"]}
    again = table("a\tb\n1,5\t-999\n", **read.options.reading())
    np.testing.assert_array_equal(again.columns, [[1.5], [np.nan]])
    assert table("a,b\n1,2\n").options.record() == {}
