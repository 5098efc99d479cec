"""Imports point one way: every part of the package knows only the layers below it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import relspan

# From the bottom to the top. Parts of one layer do not know each other.
LAYERS = (
    {"errors", "arrays", "terminal_text"},
    {"checks", "progress", "tolerances", "options", "survival_times", "unpacking", "whole_files"},
    {"metrics", "tables", "simulate", "markov"},
    {"family"},
    {"losses"},
    {"engines"},
    {"analysis"},
    {"result"},
    {"explore", "model_audit", "omics"},
    {"estimators"},
    {"metric", "selectors"},
    {"tasks"},
    {"compare"},
    {"show"},
    {"plots"},
    {"browser"},
    {"notebook"},
    {"__init__"},
    {"cli"},
    {"__main__"},
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}
KNOW_HIGHS = {
    "engines/simplex/highs.py",
    "engines/simplex/baseline_program.py",
    "engines/simplex/loaded_program.py",
    "engines/simplex/range_program.py",
    "engines/simplex/integer_program.py",
    "engines/simplex/card_program.py",
}

# Doors that go up: the modules that a file looks up by name, when a caller asks for a surface that lies above it.
DOORS = {
    "result/answer_table.py": {"relspan.show.html.columns_table"},
    "result/result.py": {
        "relspan.show.plain_text",
        "relspan.show.html.page",
        "relspan.show.html.notebook_table",
        "relspan.plots.intervals",
        "relspan.tasks.repeated_analysis",
    },
    "explore/score_card.py": {"relspan.show.html.card_page"},
    "explore/explorer.py": {"relspan.browser.exports", "relspan.browser.server", "relspan.notebook"},
    "simulate/dataset.py": {"relspan.tasks"},
}
# Files that import by a computed name: packages that load their own parts when they are first used, and data frames.
BY_NAME = {"__init__.py", "cli/command_group.py", "plots/__init__.py", "result/answer_table.py"}

ROOT = Path(relspan.__file__).parent
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def imported(source: str) -> set[str]:
    """Modules that a source imports anywhere, also inside functions; `from a import b` gives a.b."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            dots = "." * node.level
            found |= {f"{dots}{node.module or ''}.{alias.name}" for alias in node.names}
    return found


def part_of(module: str) -> str | None:
    """The part of the package that a module belongs to; None outside."""
    package, *rest = module.split(".")
    if package != "relspan":
        return None
    return rest[0] if rest and rest[0] in LEVEL else "__init__"


def trespasses(file: str, source: str) -> set[str]:
    """What a file imports although its layer must not know it."""
    own = file.split("/")[0].removesuffix(".py")
    return {
        module
        for module in imported(source)
        if module.startswith(".") or ((part := part_of(module)) not in (None, own) and LEVEL[part] >= LEVEL[own])
    }


@pytest.mark.parametrize("file", FILES)
def test_a_file_knows_only_what_lies_below(file):
    own = file.split("/")[0].removesuffix(".py")
    assert own in LEVEL, f"{own!r} has no place in the floor plan yet"
    assert trespasses(file, (ROOT / file).read_text(encoding="utf-8")) == set()


def test_only_the_program_knows_highs():
    importers = {
        file
        for file in FILES
        if any(module.split(".")[0] == "highspy" for module in imported((ROOT / file).read_text(encoding="utf-8")))
    }
    assert importers == KNOW_HIGHS


def looked_up(source: str) -> list[str | None]:
    """The modules that `import_module` is called with; None for a name that is computed."""
    arguments = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            arguments += node.args[:1] if name in ("import_module", "__import__") else []
    return [argument.value if isinstance(argument, ast.Constant) else None for argument in arguments]


def test_the_doors_that_go_up_are_these():
    found = {file: looked_up((ROOT / file).read_text(encoding="utf-8")) for file in FILES}
    up = {file: {m for m in modules if m is not None and part_of(m)} for file, modules in found.items()}
    assert {file: modules for file, modules in up.items() if modules} == DOORS
    assert {file for file, modules in found.items() if None in modules} <= BY_NAME


def test_every_door_leads_somewhere():
    for modules in DOORS.values():
        for module in modules:
            path = ROOT.joinpath(*module.split(".")[1:])
            assert path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def test_a_hidden_door_is_found():
    assert looked_up('importlib.import_module("relspan.cli")') == ["relspan.cli"]
    assert looked_up('from importlib import import_module\nimport_module(f"relspan.{x}")') == [None]


@pytest.mark.parametrize(
    ("file", "line", "wrong"),
    [
        ("family/model_family.py", "from relspan.engines import open_engine", True),
        ("family/budgets.py", "import relspan.losses", True),
        ("family/budgets.py", "def f():\n    from relspan import losses", True),
        ("analysis/intervals.py", "from relspan import RelevanceClassifier", True),
        ("analysis/baseline.py", "from relspan.result import RelevanceResult", True),
        ("engines/simplex/exact_engine.py", "from .certify import certify", True),
        ("engines/simplex/exact_engine.py", "from relspan.engines.certificates import certify", False),
        ("analysis/intervals.py", "from relspan.family.hinge_rows import Floats\nimport numpy.relspan", False),
        ("cli/app.py", "from relspan import __version__", False),
    ],
)
def test_the_check_can_fail(file, line, wrong):
    assert bool(trespasses(file, line)) is wrong
