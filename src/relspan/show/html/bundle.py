"""The modules and style sheets of the pages in one file, so that a report opens from a disk without a network.

The modules under static/js use named exports only, import one another by relative paths without renaming, and share no
name at top level. A bundle therefore is the modules in the order in which they need one another, without their imports
and without the word `export`. A module that breaks these rules is refused.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

IMPORT = re.compile(r'^import\s+(?P<names>[^;]*?)\s*from\s+"\./(?P<module>[\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|const|let|class)\b)", re.MULTILINE)
EMPTY_EXPORT = re.compile(r"^export \{\};\n", re.MULTILINE)
REMAINING = re.compile(r"^\s*(?:import|export)\b(?!\()", re.MULTILINE)
PAGE_CONDITION = re.compile(r":root((?:\[[^\]]*\]|:not\([^)]*\))+)")
PAGE = re.compile(r":root\b(?![\[:])|(?<![\w.#-])(?:html|body)(?=[\s,{.:\[>])")
TOP_LEVEL = re.compile(r"^(?:export\s+)?(?:async\s+)?(?:function\*?|const|let|class)\s+([\w$]+)", re.MULTILINE)


def static(path: str) -> str:
    """The text of a file under static/."""
    return files("relspan.show.html").joinpath("static", path).read_text(encoding="utf-8")


@cache
def script(entry: str) -> str:
    """The bundle of a module and everything that it imports."""
    ordered: list[str] = []
    _visit(entry, ordered, ())
    owner: dict[str, str] = {}
    for module in ordered:
        for name in TOP_LEVEL.findall(static(f"js/{module}")):
            if owner.setdefault(name, module) != module:
                raise RuntimeError(f"{owner[name]} and {module} share the name {name!r}, so they cannot be one file")
    return "\n".join(_plain(module) for module in ordered)


def _visit(module: str, ordered: list[str], above: tuple[str, ...]) -> None:
    """Append a module after those that it imports."""
    if module in above:
        raise RuntimeError(f"modules import each other in a circle: {' -> '.join([*above, module])}")
    if module in ordered:
        return
    for found in IMPORT.finditer(static(f"js/{module}")):
        if re.search(r"\bas\b|\*", found["names"]) or not found["names"].startswith("{"):
            raise RuntimeError(f"{module} renames what it imports from {found['module']}")
        _visit(found["module"], ordered, (*above, module))
    ordered.append(module)


def _plain(module: str) -> str:
    """A module without imports and exports."""
    text = EMPTY_EXPORT.sub("", EXPORT.sub("", IMPORT.sub("", static(f"js/{module}"))))
    left = REMAINING.search(text)
    if left:
        raise RuntimeError(f"{module} has an import or export that cannot be taken out: {left[0].strip()}")
    return text


def styles(names: Sequence[str]) -> str:
    """Style sheets, one after the other."""
    return "\n".join(static(f"css/{name}") for name in names)


def scoped_styles(names: Sequence[str], selector: str) -> str:
    """Style sheets that touch nothing outside one element, for pages that are not our own.

    Rules for the page (`:root`, `html`, `body`, `#root`) apply to the element. Conditions on the page, such as
    `:root[data-theme="dark"]`, stay conditions on the page.
    """
    text = PAGE_CONDITION.sub(r":root\1 :scope", styles(names))
    text = re.sub(r"#root\b", f":scope:is({selector}, #root)", text)  # as specific as it was
    text = PAGE.sub(":scope", text)
    return f"@scope ({selector}) {{\n{text}\n}}\n"


def source_hash(text: str) -> str:
    """The hash by which a content security policy allows a script or a style sheet."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
