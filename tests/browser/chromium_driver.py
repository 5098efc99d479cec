"""A real browser for tests and benchmarks: Debian's chromium, headless, watched for every request it makes."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """The browser's path, if there is one; RELSPAN_CHROMIUM names another."""
    return os.environ.get("RELSPAN_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def node_modules() -> Path | None:
    """Where `make web-tools` puts axe and tsc; RELSPAN_NODE_MODULES names another folder."""
    given = os.environ.get("RELSPAN_NODE_MODULES")
    folder = Path(given) if given else Path(__file__).parents[2] / ".node" / "node_modules"
    return folder if folder.is_dir() else None


SCREENS = [("light", 1400), ("dark", 1400), ("light", 390), ("dark", 390)]  # theme and width: desks and phones


def serious_violations(page: Any) -> list[Any]:
    """What axe finds serious or critical on the page as it is, with the first elements; skips where axe is missing."""
    folder = node_modules()
    axe = folder / "axe-core" / "axe.min.js" if folder else None
    if axe is None or not axe.exists():
        pytest.skip("axe-core is not installed: make web-tools")
    # the page's policy allows no other script, so axe comes through the debugger
    page.evaluate(axe.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations)")
    grave = [v for v in found if v["impact"] in ("serious", "critical")]
    return [(v["id"], [node["target"] for node in v["nodes"]][:3]) for v in grave]


IN_A_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="no chromium: apt-get install chromium"),
    pytest.mark.skipif(find_spec("playwright") is None, reason="browser tests need playwright"),
    pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning"),
]


class Sight:
    """One page with what it asked for and what went wrong."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        self.complaints: list[str] = []  # of the console
        page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", lambda dialog: (self.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def until(self, expression: str, seconds: float = 30.0) -> Any:
        """Wait for a JavaScript expression to be true; the page's policy forbids Playwright's own way of waiting."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.page.evaluate(expression)
            if found:
                return found
            self.page.wait_for_timeout(40)
        raise AssertionError(f"never true: {expression}; errors: {self.errors}")

    def settled(self, seconds: float = 60.0) -> Any:
        """The view once every interval is exact."""
        return self.until(
            "relspan.state.phase === 'ready' && relspan.state.view.pending === 0 && relspan.state.view", seconds
        )

    def row(self, name: str) -> Any:
        return self.page.locator(f'.row[data-feature="{name}"]')

    def interval(self, name: str) -> tuple[float, float]:
        """What the numbers of a line say."""
        low, high = self.row(name).locator(".numbers").inner_text().replace("≤", "").replace("≈", "").split("–")
        return float(low), float(high)

    def drag(self, name: str, side: str, by: float, steps: int = 12, drop: bool = True) -> None:
        """Take a handle and move it by some pixels."""
        box = self.row(name).locator(f".handle-{side}").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for step in range(1, steps + 1):
            self.page.mouse.move(x + by * step / steps, y)
            self.page.wait_for_timeout(15)
        if drop:
            self.page.mouse.up()


@contextmanager
def browsing() -> Iterator[Callable[..., Sight]]:
    """One browser with a fresh profile; what is yielded opens a page on an address, apart from all others."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)

        def opened(address: str, width: int = 1400, height: int = 900, **context: Any) -> Sight:
            apart = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True, **context)
            sight = Sight(apart.new_page())
            sight.page.goto(address)
            return sight

        try:
            yield opened
        finally:
            browser.close()
