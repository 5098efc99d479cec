"""The one progress protocol: every call has a stage, a share and a note, so that any callable of three serves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import relspan
from relspan.errors import ParameterError
from relspan.progress import Interrupted, advance, listening, part_of, reporter, silent

ROOT = Path(relspan.__file__).parent


def calls_of_progress(file: Path) -> list[ast.Call]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "progress"]


@pytest.mark.slow
def test_progress_is_always_called_with_three_positional_arguments() -> None:
    calls = [(file, call) for file in sorted(ROOT.rglob("*.py")) for call in calls_of_progress(file)]
    assert len(calls) > 10
    assert [f"{file.name}:{call.lineno}" for file, call in calls if len(call.args) != 3 or call.keywords] == []


def test_nothing_is_reported_where_nothing_is_asked_for() -> None:
    assert reporter(None) is silent
    silent("stage", None, "note")


def test_parts_of_parts_add_up_to_one_share() -> None:
    heard: list[float] = []
    with listening(heard.append):
        for half in range(2):
            with part_of(half, 2):
                advance(1, 2)
                with part_of(1, 2):
                    advance(2, 2)
    assert heard == [0.25, 0.5, 0.75, 1.0]
    with part_of(0, 2):
        advance(1, 2)  # nobody listens


def test_lines_are_printed_on_request_one_per_stage(capsys: pytest.CaptureFixture[str]) -> None:
    report = reporter(True)
    for share in (0.0, 0.5, 1.0):
        report("bounds", share, "some of them")
    report("probes", None, "")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "relspan: intervals 0%, some of them\nrelspan: probes\n"
    assert reporter(False) is silent


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(ParameterError, match="progress"):
        reporter("bar")  # type: ignore[arg-type]


def test_an_interruption_is_a_keyboard_interrupt_with_what_was_finished() -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        raise Interrupted(["a block"])
    assert caught.value.partial == ["a block"]
