"""Run the Python of a page, and put what it prints into the text below: python docs/pages.py docs/tutorial.md ...

A page is Markdown. Its ```python blocks are run one after the other in one namespace, in an empty folder; the ```text
block right below one shows what it prints. On a page that has the line COMMANDS_ARE_RUN, each ```console block is one
relspan command, which is run as well, and what it writes to standard output. Other fences are only shown. The tests run
all pages and compare.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
import warnings
from pathlib import Path
from types import ModuleType

from typer.testing import CliRunner

from relspan.cli.app import app
from relspan.errors import RelspanWarning

COMMANDS_ARE_RUN = "<!-- The commands of this page are run. -->"
CONSOLE = r"^```console\n\$ relspan (?P<words>(?:[^\n]*\\\n)*[^\n]*)\n.*?^```\n"
PYTHON = r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n)?"
BLOCK = re.compile(PYTHON, re.DOTALL | re.MULTILINE)
EITHER = re.compile(f"{PYTHON}|{CONSOLE}", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ relspan (.*)$", re.MULTILINE)


def refreshed(text: str, title: str) -> str:
    """The page with the text blocks that its code really prints."""
    page = sys.modules["page"] = ModuleType("page")  # where classes that a page defines are found again

    def run(block: re.Match[str]) -> str:
        if block["code"] is None:
            return after_command(block["words"])
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore", RelspanWarning)
            exec(compile(block["code"], title, "exec", dont_inherit=True), vars(page))
        output = printed.getvalue()
        return f"```python\n{block['code']}```\n" + (f"\n```text\n{output}```\n" if output else "")

    return (EITHER if COMMANDS_ARE_RUN in text else BLOCK).sub(run, text)


def after_command(words: str) -> str:
    """A block with the command, and what it writes to standard output."""
    done = CliRunner().invoke(app, shlex.split(words.replace("\\\n", " ")))
    if done.exit_code:
        raise RuntimeError(f"relspan {words} ends with {done.exit_code}: {done.stderr}")
    lines = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
    return f"```console\n$ relspan {words}\n{lines}```\n"


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
