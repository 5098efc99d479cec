"""Names: a file is found by its name alone, two classes never share one, and no file is named after nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import relspan

ROOT = Path(relspan.__file__).parent
# A file here is named after what it is about: the loss, task or estimator, the command, its options, the display.
NAMED_AFTER_THEIR_SUBJECT = {"losses", "tasks", "estimators", "selectors", "cli", "cli/options", "plots"}
SAY_NOTHING = {"base", "common", "core", "helper", "helpers", "manager", "misc", "tools", "util", "utils"}


def shared(files: dict[str, set[str]]) -> dict[str, set[str]]:
    """Base names that two files share without having the same subject, and the folders they are in.

    One folder may hold the subject itself (`markov/hiton.py`); all the others must name their files after it.
    """
    return {
        name: folders
        for name, folders in files.items()
        if len(folders) > 1 and (len(folders - NAMED_AFTER_THEIR_SUBJECT) > 1 or name in SAY_NOTHING)
    }


def modules() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for path in ROOT.rglob("*.py"):
        if not path.stem.startswith("__"):
            found[path.stem].add(path.parent.relative_to(ROOT).as_posix())
    return found


def test_no_two_files_share_a_name_unless_they_share_a_subject():
    assert shared(modules()) == {}


def test_no_file_is_named_after_nothing():
    assert sorted(set(modules()) & (SAY_NOTHING - {"base"})) == []


def test_no_two_classes_share_a_name():
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(path.relative_to(ROOT).as_posix())
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_the_check_can_fail():
    assert shared({"pins": {"explore", "cli/options"}, "reject": {"losses", "tasks"}, "hiton": {"markov"}}) == {}
    assert set(shared({"view": {"explore", "browser"}, "base": {"estimators", "selectors"}})) == {"view", "base"}
