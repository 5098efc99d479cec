"""The reading options mean what they say, and say what they did."""

from __future__ import annotations

import pytest

from relspan.cli.exit_codes import ExitCode, advice, code_of
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.table import load
from relspan.errors import DataError, DegenerateBaseline, InfeasibleFamily, ParameterError, RelspanError, SolverError
from relspan.tables import EncodingError, MissingValueError, TableOptions, TextColumnError, UnknownColumnError
from relspan.tables.table_options import split_names


@pytest.fixture
def file(tmp_path):
    def write(text, encoding="utf-8"):
        path = tmp_path / "t.csv"
        path.write_text(text, encoding=encoding)
        return str(path)

    return write


def loaded(path, target="y", **options):
    return load(path, target, TableOptions(**options), OutputOptions())


def test_names_with_commas_count_as_themselves():
    names = ["a", "b", "a,b", "c"]
    assert split_names(["a, c", "b"], names) == ["a", "c", "b"]
    assert split_names(["a,b"], names) == ["a,b"]
    assert split_names(["c, a,b,a"], names) == ["c", "a,b", "a"]


def test_what_was_read_and_done_is_said(file, capsys):
    path = file("id;sex;x;y\nu;m;1,5;0\nv;f;-999;1\nw;m;2,5;1\n")
    prepared = loaded(path, categorical=["all"], impute="mean", drop=["id"], missing=["-999"])
    assert prepared.names == ("sex=m", "x")
    assert prepared.X.tolist() == [[1, 1.5], [0, 2], [1, 2.5]]
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        f"{path}: 3 rows, 4 columns, semicolon separated, decimal comma",
        "left out: 'id'",
        "filled 1 missing value of 'x' with 2",
        "encoded 'sex' as a category: 'sex=m'",
    ]


@pytest.mark.parametrize("separator", ["tab", "\\t", "\t"])
def test_a_tab_can_be_written_in_a_shell(file, separator):
    assert loaded(file("a,b\tc\n1,2\t3\n"), "c", separator=separator, decimal=",").names == ("a,b",)


@pytest.mark.parametrize(
    ("text", "options", "code", "helps"),
    [
        ("a,y\n1,0\n2,1\n", {"target": "Y"}, ExitCode.USAGE, ""),
        ("a,y\n1,0\n2,1\n", {"drop": ["b"]}, ExitCode.USAGE, ""),
        ("a,y\n1,0\n2,1\n", {"impute": "mode"}, ExitCode.USAGE, ""),
        ("a,y\n1,0\n,1\n", {}, ExitCode.BAD_DATA, " [--impute mean|median|drop]"),
        ("a,y\n1,0\n2,1\n3,\n", {}, ExitCode.BAD_DATA, " [--impute mean|median|drop]"),
        (
            "a,y\nu,0\nu,1\n,1\n",
            {"categorical": ["a"]},
            ExitCode.BAD_DATA,
            " [--impute-text frequent|missing | --impute drop]",
        ),
        ("a,b,y\n1,,0\n2,,1\n", {"impute": "mean"}, ExitCode.BAD_DATA, ""),
        ("id,b,y\np,v,0\nq,w,1\nr,w,1\n", {}, ExitCode.BAD_DATA, " [--drop id; --categorical b | --drop b]"),
        ("id,a,y\np,1,0\nq,2,1\nr,3,1\n", {}, ExitCode.BAD_DATA, " [--drop id]"),
        ("a,b,y\nu,v,0\n2,w,1\n", {}, ExitCode.BAD_DATA, " [--categorical a,b | --drop a,b]"),
        ("a,y\n1,0\n2\n", {}, ExitCode.BAD_DATA, ""),
    ],
)
def test_errors_have_exit_codes_and_advice(file, text, options, code, helps):
    with pytest.raises(RelspanError) as refused:
        loaded(file(text), **options)
    assert code_of(refused.value) == code
    assert advice(refused.value) == helps


def test_another_encoding_is_advised(file):
    path = file("é,y\n1,2\n", encoding="latin-1")
    with pytest.raises(EncodingError) as refused:
        loaded(path)
    assert advice(refused.value) == " [--encoding latin-1]"
    assert loaded(path, encoding="latin-1").names == ("é",)


def test_a_file_that_is_not_there_is_a_slip_on_the_command_line(tmp_path):
    with pytest.raises(ParameterError, match=r"no file .*x\.csv"):
        loaded(str(tmp_path / "x.csv"))


def test_every_kind_of_error_has_its_code():
    assert code_of(ParameterError()) == code_of(UnknownColumnError("a", ["b"])) == 2
    assert code_of(DataError()) == code_of(DegenerateBaseline("")) == code_of(MissingValueError("", {})) == 3
    assert code_of(TextColumnError("", ())) == code_of(EncodingError()) == 3
    assert code_of(InfeasibleFamily()) == code_of(SolverError()) == 5
    assert code_of(RelspanError()) == 1
