"""``relspan simulate``, as a person at a shell meets it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from typer.testing import CliRunner

import relspan
from relspan.cli import app
from relspan.simulate import simulate
from relspan.tables import parse_table, read_table


def run(*words):
    return CliRunner().invoke(app, list(words))


def test_the_table_goes_to_stdout_and_the_rest_to_stderr():
    done = run("simulate", "--samples", "50", "--strong", "2", "--weak", "3", "--irrelevant", "1", "--seed", "3")
    assert done.exit_code == 0
    table = parse_table(done.stdout.encode(), "-")
    data = simulate(50, 2, 3, 1, random_state=3)
    assert table.names == (*data.names, "y")
    np.testing.assert_array_equal(np.column_stack(table.columns[:-1]), data.X)
    np.testing.assert_array_equal(table.column("y"), data.y)
    assert done.stderr == "50 rows, 2 strong, 3 weak and 1 irrelevant features, target 'y', seed 3\n"


def test_files_for_the_table_and_the_truth(tmp_path):
    done = run("simulate", "--named", "II", "-o", str(tmp_path / "s.csv"), "--truth", str(tmp_path / "t.csv"))
    assert done.exit_code == 0
    assert done.stdout == ""
    table, truth = read_table(tmp_path / "s.csv"), read_table(tmp_path / "t.csv")
    assert (len(table), len(table.names)) == (150, 13)
    assert truth.column("name").tolist() == list(table.names[:-1])
    assert truth.column("class").tolist() == ["weak"] * 6 + ["irrelevant"] * 6
    np.testing.assert_array_equal(truth.column("group"), [1] * 6 + [np.nan] * 6)


def test_all_options_reach_the_generator(tmp_path):
    path = str(tmp_path / "s.csv")
    words = "--samples 80 --strong 1 --weak 5 --irrelevant 2 --groups 2,3 --noise .2 --copies 1 --task ordinal"
    words += " --classes .5,.3,.2 --target-noise .1 --flips .05 --correlated-irrelevant .5 --target class --seed 1"
    assert run("simulate", "-o", path, *words.split()).exit_code == 0
    data = simulate(
        80,
        1,
        5,
        2,
        groups=[2, 3],
        noise=0.2,
        copies=1,
        task="ordinal",
        classes=[0.5, 0.3, 0.2],
        target_noise=0.1,
        flips=0.05,
        correlated_irrelevant=0.5,
        random_state=1,
    )
    table = read_table(path)
    np.testing.assert_array_equal(np.column_stack(table.columns), np.column_stack([data.X, data.y]))
    assert run("simulate", "--groups", "2", "--classes", "2").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--flips", "1.5"], "flips must be a number"),
        (["--weak", "1"], "weak=1"),
        (["--task", "ranking"], "task must be one of"),
        (["--groups", "2,x"], "groups"),
        (["--classes", "x"], "classes"),
        (["--named", "Sim9"], "named must be one of I, II"),
        (["--named", "Sim1", "--weak", "3"], "leave out --weak"),
        (["--target", "strong1"], "target 'strong1'"),
        (["-o", "/no/such/folder/x.csv"], "cannot write '/no/such/folder/x.csv': No such file or directory"),
        (["--strnog", "3"], "--strnog"),
        (["--strong", "many"], "'--strong'"),
        (["surplus"], "surplus"),
    ],
)
def test_a_wrong_command_line_is_reported_in_one_line(words, said):
    done = run("simulate", *words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("relspan: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


@pytest.mark.slow
def test_the_bare_command_helps_and_knows_its_version():
    done = run("--version")
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"relspan {relspan.__version__}\n", "")
    done = run()
    assert done.exit_code == 0
    assert "simulate" in done.stdout
    assert run("simulate", "--help").exit_code == run("-h").exit_code == 0
    done = run("simulat")
    assert done.exit_code == 2
    assert "'simulate'" in done.stderr


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error():
    command = f"{sys.executable} -m relspan simulate --samples 20000 | head -c 10; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout == "strong1,st"
    assert done.stderr == ""


@pytest.mark.slow
def test_an_interrupt_ends_with_130():
    words = [sys.executable, "-m", "relspan", "simulate", "--samples", "400000"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(1)  # it is writing now, and blocks as nobody reads on
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert complaint == b"relspan: interrupted\n"


def test_a_bug_ends_with_1_and_a_traceback(monkeypatch):
    def broken(*_args, **_options):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("relspan.cli.simulate.simulate", broken)
    done = run("simulate")
    assert done.exit_code == 1
    assert isinstance(done.exception, ZeroDivisionError)
