"""Tabs that stay in step, a server that ends, a token that is pasted, pages that wait: no stale state anywhere."""

from __future__ import annotations

import threading
import time
from urllib.parse import urlsplit

from chromium_driver import IN_A_BROWSER

from relspan.browser.browser_session import BrowserSession
from relspan.browser.server import prepare_server

pytestmark = IN_A_BROWSER


def test_two_tabs_stay_in_step(sight, opened, server):
    other = opened(server.address)
    other.page.wait_for_selector(".row")
    sight.row("worst area").locator(".name").focus()
    sight.page.keyboard.press("w")
    other.until("relspan.state.view.pins.length === 1")
    assert other.page.locator(".pin-text").all_inner_texts() == ["without worst area"]
    other.page.click(".reset")
    sight.until("relspan.state.phase === 'open'")
    sight.page.click("text=Back to it")
    other.until("relspan.state.phase === 'ready'")
    assert other.errors == []
    other.page.context.close()


def test_an_address_that_is_pasted_into_an_open_tab_is_taken(opened, server, bench):
    server.sessions[server.token] = bench
    sight = opened(f"http://{urlsplit(server.address).netloc}/")
    sight.page.wait_for_selector(".message:has-text('token is missing or wrong')")
    sight.page.evaluate("address => { location.href = address }", server.address)
    sight.page.wait_for_selector(".row")
    assert "token" not in sight.page.url
    sight.page.context.close()


def test_a_server_that_ends_is_explained_and_one_that_comes_back_is_found(opened, bench):
    running = prepare_server(bench).start()
    sight = opened(running.address)
    sight.page.wait_for_selector(".row")
    running.server.should_exit = True
    sight.page.wait_for_selector(".message:has-text('The server does not answer. Check that relspan is still running')")
    running._thread.join(10)
    again = prepare_server(bench, port=running.port)
    again.sessions[running.token] = bench
    again.start()
    sight.page.wait_for_selector(".message", state="hidden", timeout=15_000)
    again.stop()
    sight.page.context.close()


def test_an_error_does_not_outlive_its_table(sight):
    page = sight.page
    page.click(".reset")
    page.set_input_files("#file", {"name": "bad.csv", "mimeType": "text/csv", "buffer": b"\x00\x01"})
    page.wait_for_selector(".message")
    page.click("text=Back to it")
    page.wait_for_selector(".row")
    assert page.locator(".message").is_hidden()


def test_filters_do_not_outlive_their_table(sight, server, fitted):
    page = sight.page
    page.click(".toolbar .chip.is-irrelevant")
    page.fill(".search", "mean")
    assert page.locator(".row:visible").count() < 30
    server.sessions[server.token].show(fitted.explore())
    sight.until("relspan.state.result.features.length === 10")
    sight.until("document.querySelectorAll('.row:not([hidden])').length === 10")
    assert page.locator(".chip[aria-pressed=true]").count() == 0


def test_pages_that_wait_delay_nobody(client):
    state = client.settled()
    while True:  # until the held-out score is known, and nothing more changes
        again = client.ask("follow", revision=state["revision"])
        if again["revision"] == state["revision"]:
            break
        state = again
    waits = [
        threading.Thread(target=client.ask, args=("follow",), kwargs={"revision": state["revision"]}) for _ in range(60)
    ]
    for wait in waits:
        wait.start()
    time.sleep(0.5)
    begun = time.monotonic()
    client.ask("toggle_star", feature="weak1_1")
    answered = time.monotonic() - begun
    for wait in waits:
        wait.join(5)
    assert not any(wait.is_alive() for wait in waits)
    assert answered < 5  # with 40 threads that wait, nobody would answer before the first ten seconds are over


def test_a_fresh_page_of_an_empty_session_follows_too(opened):
    bench = BrowserSession()
    running = prepare_server(bench).start()
    sight = opened(running.address)
    sight.page.wait_for_selector(".drop")
    bench.ask("open_example", {"name": "known truth"})
    sight.page.wait_for_selector(".choose")
    sight.page.context.close()
    running.stop()
