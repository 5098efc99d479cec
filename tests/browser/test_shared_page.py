"""The page to share: one file without the table that works offline, with findings, slider, substitutes and panels."""

from __future__ import annotations

import base64
import json
import re

import numpy as np
import pytest
from chromium_driver import IN_A_BROWSER

from relspan.explore.explorer import history_of
from relspan.show.findings import findings

pytestmark = IN_A_BROWSER


def shared(bench):
    return base64.b64decode(bench.ask("export", {"kind": "shared"})["data"]).decode()


def embedded(text, name):
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, flags=re.DOTALL)
    return json.loads(found[1]) if found else None


def test_it_has_what_was_found_and_no_row_of_the_table(bench, fitted):
    panel = bench.ask("panel", {"seconds": 10})
    text = shared(bench)
    for entry in findings(fitted.result_):
        assert entry.sentence in text
    assert "Features that replace one another" in text
    assert ", ".join(panel["features"]) in text
    steps = embedded(text, "relspan-budgets")["steps"]
    path = fitted.explore().path("delta_loss")
    for step, own in zip(steps, path.steps, strict=True):
        np.testing.assert_allclose([step[n] for n in own.intervals], list(own.intervals.values()), atol=1e-6)
    values = history_of(fitted.explore()).problem.X[:5].ravel()
    assert not any(f"{value:.6f}" in text for value in values)


def test_under_pins_it_names_them_and_has_no_slider(bench):
    bench.ask("pin", {"feature": "weak1_1", "demand": "without"})
    text = shared(bench)
    assert "Under these pins (without weak1_1)" in text
    assert embedded(text, "relspan-budgets") is None


def test_it_works_offline(opened, bench, tmp_path):
    (tmp_path / "shared.html").write_text(shared(bench), encoding="utf-8")
    sight = opened((tmp_path / "shared.html").as_uri(), offline=True)
    page = sight.page
    page.wait_for_selector(".row")
    before = sight.interval("weak1_1")
    slider = page.locator(".budget input")
    slider.focus()
    slider.press("End")
    page.wait_for_selector(".budget-status:has-text('At this budget')")
    assert sight.interval("weak1_1")[1] > before[1]
    page.fill("[aria-label='search features']", "strong")
    assert page.locator(".row:visible").count() == 2
    assert sight.errors == []
    assert [url for url in sight.requests if url.startswith("http")] == []
    page.context.close()


def test_the_menu_saves_it(show, fitted):
    page = show(fitted).page
    page.click(".menu summary")
    with page.expect_download() as download:
        page.click('[data-kind="shared"]')
    assert download.value.suggested_filename == "relspan-shared.html"


def test_a_panel_keeps_what_must_be_in_it_and_has_a_held_out_score(show, fitted):
    sight = show(fitted)
    page = sight.page
    page.click("#tab-panels")
    page.fill("[aria-label='feature that every panel must have']", "irrelevant1")
    page.click(".add-must")
    page.click("button:has-text('Smallest panel')")
    page.wait_for_selector(".panel-answer .panel-features", timeout=40_000)
    assert "irrelevant1" in page.locator(".panel-answer .tag").all_inner_texts()
    assert "Held-out score of this panel" in page.locator(".panel-answer").inner_text()


@pytest.mark.parametrize("kind", ["session", "shared", "csv", "json", "html", "python"])
def test_every_kind_of_export_comes(bench, kind):
    assert bench.ask("export", {"kind": kind})
