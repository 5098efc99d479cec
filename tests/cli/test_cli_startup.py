"""The command line answers at once: a command is imported when it is called, and never to list or complete it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from relspan.cli import app
from relspan.cli.app import Commands
from relspan.cli.command_group import load_command

LOADED = """
import sys
from relspan.__main__ import main
sys.argv = ["relspan", *sys.argv[1:]]
try:
    main()
finally:
    print(*sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def python(*words, **environment):
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=os.environ | environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def completed(line):
    """The words that bash would offer for the last word of a command."""
    words = line.split(" ")
    asked = {"_RELSPAN_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return python("-c", LOADED, **asked)


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--version"], ["--help"], []], ids=" ".join)
def test_version_and_help_import_nothing_heavy(words):
    done = python("-c", LOADED, *words)
    assert done.stdout
    assert not {"sklearn", "numpy", "scipy", "highspy", "joblib"} & set(done.stderr.split())


@pytest.mark.slow
def test_the_version_costs_little_more_than_the_libraries_of_the_command_line():
    resource = pytest.importorskip("resource")

    def cpu(*words):
        seconds = []
        for _ in range(5):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            python(*words)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(seconds)

    assert cpu("-m", "relspan", "--version") <= 1.5 * cpu("-c", "import typer, rich")


@pytest.mark.slow
def test_commands_are_completed_without_importing_them():
    done = completed("relspan p")
    assert done.stdout.split() == ["panel", "path", "predict", "plot"]
    assert "numpy" not in done.stderr.split()


@pytest.mark.slow
def test_options_of_a_command_are_completed():
    assert completed("relspan report r.json --ti").stdout.split() == ["--title"]


@pytest.mark.parametrize("name", Commands.summaries)
def test_the_summary_of_a_command_is_the_first_paragraph_of_its_help(name):
    command = load_command(name)
    assert command.name == name
    assert " ".join(command.help.split("\n\n")[0].split()) == Commands.summaries[name]


def test_the_list_shows_every_command():
    helped = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "150"}).stdout
    assert list(get_command(app).commands) == list(Commands.summaries)
    for summary in Commands.summaries.values():
        assert summary in helped


def test_a_misspelt_command_is_refused_with_the_nearest():
    done = CliRunner().invoke(app, ["panl"])
    assert done.exit_code == 2
    assert "panel" in done.stderr


def test_a_request_to_end_stops_like_ctrl_c() -> None:
    """SIGTERM used to end the command alone: its worker processes went on without it."""
    code = (
        "import os, signal, relspan.cli as cli, relspan.__main__ as entry\n"
        "def run():\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "    except KeyboardInterrupt:\n"
        "        print('stopped')\n"
        "cli.main = run\n"
        "entry.main()\n"
        "assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "stopped\n"), done.stderr
