"""The printed command and the printed script give the same result again, whatever the options were."""

from __future__ import annotations

import io
import shlex
from contextlib import nullcontext, redirect_stdout
from dataclasses import fields, replace

import numpy as np
import pytest
from typer.testing import CliRunner

from made_up_results import feature, made_up
from problems import two_classes
from relspan.analysis.settings import Settings
from relspan.cli.app import app
from relspan.options import flag_of
from relspan.result import RelevanceResult
from relspan.show.example_tables import DEMO_TABLE, EXAMPLE_TABLES
from relspan.show.recipe import caveats, command, script
from relspan.tables import TableOptions
from relspan.tasks import TASKS

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")

ROWS = 60
QUICK = ["--n-probes", "5", "--C", "1.5"]


def run(words):
    """The result of a command, by its JSON."""
    done = CliRunner().invoke(app, [*words, "-f", "json", "-q"])
    assert done.exit_code == 0, done.output
    return RelevanceResult.from_json(done.stdout)


def run_script(text):
    """The result that a script prints."""
    known: dict = {}
    with redirect_stdout(io.StringIO()) as printed:
        exec(text, known)
    result = known["explorer"].result if "explorer" in known else known["model"].result_
    assert str(result) in printed.getvalue()
    return result


def same(one, other):
    """The same intervals and classes, of features, privileged columns and groups; sums may round differently."""
    for part in ("features", "privileged", "groups"):
        pairs = list(zip(getattr(one, part), getattr(other, part), strict=True))
        assert [(a.name, a.relevance) for a, _ in pairs] == [(b.name, b.relevance) for _, b in pairs]
        for a, b in pairs:
            assert (a.min, a.max) == pytest.approx((b.min, b.max), abs=1e-12)
    assert one.thresholds == pytest.approx(other.thresholds, abs=1e-12)
    return True


def repeated(result):
    """Both recipes run and give the same intervals and classes."""
    text, code = command(result), script(result)
    assert text is not None
    assert code is not None
    by_command = run(shlex.split(text)[1:])
    assert same(by_command, result)
    assert by_command.parameters == result.parameters
    assert by_command.data == {key: value for key, value in result.data.items() if key != "task_guessed"}
    assert same(run_script(code), result)
    return text, code


def numbers(column, separator, decimal, gap):
    """A column as text; every 13th value is missing if there are gaps."""
    return [gap if gap is not None and i % 13 == 5 else f"{x:.6f}".replace(".", decimal) for i, x in enumerate(column)]


def write(path, *, separator=",", decimal=".", encoding="utf-8", gap=None, word_gap="green"):
    """A table with numbers, words, an identifier, weights and targets for every task."""
    X, y = two_classes(ROWS, 4, seed=0, flips=0.05)
    score = X @ [1.0, 1.0, 0.0, 0.0]
    columns = {
        "a": numbers(X[:, 0], separator, decimal, gap),
        "it's b": numbers(X[:, 1], separator, decimal, None),
        "größe": numbers(X[:, 2], separator, decimal, gap),
        "sort": [word_gap if i % 19 == 4 else ("red", "green", "blue")[i % 3] for i in range(ROWS)],
        "id": [str(i) for i in range(ROWS)],
        "who": [f"patient {i // 2}" for i in range(ROWS)],
        "w": [str(1 + i % 3) for i in range(ROWS)],
        "ill": ["ill" if side > 0 else "well" for side in y],
        "code": [str(int(side > 0)) for side in y],
        "grade": [("low", "middle", "top")[int(g)] for g in np.digitize(score, [-0.7, 0.7])],
        "size": [f"{s:.6f}".replace(".", decimal) for s in score],
        "days": [f"{np.exp(-s):.6f}".replace(".", decimal) for s in score],
    }
    lines = [separator.join(columns), *(separator.join(row) for row in zip(*columns.values(), strict=True))]
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return str(path)


TARGETS = {
    "ill": "classification",
    "grade": "ordinal",
    "size": "regression",
    "code": "classification",
    "days": "regression",
}


def words_for(file, target, *more):
    """An analysis of one of the targets; the others, which give it away, are left out."""
    others = ",".join(name for name in TARGETS if name != target and name not in more)
    return ["analyze", file, "--target", target, "--drop", others, *QUICK, *more]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("my tables")


TABLES = {
    "plain": ({}, ["--drop", "sort,id,who,w"]),
    "encoded": ({}, ["--categorical", "sort", "--drop", "id,who,w"]),
    "all encoded": ({}, ["--categorical", "all", "--drop", "id,who", "--drop", "w"]),
    "mean": ({"gap": ""}, ["--drop", "sort,id,who,w", "--impute", "mean"]),
    "median": ({"gap": "NA"}, ["--categorical", "sort", "--drop", "id,who,w", "--impute", "median"]),
    "dropped rows": ({"gap": "?"}, ["--drop", "sort,id,who,w", "--impute", "drop"]),
    "marks": ({"gap": "-999"}, ["--drop", "sort,id,who,w", "--missing", "-999", "--impute", "drop"]),
    "two marks": (
        {"gap": "none"},
        ["--drop", "sort,id,who,w", "--missing", "none", "--missing", "-1", "--impute", "mean"],
    ),
    "semicolons": (
        {"separator": ";", "decimal": ","},
        ["--drop", "sort,id,who,w", "--separator", ";", "--decimal", ","],
    ),
    "tabs": ({"separator": "\t"}, ["--drop", "sort,id,who,w", "--separator", "tab"]),
    "bars": ({"separator": "|"}, ["--drop", "sort,id,who,w", "--separator", "|"]),
    "groups": ({}, ["--drop", "sort,id,w", "--groups", "who"]),
    "groups with gaps": ({"gap": "?"}, ["--drop", "sort,id", "--weights", "w", "--groups", "who", "--impute", "drop"]),
    "steps": ({}, ["--ordered", "sort=red<green<blue", "--drop", "id,who,w"]),
    "words filled": (
        {"word_gap": "NA"},
        ["--categorical", "sort", "--impute-text", "frequent", "--drop", "id,who,w"],
    ),
    "words as a level": (
        {"word_gap": "NA", "gap": "NA"},
        [
            *("--ordered", "sort=red<green<blue", "--impute-text", "missing", "--impute", "median"),
            *("--drop", "id,who,w"),
        ],
    ),
    "latin": ({"encoding": "latin-1"}, ["--drop", "sort,id,who,w", "--encoding", "latin-1"]),
    "everything": (
        {"separator": ";", "decimal": ",", "encoding": "cp1252", "gap": "x"},
        [
            *("--categorical", "sort", "--drop", "id,who,w", "--missing", "x", "--impute", "median"),
            *("--separator", ";", "--decimal", ",", "--encoding", "cp1252"),
        ],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_how_the_table_was_read_is_part_of_both(folder, name):
    how, words = TABLES[name]
    repeated(run(words_for(write(folder / f"{name}.csv", **how), "ill", *words)))


TASK_OPTIONS = {
    "guessed": ("ill", []),
    "three classes": ("grade", ["--task", "classification"]),
    "balanced": ("ill", ["--class-weight", "balanced"]),
    "weights of words": ("ill", ["--class-weight", "ill=3,well=0.5"]),
    "weights of numbers": ("code", ["--class-weight", "0=2,1=1"]),
    "l2": ("ill", ["--penalty", "l2", "--loss-budget", "combined", "--criterion", "score"]),
    "logistic": ("ill", ["--loss", "logistic"]),
    "ordinal": ("grade", ["--task", "ordinal", "--order", "top,middle,low", "--class-weight", "balanced"]),
    "regression": ("size", ["--epsilon", "0.3", "--delta-loss", "0.02"]),
    "quantile": ("size", ["--task", "quantile", "--quantile", "0.8"]),
    "survival": (
        "days",
        ["--task", "survival", "--event", "code", "--concordance", "uno", "--partners", "7"],
    ),
    "reject": ("ill", ["--task", "reject", "--reject-cost", "0.1", "--reject-threshold", "0.4"]),
    "settings": (
        "ill",
        [
            "--delta-norm",
            "0.2",
            "--alpha",
            "0.05",
            "--control",
            "per_feature",
            "--loss-budget",
            "relative",
            "--rule",
            "published",
        ],
    ),
    "replaced probes": ("ill", ["--probes", "replace", "--delta-loss", "0.5", "--n-probes", "40"]),
    "all probes": ("ill", ["--n-probes", "12", "--all-probes"]),
    "engine": ("ill", ["--engine", "exact", "--no-standardize", "--seed", "7"]),
    "screen": ("ill", ["--screen"]),
}
AROUND = {
    "nothing": ({}, ["--drop", "sort,id,who,w"]),
    "gaps and words": (
        {"gap": "-999"},
        ["--categorical", "sort", "--drop", "id,who,w", "--missing", "-999", "--impute", "mean"],
    ),
    "weights": ({"gap": "-999"}, ["--weights", "w", "--drop", "sort,id,who", "--missing", "-999", "--impute", "drop"]),
    "groups in another dialect": (
        {"separator": ";", "decimal": ",", "encoding": "cp1252"},
        [
            *("--group", "both=a,größe", "--weights", "w", "--drop", "sort,id,who"),
            *("--separator", ";", "--decimal", ",", "--encoding", "cp1252"),
        ],
    ),
}
NO_GROUPS = {"screen"}  # which leaves out ends that groups and categories need
NEED_ALL_ENDS = ("groups in another dialect", "gaps and words")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "around"),
    [
        (name, around)
        for name in TASK_OPTIONS
        for around in AROUND
        if name not in NO_GROUPS or around not in NEED_ALL_ENDS
    ],
)
def test_tables_tasks_weights_and_groups_in_every_combination(folder, name, around):
    (target, words), (how, more) = TASK_OPTIONS[name], AROUND[around]
    file = write(folder / f"{name} {around}.csv", **how)
    result = run(words_for(file, target, *words, *more))
    text, _ = repeated(result)
    assert f"--task {result.task}" in text


def test_every_task_and_every_option_of_one_is_tried():
    tried = {word for _, words in TASK_OPTIONS.values() for word in words}
    assert set(TASKS) <= {TARGETS[target] for target, _ in TASK_OPTIONS.values()} | tried
    options = {option.flag for task in TASKS.values() for option in task.options}
    assert options <= tried


def test_every_option_of_the_table_and_of_the_analysis_is_tried():
    commands = [words for _, words in (*TASK_OPTIONS.values(), *AROUND.values(), *TABLES.values())]
    tried = {word for words in (*commands, QUICK) for word in words}
    flags = {flag_of(f.name, f.metadata) for options in (TableOptions, Settings) for f in fields(options)}
    tried.add("--sheet")  # of the workbook below
    assert flags - tried == {"--jobs"}, "the number of processes alone does not change a result"


@pytest.mark.slow
def test_the_sheet_of_a_workbook_is_part_of_both(folder):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["something", "else"])
    sheet = book.create_sheet("my data")
    X, y = two_classes(ROWS, 3, seed=0, flips=0.05)
    sheet.append(["a", "b", "c", "ill"])
    for x, side in zip(X.tolist(), y, strict=True):
        sheet.append([*x, "ill" if side > 0 else "well"])
    file = str(folder / "book.xlsx")
    book.save(file)
    repeated(run(["analyze", file, "--target", "ill", "--sheet", "my data", *QUICK]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["--group", "both=a,größe"],
        ["--categorical", "sort", "--group", "sort", "--group", "all=a,sort"],
        ["--privileged", "größe"],
        ["--adjust", "größe"],
        ["--categorical", "sort", "--adjust", "größe,sort", "--weights", "w"],
        ["--weights", "w", "--privileged", "größe", "--group", "pair=a,it's b"],
        ["--pin", "a=max", "--pin", "größe=min"],
        ["--categorical", "sort", "--pin", "it's b=0.35", "--without", "sort=blue"],
        ["--pin", "a=0.05..", "--categorical", "sort"],
    ],
    ids=" ".join,
)
def test_groups_privileged_columns_and_pins(folder, words):
    file = write(folder / "more.csv", gap="-999")
    left = [name for name in ("sort", "id", "who", "w") if name not in words]
    table = ["--missing", "-999", "--impute", "mean", "--drop", ",".join(left)]
    repeated(run(words_for(file, "ill", *table, *words)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["--pin", "a=max"],
        ["--missing", "-999", "--impute", "mean", "--penalty", "l2", "--loss-budget", "combined", "--seed", "3"],
        ["--task", "reject", "--reject-cost", "0.1", "--reject-threshold", "0.4", "--weights", "w"],
    ],
    ids=" ".join,
)
def test_the_command_opens_the_explorer_at_the_same_place(folder, words, monkeypatch):
    opened = []

    class Server:
        address = "http://127.0.0.1:0"

        def closed_on_error(self):
            return nullcontext()

        def wait(self):
            pass

    def prepare_server(session, *more, **options):
        opened.append(session)
        return Server()

    pytest.importorskip("starlette")
    monkeypatch.setattr("relspan.browser.server.prepare_server", prepare_server)
    file = write(folder / "explored.csv", gap="-999" if "-999" in words else None)
    left = [name for name in ("sort", "id", "who", "w") if name not in words]
    result = run(words_for(file, "ill", "--drop", ",".join(left), *words))
    text = command(result, "explore") or ""
    assert text.startswith("relspan explore ")
    done = CliRunner().invoke(app, [*shlex.split(text)[1:], "--no-browser", "-q"])
    assert done.exit_code == 0, done.output
    (session,) = opened
    try:
        assert same(session.explorer.result, result)
        assert session.ask("export", {"kind": "command"})["text"] == text
    finally:
        session.close()


@pytest.mark.slow
def test_a_file_whose_name_looks_like_an_option(folder, monkeypatch):
    monkeypatch.chdir(folder)
    write(folder / "-t.csv")
    repeated(run(words_for("./-t.csv", "ill", "--drop", "sort,id,who,w")))
    assert "relspan analyze ./-t.csv" in (command(odd_file("-t.csv")) or "")


def odd_file(name):
    result = made_up(feature("a", 0.1, 0.5, "strong"))
    data = {**result.data, "file": name, "sha256": "ab", "format": "csv", "target": "y"}
    return replace(result, data=data, parameters={"random_state": 0})


def test_built_in_data_sets_have_recipes_of_their_own():
    data = {"file": EXAMPLE_TABLES[0].source, "sha256": "ab", "format": "embedded", "target": "diagnosis"}
    demo = replace(odd_file("x"), data=data, parameters={"random_state": 7})
    assert command(demo) == "relspan demo --example 'breast cancer' --seed 7"
    usual = replace(demo, task="regression", data={**data, "file": DEMO_TABLE.source, "target": "progression"})
    assert command(usual) == "relspan demo --seed 7"
    assert command(demo, "explore") == "relspan explore --example 'breast cancer' --task classification --seed 7"
    assert command(replace(demo, parameters={"random_state": 7, "C": 3.0})) is None
    for example in EXAMPLE_TABLES:
        text = script(replace(demo, data={**data, "file": example.source})) or ""
        known: dict = {}
        exec("\n".join(line for line in text.splitlines() if not line.startswith(("model", "print"))), known)
        X, y = eval(text.split(".fit(")[1].split(")\n")[0], known)
        table = example.load()
        assert table.report.source == example.source
        assert tuple(X.columns) == table.names
        np.testing.assert_array_equal(X.values, table.X)
        np.testing.assert_array_equal(y, table.y)


def test_what_was_given_in_python_has_no_command():
    result = made_up(feature("a", 0.1, 0.5, "strong"))
    assert command(result) is None
    assert "# X, y" in (script(result) or "")
    assert "No seed" in caveats(result)[0]
    seeded = replace(result, parameters={"random_state": 0})
    assert caveats(seeded) == []
    assert caveats(odd_file("-"))
    assert caveats(replace(result, parameters={"random_state": 0, "class_weight": {"1": 2.0}}))
    assert command(odd_file("-")) is None


def test_an_unregistered_task_has_no_recipe():
    result = replace(odd_file("t.csv"), task="metric")
    assert script(result) is None
    assert command(result) is None


@pytest.mark.slow
def test_a_group_of_levels_with_commas_is_repeated(folder):
    file = folder / "levels.csv"
    write(file, separator=";")
    file.write_text(file.read_text().replace("blue", "blue, dark"))
    given = ["--categorical", "sort", "--drop", "id,who,w", "--separator", ";", "--group", "hue=sort"]
    repeated(run(words_for(str(file), "ill", *given)))
