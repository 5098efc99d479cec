"""The documentation tells the truth: its code runs and prints what the pages show, its links and names exist."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import relspan
from relspan.cli.app import Commands, app
from relspan.cli.command_group import load_command
from relspan.losses import LOSSES
from relspan.tasks import TASKS

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = sorted((DOCS.parent / "examples").glob("plot_*.py"))
PAGES = sorted(path for path in DOCS.rglob("*.md") if not {"_build", "gallery", "api"} & set(path.parts))
SOURCES = sorted(Path(relspan.__file__).parent.rglob("*.py"))

_spec = importlib.util.spec_from_file_location("pages", DOCS / "pages.py")
pages = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(pages)

ONLY_SHOWN = {"clusters.md", "engines.md"}  # they speak of clusters and tables that are not here
WITH_CODE = [path for path in PAGES if path.name not in ONLY_SHOWN and pages.BLOCK.search(path.read_text())]
NEEDS_PANDAS = {"tutorial.md", "metric.md", "prepare.md"}


@pytest.fixture(autouse=True)
def _nothing_stays_registered():
    """A page may register losses and tasks of its own; other tests must not meet them."""
    before = [(registry, dict(registry)) for registry in (TASKS, LOSSES)]
    yield
    for registry, entries in before:
        registry.clear()
        registry.update(entries)


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.stem)
def test_a_page_prints_what_it_shows(page):
    if page.name in NEEDS_PANDAS:
        pytest.importorskip("pandas")
    text = page.read_text(encoding="utf-8")
    with pages.empty_folder():
        assert pages.refreshed(text, page.name) == text
        if page.name == "tutorial.md":  # its shell commands speak of the files it wrote
            for command in pages.COMMAND.findall(text):
                done = CliRunner().invoke(app, shlex.split(command))
                assert done.exit_code == 0, done.output


def unknown_flags(text):
    """Flags in a text that the command before them, on the same line, does not have."""
    found = []
    for name, words in re.findall(r"\brelspan ([a-z]+)\b([^\n`#|]*)", text):
        if name in Commands.summaries:
            parameters = load_command(name).params
            known = {flag for p in parameters for flag in (*p.opts, *p.secondary_opts)} | {"--help"}
            found += [
                f"{name} {flag}" for flag in re.findall(r"(?<=[\s\[])--?[A-Za-z][\w-]*", words) if flag not in known
            ]
    return found


@pytest.mark.parametrize("page", [*PAGES, DOCS.parent / "README.md"], ids=lambda page: page.stem)
def test_every_flag_that_a_page_mentions_exists(page):
    assert unknown_flags(page.read_text(encoding="utf-8")) == []


def test_an_unknown_flag_is_found():
    text = "`relspan predict FILE --target Y`\n$ relspan analyze t.csv -t y --drop z"
    assert unknown_flags(text) == ["predict --target"]


def test_the_comparison_can_fail():
    assert pages.refreshed("```python\nprint(2)\n```\n\n```text\n3\n```\n", "page").endswith("```text\n2\n```\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    for tree in re.findall(r"^```\{toctree\}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        links += [f"{line}.md" for line in tree.splitlines() if line and not line.startswith(":")]
    examples = [example.stem for example in (DOCS.parent / "examples").glob("plot_*.py")]
    gallery = ["gallery/index", "gallery/index.md", *(f"gallery/{name}" for name in examples)]
    made_by_the_build = [*gallery, *(f"../{link}" for link in gallery)]
    assert [link for link in links if link not in made_by_the_build and not (page.parent / link).exists()] == []


def referenced() -> list[tuple[str, str]]:
    """The module and the name of every entry of the reference."""
    found, module = [], ""
    for line in (DOCS / "api.md").read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule:: "):
            module = line.split()[-1]
        elif re.fullmatch(r" {3}[\w.]+", line):
            home, _, name = f"{module}.{line.strip()}".rpartition(".")
            found.append((home, name))
    return found


def test_every_entry_of_the_reference_exists():
    assert [(home, name) for home, name in referenced() if not hasattr(importlib.import_module(home), name)] == []


@pytest.mark.parametrize(
    "package",
    [
        *("", ".browser", ".compare", ".errors", ".explore", ".markov", ".metric", ".metrics", ".notebook", ".plots"),
        *(".selectors", ".tables"),
    ],
)
def test_every_public_name_is_in_the_reference(package):
    module = importlib.import_module(f"relspan{package}")
    names = getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"])
    public = {name for name in names if getattr(getattr(module, name), "__module__", "").startswith("relspan")}
    assert public - {name for _, name in referenced()} == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [path for path in SOURCES if ">>> " in path.read_text(encoding="utf-8")], ids=lambda path: path.stem
)
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_examples_in_docstrings(path):
    parts = path.relative_to(SOURCES[0].parent).with_suffix("").parts
    found = doctest.testmod(importlib.import_module(".".join(["relspan", *parts])), verbose=False)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_gallery_is_large():
    assert len(EXAMPLES) >= 12


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_has_a_title_and_imports_what_exists(example):
    tree = ast.parse(example.read_text(encoding="utf-8"))
    title, line, *_ = ast.get_docstring(tree).splitlines()
    assert set(line) == {"="}
    assert len(line) >= len(title)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "relspan" and "plots" not in node.module:
            module = importlib.import_module(node.module)
            assert all(hasattr(module, alias.name) for alias in node.names)
