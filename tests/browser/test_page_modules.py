"""The page's own files: types hold, nothing is loaded from elsewhere, no text becomes markup, modules can be joined."""

from __future__ import annotations

import re
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from chromium_driver import node_modules

STATIC = Path(str(files("relspan.show.html"))) / "static"
MODULES = sorted((STATIC / "js").glob("*.js"))


@pytest.mark.slow
def test_the_types_hold():
    folder = node_modules()
    tsc = folder / ".bin" / "tsc" if folder else None
    if tsc is None or not tsc.exists():
        pytest.skip("typescript is not installed: make web-tools")
    done = subprocess.run([tsc, "-p", STATIC / "jsconfig.json"], capture_output=True, text=True)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_no_text_becomes_markup_or_code(module):
    source = module.read_text(encoding="utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert word not in source


def test_nothing_is_loaded_from_elsewhere():
    for path in [*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), *STATIC.rglob("*.html")]:
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text(encoding="utf-8")))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path.name
        assert "@import" not in path.read_text(encoding="utf-8")


def test_modules_can_be_joined_into_one():
    """Named exports, imports of neighbours under their own names, and no name twice at top level."""
    owner: dict[str, str] = {}
    assert len(MODULES) > 10
    for module in MODULES:
        if module.name == "explorer_page.js":
            continue  # the page's own start, which is loaded as it is
        source = module.read_text(encoding="utf-8")
        assert "export default" not in source
        for line in re.findall(r"^import .*$", source, flags=re.MULTILINE):
            assert re.fullmatch(r'import \{ [\w, ]+ \} from "\./(\w+)\.js";', line), (module.name, line)
        for name in re.findall(
            r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", source, flags=re.MULTILINE
        ):
            assert name not in owner, f"{name} is in {owner.get(name)} and {module.name}"
            owner[name] = module.name
