"""Ctrl-C and kill, as a person at a shell meets them: a real process, a real signal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from relspan import RelevanceResult
from relspan.__main__ import main as start
from relspan.cli import app
from relspan.simulate import simulate
from relspan.tables import write_delimited


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A table of three blocks of features, about a second's work each."""
    data = simulate(700, 3, 4, 89, random_state=0)  # 96 features: wide tables have larger blocks
    path = tmp_path_factory.mktemp("data") / "t.csv"
    with path.open("w", newline="") as stream:
        write_delimited(stream, [*data.names, "y"], [*data.X.T, data.y])
    return str(path)


def interrupted(file, checkpoint, *words):
    """Run relspan analyze; when the first block is in the checkpoint, press Ctrl-C for all its processes."""
    command = [sys.executable, "-m", "relspan", "analyze", file, "-t", "y", "-C", ".01", "--checkpoint", checkpoint]
    command += ["--engine", "exact"]  # its blocks are small
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, *words], **pipes, text=True, start_new_session=True) as process:
        while process.poll() is None and not blocks_in(checkpoint):
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def blocks_in(checkpoint):
    try:
        with open(checkpoint, encoding="utf-8") as stream:
            return stream.read().count('"stage": "bounds"')
    except FileNotFoundError:
        return 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals to process groups")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_run_writes_a_partial_result(file, tmp_path, jobs):
    checkpoint = str(tmp_path / "c.jsonl")
    code, out, err = interrupted(file, checkpoint, "-f", "json", "--jobs", jobs)
    assert code == 130
    read = json.loads(out)
    assert read["partial"] is True
    done = blocks_in(checkpoint)
    assert 1 <= done < 3
    result = RelevanceResult.from_json(out)
    assert len(result.features) == 32 * done
    assert len(result.features) + len(result.unfinished) == 96
    assert {f.relevance for f in result.features} == {"undecided"}
    assert result.largest_gap < 1e-6
    *_, last = err.splitlines()
    assert last.startswith("relspan: interrupted: ")
    assert f"{32 * done} of 96 intervals" in last
    assert last.endswith(f" from {checkpoint}")
    assert "Traceback" not in err
    assert "Warning" not in err


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals to process groups")
def test_ctrl_c_after_the_answer_is_written_changes_nothing(tmp_path):
    """It met Python waiting for worker processes, and put a traceback beneath a complete answer."""
    data = simulate(60, 2, 2, 32, random_state=0)
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as stream:
        write_delimited(stream, [*data.names, "y"], [*data.X.T, data.y])
    command = [sys.executable, "-m", "relspan", "analyze", str(path), "-t", "y", "-C", ".1", "--n-probes", "5"]
    command += ["--engine", "exact", "--jobs", "2", "-f", "json"]
    answer = tmp_path / "result.json"
    with answer.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True, start_new_session=True)
    with process:
        while process.poll() is None and not answer.stat().st_size:
            time.sleep(0.02)
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert len(RelevanceResult.from_json(answer.read_text()).features) == 36
    assert "Traceback" not in err


@pytest.fixture
def small(tmp_path):
    data = simulate(40, 2, 2, 2, random_state=0)
    path = tmp_path / "small.csv"
    with path.open("w", newline="") as stream:
        write_delimited(stream, [*"abcdef", "y"], [*data.X.T, data.y])
    return str(path)


def run(*words):
    return CliRunner().invoke(app, ["analyze", *words, "-t", "y", "-C", "1", "--n-probes", "5"])


@pytest.mark.parametrize("form", ["table", "csv"])
def test_other_forms_say_so_too(small, tmp_path, form, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("relspan.analysis.pipeline.run_probes", stop)
    done = run(small, "-f", form)
    assert done.exit_code == 130
    assert "6 of 6 intervals and no classes; with --checkpoint FILE" in done.stderr
    assert done.stdout.count("undecided") >= 6
    if form == "table":
        assert "The run was interrupted" in done.stdout
        assert "strong" not in done.stdout


def test_a_checkpoint_of_another_run_is_a_slip_on_the_command_line(small, tmp_path):
    checkpoint = str(tmp_path / "c.jsonl")
    words = [small, "-f", "csv", "--checkpoint", checkpoint]
    first, again, other = run(*words), run(*words, "--jobs", "1"), run(*words, "--delta-norm", ".3")
    assert (first.exit_code, again.exit_code, other.exit_code) == (0, 0, 2)
    assert again.stdout == first.stdout
    assert other.stdout == ""
    assert f"relspan: the checkpoint '{checkpoint}' belongs to another run (delta_norm was 0.1, is 0.3)" in other.stderr


def test_ctrl_c_while_modules_are_loaded_is_reported_in_one_line(monkeypatch, capsys):
    class Pressed:
        def find_spec(self, name, path=None, target=None):
            if name == "relspan.cli":
                raise KeyboardInterrupt

    for name in [name for name in sys.modules if name == "relspan.cli" or name.startswith("relspan.cli.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Pressed(), *sys.meta_path])
    handler = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as left:
            start()
    finally:
        signal.signal(signal.SIGINT, handler)
    assert left.value.code == 130
    assert capsys.readouterr().err == "relspan: interrupted\n"


def test_ctrl_c_while_a_command_is_loaded_is_reported_in_one_line(monkeypatch):
    def pressed(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("relspan.cli.command_group.load_command", pressed)
    done = CliRunner().invoke(app, ["demo"])
    assert (done.exit_code, done.stderr) == (130, "relspan: interrupted\n")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="processes that end by a signal")
def test_ctrl_c_while_a_dataclass_is_made_ends_with_the_exit_code(tmp_path):
    """Python ends by the signal, not by the code it was given, where exec of a text was the last to be interrupted."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'relspan.cli.simulate':\n"
        "            exec('raise KeyboardInterrupt')\n"
        "sys.meta_path.insert(0, Pressed())\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "relspan", "simulate"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (130, "relspan: interrupted\n")
