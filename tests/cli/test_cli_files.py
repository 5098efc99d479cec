"""Commands and the files and streams they write: nothing is lost, nothing steers a terminal, errors are short."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from relspan import RelevanceClassifier
from relspan.analysis.checkpoint import Checkpoint
from relspan.cli import app
from relspan.cli.exit_codes import ExitCode
from relspan.cli.options.output import write_columns
from relspan.errors import ParameterError, RelspanWarning, SolverError
from relspan.explore import Explorer
from relspan.result import RelevanceResult
from relspan.simulate import simulate

DATA = simulate(60, strong=1, weak=2, irrelevant=2, random_state=0)
ESCAPE = "\x1b[31m\x07"
QUICK = ("--n-probes", "5")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [",".join([*map(repr, x.tolist()), str(y)]) for x, y in zip(DATA.X, DATA.y, strict=True)]
    file = tmp_path / "data.csv"
    file.write_text("\n".join([f"a{ESCAPE},=cmd,c,d,e,y", *rows]) + "\n")
    return file


def run(*words: str):
    return CliRunner().invoke(app, [*words])


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    relspan = f"'{sys.executable}' -m relspan"
    script = f"set -o pipefail; {command.replace('relspan', relspan)}"
    return subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "words",
    [
        ["-o", "data.csv"],
        ["-o", "./sub/../data.csv"],
        ["--save-model", "data.csv"],
        ["--checkpoint", "data.csv"],
        ["-o", "one.json", "--save-model", "one.json"],
        ["-o", "one.json", "--checkpoint", "one.json"],
    ],
)
def test_input_never_equals_output(table: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.chdir(table.parent)
    (table.parent / "sub").mkdir()
    before = table.read_bytes()
    found = run("analyze", "data.csv", "-t", "y", *words)
    assert found.exit_code == ExitCode.USAGE
    assert "is given twice" in found.stderr
    assert table.read_bytes() == before


def test_one_file_may_be_read_twice(table: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    result.write_text(RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(DATA.X, DATA.y).result_.to_json())
    assert run("diff", str(result), str(result)).exit_code == 0


@pytest.mark.parametrize(
    "command",
    [
        ["analyze", *QUICK],
        ["panel", *QUICK],
        ["alternatives", *QUICK, "--feature", "c"],
        ["path", *QUICK, "--values", "1"],
        ["select"],
        ["blanket"],
        ["analyze", "--pin", "none=min"],
    ],
    ids=lambda words: " ".join(words),
)
def test_no_name_steers_the_terminal(table: Path, command: list[str]) -> None:
    name, *rest = command
    found = run(name, str(table), "-t", "y", *rest)
    for steering in ESCAPE[0], ESCAPE[-1]:  # of which a stream that is no terminal may leave out the first
        assert steering not in found.output
        assert steering not in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        *(["inspect"], ["ranking", *QUICK], ["contrast", *QUICK], ["contributions", *QUICK, "--row", "1"]),
        *(["gap", *QUICK, "--subgroup", "d>0"], ["card", *QUICK, "--largest", "20", "--time-limit", "1"]),
        *(["metric", *QUICK], ["compare", "--folds", "2", "--methods", "relspan"]),
    ],
    ids=lambda words: words[0],
)
def test_no_name_steers_the_terminal_in_any_answer(table: Path, command: list[str]) -> None:
    test_no_name_steers_the_terminal(table, command)


def test_no_label_steers_the_terminal(table: Path, tmp_path: Path) -> None:
    """The labels of new rows, the columns that are copied, and the class whose probability is shown."""
    head, *rows = table.read_text().splitlines()
    words = [row.rsplit(",", 1) for row in rows]
    table.write_text("\n".join([head, *(f"{x},{'ill' + ESCAPE if y == '1' else 'well'}" for x, y in words)]) + "\n")
    model = str(tmp_path / "model.json")
    assert run("analyze", str(table), "-t", "y", *QUICK, "--loss", "logistic", "--save-model", model).exit_code == 0
    found = run("predict", str(table), "--model", model, "--id", "y")
    assert found.exit_code == 0
    assert "ill" in found.output
    assert not {ESCAPE[0], ESCAPE[-1]} & set(found.output + found.stderr)


def test_csv_steers_no_terminal_and_is_exact_in_a_file() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    columns = {f"a{ESCAPE}": [f"b{ESCAPE}"], "n": [1.5]}
    terminal, file = Terminal(), io.StringIO()
    write_columns(terminal, columns)
    write_columns(file, columns)
    assert not {ESCAPE[0], ESCAPE[-1]} & set(terminal.getvalue())
    assert file.getvalue() == f"a{ESCAPE},n\nb{ESCAPE},1.5\n"


def test_a_model_that_cannot_be_saved_does_not_take_the_result_with_it(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise ParameterError("cannot write 'm.json': No space left on device; nothing was changed")

    monkeypatch.setattr(Explorer, "save", full)
    result = table.parent / "r.json"
    words = ["--save-model", str(table.parent / "m.json"), "-o", str(result)]
    found = run("analyze", str(table), "-t", "y", *QUICK, *words)
    assert found.exit_code == ExitCode.USAGE
    assert "No space left on device" in found.stderr
    assert len(RelevanceResult.from_json(result.read_text()).features) == 5


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="folders of Windows have other permissions")
@pytest.mark.parametrize(
    "words",
    ["-o kept/r.json", "--save-model kept/m.json", "--checkpoint kept/c.jsonl", "-o kept/old.json"],
)
def test_a_folder_of_somebody_else_stays_as_it_is(table: Path, words: str) -> None:
    """Refused in one line, before anything is solved. Root, whom no permission holds, gives up that power first."""
    kept = table.parent / "kept"
    kept.mkdir()
    (kept / "old.json").write_text("old")
    kept.chmod(0o555)
    powerless = ""
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root can write everywhere, and there is no setpriv to prevent it")
        os.chown(kept, 12345, 12345)
        powerless = "setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search "
    try:
        found = shell(f"{powerless}relspan analyze data.csv -t y --n-probes 5 -q {words}", table.parent)
    finally:
        kept.chmod(0o755)
    assert found.returncode == ExitCode.USAGE, found.stderr
    assert found.stderr.splitlines()[-1].startswith("relspan: cannot write ")
    assert "Traceback" not in found.stderr
    assert [file.name for file in kept.iterdir()] == ["old.json"]
    assert (kept / "old.json").read_text() == "old"


def test_csv_holds_no_formula(table: Path) -> None:
    found = run("analyze", str(table), "-t", "y", *QUICK, "-f", "csv", "-q")
    assert found.exit_code == 0
    cells = [line.split(",")[0] for line in found.stdout.splitlines()]
    assert "'=cmd" in cells
    assert "=cmd" not in cells
    signs = [line.split(",")[6] for line in found.stdout.splitlines()]
    assert set(signs) <= {"direction", "+", "-", "±"}


@pytest.mark.slow
@pytest.mark.parametrize("command", ["relspan --help", "relspan analyze data.csv -t y --n-probes 5 -q"])
def test_a_reader_that_has_seen_enough_is_no_error(table: Path, command: str) -> None:
    found = shell(f"{command} | true", table.parent)
    assert found.returncode in (0, 141)
    assert "Traceback" not in found.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("stream", [">&-", "> /dev/full"])
def test_closed_and_full_streams_are_reported_in_one_line(table: Path, stream: str) -> None:
    found = shell(f"relspan analyze data.csv -t y --n-probes 5 -q {stream}", table.parent)
    assert found.returncode == ExitCode.USAGE
    assert "Traceback" not in found.stderr
    (line,) = found.stderr.splitlines()
    assert "standard output" in line


def test_a_checkpoint_that_cannot_be_written_any_more_is_reported_and_the_run_goes_on(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Checkpoint._write

    def full(self: Checkpoint, line: dict) -> None:
        if "stage" in line:
            raise OSError(28, "No space left on device")
        written(self, line)

    monkeypatch.setattr(Checkpoint, "_write", full)
    model = RelevanceClassifier(C=1.0, n_probes=5, random_state=0, checkpoint=table.parent / "c.jsonl")
    with pytest.warns(RelspanWarning, match="No space left on device.*The run goes on without it") as caught:
        model.fit(DATA.X, DATA.y)
    assert sum("checkpoint" in str(one.message) for one in caught) == 1
    plain = RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(DATA.X, DATA.y)
    assert (model.intervals_ == plain.intervals_).all()
    found = run("analyze", str(table), "-t", "y", *QUICK, "--checkpoint", str(table.parent / "d.jsonl"))
    assert found.exit_code == 0
    assert found.stderr.count("cannot be written any more") == 1


def test_a_checkpoint_that_cannot_even_begin_is_refused(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Checkpoint, line: dict) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Checkpoint, "_write", full)
    found = run("analyze", str(table), "-t", "y", "--checkpoint", str(table.parent / "c.jsonl"))
    assert found.exit_code == ExitCode.USAGE
    assert "cannot write the checkpoint" in found.stderr


@pytest.mark.parametrize("place", ["relspan.analysis.parallel", "relspan.explore.stability"])
def test_a_killed_worker_is_an_error_of_relspan(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    def killed(*_: object, **__: object):
        raise TerminatedWorkerError("a worker stopped")
        yield

    def ask() -> None:
        RelevanceClassifier(C=1.0, n_probes=5).fit(DATA.X, DATA.y).explore().stability(n_draws=2)

    monkeypatch.setattr(import_module(place), "Parallel", lambda **_: killed)
    with pytest.raises(SolverError, match=r"a worker process was killed.*fewer processes"):
        ask()


# -- what is read ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"min": 0.9, "max": 0.1},
        {"lo": 0.5, "hi": -0.5},
        {"max": "0.4"},
        {"max": None},
        {"max": True},
        {"min": -0.5},
        {"relevance": "best"},
        {"name": 7},
        {"gap_hi": "small"},
    ],
    ids=str,
)
def test_a_result_that_cannot_be_is_refused(change: dict) -> None:
    record = json.loads(RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(DATA.X, DATA.y).result_.to_json())
    record["features"][0] |= change
    with pytest.raises(ValueError, match="this is not the JSON of a relspan result"):
        RelevanceResult.from_json(json.dumps(record))


@pytest.mark.parametrize("change", [{"baseline": []}, {"task": 3}, {"warnings": [1]}, {"proofs": "fine"}], ids=str)
def test_parts_of_another_type_are_refused(change: dict) -> None:
    record = json.loads(RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(DATA.X, DATA.y).result_.to_json())
    with pytest.raises(ValueError, match="this is not the JSON of a relspan result"):
        RelevanceResult.from_json(json.dumps({**record, **change}))


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 100_000])
def test_deep_nesting_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "deep.json"
    file.write_text(text)
    result = tmp_path / "r.json"
    result.write_text(RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(DATA.X, DATA.y).result_.to_json())
    for words in (["report", str(file)], ["report", str(result), "--panels", str(file)]):
        assert run(*words).exit_code == ExitCode.BAD_DATA
    with pytest.raises(ValueError, match="cannot be loaded"):
        Explorer.load(file)
