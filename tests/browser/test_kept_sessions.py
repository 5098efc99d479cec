"""Opening another table loses nothing: pins, scenarios, costs and stars stay, and there is a way back to them."""

from __future__ import annotations

import base64
import json

import pytest
from chromium_driver import IN_A_BROWSER

from relspan.browser.browser_session import MOST_LEFT, BrowserSession
from relspan.errors import ParameterError

pytestmark = IN_A_BROWSER


def worked_on(bench):
    """Do some work that can be lost."""
    bench.ask("pin", {"feature": "weak1_1", "demand": "without"})
    bench.ask("save_scenario", {"name": "mine", "note": "a note"})
    bench.ask("set_costs", {"costs": {"weak1_2": 3}})
    bench.ask("toggle_star", {"feature": "weak1_2"})
    return bench


def test_a_table_that_is_opened_keeps_the_session_before_it(bench):
    worked_on(bench)
    state = bench.ask("open_example", {"name": "known truth"})
    assert state["phase"] == "choose"
    (left,) = state["left"]
    assert (left["pins"], left["scenarios"]) == (1, 1)
    state = bench.ask("take_up", {"left": left["session"]})
    assert state["phase"] == "ready"
    assert [pin["text"] for pin in state["view"]["pins"]] == ["without weak1_1"]
    assert [scenario["note"] for scenario in state["view"]["scenarios"]] == ["a note"]
    assert (state["costs"], state["stars"]) == ({"weak1_2": 3.0}, ["weak1_2"])
    assert state["left"] == []
    assert bench.ask("undo", {})["view"]["pins"] == []


def test_a_session_that_is_left_can_be_saved_and_shown_beside_another(bench, fitted):
    worked_on(bench)
    bench.show(fitted.explore())
    state = bench.ask("state", {})
    assert state["view"]["pins"] == []
    (left,) = state["left"]
    file = bench.ask("export", {"kind": "session", "left": left["session"]})
    fresh = BrowserSession()
    again = fresh.upload(base64.b64decode(file["data"]), file["name"])
    assert [pin["text"] for pin in again["view"]["pins"]] == ["without weak1_1"]
    fresh.close()
    bench.ask("take_up", {"left": left["session"]})
    assert len(bench.ask("state", {})["left"]) == 1  # the other one is kept now


def test_only_the_latest_sessions_are_kept(bench, fitted):
    first = bench.ask("state", {})["session"]
    for _ in range(MOST_LEFT + 1):
        bench.show(fitted.explore())
    left = bench.ask("state", {})["left"]
    assert len(left) == MOST_LEFT
    assert first not in [one["session"] for one in left]
    with pytest.raises(ParameterError, match="not kept any more"):
        bench.ask("take_up", {"left": first})


def test_a_file_that_cannot_be_read_changes_nothing(bench):
    session = worked_on(bench).ask("state", {})["session"]
    for content in (b'{"format": "no session"}', b"\xff\xfe\x00"):
        with pytest.raises(ValueError, match="bad"):
            bench.upload(content, "bad")
    assert bench.ask("state", {})["session"] == session


def test_the_page_leads_back(sight):
    page = sight.page
    sight.row("worst area").locator(".name").focus()
    page.keyboard.press("w")
    sight.until("relspan.state.view.pins.length === 1")
    page.click(".reset")
    page.wait_for_selector(".kept")
    assert "with 1 pin" in page.locator(".kept").inner_text()
    with page.expect_download() as download:
        page.click("text=Save it as a file")
    assert json.loads(download.value.path().read_bytes())["session"]["pins"][0]["feature"] == "worst area"
    page.reload()
    page.click("text=Back to it")
    page.wait_for_selector(".row")
    assert page.locator(".pin-text").all_inner_texts() == ["without worst area"]


def test_the_page_leads_back_from_the_next_result(sight):
    page = sight.page
    sight.row("worst area").locator(".name").focus()
    page.keyboard.press("w")
    sight.until("relspan.state.view.pins.length === 1")
    page.fill(".search", "worst")
    page.click(".chip.is-weak")
    page.click(".reset")
    page.click(".example:has-text('known truth')")
    page.click("button:has-text('Analyse')")
    page.wait_for_selector(".row", timeout=120_000)
    assert page.locator(".search").input_value() == ""  # nothing of the last table stays
    assert page.locator(".chip[aria-pressed=true]").count() == 0
    page.click(".back")
    sight.until("relspan.state.view?.pins.length === 1")
    assert "worst area" in page.locator(".pins").inner_text()
