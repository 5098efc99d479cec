"""How the explorer is started: from a session, a result, the command line."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from typer.testing import CliRunner

from relspan.browser.browser_session import BrowserSession
from relspan.browser.security import TOKEN
from relspan.browser.server import prepare_server
from relspan.cli import app
from relspan.errors import ParameterError
from relspan.result import RelevanceResult


def asked(address: str, action: str) -> dict:
    """What the server at a printed address answers."""
    place, token = address.split("/#token=")
    request = urllib.request.Request(f"{place}/api/{action}", b"{}", {TOKEN: token}, method="POST")
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def test_a_result_opens_its_explorer(fitted):
    running = fitted.result_.explore(browser=False)
    try:
        state = asked(running.address, "state")
        assert [f["name"] for f in state["result"]["features"]] == [f.name for f in fitted.result_.features]
    finally:
        running.stop()


def test_a_session_is_shown_as_it_stands(fitted):
    explorer = fitted.explore().without("weak1_1")
    running = explorer.show(browser=False)
    try:
        assert [pin["asked"] for pin in asked(running.address, "state")["view"]["pins"]] == ["without"]
    finally:
        running.stop()


def test_a_result_from_a_file_says_what_to_do(fitted):
    with pytest.raises(ParameterError, match="relspan explore TABLE"):
        RelevanceResult.from_json(fitted.result_.to_json()).explore()


def started(*words: str):
    """The command in a process of its own, and the address it prints."""
    command = [sys.executable, "-m", "relspan", "explore", "--no-browser", *words]
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)
    watchdog = threading.Timer(60, done.kill)
    watchdog.start()
    line = done.stdout.readline()
    watchdog.cancel()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#token=\S+\n", line), line + done.stderr.read()
    return done, line.strip()


@pytest.mark.slow
def test_the_command_serves_a_table_with_costs_and_pins_until_it_is_interrupted(tmp_path):
    rows = "\n".join(f"row {i},{i % 7},{(i * 5) % 11},{(i * 3) % 5},{int(i % 7 > 3)}" for i in range(60))
    (tmp_path / "t.csv").write_text(f",a,b,c,y\n{rows}\n")
    (tmp_path / "costs.csv").write_text("name,cost\na,2\nb,3.5\n")
    words = ["t.csv", "--target", "y", "--costs", "costs.csv", "--pin", "b=0..0.5", "--n-probes", "5", "--quiet"]
    words = [str(tmp_path / word) if word.endswith(".csv") else word for word in words]
    done, address = started(*words)
    try:
        state = asked(address, "state")
        assert state["costs"] == {"a": 2.0, "b": 3.5}
        assert [pin["feature"] for pin in state["view"]["pins"]] == ["b"]
        assert asked(address, "samples")["names"][:2] == ["row 0", "row 1"]
    finally:
        done.send_signal(signal.SIGINT)
        assert done.wait(20) == 0
        done.stdout.close()
        done.stderr.close()


@pytest.mark.slow
def test_without_a_table_the_page_asks_for_one():
    done, address = started("--quiet")
    try:
        assert asked(address, "state")["phase"] == "open"
    finally:
        done.send_signal(signal.SIGINT)
        assert done.wait(20) == 0
        done.stdout.close()
        done.stderr.close()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--host", "0.0.0.0"], 2, "--allow-remote"),
        (["nowhere.csv", "--target", "y"], 2, "nowhere.csv"),
        (["--example", "nothing"], 2, "built-in"),
        (["--port", "70000"], 2, "cannot listen on 127.0.0.1:70000"),
        (["--n-probes", "5"], 2, "--n-probes does not apply to a page that asks for the table"),
        (["--example", "diabetes", "--missing", "-999"], 2, "--missing does not apply to --example"),
        (["--example", "diabetes", "t.csv"], 2, "not both"),
        (["t.csv", "--impute", "mean"], 2, "--impute does not apply to a table whose target is chosen in the page"),
        (["t.csv", "--without", "a"], 2, "give --target"),
        (["session.json", "-t", "y"], 2, "--target does not apply to a saved session"),
    ],
)
def test_wrong_words_end_at_once(words, code, said):
    done = CliRunner().invoke(app, ["explore", "--no-browser", *words])
    assert done.exit_code == code
    assert said in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("target", [[], ["--target", "y", "--impute", "mean", "--n-probes", "5"]])
def test_the_options_of_reading_are_heard_with_and_without_a_target(tmp_path, target):
    """-999 is a gap, and a semicolon stands between the columns."""
    rows = "\n".join(f"{i % 7};{-999 if i == 3 else (i * 5) % 11};{int(i % 7 > 3)}" for i in range(60))
    (tmp_path / "t.csv").write_text(f"a;b;y\n{rows}\n", encoding="utf-16")
    words = ["--separator", ";", "--missing", "-999", "--encoding", "utf-16", *target]
    done, address = started(str(tmp_path / "t.csv"), "--quiet", *words)
    try:
        state = asked(address, "state")
        if target:
            assert state["result"]["data"]["imputed"]["b"]["count"] == 1
        else:
            assert state["table"]["missing"] == {"b": 1}
    finally:
        done.send_signal(signal.SIGINT)
        assert done.wait(20) == 0
        done.stdout.close()
        done.stderr.close()


@pytest.mark.slow
def test_pins_of_a_table_that_cannot_be_explored_are_refused(tmp_path):
    rows = "\n".join(f"{i % 7},{(i * 5) % 11},{'abc'[i % 3]}" for i in range(60))
    (tmp_path / "t.csv").write_text(f"a,b,y\n{rows}\n")
    words = [str(tmp_path / "t.csv"), "-t", "y", "--pin", "a=max", "--n-probes", "5", "-q"]
    done = CliRunner().invoke(app, ["explore", "--no-browser", *words])
    assert done.exit_code == 2
    assert "cannot be explored" in done.stderr


def test_a_name_is_answered_as_browsers_write_it(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Big-Machine.Local")
    running = prepare_server(BrowserSession(), "0.0.0.0", remote=True)
    try:
        assert running.address.startswith(f"http://big-machine.local:{running.port}/")
    finally:
        running.sockets[0].close()


def test_a_file_that_is_not_there_is_a_slip_on_the_command_line():
    done = CliRunner().invoke(app, ["explore", "absent.csv", "--no-browser"])
    assert done.exit_code == 2
    assert "no file 'absent.csv'" in done.stderr


def test_the_token_never_stands_on_a_command_line(monkeypatch):
    """Other users of the machine see the browser's command line and the names of files, but not what is in this one."""
    given = []
    monkeypatch.setattr("webbrowser.open", given.append)
    running = prepare_server(BrowserSession()).start()
    try:
        running.open()
        (address,) = given
        assert address.startswith("file://")
        assert running.token not in address
        page = Path(url2pathname(urlsplit(address).path))
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
        assert f'content="0;url={running.address}"' in page.read_text()
    finally:
        running.stop()
    assert not page.exists()
