"""Questions that take long: they stop when they are told to or when nobody waits, and others do not wait for them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from chromium_driver import IN_A_BROWSER

from relspan.browser.browser_session import BrowserSession
from relspan.browser.long_questions import Superseded
from relspan.browser.security import TOKEN

pytestmark = IN_A_BROWSER
SECONDS = 2.0  # within which a question has to end


@pytest.fixture
def cancer_bench(cancer):
    bench = BrowserSession().show(cancer.explore())
    yield bench
    bench.close()


class Search(threading.Thread):
    """A search for a panel that would take a minute."""

    def __init__(self, bench):
        super().__init__(daemon=True)
        self.bench, self.raised = bench, None
        self.start()

    def run(self):
        try:
            self.bench.ask("panel", {"seconds": 60})
        except Exception as error:
            self.raised = error

    def under_way(self):
        """Wait until branch and bound has begun."""
        for _ in range(400):
            if "proven bound" in self.bench.ask("progress", {"lane": "panel"}).get("note", ""):
                return
            time.sleep(0.02)
        raise AssertionError("the search never began")


def test_a_panel_search_stops_when_it_is_told_to(cancer_bench):
    search = Search(cancer_bench)
    search.under_way()
    cancer_bench.ask("stop_question", {"lane": "panel"})
    search.join(SECONDS)
    assert not search.is_alive()
    assert isinstance(search.raised, Superseded)


def test_other_questions_do_not_wait_for_a_panel_search(cancer_bench):
    search = Search(cancer_bench)
    search.under_way()
    found = cancer_bench.ask("alternatives", {"feature": "worst area"})
    assert found["alternatives"]
    assert search.is_alive()  # and it goes on
    cancer_bench.ask("stop_question", {})
    search.join(SECONDS)
    assert not search.is_alive()


def test_a_panel_search_of_a_closed_page_stops(show, cancer, server):
    sight = show(cancer)
    bench = server.sessions[server.token]
    sight.page.click("#tab-panels")
    sight.page.select_option("#panel-seconds", "60")
    sight.page.click("button:has-text('Smallest panel')")
    lane = bench.shown.long_questions.lanes["panel"]
    for _ in range(400):
        if "proven bound" in lane.progress.get("note", ""):
            break
        time.sleep(0.02)
    sight.page.context.close()
    for _ in range(int(SECONDS / 0.02)):
        if not lane.progress:
            return
        time.sleep(0.02)
    raise AssertionError("the search goes on although nobody waits for it")


def test_the_page_stops_a_search(sight):
    page = sight.page
    page.click("#tab-panels")
    page.select_option("#panel-seconds", "60")
    page.click("button:has-text('Smallest panel')")
    page.wait_for_selector(".panel-answer:has-text('proven bound')")
    page.click(".panel-answer >> text=Stop")
    page.wait_for_selector(".panel-answer:has-text('was stopped')")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_a_server_with_an_open_page_without_a_traceback(cancer, tmp_path):
    """A page follows the news and waits for a panel of a minute; the terminal shows the address and nothing else."""
    cancer.explore().save(tmp_path / "session.json")
    command = [sys.executable, "-m", "relspan", "explore", str(tmp_path / "session.json"), "--no-browser"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address, _, token = running.stdout.readline().strip().partition("#token=")

        def ask(action, **payload):
            request = Request(f"{address}api/{action}", json.dumps(payload).encode(), {TOKEN: token})
            try:
                with urlopen(request, timeout=60) as answer:
                    return json.load(answer)
            except (URLError, ConnectionError):
                return None

        revision = ask("state")["revision"]
        for action, payload in (("follow", {"revision": revision}), ("panel", {"seconds": 60})):
            threading.Thread(target=ask, args=(action,), kwargs=payload, daemon=True).start()
        for _ in range(400):
            if "proven bound" in ask("progress", lane="panel").get("note", ""):
                break
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=30)
    finally:
        running.kill()
    assert running.returncode == 0
    assert said == "the explorer is open; Ctrl-C ends it\n"
