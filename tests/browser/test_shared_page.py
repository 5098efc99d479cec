"""The page to share: one file that works offline, with findings, slider, substitutes and panels; rows only if asked."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest
from chromium_driver import IN_A_BROWSER, serious_violations

from relspan.browser.browser_session import BrowserSession
from relspan.explore import Explorer
from relspan.show.findings import findings

pytestmark = IN_A_BROWSER


def shared(bench, **asked):
    return base64.b64decode(bench.ask("export", {"kind": "shared", **asked})["data"]).decode()


def embedded(text, name):
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, flags=re.DOTALL)
    return json.loads(found[1]) if found else None


def rows_of_a_table(seed=0):
    """A table of which every cell can be found again: row labels, groups of rows, weights, two markers, a class."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2)) * [1.0, 1000.0]
    sick = np.where(X[:, 0] + rng.normal(scale=0.4, size=60) > 0, "ill", "well")
    labels = [f"label-{k}-{rng.integers(10**9)}" for k in range(60)]
    people = [f"person-{k // 2}-{k // 2 + 7_000_000}" for k in range(60)]
    weights = [f"{w:.9f}" for w in rng.uniform(0.5, 1.5, size=60)]
    return [labels, people, weights, *([f"{x:.9f}" for x in column] for column in X.T), sick.tolist()]


@pytest.fixture
def uploaded():
    """The session of a person who opened such a table as a file."""
    columns = rows_of_a_table()
    lines = [",who,trust,marker,dose,state", *(",".join(cells) for cells in zip(*columns, strict=True))]
    bench = BrowserSession()
    bench.upload("\n".join(lines).encode(), "rows.csv")
    choice = {"target": "state", "task": "classification", "groups": "who", "weights": "trust"}
    state = bench.ask("analyse", {**choice, "settings": {"n_probes": 10}})
    while state["phase"] == "fitting":
        state = bench.ask("follow", {"revision": state["revision"]})
    assert state["phase"] == "ready", state
    yield bench, columns
    bench.close()


def traces(text, columns):
    """The cells of a table that stand in a text: row labels and persons as they are, numbers with five digits or more.

    Scaled values count as values.
    """
    *words, weights, first, second = columns[:5]
    numbers = [np.array([float(cell) for cell in column]) for column in (weights, first, second)]
    numbers += [(column - column.mean()) / column.std() for column in numbers]
    wanted = {cell for column in words for cell in column}
    wanted |= {f"{abs(value):.{digits}g}" for column in numbers for value in column for digits in (5, 6, 9)}
    return sorted(cell for cell in wanted if re.search(rf"(?<![\d.]){re.escape(cell)}", text))


def test_no_row_stands_in_it_unless_asked(uploaded):
    bench, columns = uploaded
    bench.ask("panel", {"seconds": 5})
    bench.ask("samples", {})  # a person who has looked at the samples has not asked to share them
    for asked in ({}, {"samples": False}, {"samples": "yes"}, {"samples": 1}):
        assert traces(shared(bench, **asked), columns) == []
    with_rows = shared(bench, samples=True)
    assert len(traces(with_rows, columns)) > 60
    assert "This file contains rows of the table." in with_rows


def test_no_row_stands_in_the_page_of_a_script_unless_asked(uploaded, tmp_path):
    bench, columns = uploaded
    explorer = bench.explorer
    explorer.save(tmp_path / "model.json")
    again = Explorer.load(tmp_path / "model.json")
    assert traces(again.to_html(n_panels=1, time_limit=3), columns) == []
    assert traces(again.result.to_html(), columns) == []
    assert len(traces(again.to_html(n_panels=0, samples=True), columns)) > 60


def test_it_has_what_was_found(bench, fitted):
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
    page.fill("[aria-label='search features']", "")
    page.select_option("[aria-label='order']", "name")
    order = page.locator(".row").evaluate_all(
        "rows => rows.sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map((row) => row.dataset.feature)"
    )
    assert order == sorted(order)
    page.locator("[data-class=irrelevant]").uncheck()
    assert page.locator(".row.is-irrelevant:visible").count() == 0
    sight.row("weak1_1").hover()
    assert "weak" in sight.row("weak1_1").locator(".name").get_attribute("title")
    assert sight.errors == sight.complaints == []
    assert [url for url in sight.requests if url.startswith("http")] == []
    page.context.close()


def test_with_samples_it_shows_them_offline(opened, bench, fitted, tmp_path):
    (tmp_path / "shared.html").write_text(shared(bench, samples=True), encoding="utf-8")
    sight = opened((tmp_path / "shared.html").as_uri(), offline=True)
    page, own = sight.page, fitted.explore().predictions()
    page.wait_for_selector(".samples-sentence")
    assert page.locator(".sample").count() == len(own)
    page.select_option("[aria-label='samples shown']", "ambiguous")
    page.select_option("[aria-label='order of the samples']", "row")
    assert [int(text) - 1 for text in page.locator(".sample-row").all_inner_texts()] == own.uncertain
    first = own[own.uncertain[0]]
    assert f"{first.lo:.3g}"[:4] in page.locator(".sample-button").first.get_attribute("title")
    page.locator(".sample-button").first.press("Enter")  # by the keyboard
    page.wait_for_selector(".contributions")
    assert "Two of these models differ most" in page.locator(".sample-detail").inner_text()
    page.locator(".contributions .link").first.click()
    assert page.locator(".report-detail h2").inner_text() == page.locator(".contributions .link").first.inner_text()
    assert page.locator(".ask-sample, .ask-samples, .unmeasured:visible").count() == 0  # nothing that needs a server
    assert sight.errors == sight.complaints == []
    assert [url for url in sight.requests if url.startswith("http")] == []
    assert serious_violations(page) == []
    page.context.close()


def test_a_person_is_warned_before_rows_leave_the_machine(show, fitted):
    page = show(fitted).page
    for wanted in (False, True, False):
        page.click(".menu summary")
        page.click('[data-kind="shared"]')
        assert not page.is_checked(".with-samples")  # also after a page with samples
        assert page.locator(".share-warning").inner_text() == ""
        if wanted:
            page.locator(".with-samples").press("Space")
            assert "The rows then leave this machine" in page.locator(".share-warning").inner_text()
        with page.expect_download(timeout=60_000) as download:
            page.click(".save-shared")
        assert download.value.suggested_filename == "relspan-shared.html"
        text = Path(download.value.path()).read_text(encoding="utf-8")
        assert (embedded(text, "relspan-sample-rows") is not None) is wanted
        page.wait_for_selector(".share", state="hidden")


def test_a_panel_keeps_what_must_be_in_it_and_has_a_held_out_score(show, fitted):
    sight = show(fitted)
    page = sight.page
    page.click("#tab-panels")
    page.fill("[aria-label='feature that every panel must have']", "irrelevant1")
    page.click(".add-must")
    page.click("button:has-text('Smallest panel')")
    page.wait_for_selector(".panel-answer .panel-features", timeout=40_000)
    assert "irrelevant1" in page.locator(".panel-answer .tag").all_inner_texts()
    assert "On rows left out, the weighted F1 of this panel" in page.locator(".panel-answer").inner_text()


def test_the_report_has_what_replaces_what_and_the_panels(bench):
    panel = bench.ask("panel", {"seconds": 10})
    text = base64.b64decode(bench.ask("export", {"kind": "html"})["data"]).decode()
    for title in ("What was found", "Features that replace one another", "Panels", "The best model", "Methods"):
        assert f"<h2>{title}</h2>" in text
    assert ", ".join(panel["features"]) in text


@pytest.mark.parametrize("kind", ["session", "shared", "csv", "json", "html", "python"])
def test_every_kind_of_export_comes(bench, kind):
    assert bench.ask("export", {"kind": kind})
