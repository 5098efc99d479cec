"""The screenshots of docs/explorer.md: the explorer on breast cancer, wide and light, dark with a conflict, narrow.

python docs/images/make_screenshots.py      (needs chromium and playwright)
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "browser"))
from chromium_driver import browsing

from relspan.browser.browser_session import BrowserSession
from relspan.browser.server import prepare_server

HERE = Path(__file__).parent


def main() -> None:
    session = BrowserSession()
    session.ask("open_example", {"name": "breast cancer"})
    session.ask("analyse", {"target": "diagnosis", "task": "classification"})
    running = prepare_server(session).start()
    with browsing() as opened:
        sight = opened(running.address, width=1360, height=820, color_scheme="light")
        page = sight.page
        page.wait_for_selector(".row", timeout=200_000)
        sight.row("worst radius").locator(".name").click()
        page.fill("#pin-low", "0.3")
        page.keyboard.press("Enter")
        sight.until("relspan.state.view.pins.length === 1")
        sight.settled()
        sight.row("worst radius").locator(".name").click()
        page.click(".ask-alternatives")
        page.wait_for_selector(".alternative", timeout=200_000)
        page.mouse.move(5, 5)
        page.screenshot(path=HERE / "explorer.png")
        sight.row("worst area").locator(".name").click()
        page.fill("#pin-low", "0.6")
        page.keyboard.press("Enter")
        page.wait_for_selector(".conflict button", timeout=200_000)
        page.click("#tab-model")
        sight.until("relspan.state.view.best?.score", 120)
        page.emulate_media(color_scheme="dark")
        page.mouse.move(5, 5)
        page.wait_for_timeout(300)
        page.screenshot(path=HERE / "explorer_dark.png")
        narrow = opened(running.address, width=400, height=800, color_scheme="light")
        narrow.page.wait_for_selector(".row", timeout=200_000)
        narrow.settled()
        narrow.row("worst radius").locator(".name").click()
        narrow.page.evaluate("scrollTo(0, 0)")
        narrow.page.wait_for_timeout(300)
        narrow.page.screenshot(path=HERE / "explorer_narrow.png")
    running.stop()


if __name__ == "__main__":
    main()
