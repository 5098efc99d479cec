"""The page at its edges: long names, many probes, many pins, images that stand alone, the keyboard's place."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from chromium_driver import IN_A_BROWSER

from relspan import RelevanceClassifier
from relspan.simulate import simulate
from relspan.tables import NamedMatrix

pytestmark = IN_A_BROWSER
LONG = "a measurement whose name goes on " * 5 + "without_any_place_to_break_" * 4


@pytest.fixture(scope="module")
def long_names():
    data = simulate(120, strong=2, weak=4, irrelevant=4, random_state=3)
    names = tuple(f"{LONG}{name}" for name in data.names)
    return RelevanceClassifier(n_probes=10, random_state=0).fit(NamedMatrix(data.X, names), data.y)


OVERFLOW = """() => { const wide = document.documentElement.clientWidth + 1;
    return [...document.querySelectorAll("#root *")].filter((e) => e.offsetParent
        && !e.closest("svg, .table-holder, .tablist") && e.getBoundingClientRect().right > wide)
        .map((e) => `${e.tagName}.${e.className}`) }"""


@pytest.mark.parametrize("width", [1400, 390])
def test_long_names_stay_inside(show, long_names, width):
    sight = show(long_names, width=width)
    page, first = sight.page, long_names.result_.features[2].name
    assert page.evaluate("(panel => panel.scrollWidth <= panel.clientWidth)(document.querySelector('#panel-findings'))")
    sight.row(first).locator(".name").click()
    page.click("text=Leave it out")
    sight.until("relspan.state.view.pins.length === 1")
    assert page.evaluate(OVERFLOW) == []
    sight.row(long_names.result_.features[0].name).locator(".name").click()
    page.click("text=Leave it out")
    page.wait_for_selector(".conflict button")
    assert page.evaluate(OVERFLOW) == []
    for tab in ("model", "panels", "map", "scenarios"):
        page.click(f"#tab-{tab}")
        page.wait_for_timeout(100)
        assert page.evaluate(OVERFLOW) == [], tab
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_names_with_one_beginning_differ_on_the_page(show, long_names):
    """A name that does not fit is cut in its middle: the ends of all names are seen."""
    sight = show(long_names, width=390)
    for feature in long_names.result_.features[:4]:
        end = sight.row(feature.name).locator(".name-end")
        seen, holder = end.bounding_box(), sight.row(feature.name).locator(".name").bounding_box()
        assert feature.name.endswith(end.inner_text())
        assert seen["width"] > 30
        assert seen["x"] + seen["width"] <= holder["x"] + holder["width"] + 1


@pytest.mark.parametrize("width", [1400, 390])
def test_under_pins_a_row_keeps_its_name(sight, show, cancer, width):
    """What the pins do stands below the name, not in its place; on a phone the axis and the list keep their height."""
    sight = sight if width == 1400 else show(cancer, width=width, height=844)
    page = sight.page
    sight.row("worst radius").locator(".name").focus()
    page.keyboard.press("w")
    sight.until("relspan.state.view.pins.length === 1")
    sight.settled()
    row = sight.row("worst radius")
    name, effect = row.locator(".name-start"), row.locator(".effect")
    assert name.evaluate("(e) => e.scrollWidth <= e.clientWidth")  # nothing of it is cut
    assert effect.inner_text() == "pinned, left out"
    assert effect.bounding_box()["y"] > name.bounding_box()["y"] + 8
    assert page.locator(".axis").bounding_box()["height"] > 30
    assert page.locator(".list-head").bounding_box()["height"] > 30
    assert page.locator(".scroller").bounding_box()["height"] > 300


def test_the_keyboard_keeps_its_place_when_pins_are_redrawn(sight):
    page = sight.page
    for name in ("worst area", "worst radius", "worst texture"):
        sight.row(name).locator(".name").focus()
        page.keyboard.press("w")
        sight.until(f"relspan.state.view.pins.some((pin) => pin.feature === '{name}')")
    page.locator('[aria-label="unpin worst radius"]').focus()
    sight.settled()  # the bar is redrawn while intervals become exact
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "unpin worst radius"
    page.keyboard.press("Enter")
    sight.until("relspan.state.view.pins.length === 2")
    assert page.evaluate("document.activeElement.closest('.pins') !== null")
    assert page.evaluate("document.activeElement !== document.body")


def test_probes_do_not_cover_one_another(show):
    data = simulate(120, strong=2, weak=0, irrelevant=3, random_state=0)
    many = RelevanceClassifier(C=0.05, n_probes=120, all_probes=True, random_state=0).fit(
        NamedMatrix(data.X, data.names), data.y
    )
    sight = show(many)
    sight.row("strong1").locator(".name").click()
    dots = sight.page.locator(".probe").evaluate_all(
        "dots => dots.map((d) => [d.getAttribute('cx'), d.getAttribute('cy')])"
    )
    assert len(dots) == len({tuple(dot) for dot in dots}) > 100
    assert min(float(y) for _, y in dots) > 0


@pytest.mark.parametrize("pinned", [False, True])
def test_an_image_stands_alone(sight, tmp_path, pinned):
    page = sight.page
    if pinned:
        sight.row("worst area").locator(".name").focus()
        page.keyboard.press("w")
        sight.until("relspan.state.view.pins.length === 1")
        sight.settled()
    page.click(".menu summary")
    with page.expect_download() as download:
        page.click('[data-kind="svg"]')
    download.value.save_as(tmp_path / "chart.svg")
    root = ET.parse(tmp_path / "chart.svg").getroot()
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "relevance: share of the best model's norm" in words
    assert any(word.startswith("◐ weak") for word in words)
    assert ("Under these pins: without worst area." in words) == pinned
    assert ("┊ how far chance reaches" in words) == (not pinned)


def test_a_panel_of_a_wide_table_can_be_pinned(show):
    data = simulate(60, strong=2, weak=2, irrelevant=1196, random_state=0)
    settings = {"C": 0.05, "n_probes": 5, "delta_norm": 0.02, "delta_loss": 0.01, "random_state": 0}
    sight = show(RelevanceClassifier(**settings).fit(NamedMatrix(data.X, data.names), data.y))
    page = sight.page
    page.click("#tab-panels")
    page.click("button:has-text('Smallest panel')")
    page.wait_for_selector(".panel-features", timeout=60_000)
    panel = page.locator(".panel-features .tag").all_inner_texts()
    page.click("text=Leave all other features out")
    sight.until(f"relspan.state.view.pins.length === {1200 - len(panel)}", 60)
    view = sight.settled(240)
    assert page.locator(".message").is_hidden()
    rows = {f["name"]: row for f, row in zip(page.evaluate("relspan.state.result.features"), view["rows"], strict=True)}
    assert all(row[1] == 0 for name, row in rows.items() if name not in panel)
    assert any(rows[name][1] > 0 for name in panel)
    assert re.search(r"and \d+ more", page.locator(".pins").inner_text())
