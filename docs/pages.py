"""Run the Python of a page, and put what it prints into the text below: python docs/pages.py docs/tutorial.md ...

A page is Markdown. Its ```python blocks are run one after the other in one namespace, in an empty folder; the ```text
block right below one shows what it prints. Other fences are only shown. The tests run all pages and compare.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path
from types import ModuleType

from relspan.errors import RelspanWarning

BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n)?", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ relspan (.*)$", re.MULTILINE)


def refreshed(text: str, title: str) -> str:
    """The page with the text blocks that its code really prints."""
    page = sys.modules["page"] = ModuleType("page")  # where classes that a page defines are found again

    def run(block: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore", RelspanWarning)
            exec(compile(block["code"], title, "exec", dont_inherit=True), vars(page))
        output = printed.getvalue()
        return f"```python\n{block['code']}```\n" + (f"\n```text\n{output}```\n" if output else "")

    return BLOCK.sub(run, text)


@contextlib.contextmanager
def empty_folder():
    """An empty working folder, for what a page writes."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


if __name__ == "__main__":
    for page in [Path(word).resolve() for word in sys.argv[1:]]:
        with empty_folder():
            page.write_text(refreshed(page.read_text(encoding="utf-8"), page.name), encoding="utf-8")
